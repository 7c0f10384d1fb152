"""A player that analyses the game and delegates to the player that suits it."""

from __future__ import annotations

import importlib
import time
from dataclasses import replace

from ludens.core import Clock, Deadline, Decision, Game, LudensError, Message, Observation, Option, Player, Role, View

COMPILING_SHARE = 0.5
"""The share of the start clock in which the compiled game is waited for."""

_SOLVING_SHARE = 0.4
"""The share of the start clock in which games with hidden information are solved, if they can be."""
_WELL_SOLVED = 0.5
"""An exploitability, in points, below which search has nothing to add."""


class AutoPlayer(Player):
    """Chooses a player by the properties of the game."""

    name = "auto"
    description = "chooses the player that suits the game, and says why"
    options = (
        Option(
            "memory", 256, "memory for the tree in megabytes; four times as much for games with one role", 10, 16_384
        ),
    )

    def warm_up(self) -> None:
        """Import the players that may be chosen, and load the machine code of their trees."""
        importlib.import_module("ludens.players.decomposition.player").DecompositionPlayer().warm_up()
        importlib.import_module("ludens.players.equilibrium.player")
        importlib.import_module("ludens.players.ismcts")
        importlib.import_module("ludens.players.single")

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Choose the player and start it with what is left of the start clock."""
        began = time.monotonic()
        if game.hidden or len(game.roles) > 1:  # which player suits it can be seen in the compiled game only
            game = game.compiled(COMPILING_SHARE * clock.start)
        left = max(0.0, clock.start - (time.monotonic() - began))
        self._told = False
        if game.hidden and self._solve(game, role, seed, Clock(clock.play, _SOLVING_SHARE * left)):
            return
        self._player, self.why = self._choose_player(game)
        self._player.channel = self.channel
        left = max(0.0, clock.start - (time.monotonic() - began))
        self._player.start(game, role, seed, Clock(clock.play, left))
        found = getattr(self._player, "why", "")
        if found:
            self.why += f" ({found})"

    def _solve(self, game: Game, role: Role, seed: int, clock: Clock) -> bool:
        """Solve the game, if it is small enough to be solved well in this time; returns whether it is."""
        from ludens.players.equilibrium.player import EquilibriumPlayer  # noqa: PLC0415 - as below

        player = EquilibriumPlayer()
        player.channel = self.channel
        try:
            player.start(game, role, seed, clock)
        except LudensError:
            return False
        gain = player.exploitability
        if gain is None or gain > _WELL_SOLVED:
            return False
        self._player, self.why = player, f"equilibrium, because the game is solved (exploitable by {gain:.1g} points)"
        return True

    def _choose_player(self, game: Game) -> tuple[Player, str]:
        """The player that suits the game, and the reason in one line."""
        # Imported here, since they take longer to import than most games to show their first board.
        from ludens.players.decomposition.player import DecompositionPlayer  # noqa: PLC0415
        from ludens.players.ismcts import IsmctsPlayer  # noqa: PLC0415
        from ludens.players.mcts import MctsPlayer  # noqa: PLC0415
        from ludens.players.single import SinglePlayer  # noqa: PLC0415

        memory = int(self.settings["memory"])
        if game.hidden:
            return IsmctsPlayer(), "ismcts, because the game has hidden information"
        if game.chance:
            return MctsPlayer(memory=memory), "mcts, because the game has chance"
        if len(game.roles) == 1:
            return SinglePlayer(memory=4 * memory), "single, because the game has one role"
        if _is_compiled(game):
            return DecompositionPlayer(memory=memory), "decomposition, because the game may have subgames"
        return MctsPlayer(memory=memory), "mcts, because the rules are not compiled to gates (yet)"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The delegate's decision; the first one also reports who the delegate is, and why."""
        decision = self._player.choose(view, deadline)
        if self._told:
            return decision
        self._told = True
        thinking = decision.thinking
        note = f"{self.why}; {thinking}" if str(thinking) else self.why
        extra = {**thinking.extra, "player": self._player.name, "why": self.why}
        return Decision(decision.move, replace(thinking, note=note, extra=extra))

    def observe(self, observation: Observation) -> None:
        """Pass the turn on to the delegate."""
        self._player.observe(observation)

    def take_back(self, turns: int, view: View) -> None:
        """Pass it on to the delegate."""
        self._player.take_back(turns, view)

    def ponder(self, view: View, deadline: Deadline) -> None:
        """Let the delegate ponder."""
        self._player.ponder(view, deadline)

    def hear(self, message: Message) -> None:
        """Pass it on to the delegate."""
        self._player.hear(message)

    def stop(self) -> None:
        """Stop the delegate."""
        self._player.stop()


def _is_compiled(game: Game) -> bool:
    from ludens.core.batch import BatchGame  # noqa: PLC0415 - as above

    return isinstance(game, BatchGame)
