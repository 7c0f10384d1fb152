"""A computation as a callable function, whatever generated its code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from threading import Lock
from typing import TypeVar

_Made = TypeVar("_Made")


def make_once(make: Callable[[], _Made]) -> Callable[[], _Made]:
    """Make shared code at the first call, and only once even if several threads call at the same time.

    A plain cache keeps one result of several, and addresses taken from the others point to code that is gone.
    """
    known, making = cache(make), Lock()

    @wraps(make)
    def call_once() -> _Made:
        with making:
            return known()

    return call_once


@dataclass(frozen=True, eq=False)
class MachineCode:
    """A function of the values in memory: code of its own, or the interpreter with what it is to interpret."""

    address: int
    """Of a function that takes the values, the segments and their number."""
    slots: int
    """The number of value slots."""
    size: int
    """Of the code, in bytes; that of the interpreter is not counted."""
    owner: object
    """Keeps in memory what the addresses point to."""
    segments: int = 0
    """The address of what the interpreter interprets (`ludens.compiler.native.segments`)."""
    segment_count: int = 0

    @property
    def call(self) -> tuple[int, int, int]:
        """The function's address, and its arguments besides the values."""
        return self.address, self.segments, self.segment_count
