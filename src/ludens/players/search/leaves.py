"""Leaf evaluation on the State contract: the mean of playouts, random ones unless the game knows better."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from ludens.core import (
    Deadline,
    Game,
    GameError,
    Move,
    NativePlayouts,
    Option,
    OutOfTimeError,
    Role,
    State,
    random_joint_move,
)
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame
from ludens.core.block import LANES

_RESERVE = 1.5
"""How much longer than the longest joint move of a playout so far the next may take."""


TWIN_AT_ONCE, TWIN_COMPILED, NO_TWIN = "auto", "on", "off"
TWIN_OPTION = Option(
    "twin",
    TWIN_AT_ONCE,
    "play out in machine code where a game in Python has a twin that chooses as its own playouts do: auto if it is "
    "ready at once, on also if it has to be compiled first",
    choices=(TWIN_AT_ONCE, TWIN_COMPILED, NO_TWIN),
)
"""For players whose playouts may be those of a twin."""


class SharedPlayouts:
    """The playouts in machine code of a game in Python, from when they are ready."""

    def __init__(self, game: Game, rng: Random, wanted: str) -> None:
        self._game = game
        self._rng = rng
        self._found: NativePlayouts | None = None
        self._goals = np.zeros((0, 0))
        self._is_looking = game.has_ready_twin if wanted == TWIN_AT_ONCE else game.has_twin and wanted == TWIN_COMPILED

    def get(self, seconds: float = 0.0) -> NativePlayouts | None:
        """The playouts, if they are there within so many seconds."""
        if self._is_looking:
            try:
                self._found = self._game.native_playouts(self._rng.getrandbits(64), seconds)
                self._is_looking = self._found is None
            except GameError:  # `check_game` says what is wrong with the twin
                self._is_looking = False
        return self._found

    @property
    def playouts(self) -> int:
        """Playouts per leaf."""
        return self._found.width if self._found is not None else 1

    def value(self, state: State, most: int) -> list[float] | None:
        """The mean goal of each role; None if there are no playouts in machine code, or none has ended."""
        native = self.get()
        if native is None:
            return None
        native.made = None
        goals = native.play_out([state], native.width, most)[0]
        self._goals = goals
        return _means(goals)

    @property
    def noted_moves(self) -> Sequence[Move]:
        """The moves that playouts report; empty if they report none."""
        native = self.get()
        return () if native is None else native.noted_moves

    def made(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """For each role and noted move, the share of the last value's playouts in which it was made, and the sum of
        the goals there by the number of all these playouts; None if that is not known."""
        made = None if self._found is None else self._found.made
        if made is None or np.isnan(self._goals).any():
            return None
        return made.mean(axis=0), np.einsum("nrm,nr->rm", made, self._goals) / len(made)

    def values_of_moves(self, state: State, role: Role, moves: Sequence[Move], most: int) -> list[list[float]] | None:
        """The same after each of a role's moves; None also if there are more moves than lanes."""
        native = self.get()
        if native is None or len(moves) > native.width:
            return None
        goals = native.play_out_moves([state], role, moves, native.width // len(moves), most)[:, 0]
        found = [_means(own) for own in goals]
        known = [means for means in found if means is not None]
        return known if len(known) == len(found) else None


def _means(goals: NDArray[np.float64]) -> list[float] | None:
    """The means of the playouts that have ended (playouts, roles)."""
    ended = goals[~np.isnan(goals[:, 0])]
    if not len(ended):
        return None
    means: list[float] = ended.mean(axis=0).tolist()
    return means


class Leaves:
    """Plays out leaves: many lanes at once where the game is compiled, else one playout."""

    def __init__(self, game: Game, rng: Random, cutoff: int, native: SharedPlayouts | None = None) -> None:
        self._rng = rng
        self._cutoff = cutoff
        self._batch = Batch(game, LANES, seed=rng.randrange(2**32)) if isinstance(game, BatchGame) else None
        self.deadline = Deadline(math.inf)
        """When playouts of one state at a time give up."""
        self.checks = 1
        """How often the last playout checked its deadline."""
        self.playouts = LANES if self._batch is not None else 1
        """Playouts per leaf."""
        self.native = native or SharedPlayouts(game, rng, NO_TWIN)
        """Those of a game in Python that has a twin."""
        if self._batch is not None:  # now, so that it does not cost the first leaf's time
            self._batch.game.prepare_batches()
            self._batch.random_moves()

    def values_of_moves(self, state: State, role: int, moves: Sequence[Move]) -> list[list[float]] | None:
        """The mean goal of each role after each of a role's moves, with chance sampled for every lane; None if the game
        is not compiled or a playout did not end."""
        if self._batch is None:
            return self.native.values_of_moves(state, state.game.roles[role], moves, self._cutoff)
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
        elif (means_of_lanes := self.native.value(state, self._cutoff)) is not None:
            self.checks, self.playouts = 1, self.native.playouts
            return means_of_lanes
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
