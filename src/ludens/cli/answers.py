"""Standard output for programs: what rules and players in Python print must not get between the answers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import UnsupportedOperation
from typing import TextIO

_kept: list[TextIO] = []
"""Standard output as it was, while everything else that is printed goes to standard error."""


def put(text: str, end: str = "\n") -> None:
    """Write an answer for a program, at once."""
    print(text, end=end, file=_kept[-1] if _kept else sys.stdout, flush=True)


@contextmanager
def answers_only() -> Iterator[None]:
    """Keep standard output for `put`: whatever else is printed, by processes that we start too, is not mixed in."""
    sys.stdout.flush()
    with _aside() as kept, redirect_stdout(sys.stderr):
        _kept.append(kept)
        try:
            yield
        finally:
            _kept.pop()


@contextmanager
def _aside() -> Iterator[TextIO]:
    """Standard output under another number, its own being that of standard error; as it is where it has no number."""
    try:
        numbers = sys.stdout.fileno(), sys.stderr.fileno()
    except (UnsupportedOperation, AttributeError, ValueError):
        yield sys.stdout
        return
    out, err = numbers
    with os.fdopen(os.dup(out), "w", encoding=sys.stdout.encoding, errors=sys.stdout.errors) as kept:
        os.dup2(err, out)
        try:
            yield kept
        finally:
            os.dup2(kept.fileno(), out)
