"""Files of proofs that go on later: the bounds so far, the transposition table and what orders moves."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from ludens.core import GameError
from ludens.core.files import write_file
from ludens.players.packed.prover import SLOT, Prover

_MAGIC = b"ludens proof 1\n"
_LONGEST_HEADER = 1 << 20


def write_proof(prover: Prover, path: Path) -> None:
    """Write what a prover knows to a file."""
    slots = prover.used_slots()
    known = {"low": prover.low, "high": prover.high, "nodes": prover.nodes, "computed": prover.computed}
    header = prover.identity | known | {"slots": len(slots)}
    text = json.dumps(header, ensure_ascii=False).encode() + b"\n"
    write_file(path, b"".join([_MAGIC, text, prover.history.astype("<i8").tobytes(), slots.tobytes()]))


def read_proof(prover: Prover, path: Path) -> None:
    """Go on where the prover of a file stopped. Raises `GameError` if the file is damaged or of another proof."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise GameError(f"{path}: {error.strerror}") from None
    if not content.startswith(_MAGIC):
        raise GameError(f"{path} is not a proof; `ludens solve GAME --resume FILE` writes one")
    try:
        end = content.index(b"\n", len(_MAGIC), len(_MAGIC) + _LONGEST_HEADER) + 1
        header = json.loads(content[len(_MAGIC) : end])
        for key, value in prover.identity.items():
            if header[key] != value:
                raise GameError(f"{path} has the proof of another {_NAMES[key]}; remove it, or name another file")
        history_bytes = 8 * prover.history.size
        slots = np.frombuffer(content, SLOT, int(header["slots"]), end + history_bytes)
        if len(content) != end + history_bytes + slots.nbytes:
            raise ValueError("its size is wrong")
        history = np.frombuffer(content, "<i8", prover.history.size, end)
        counts = int(header["nodes"]), int(header["computed"])
        prover.restore(int(header["low"]), int(header["high"]), counts, history, slots)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise GameError(f"{path} is damaged: {error}") from None


_NAMES = {"rules": "game", "root": "position", "mark": "version of ludens", "total": "sum of goals"}
