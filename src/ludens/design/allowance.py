"""The CPU time that an examination may use, shared among its parts."""

from __future__ import annotations

import time

from ludens.core import CpuDeadline, Game


def compile_within(game: Game, seconds: float) -> Game:
    """The compiled game, if it is there within so many seconds; otherwise the game itself, and no compiler runs."""
    compiled = game.compiled(seconds)
    if compiled is game:
        game.stop_compiling()
    return compiled


class Allowance:
    """Some CPU seconds, of which parts are handed out."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._began = time.process_time()
        self._charged = 0.0

    @property
    def spent(self) -> float:
        """CPU seconds used so far, with what other processes used for us."""
        return time.process_time() - self._began + self._charged

    @property
    def left(self) -> float:
        """CPU seconds left, 0 if none."""
        return max(0.0, self.seconds - self.spent)

    def charge(self, seconds: float) -> None:
        """Count time that another process used, such as the compiler."""
        self._charged += seconds

    def part(self, share: float) -> CpuDeadline:
        """A deadline after a share of all seconds, or after what is left if that is less."""
        return CpuDeadline(min(self.left, share * self.seconds))
