"""What players have in common that search complete states which fit what their role was told."""

from __future__ import annotations

import time
from abc import abstractmethod
from random import Random

from ludens.core import Clock, Deadline, Decision, Game, Move, Observation, Player, Role, Thinking, View

ENDLESS = 1 << 60
"""As many as the clock allows."""


class WorldsPlayer(Player):
    """Draws complete states from worlds that suit the game, and searches them until the clock or a limit says so."""

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Make everything ready, so that the first move does not pay for it."""
        self._game, self._role = game, role
        self._rng = Random(seed)
        self._longest_margin = clock.play / 2
        self._longest_step = 0.0
        self._worlds = game.worlds(role, self._rng)
        self._prepare(int(self.settings["cutoff"]))

    def observe(self, observation: Observation) -> None:
        """Follow the match turn by turn, so that worlds are up to date when they are needed."""
        if self._game.hidden and observation.view.legal_moves:
            self._worlds.observe(observation.view)
            self._worlds.draw()

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """Search as long as there is time, then say what was found."""
        began = time.monotonic()
        if len(view.legal_moves) == 1:
            return Decision(view.legal_moves[0], Thinking(note="the only move"))
        self._worlds.observe(view)
        self._aim(view)
        while not self._has_enough():
            left = deadline.remaining() - min(2 * self._longest_step, self._longest_margin)
            if left <= 0:
                break
            self._longest_step = max(self._longest_step / 2, self._search(left))
            if self.channel.wants_thinking():
                self.channel.report(self._thinking(time.monotonic() - began))
        return Decision(self._pick(view), self._thinking(time.monotonic() - began))

    @abstractmethod
    def _prepare(self, cutoff: int) -> None:
        """Compile what playouts need."""

    @abstractmethod
    def _aim(self, view: View) -> None:
        """Begin to search for a move of this view."""

    @abstractmethod
    def _has_enough(self) -> bool:
        """True if the search did as much as it was told to."""

    @abstractmethod
    def _search(self, seconds: float) -> float:
        """Search for a while, and for about so long at most; returns how many seconds its longest step took."""

    @abstractmethod
    def _pick(self, view: View) -> Move:
        """The move to play."""

    @abstractmethod
    def _thinking(self, seconds: float) -> Thinking:
        """What was found so far."""
