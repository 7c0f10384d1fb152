"""Flat Monte-Carlo by the game's own rollouts: many playouts at once, from all that a role considers possible.

For games whose rules play out hundreds of positions with a model of all players. Moves that are clearly worse than the
best get no more playouts.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from ludens.core import Deadline, Move, View, Worlds
from ludens.players.information.thinning import thin_out

_CLEARLY = 3.0
"""Standard errors by which a move must be worse to be left out."""


@dataclass(slots=True)
class _Results:
    """The goals of the playouts of a move, summed up."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.count

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(max(0.0, self.squares / self.count - self.mean**2) / self.count)


class RolloutSearch:
    """Compares the moves of one role, with the interface of `InformationSearch`."""

    def __init__(self, worlds: Worlds) -> None:
        self._worlds = worlds
        self._results: dict[Move, _Results] = {}
        self.iterations = 0
        """Playouts so far."""
        self.deadline = Deadline(math.inf)
        """When to give up; not looked at, as rollouts take milliseconds."""
        self.longest_step = 0.0
        """Duration of the longest rollouts in seconds, decaying."""

    def set_root(self, view: View) -> None:
        """Compare the moves of this view, which the worlds have observed, from now on."""
        self._results = {move: _Results() for move in thin_out(tuple(view.legal_moves))}
        self._left = list(self._results)

    def run(self, seconds: float, iterations: int) -> None:
        """Search for about ``seconds``, or ``iterations`` playouts, and once at least."""
        due = time.monotonic() + seconds
        enough = self.iterations + iterations
        self.longest_step /= 2
        while True:
            began = time.monotonic()
            self._compare()
            now = time.monotonic()
            self.longest_step = max(self.longest_step, now - began)
            if now >= due or self.iterations >= enough:
                return

    def _compare(self) -> None:
        goals = np.asarray(self._worlds.rollouts(self._left))
        for move, row in zip(self._left, goals, strict=True):
            results = self._results[move]
            results.count += len(row)
            results.total += float(row.sum())
            results.squares += float((row**2).sum())
        self.iterations += goals.size
        best = max(self._left, key=lambda move: self._results[move].mean)
        self._left = [move for move in self._left if not self._is_worse(self._results[move], self._results[best])]

    @staticmethod
    def _is_worse(one: _Results, best: _Results) -> bool:
        return best.mean - one.mean > _CLEARLY * math.hypot(one.error, best.error)

    @property
    def root_strategy(self) -> dict[Move, float]:
        """Empty: nothing is mixed."""
        return {}

    @property
    def root_statistics(self) -> dict[Move, tuple[int, float]]:
        """The moves with their numbers of playouts and mean goals."""
        return {move: (found.count, found.mean) for move, found in self._results.items() if found.count}

    @property
    def lower_bounds(self) -> dict[Move, float]:
        """For each move the mean goal, less its standard error."""
        return {move: found.mean - found.error for move, found in self._results.items() if found.count}
