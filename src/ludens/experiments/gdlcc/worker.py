"""The process of one engine and one game: ``python -m ludens.experiments.gdlcc.worker``.

Reads a request in JSON from standard input, and prints a line of JSON when it is ready, for every turn, and for every
match that has ended. An error ends this process only.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from random import Random

from ludens.core import LudensError
from ludens.experiments.gdlcc.engines import EngineName, make_engine
from ludens.experiments.gdlcc.matches import play_match
from ludens.games import library


def main() -> int:
    """Play the matches that the request asks for."""
    request = json.load(sys.stdin)
    try:
        choice = library.find(request["game"])
        engine = make_engine(
            EngineName(request["engine"]),
            choice.rule_sheet(),
            Path(choice.text).stem,
            request["memo"],
            request["rhythm"],
        )
        _report({"ready": True})
        for number in range(request["games"]):
            turns = []
            for turn in play_match(engine, request["clock"], Random(number)):
                turns.append(asdict(turn))
                _report({"turn": len(turns), "match": number})
            _report({"turns": turns})
    except LudensError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _report(message: dict[str, object]) -> None:
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    sys.exit(main())
