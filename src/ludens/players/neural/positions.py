"""Positions of a compiled game as a network search sees them: who chooses, among which moves, and what is over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL, GameError
from ludens.core.batch import Batch, BatchGame, PackedBits
from ludens.players.learning.games import ONE_AT_A_TIME
from ludens.players.space.pool import BatchPool, pad_rows

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int32]
Reals = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Positions:
    """Some positions, and what can be done in each. Moves of one position stand side by side."""

    packed: PackedBits
    """Which fluents are true, eight to the byte."""
    over: Flags
    """Which have ended, or have somebody who cannot move."""
    shares: Reals
    """The share of the best goal that each role gets as it stands (positions, roles)."""
    chooser: Numbers
    """The role that has a choice; 0 where nobody has."""
    joint: Numbers
    """A legal joint move (positions, roles), in which the chooser's part may be replaced; -1 where it is over."""
    counts: Numbers
    """How many moves the chooser has; 0 where it is over."""
    moves: Numbers
    """The numbers of the chooser's moves."""

    def __len__(self) -> int:
        return len(self.packed)

    def select(self, chosen: Flags) -> Positions:
        """Some of the positions."""
        return Positions(
            self.packed[chosen],
            self.over[chosen],
            self.shares[chosen],
            self.chooser[chosen],
            self.joint[chosen],
            self.counts[chosen],
            self.moves[np.repeat(chosen, self.counts)],
        )

    def with_moves(self, moves: Numbers) -> Numbers:
        """The joint moves in which the choosers make these moves."""
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
        self._batches = BatchPool(game)

    def initial(self, count: int) -> Positions:
        """The initial position, so many times."""
        return self.at(np.repeat(self.game.pack([self.game.initial_state()]), count, axis=0))

    def at(self, packed: PackedBits) -> Positions:
        """What can be done in some positions."""
        return self._read(self._batches.at(packed), len(packed))

    def after(self, packed: PackedBits, joint: Numbers) -> Positions:
        """The positions after a joint move in each of some."""
        batch = self._batches.at(packed)
        batch.advance(pad_rows(joint, batch.size))
        return self._read(batch, len(packed))

    def _read(self, batch: Batch, count: int) -> Positions:
        legal = [batch.legal(role)[:count] for role in self.game.roles]
        choices = np.stack([own.sum(axis=1) for own in legal], axis=1)
        over = batch.terminal[:count] | (choices == 0).any(axis=1)
        if ((choices > 1).sum(axis=1) > 1).any():
            raise GameError(f"{self.game.name} has simultaneous choices; {ONE_AT_A_TIME}")
        chooser = (choices > 1).argmax(axis=1).astype(np.int32)
        joint = np.stack([own.argmax(axis=1) for own in legal], axis=1).astype(np.int32)
        joint[over] = -1
        lanes, moves = [], []
        for role, own in enumerate(legal):
            here = np.flatnonzero((chooser == role) & ~over)
            rows, numbers = np.nonzero(own[here])
            lanes.append(here[rows])
            moves.append(numbers)
        lane = np.concatenate(lanes)
        return Positions(
            packed=batch.packed_states[:count],
            over=over,
            shares=(batch.goals[:count] / BEST_GOAL).astype(np.float32),
            chooser=chooser,
            joint=joint,
            counts=np.bincount(lane, minlength=count).astype(np.int32),
            moves=np.concatenate(moves)[np.argsort(lane, kind="stable")].astype(np.int32),
        )
