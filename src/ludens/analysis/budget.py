"""The time and memory that an analysis may use, and the errors that end it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ludens.core import GameError, OutOfTimeError

T = TypeVar("T")

Pulse = Callable[[], None]
"""Called often during an analysis; may raise to stop it."""


class TooEntangledError(GameError):
    """The effects of moves cannot be separated within the limits; the game counts as one piece."""


def no_pulse() -> None:
    """A pulse that never stops anything."""


class Budget:
    """A time limit in seconds, as a pulse. Raises `OutOfTimeError` when it is over."""

    def __init__(self, seconds: float = math.inf, pulse: Pulse = no_pulse) -> None:
        """``pulse`` is called as well, and may raise for other reasons."""
        self.seconds = seconds
        self._pulse = pulse
        self._began = time.monotonic()

    @property
    def left(self) -> float:
        """The seconds that are left, 0 if none."""
        return max(0.0, self.seconds - (time.monotonic() - self._began))

    def __call__(self) -> None:
        """Raise `OutOfTimeError` if the time is over."""
        self._pulse()
        if time.monotonic() - self._began > self.seconds:
            raise OutOfTimeError(f"the analysis was not done after {self.seconds:g} s")


def watch(items: Iterable[T], pulse: Pulse) -> Iterator[T]:
    """The items, with a pulse before each."""
    for item in items:
        pulse()
        yield item
