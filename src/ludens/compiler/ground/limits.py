"""Grounding in a process of its own, which can be ended when it takes too long or needs too much memory."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from dataclasses import asdict

from ludens.compiler.ground import clingo_tape as program
from ludens.compiler.ground.clingo_tape import Grounding, Limits, Relation
from ludens.core import GameError
from ludens.core.process import run_file

GRACE = 10.0
"""Seconds that the process has to report what was largest, before it is ended; at most its limit if nobody asks."""


def run_guarded(text: str, asked: Sequence[Relation], limits: Limits, *, blame: bool) -> Grounding:
    """What `run_grounder` does, by a process that cannot go beyond the limits."""
    request = {
        "text": text,
        "asked": list(asked),
        "limits": asdict(limits),
        "most_seconds": limits.seconds + GRACE,
        "blame": blame,
    }
    line = json.dumps(request).encode() + b"\n"
    try:
        grace = GRACE if blame else min(GRACE, limits.seconds)
        ended = run_file(program.__file__, request=line, seconds=limits.stretch * limits.seconds + grace)
    except OSError as error:
        raise GameError(f"no process to ground the rules could be run: {error}") from None
    found = _read(ended.output)
    if found is not None:
        return found
    if ended.late:
        return Grounding("seconds")
    return Grounding(
        "memory" if "MemoryError" in ended.said or "bad_alloc" in ended.said else "error", ended.error_tail
    )


def _read(output: bytes) -> Grounding | None:
    """What the process found; None if it did not get to the end of its answer."""
    start = output.find(b"\n") + 1
    words = array("i")
    try:
        answer = json.loads(output[:start])
        words.frombytes(memoryview(output)[start:])
    except ValueError:
        return None
    if len(words) != answer.pop("words"):
        return None
    answer["largest"] = [(name, arity) for name, arity in answer["largest"]]
    return Grounding(**answer, words=words)
