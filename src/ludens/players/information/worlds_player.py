"""The base of players that search determinisations: states consistent with the role's percepts."""

from __future__ import annotations

import time
from abc import abstractmethod
from contextlib import suppress
from dataclasses import replace
from random import Random

from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    Move,
    Observation,
    OutOfTimeError,
    PerceptView,
    Player,
    Role,
    Thinking,
    View,
)
from ludens.players.search.leaves import TWIN_OPTION, SharedPlayouts

ENDLESS = 1 << 60
"""Stands for as many as the clock allows."""
NOTHING = "searched no world in time: a random move"
"""The note of a move without a search."""
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
        self._native = SharedPlayouts(game, self._rng, str(self.settings[TWIN_OPTION.name]))
        self._native.get(COMPILING_SHARE * clock.start)
        self._play_on(game.compiled(COMPILING_SHARE * clock.start))

    def _play_on(self, game: Game) -> None:
        """Search this form of the game from now on."""
        self._game = game
        self._worlds = game.worlds(self._role, self._rng)
        self._prepare(int(self.settings["cutoff"]))

    def observe(self, observation: Observation) -> None:
        """Update the worlds where the player has no choice; where it has one, `choose` does it within its clock."""
        if self._game.hidden and len(observation.view.legal_moves) == 1:
            with suppress(OutOfTimeError), Deadline(self._longest_margin).enforced():
                self._worlds.observe(self._translate(observation.view))
                if self._worlds.has_rollouts:
                    return
                self._worlds.draw()

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """Search until the deadline, then return the best move; a random one if no world was searched in time."""
        began = time.monotonic()
        if len(view.legal_moves) == 1:
            return Decision(view.legal_moves[0], Thinking(note="the only move"))
        self.channel.publish(Decision(view.legal_moves[0]))
        faster = self._loaded.compiled(0.0)
        if faster is not self._game:
            self._play_on(faster)
        with deadline.enforced():
            return self._choose(view, deadline, began)

    def _choose(self, view: View, deadline: Deadline, began: float) -> Decision:
        partial = self._worlds.partial
        try:
            view = self._translate(view)
            self._worlds.observe(view)
            self._worlds.prepare()  # not as a step of the search, whose longest step decides when it ends
        except OutOfTimeError:
            return Decision(self._rng.choice(list(view.legal_moves)), Thinking(note=NOTHING))
        self._set_root(view)
        while not self._has_enough():
            left = deadline.remaining() - min(2 * self._longest_step, self._longest_margin)
            if left <= 0:
                break
            try:
                self._longest_step = max(self._longest_step / 2, self._search(left))
            except OutOfTimeError:
                break
            if self.channel.wants_thinking():
                self.publish_search(self._thinking(time.monotonic() - began), view.legal_moves)
        found = self._thinking(time.monotonic() - began)
        if not any(report.visits for report in found.moves):
            return Decision(self._rng.choice(list(view.legal_moves)), Thinking(note=NOTHING))
        partial = self._worlds.partial - partial
        if partial:  # nobody should take the values for those of states that the role considers possible
            found = replace(found, extra={**found.extra, "partial worlds": partial})
        return Decision(self._pick(view), found)

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
