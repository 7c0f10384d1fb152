"""Grounding in a process of its own, which can be ended when it takes too long or needs too much memory."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from array import array
from collections.abc import Sequence
from dataclasses import asdict

from ludens.compiler.ground import clingo_tape as program
from ludens.compiler.ground.clingo_tape import Grounding, Limits, Relation
from ludens.core import GameError

GRACE = 10.0
"""Seconds that the process has to say what was largest, before it is ended."""


def run_guarded(text: str, asked: Sequence[Relation], limits: Limits, *, blame: bool) -> Grounding:
    """What `run_grounder` does, by a process that cannot go beyond the limits."""
    # -P: its folder has modules named like some of the standard library's, which must not be found first.
    command = [sys.executable, "-P", program.__file__]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    request = {"text": text, "asked": list(asked), "limits": asdict(limits), "blame": blame}
    with tempfile.TemporaryFile() as messages:
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=messages, env=environment
            )
        except OSError as error:
            raise GameError(f"no process to ground the rules could be run: {error}") from None
        late = threading.Event()

        def kill() -> None:
            late.set()
            process.kill()

        killer = threading.Timer(limits.seconds + GRACE, kill)
        killer.daemon = True
        killer.start()
        found = None
        with contextlib.suppress(BrokenPipeError), process:
            found = _talk(process, request)
        killer.cancel()
        if found is not None:
            return found
        if late.is_set():
            return Grounding("seconds")
        messages.seek(0)
        said = messages.read().decode(errors="replace")
    return Grounding(
        "memory" if "MemoryError" in said or "bad_alloc" in said else "error", " ".join(said[-300:].split())
    )


def _talk(process: subprocess.Popen[bytes], request: object) -> Grounding | None:
    """Send a request and read the answer; None if there is none."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        words = array("i")
        words.frombytes(process.stdout.read())
    except (BrokenPipeError, ValueError):
        return None
    if len(words) != answer.pop("words"):
        return None
    answer["largest"] = [(name, arity) for name, arity in answer["largest"]]
    return Grounding(**answer, words=words)
