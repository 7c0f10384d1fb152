"""The limits of ``go``: clocks, depth, nodes, or none until ``stop``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ludens.core import Role

ENDLESS = 86_400.0
"""The seconds used for no limit."""
LEAST = 0.01
MOVES_LEFT = 30
"""The assumed number of remaining moves if the interface sends none."""
OVERHEAD = 0.05
"""Seconds on a clock reserved for latency."""
_NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes")
_LARGEST = 10**12


@dataclass(frozen=True, slots=True)
class Limits:
    """The arguments of ``go``; times in milliseconds, 0 where nothing was said."""

    wtime: int = 0
    btime: int = 0
    winc: int = 0
    binc: int = 0
    movestogo: int = 0
    movetime: int = 0
    depth: int = 0
    nodes: int = 0
    waits: bool = False
    """True if the answer is given on ``stop`` and not before: ``infinite`` and ``ponder``."""

    @classmethod
    def read(cls, words: Sequence[str]) -> Limits:
        """The limits in the words after ``go``; other words are skipped."""
        found = {
            name: min(_LARGEST, max(0, int(number[:20])))
            for name, number in pairwise(words)
            if name in _NUMBERS and number.removeprefix("-").isdecimal() and number.isascii()
        }
        return cls(**found, waits="infinite" in words or "ponder" in words)

    def seconds(self, role: Role, default: float) -> float:
        """The seconds to think for a role; the default if there is no limit at all."""
        clock, increment = (self.wtime, self.winc) if role == "white" else (self.btime, self.binc)
        if self.waits:
            return ENDLESS
        if self.movetime:
            return max(LEAST, self.movetime / 1000)
        if self.wtime or self.btime:
            left = clock / 1000 - OVERHEAD
            share = left / (self.movestogo + 1 if self.movestogo else MOVES_LEFT) + 0.8 * increment / 1000
            return max(LEAST, min(share, left))
        return ENDLESS if self.depth or self.nodes else default
