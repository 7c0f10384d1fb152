"""Guided playouts: moves with a better evaluation for the role that moves are played more often."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ludens.core import Deadline, Move, State
from ludens.core.batch_game import BatchGame
from ludens.players.evaluation.evaluators import Evaluation
from ludens.players.evaluation.fit import choose_children
from ludens.players.space.compiled import CompiledSpace
from ludens.players.space.space import Key, Values

LANES = 16
"""Playouts per move that run together."""
RANDOM = 0.05
"""The share of random moves, so that playouts differ."""
MOST_TURNS = 300
_ENDLESS = 1 << 60


@dataclass(frozen=True, slots=True)
class PlayoutResult:
    """The results of playouts."""

    values: dict[Move, float]
    """The mean goal of the own role after each move, 0 to 100."""
    playouts: int


class Playouts:
    """Runs playouts after every move of one role."""

    def __init__(
        self, game: BatchGame, evaluation: Evaluation, role: int, rng: np.random.Generator, longest_margin: float
    ) -> None:
        self._space = CompiledSpace(game)
        self._evaluation = evaluation
        self._role = role
        self._rng = rng
        self._slowest, self._longest_margin = 0.0, longest_margin

    def run(
        self, state: State, deadline: Deadline, limit: int, show: Callable[[PlayoutResult], None] = lambda _: None
    ) -> PlayoutResult:
        """Run playouts until the deadline, or ``limit`` after each move if that is not 0.

        ``show`` receives the result so far after each round.
        """
        self._slowest /= 2  # decays, so that one hiccup of the machine does not count for ever
        found = self._space.expand([self._space.key(state)])
        first = self._evaluation.child_values(found)[:, self._role]
        sums, made = first.copy(), 1
        going = np.flatnonzero(~found.terminal)
        moves = [self._space.move(self._role, int(number)) for number in found.joint.moves[:, self._role]]

        def result() -> PlayoutResult:
            means = np.where(found.terminal, first, sums / made)
            return PlayoutResult(dict(zip(moves, means.tolist(), strict=True)), (made - 1) * len(going))

        show(result())
        while made <= (limit or _ENDLESS) and self._has_time(deadline) and len(going):
            keys = [found.keys[place] for place in np.repeat(going, LANES).tolist()]
            results = self._play_out(keys, np.repeat(first[going], LANES), deadline).reshape(-1, LANES)
            sums[going] += results.sum(axis=1)
            made += LANES
            show(result())
        return result()

    def _play_out(self, keys: list[Key], values: Values, deadline: Deadline) -> Values:
        """The result of each playout; if time is up, the evaluation of its position."""
        lanes = np.arange(len(keys))
        for _ in range(MOST_TURNS):
            if not self._has_time(deadline):
                break
            began = time.monotonic()
            found = self._space.expand(keys)
            chosen = choose_children(found, 2 * self._evaluation.estimate(found), RANDOM, self._rng)
            values[lanes] = self._evaluation.child_values(found)[chosen, self._role]
            lanes, chosen = lanes[~found.terminal[chosen]], chosen[~found.terminal[chosen]]
            keys = [found.keys[place] for place in chosen.tolist()]
            self._slowest = max(self._slowest, time.monotonic() - began)
            if not keys:
                break
        return values

    def _has_time(self, deadline: Deadline) -> bool:
        return deadline.remaining() > min(2 * self._slowest, self._longest_margin)
