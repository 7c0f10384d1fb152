"""A player that analyses the game and delegates to the player that suits it."""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from random import Random

from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    LudensError,
    Message,
    Observation,
    Option,
    Player,
    Role,
    View,
    random_joint_move,
)

COMPILING_SHARE = 0.5
"""The share of the start clock in which the compiled game is waited for."""

_SOLVING_SHARE = 0.4
"""The share of the start clock in which games with hidden information are solved, if they can be."""
_OPEN_SOLVING_SHARE = 0.2
"""The same for simultaneous choices and chance, where search does well, too."""
_LOOK_SECONDS = 0.05
"""How often the start clock is looked at while the player is prepared."""
_LONGEST_LOOK = 500
"""Turns of a random match in which simultaneous choices are looked for."""
_WELL_SOLVED = 0.5
"""An exploitability, in points, below which search has nothing to add."""


class AutoPlayer(Player):
    """Chooses a player by the properties of the game.

    The player is prepared in a thread of its own, and no move waits for it: where preparing takes longer than the start
    clock, as on a busy machine, flat Monte-Carlo answers meanwhile.
    """

    name = "auto"
    description = "chooses the player that suits the game, and says why"
    options = (
        Option(
            "memory",
            0,
            "memory for the search in megabytes, four times as much for games with one role; 0: chosen by the player",
            0,
            16_384,
        ),
    )

    def warm_up(self) -> None:
        """Import the players that may be chosen, and load the machine code of their trees."""
        importlib.import_module("ludens.players.decomposition.player").DecompositionPlayer().warm_up()
        importlib.import_module("ludens.players.equilibrium.player")
        importlib.import_module("ludens.players.ismcts")
        importlib.import_module("ludens.players.single")

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Choose the player and start it, and wait for that until the start clock has run out."""
        self._told = self._is_stopped = False
        self._lock, self._ready = threading.Lock(), threading.Event()
        self._error: Exception | None = None
        self._missed: list[Callable[[Player], None]] = []
        """What the delegate has to be told once it is ready."""
        self._seat = game, role, seed, clock
        self._stand_in: Player | None = None
        threading.Thread(target=self._prepare, name="ludens-auto", daemon=True).start()
        until = Deadline(max(clock.start, clock.play / 2))
        while not self._ready.wait(_LOOK_SECONDS) and until.remaining() > 0:
            pass  # the deadline may count other seconds than the wait does, as in a gauntlet by CPU time
        self._delegate()

    def _prepare(self) -> None:
        try:
            self._start_player(*self._seat)
        except Exception as error:  # raised again where it is waited for
            self._error = error
        with self._lock:
            self._ready.set()
            is_stopped = self._is_stopped
        if is_stopped:
            self._stop_player()

    def _stop_player(self) -> None:
        if self._error is None:
            self._player.stop()

    def _delegate(self) -> Player | None:
        """The chosen player, up to date; None while it is not ready."""
        if not self._ready.is_set():
            return None
        if self._error is not None:
            raise self._error
        missed, self._missed = self._missed, []
        for tell in missed:
            tell(self._player)
        return self._player

    def _tell(self, news: Callable[[Player], None]) -> None:
        """Pass something on to the delegate, now or once it is ready."""
        delegate = self._delegate()
        if delegate is None:
            self._missed.append(news)
        else:
            news(delegate)

    def _start_player(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        began = time.monotonic()
        if game.hidden or len(game.roles) > 1:  # which player suits it can be seen in the compiled game only
            game = game.compiled(COMPILING_SHARE * clock.start)
        left = max(0.0, clock.start - (time.monotonic() - began))
        share = _SOLVING_SHARE if game.hidden else _OPEN_SOLVING_SHARE if _mixes(game, seed) else 0.0
        if share and self._solve(game, role, seed, Clock(clock.play, share * left)):
            return
        self._player, self.why = self._choose_player(game)
        self._player.channel = self.channel
        left = max(0.0, clock.start - (time.monotonic() - began))
        self._player.start(game, role, seed, Clock(clock.play, left))
        method = getattr(self._player, "why", "")
        if method:
            self.why += f" ({method})"

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
            player = SinglePlayer(memory=4 * memory) if memory else SinglePlayer()
            return player, "single, because the game has one role"
        if _is_compiled(game):
            return DecompositionPlayer(memory=memory), "decomposition, because the game may have subgames"
        return MctsPlayer(memory=memory), "mcts, because the rules are not compiled to gates (yet)"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The delegate's decision; the first one also reports who the delegate is, and why."""
        self.channel.publish(Decision(view.legal_moves[0]))
        delegate = self._delegate()
        if delegate is None:
            return self._choose_meanwhile(view, deadline)
        decision = delegate.choose(view, deadline)
        if self._told:
            return decision
        self._told = True
        return _annotate(decision, delegate.name, self.why)

    def _choose_meanwhile(self, view: View, deadline: Deadline) -> Decision:
        """A decision by flat Monte-Carlo, which needs no preparation."""
        from ludens.players.flat import FlatPlayer  # noqa: PLC0415 - as above

        if self._stand_in is None:
            game, role, seed, clock = self._seat
            self._stand_in = FlatPlayer()
            self._stand_in.channel = self.channel
            self._stand_in.start(game, role, seed, Clock(clock.play, 0.0))
        decision = self._stand_in.choose(view, deadline)
        return _annotate(decision, self._stand_in.name, "flat, because the player is not ready yet")

    def observe(self, observation: Observation) -> None:
        """Pass the turn on to the delegate."""
        self._tell(lambda player: player.observe(observation))

    def take_back(self, turns: int, view: View) -> None:
        """Pass it on to the delegate."""
        self._tell(lambda player: player.take_back(turns, view))

    def ponder(self, view: View, deadline: Deadline) -> None:
        """Let the delegate ponder."""
        delegate = self._delegate()
        if delegate is not None:
            delegate.ponder(view, deadline)

    def hear(self, message: Message) -> None:
        """Pass it on to the delegate."""
        self._tell(lambda player: player.hear(message))

    def stop(self) -> None:
        """Stop the delegate, now or once it is ready."""
        with self._lock:
            self._is_stopped = True
            is_ready = self._ready.is_set()
        if is_ready:
            self._stop_player()


def _annotate(decision: Decision, player: str, why: str) -> Decision:
    """A decision that reports which player made it, and why that one."""
    thinking = decision.thinking
    note = f"{why}; {thinking}" if str(thinking) else why
    return Decision(decision.move, replace(thinking, note=note, extra={**thinking.extra, "player": player, "why": why}))


def _mixes(game: Game, seed: int) -> bool:
    """Whether the game has chance, or simultaneous choices in a random match."""
    if game.chance:
        return True
    state, rng = game.initial_state(), Random(seed)
    for _ in range(_LONGEST_LOOK if len(game.roles) > 1 else 0):
        if state.is_terminal or state.is_race:
            break
        legal = [moves for role in game.roles if (moves := state.legal_moves(role))]
        if sum(len(moves) > 1 for moves in legal) > 1:
            return True
        if not legal:
            break
        state = state.play(random_joint_move(state, rng))
    return False


def _is_compiled(game: Game) -> bool:
    from ludens.core.batch_game import BatchGame  # noqa: PLC0415 - as above

    return isinstance(game, BatchGame)
