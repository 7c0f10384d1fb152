"""Record the traces of the games on the shelf that have none: ``python -m tests.games.record_traces``.

They are what later backends and versions are compared with. A trace is replaced only after its file has been deleted
by hand, because a difference is a bug until somebody has understood it.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import ludens
from ludens.games.library import SHELF, find
from ludens.gdl.chance.dialect import Dialect, dialect_of
from ludens.gdl.game import GdlGame
from ludens.gdl.traces import record_trace

TRACES = Path(__file__).parent / "traces"
NAMES = sorted({path.stem for path in SHELF.iterdir() if path.suffix in (".kif", ".py") and path.stem != "__init__"})
WITHOUT_WEIGHTS = [name for name in NAMES if Dialect.STOCHASTIC not in dialect_of(find(name).rule_sheet())]
"""What Prolog plays, where all draws are uniform."""


def main() -> None:
    """Write a trace for each game that has none."""
    for name in NAMES:
        path = TRACES / f"{name}.jsonl.gz"
        game = ludens.load(name, backend="reference")
        if isinstance(game, GdlGame) and not path.exists():
            lines = record_trace(game, playouts=2, max_steps=60, seed=len(name))
            text = "".join(json.dumps(line) + "\n" for line in lines)
            path.write_bytes(gzip.compress(text.encode(), mtime=0))
            print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
