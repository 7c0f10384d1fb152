"""Positions of a compiled game for network searches: who chooses, among which moves, and terminal flags."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL, GameError
from ludens.core.batch_game import BatchGame, PackedBits
from ludens.players.learning.games import ONE_AT_A_TIME
from ludens.players.space.expander import Expander, Found, first_bits, set_bits

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int32]
Reals = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Choices:
    """Positions and the chooser's moves in each. Moves of one position are adjacent."""

    packed: PackedBits
    """The true fluents, packed eight to the byte."""
    chooser: Numbers
    """The role that has a choice; 0 where none has."""
    counts: Numbers
    """The number of the chooser's moves; 0 where terminal."""
    moves: Numbers
    """The numbers of the chooser's moves."""

    def __len__(self) -> int:
        return len(self.packed)


Judge = Callable[[Choices], tuple[Reals, Reals]]
"""Returns the policy of each move of some positions, move by move, and the value of each position for each role, 0 to 1
(positions, roles)."""


@dataclass(frozen=True, slots=True)
class Positions(Choices):
    """Positions with their ends and joint moves."""

    over: Flags
    """Which are terminal, or leave a role without a move."""
    shares: Reals
    """The current goal of each role as a share of the best goal (positions, roles)."""
    joint: Numbers
    """A legal joint move (positions, roles), in which the chooser's move may be replaced; -1 where terminal."""

    def select(self, chosen: Flags) -> Positions:
        """The positions with a flag."""
        return Positions(
            packed=self.packed[chosen],
            over=self.over[chosen],
            shares=self.shares[chosen],
            chooser=self.chooser[chosen],
            joint=self.joint[chosen],
            counts=self.counts[chosen],
            moves=self.moves[np.repeat(chosen, self.counts)],
        )

    def with_moves(self, moves: Numbers) -> Numbers:
        """The joint moves with these moves of the choosers."""
        joint = self.joint.copy()
        joint[np.arange(len(joint)), self.chooser] = moves
        return joint


class Rules:
    """Computes positions, many at once."""

    def __init__(self, game: BatchGame) -> None:
        self.game = game
        """The game."""
        self.width = game.packed_width
        """Bytes of a position."""
        self.expander = Expander(game, game.roles)
        """Computes them, whoever chooses."""

    def initial(self, count: int) -> Positions:
        """The initial position, ``count`` times."""
        return self.at(np.repeat(self.game.pack([self.game.initial_state()]), count, axis=0))

    def at(self, packed: PackedBits) -> Positions:
        """The positions with these packed bits."""
        return self._positions(self.expander.at(packed))

    def after(self, packed: PackedBits, joint: Numbers) -> Positions:
        """The positions after one joint move in each."""
        return self._positions(self.expander.after(packed, joint))

    def _positions(self, found: Found) -> Positions:
        """Who chooses, and among which moves."""
        choices, over = found.counts, found.terminal | found.stuck
        if ((choices > 1).sum(axis=1) > 1).any():
            raise GameError(f"{self.game.name} has simultaneous choices; {ONE_AT_A_TIME}")
        chooser = (choices > 1).argmax(axis=1).astype(np.int32)
        lanes = np.arange(len(over))
        legal = found.stack_legal()
        legal[over] = 0
        return Positions(
            packed=found.packed,
            over=over,
            shares=(found.goals / BEST_GOAL).astype(np.float32),
            chooser=chooser,
            joint=first_bits(legal),
            counts=np.where(over, 0, choices[lanes, chooser]),
            moves=set_bits(legal[lanes, chooser]),
        )
