"""Leaf evaluation on the State contract: the mean of random playouts."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from random import Random

import numpy as np

from ludens.core import Deadline, Game, Move, OutOfTimeError, State, random_joint_move
from ludens.core.batch import Batch, BatchGame
from ludens.core.block import LANES

_RESERVE = 1.5
"""How much longer than the longest joint move of a playout so far the next may take."""


class Leaves:
    """Plays out leaves: many lanes at once where the game is compiled, else one playout."""

    def __init__(self, game: Game, rng: Random, cutoff: int) -> None:
        self._rng = rng
        self._cutoff = cutoff
        self._batch = Batch(game, LANES, seed=rng.randrange(2**32)) if isinstance(game, BatchGame) else None
        self.deadline = Deadline(math.inf)
        """When playouts of one state at a time give up."""
        self.checks = 1
        """How often the last playout checked its deadline."""
        self.playouts = LANES if self._batch is not None else 1
        """Playouts per leaf."""
        if self._batch is not None:  # now, so that it does not cost the first leaf's time
            self._batch.game.prepare_batches()
            self._batch.random_moves()

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
        """The mean goal of each role. Raises `OutOfTimeError`."""
        if self._batch is not None:
            self._batch.set_states([state])
            found = self._batch.playouts(self._cutoff)
            if found.ended.any():
                means: list[float] = found.goals[found.ended].mean(axis=0).tolist()
                return means
        self.checks, values = play_out(state, self._rng, self._cutoff, self.deadline)
        return list(values)


def play_out(state: State, rng: Random, most: int, deadline: Deadline) -> tuple[int, Sequence[float]]:
    """How often the deadline was checked, and the goals of a random playout, as `State.play_out` returns them.

    Raises `OutOfTimeError` at the deadline, or when the next joint move may take longer than what is left.
    """
    if type(state).play_out is not State.play_out:  # the game has a faster way
        return 1, state.play_out(rng, most)
    checks, longest, last = 1, 0.0, time.monotonic()
    for _ in range(most):
        checks += 1
        now = time.monotonic()
        longest, last = max(longest, now - last), now
        if deadline.remaining() <= _RESERVE * longest:
            raise OutOfTimeError
        joint_move = {} if state.is_terminal else random_joint_move(state, rng)
        if not joint_move:
            break
        state = state.sample(joint_move, rng)
    goals = state.goals
    return checks, [float(goals[role]) for role in state.game.roles]
