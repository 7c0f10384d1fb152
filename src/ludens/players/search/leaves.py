"""Leaf evaluation on the State contract: the mean of random playouts."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from ludens.core import Game, Move, State
from ludens.core.batch import Batch, BatchGame
from ludens.core.block import LANES


class Leaves:
    """Plays out leaves: many lanes at once where the game is compiled, else one playout."""

    def __init__(self, game: Game, rng: Random, cutoff: int) -> None:
        self._rng = rng
        self._cutoff = cutoff
        self._batch = Batch(game, LANES, seed=rng.randrange(2**32)) if isinstance(game, BatchGame) else None
        self.playouts = LANES if self._batch is not None else 1
        """Playouts per leaf."""
        if isinstance(game, BatchGame):
            game.prepare_batches()  # now, so that it does not cost the first leaf's time

    def values_of_moves(self, state: State, role: int, moves: Sequence[Move]) -> list[list[float]] | None:
        """The mean goal of each role after each of a role's moves, with chance sampled for every lane; None if the game
        is not compiled or a playout did not end."""
        if self._batch is None:
            return None
        batch, game = self._batch, self._batch.game
        batch.set_states([state])
        joint = batch.random_moves()
        own = np.array([game.move_numbers[role][move] for move in moves], np.int32)
        joint[:, role] = own[np.arange(LANES) % len(own)]
        batch.advance(joint)
        found = batch.playouts(self._cutoff)
        if not found.ended.all():
            return None
        means: list[list[float]] = [found.goals[n :: len(own)].mean(axis=0).tolist() for n in range(len(own))]
        return means

    def value(self, state: State) -> list[float]:
        """The mean goal of each role."""
        if self._batch is not None:
            self._batch.set_states([state])
            found = self._batch.playouts(self._cutoff)
            if found.ended.any():
                means: list[float] = found.goals[found.ended].mean(axis=0).tolist()
                return means
        return list(state.play_out(self._rng, self._cutoff))
