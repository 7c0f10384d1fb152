"""The limits of ``go``: clocks, depth, nodes, mate, moves to search, or none until ``stop``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ludens.core import BEST_GOAL, Role, Thinking
from ludens.protocols.uci.squares import is_move_text

ENDLESS = 86_400.0
"""The seconds used for no limit."""
LEAST = 0.002
"""Seconds for a move on a clock that has run down."""
MOVES_LEFT = 30
"""Moves that a game is taken to last if the interface does not say."""
MOVES_AHEAD = 100
"""Moves for which the clock must last, by what answers take beyond the search; half of the increment pays for that."""
RESERVE = 0.25
"""Seconds that stay on a clock, for pauses of the machine: below that, moves are answered at once."""
LEAVES_FOR_PLY = 1000
"""A tree search has no depth: for each ply of ``depth`` it evaluates at most so many positions."""
_NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes", "mate")
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
    mate: int = 0
    infinite: bool = False
    """True if the answer is given on ``stop`` and not before."""
    ponder: bool = False
    """True if the other limits hold from ``ponderhit`` on."""
    has_clock: bool = False
    """True if ``wtime`` or ``btime`` was given, even as 0."""
    searchmoves: tuple[str, ...] = ()
    """The moves to choose from; all if it is empty."""

    @classmethod
    def read(cls, words: Sequence[str]) -> Limits:
        """The limits in the words after ``go``; other words are skipped."""
        found = {
            name: min(_LARGEST, max(0, int(number[:20])))
            for name, number in pairwise(words)
            if name in _NUMBERS and number.removeprefix("-").isdecimal() and number.isascii()
        }
        moves: list[str] = []
        if "searchmoves" in words:
            for word in words[words.index("searchmoves") + 1 :]:
                if not is_move_text(word.lower()):
                    break
                moves.append(word.lower())
        return cls(
            **found,
            infinite="infinite" in words,
            ponder="ponder" in words,
            has_clock=bool({"wtime", "btime"} & found.keys()),
            searchmoves=tuple(moves),
        )

    @property
    def has_goal(self) -> bool:
        """True if nothing bounds the search but depth, nodes or a mate."""
        timed = self.infinite or self.movetime or self.has_clock
        return bool(self.depth or self.nodes or self.mate) and not timed

    def seconds(self, role: Role, default: float, overhead: float = 0.0) -> float:
        """The seconds to think for a role; the default if there is no limit at all.

        ``overhead`` is how much longer an answer takes than it should, by what was measured so far.
        """
        clock, increment = (self.wtime, self.winc) if role == "white" else (self.btime, self.binc)
        if self.infinite:
            return ENDLESS
        if self.movetime:
            return max(LEAST, self.movetime / 1000)
        if self.has_clock:
            ahead = min(self.movestogo or MOVES_AHEAD, MOVES_AHEAD)
            lost = ahead * max(0.0, overhead - increment / 2000)
            left = clock / 1000 - RESERVE - overhead - min(lost, clock / 2000)
            moves = min(self.movestogo + 1, MOVES_LEFT) if self.movestogo else MOVES_LEFT
            share = (left + 0.8 * increment / 1000 * (moves - 1)) / moves - overhead
            return max(LEAST, min(share, left))
        return ENDLESS if self.has_goal else default

    def is_reached(self, thinking: Thinking) -> bool:
        """True if a search has come as far as it should: in depth, in nodes, or to a mate."""
        evaluated = nodes_of(thinking)
        if self.nodes and evaluated >= self.nodes:
            return True
        if self.depth and (thinking.depth >= self.depth or evaluated >= LEAVES_FOR_PLY * self.depth):
            return True
        mate = moves_to_mate(thinking)
        return bool(self.mate) and mate is not None and 0 < mate <= self.mate


def nodes_of(thinking: Thinking) -> int:
    """Positions that a search has evaluated: leaves of a tree, not the turns of its playouts."""
    found = thinking.extra.get("evaluated")
    return found if isinstance(found, int) else thinking.iterations


def moves_to_mate(thinking: Thinking, place: int = 0) -> int | None:
    """Moves of the winner until mate by one of the best moves, negative if the other wins; None without a proof."""
    found = thinking.moves[place] if place < len(thinking.moves) else None
    if found is None or not found.proven or found.value is None or 0 < found.value < BEST_GOAL:
        return None
    plies = found.plies or max(1, len(found.line))
    return (plies + 1) // 2 if found.value else -(plies // 2)
