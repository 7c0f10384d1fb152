"""The base of players that search determinisations: states consistent with the role's percepts."""

from __future__ import annotations

import time
from abc import abstractmethod
from random import Random

from ludens.core import Clock, Deadline, Decision, Game, Move, Observation, PerceptView, Player, Role, Thinking, View

ENDLESS = 1 << 60
"""Stands for as many as the clock allows."""
COMPILING_SHARE = 0.5
"""The share of the start clock in which the compiled game is waited for."""


class WorldsPlayer(Player):
    """Samples states from the worlds of the game, and searches them until the deadline or a limit."""

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Do one-time work, so that it does not cost the first move's time."""
        self._loaded, self._role = game, role
        self._rng = Random(seed)
        self._longest_margin = clock.play / 2
        self._longest_step = 0.0
        self._play_on(game.compiled(COMPILING_SHARE * clock.start))

    def _play_on(self, game: Game) -> None:
        """Search this form of the game from now on."""
        self._game = game
        self._worlds = game.worlds(self._role, self._rng)
        self._prepare(int(self.settings["cutoff"]))

    def observe(self, observation: Observation) -> None:
        """Update the worlds turn by turn."""
        if self._game.hidden and observation.view.legal_moves:
            self._worlds.observe(self._translate(observation.view))
            self._worlds.draw()

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """Search until the deadline, then return the best move."""
        began = time.monotonic()
        if len(view.legal_moves) == 1:
            return Decision(view.legal_moves[0], Thinking(note="the only move"))
        self.channel.publish(Decision(view.legal_moves[0]))
        faster = self._loaded.compiled(0.0)
        if faster is not self._game:
            self._play_on(faster)
        view = self._translate(view)
        self._worlds.observe(view)
        self._set_root(view)
        while not self._has_enough():
            left = deadline.remaining() - min(2 * self._longest_step, self._longest_margin)
            if left <= 0:
                break
            self._longest_step = max(self._longest_step / 2, self._search(left))
            if self.channel.wants_thinking():
                self.publish_search(self._thinking(time.monotonic() - began), view.legal_moves)
        return Decision(self._pick(view), self._thinking(time.monotonic() - began))

    def _translate(self, view: View) -> View:
        """The view in the form of the game that is searched."""
        if isinstance(view, PerceptView):
            return view.on(self._game)
        return view if view.game is self._game else self._game.convert(view.sample(self._rng)).view(self._role)

    @abstractmethod
    def _prepare(self, cutoff: int) -> None:
        """Compile what playouts need."""

    @abstractmethod
    def _set_root(self, view: View) -> None:
        """Set the root of the search to this view."""

    @abstractmethod
    def _has_enough(self) -> bool:
        """True if the search has reached its limit."""

    @abstractmethod
    def _search(self, seconds: float) -> float:
        """Search for at most about ``seconds``; returns the duration of the longest step."""

    @abstractmethod
    def _pick(self, view: View) -> Move:
        """The move to play."""

    @abstractmethod
    def _thinking(self, seconds: float) -> Thinking:
        """A report of the search so far."""
