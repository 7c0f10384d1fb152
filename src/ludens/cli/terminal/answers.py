"""Standard output for programs: output of rules and players in Python must not mix with the answers."""

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
    """Write an answer for a program and flush it."""
    print(text, end=end, file=_kept[-1] if _kept else sys.stdout, flush=True)


@contextmanager
def answers_only() -> Iterator[None]:
    """Reserve standard output for `put`; all other output, including child processes', goes to standard error."""
    sys.stdout.flush()
    with _duplicate_stdout() as kept, redirect_stdout(sys.stderr):
        _kept.append(kept)
        try:
            yield
        finally:
            _kept.pop()


@contextmanager
def _duplicate_stdout() -> Iterator[TextIO]:
    """Duplicate standard output and redirect its descriptor to standard error; without a descriptor, yield it as is."""
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
