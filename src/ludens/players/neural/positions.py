"""Positions of a compiled game for network searches: who chooses, among which moves, and terminal flags."""

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
    """Positions and the chooser's moves in each. Moves of one position are adjacent."""

    packed: PackedBits
    """The true fluents, packed eight to the byte."""
    over: Flags
    """Which are terminal, or leave a role without a move."""
    shares: Reals
    """The current goal of each role as a share of the best goal (positions, roles)."""
    chooser: Numbers
    """The role that has a choice; 0 where none has."""
    joint: Numbers
    """A legal joint move (positions, roles), in which the chooser's move may be replaced; -1 where terminal."""
    counts: Numbers
    """The number of the chooser's moves; 0 where terminal."""
    moves: Numbers
    """The numbers of the chooser's moves."""

    def __len__(self) -> int:
        return len(self.packed)

    def select(self, chosen: Flags) -> Positions:
        """The positions with a flag."""
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
        self._batches = BatchPool(game)

    def initial(self, count: int) -> Positions:
        """The initial position, ``count`` times."""
        return self.at(np.repeat(self.game.pack([self.game.initial_state()]), count, axis=0))

    def at(self, packed: PackedBits) -> Positions:
        """The positions with these packed bits."""
        return self._read(self._batches.at(packed), len(packed))

    def after(self, packed: PackedBits, joint: Numbers) -> Positions:
        """The positions after one joint move in each."""
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
