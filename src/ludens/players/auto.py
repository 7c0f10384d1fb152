"""The player that looks at the game first, and hands it to the player that suits it."""

from __future__ import annotations

import time
from dataclasses import replace

from ludens.core import Clock, Deadline, Decision, Game, Message, Observation, Option, Player, Role, View
from ludens.core.batch import BatchGame
from ludens.players.decomposition.player import DecompositionPlayer
from ludens.players.ismcts import IsmctsPlayer
from ludens.players.mcts import MctsPlayer
from ludens.players.single import SinglePlayer


class AutoPlayer(Player):
    """Chooses among the players by what the rules say of the game."""

    name = "auto"
    description = "looks at the rules and lets the player play that suits the game, and says why"
    options = (Option("memory", 256, "megabytes that a tree may take; four times as many for one role", 10, 16_384),)

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Choose the player, and have it get ready in what is left of the start clock."""
        began = time.monotonic()
        self._player, self.why = self._chosen(game)
        self._told = False
        self._player.channel = self.channel
        left = max(0.0, clock.start - (time.monotonic() - began))
        self._player.start(game, role, seed, Clock(clock.play, left))
        if isinstance(self._player, DecompositionPlayer):
            self.why = f"decomposition, because the game may fall apart ({self._player.why})"

    def _chosen(self, game: Game) -> tuple[Player, str]:
        """The player, and why, in one line."""
        memory = int(self.settings["memory"])
        if game.hidden:
            return IsmctsPlayer(), "ismcts, because something is hidden from the roles"
        if game.chance:
            return MctsPlayer(memory=memory), "mcts, because some outcomes are left to chance"
        if len(game.roles) == 1:
            return SinglePlayer(memory=4 * memory), "single, because the game has one role"
        if isinstance(game, BatchGame):
            return DecompositionPlayer(memory=memory), "decomposition, because the game may fall apart"
        return MctsPlayer(memory=memory), "mcts, because the rules are not compiled to gates"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """What the chosen player chooses; with the first move it is told who that is, and why."""
        decision = self._player.choose(view, deadline)
        if self._told:
            return decision
        self._told = True
        thinking = decision.thinking
        note = f"{self.why}; {thinking}" if str(thinking) else self.why
        extra = {**thinking.extra, "player": self._player.name, "why": self.why}
        return Decision(decision.move, replace(thinking, note=note, extra=extra))

    def observe(self, observation: Observation) -> None:
        """Hand the turn on."""
        self._player.observe(observation)

    def take_back(self, turns: int, view: View) -> None:
        """Hand it on."""
        self._player.take_back(turns, view)

    def ponder(self, view: View, deadline: Deadline) -> None:
        """Let the chosen player think."""
        self._player.ponder(view, deadline)

    def hear(self, message: Message) -> None:
        """Hand it on."""
        self._player.hear(message)

    def stop(self) -> None:
        """Let go of the chosen player."""
        self._player.stop()
