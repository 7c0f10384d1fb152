"""Rollouts of sampled worlds in machine code, for games in Python that have a twin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludens.core import BEST_GOAL, Move, NativePlayouts, Role, State, View, Worlds

_LEAST_WORLDS = 4
"""Worlds in which all moves are compared, at least; with fewer, moves would be good by what one world hides."""


class NativeRollouts(Worlds):
    """Worlds whose states are played out in machine code after each of a role's moves."""

    has_rollouts = True

    def __init__(self, worlds: Worlds, role: Role, native: NativePlayouts, cutoff: int) -> None:
        self._worlds = worlds
        self._role = role
        self._native = native
        self._cutoff = cutoff

    @property
    def partial(self) -> int:
        """As the worlds say."""
        return self._worlds.partial

    def observe(self, view: View) -> None:
        """Update the worlds."""
        self._worlds.observe(view)

    def draw(self) -> State:
        """One of the states."""
        return self._worlds.draw()

    def rollouts(self, moves: Sequence[Move]) -> Sequence[Sequence[float]]:
        """Draw as many worlds as fill the lanes, and play out each move in all of them."""
        count = max(_LEAST_WORLDS, self._native.width // len(moves))
        states = [self._worlds.draw() for _ in range(count)]
        goals = self._native.play_out_moves(states, self._role, moves, 1, self._cutoff)
        own = goals[..., states[0].game.roles.index(self._role)].reshape(len(moves), -1)
        found: list[list[float]] = np.nan_to_num(own, nan=BEST_GOAL / 2).tolist()
        return found
