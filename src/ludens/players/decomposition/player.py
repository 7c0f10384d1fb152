"""A player for games that decompose into subgames."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random

from ludens.analysis.subgames.residual import Residual
from ludens.core import (
    BEST_GOAL,
    Clock,
    Deadline,
    Decision,
    Game,
    GameError,
    Move,
    Observation,
    Option,
    OutOfTimeError,
    Player,
    Role,
    State,
    Thinking,
    View,
)
from ludens.core.batch_game import BatchGame
from ludens.players.contest import choose_search
from ludens.players.decomposition.falling_apart import FallingApart
from ludens.players.decomposition.preparation import Preparation, SecondLook
from ludens.players.decomposition.solve import PartSolver
from ludens.players.decomposition.subgames_player import SubgamesPlayer
from ludens.players.decomposition.values import Values
from ludens.players.information.worlds_player import COMPILING_SHARE
from ludens.players.mcts import MctsPlayer
from ludens.players.tree_memory import MEMORY_OPTION, megabytes_for

LOOK_SHARE = 0.5
"""The share of the start clock, and of the time for a move, for solving by subgames before anything else."""
ANALYSIS_MOVES = 10
"""The search for subgames ends after the same share of the start clock and of the time for this many moves."""


FALLBACK_RESERVE = 0.2
"""The share of what is left of the start clock then that is kept in reserve."""
PATIENCE = 3
"""Own turns left to Monte-Carlo search after there was no time to solve a position."""


FEW_CHOICES = 0.5
"""Boards split late: a position is looked at again once the player has at most this share of the legal moves that it
had at most. Before that a look would only take time from the search."""
SECOND_LOOK_MOVES = 2
"""A look for the subgames of a position ends after the time for this many moves."""
SECOND_LOOK_SHARE = 0.1
"""The share of the time for a move in which such a look is waited for; otherwise the next turn adopts its result."""
FIRST_PAUSE, LONGEST_PAUSE = 1, 16
"""Own turns between two such looks; twice as many after each that found nothing."""


class DecompositionPlayer(Player):
    """Solves the game subgame by subgame, and plays moves that keep the value; otherwise the search chooses that won
    quick matches, or `mcts`."""

    name = "decomposition"
    description = "for games with subgames: nimbers, or exact search by subgames; otherwise mcts or alphabeta"
    options = (
        Option("exact", True, "solve subgames if they are small enough"),
        Option("settle", True, "among moves that keep the value, choose one that is hard to answer, unless they win"),
        MEMORY_OPTION,
    )

    def warm_up(self) -> None:
        """Load what the fallback needs."""
        MctsPlayer().warm_up()

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Start to decompose the game, and prepare the fallback search."""
        began = time.monotonic()
        self._rng = Random(seed)
        self._role = role
        self._number = game.roles.index(role)
        self._solver: PartSolver | FallingApart | None = None
        self._preparation: Preparation | None = None
        self._rest = 0
        self._residual: Residual | None = None
        self._look: SecondLook | None = None
        self._pause, self._turns_to_look = FIRST_PAUSE, FIRST_PAUSE
        self.why = "solving subgames is switched off"
        """The method in use and why, in one line."""
        self._megabytes = megabytes_for(self.settings["memory"], clock)
        self._fallback: Player = MctsPlayer(memory=self._megabytes)
        if self.settings["exact"]:
            game = game.compiled(COMPILING_SHARE * clock.start)
            left = max(0.0, clock.start - (time.monotonic() - began))
            self._take_apart(game, LOOK_SHARE * left, LOOK_SHARE * (left + ANALYSIS_MOVES * clock.play))
        self._game = game
        self._moves = sum(map(len, game.move_texts)) if isinstance(game, BatchGame) else 0
        self._most_choices = len(game.initial_state().legal_moves(role))
        until = began + clock.start - FALLBACK_RESERVE * max(0.0, clock.start - (time.monotonic() - began))
        if not self._is_apart:
            self._try_searches(game, Clock(clock.play, max(0.0, until - time.monotonic())))
        self._fallback.channel = self.channel
        self._fallback.start(game, role, seed, Clock(clock.play, max(0.0, until - time.monotonic())))

    @property
    def _is_apart(self) -> bool:
        """Whether subgames are solved or searched one by one."""
        return self._solver is not None or isinstance(self._fallback, SubgamesPlayer)

    def _try_searches(self, game: Game, clock: Clock) -> None:
        """Let the search that wins quick matches choose the moves."""
        self._fallback, note = choose_search(game, clock, self._megabytes)
        if note:
            self.why += f"; {note}"

    def _take_apart(self, game: Game, seconds: float, analysis: float) -> None:
        """Look for subgames; if that takes longer, it continues in the background, for ``analysis`` seconds in all."""
        self._preparation = Preparation(game, analysis)
        self._preparation.wait(seconds)
        if self._preparation.solver is not None:  # everything is listed, and later positions are easier to solve
            self._preparation.stop()
            self._preparation.wait(seconds / 4)
        if self._preparation.separation is not None:
            self._fallback = SubgamesPlayer(self._preparation.separation, self._megabytes)
        self._adopt()

    def _adopt(self) -> None:
        """Adopt the result of the preparation, if it is ready."""
        preparation = self._preparation
        if preparation is None:
            return
        if preparation.is_done:
            self._solver = preparation.solver
            self._preparation = None
        elif preparation.solver is not None:
            preparation.stop()
        if self._solver is not None:
            self.why = preparation.how
        elif not preparation.subgames:
            self.why = f"mcts: {preparation.why}"
        elif isinstance(self._fallback, SubgamesPlayer):
            self.why = f"{preparation.subgames} subgames, {self._fallback.why}"
        else:
            self.why = f"{preparation.subgames} subgames, mcts over all of them: {preparation.why}"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """A move that keeps the exact value, or the choice of `mcts`."""
        began = time.monotonic()
        if len(view.legal_moves) == 1:
            return Decision(view.legal_moves[0], Thinking(note="the only move"))
        self.channel.publish(Decision(view.legal_moves[0]))
        self._adopt()
        self._rest_at_the_end(deadline)
        try:
            return self._choose(view, deadline, began)
        finally:
            self._rest_at_the_end(None)

    def _rest_at_the_end(self, move: Deadline | None) -> None:
        """Let what runs in the background do nothing in the last part of a move; None: the move is made."""
        for running in (self._preparation, self._look):
            if running is not None:
                running.rest_at_the_end(move)

    def _choose(self, view: View, deadline: Deadline, began: float) -> Decision:
        if self._solver is None and self._preparation is None and self.settings["exact"]:
            self._look_again(view, deadline)
        found = self._solve(view, deadline)
        keeping = () if found is None else found.sharp or found.best.get(self._number, ())
        best = [move for move in keeping if move in view.legal_moves]
        if found is None or not best:
            return self._fallback.choose(view, deadline)
        value = found.bounds[self._number][0]
        thinking = Thinking(
            note=f"worth {value:g}, exact; {found.note}",
            iterations=found.nodes,
            seconds=time.monotonic() - began,
            nodes=found.positions,
            value=value,
            backend=self._game.backend,
            extra={"exact": True, "moves": len(best)},
        )
        if value >= BEST_GOAL or len(best) == 1 or not self.settings["settle"]:
            return Decision(self._rng.choice(best), thinking)
        self.channel.publish(Decision(best[0], thinking))
        hardest = self._hardest_moves(view, best)
        move = self._rng.choice(hardest) if hardest else self._choose_by_search(view, deadline, best)
        return Decision(move, replace(thinking, seconds=time.monotonic() - began))

    def _look_again(self, view: View, deadline: Deadline) -> None:
        """Look, now and then and in the background, whether the position has fallen into subgames."""
        if isinstance(self._fallback, SubgamesPlayer):
            return
        self._most_choices = max(self._most_choices, len(view.legal_moves))
        if self._look is None:
            if len(view.legal_moves) > FEW_CHOICES * self._most_choices:
                return
            self._turns_to_look -= 1
            if self._turns_to_look > 0:
                return
            state = self._game.convert(view.sample(self._rng))
            self._look = SecondLook(self._game, SECOND_LOOK_MOVES * deadline.remaining(), state, self._moves)
            self._look.rest_at_the_end(deadline)
        if not self._look.wait(SECOND_LOOK_SHARE * deadline.remaining()):
            return
        look, self._look = self._look, None
        self._moves = look.moves
        if look.solver is None:
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            self._turns_to_look = self._pause
            return
        self._solver, self._residual = look.solver, look.residual
        self.why = f"the position has {look.subgames} subgames: {look.solver.method}"

    def _position(self, view: View) -> State:
        """The position, as a state of the game that the solver knows."""
        state = self._game.convert(view.sample(self._rng))
        return state if self._residual is None else self._residual.state(state)

    def _hardest_moves(self, view: View, best: list[Move]) -> list[Move]:
        """Among moves that lose against a perfect player, those that are hardest to answer, where that is known."""
        assert self._solver is not None
        return [move for move in self._solver.hardest_moves(self._position(view), self._rng) if move in best]

    def _solve(self, view: View, deadline: Deadline) -> Values | None:
        """The exact value of the position, if there is time to find it."""
        if self._solver is None:
            return None
        if self._rest:
            self._rest -= 1
            return None
        until = LOOK_SHARE * deadline.remaining()

        def pulse() -> None:
            if deadline.remaining() < until:
                raise OutOfTimeError("the clock")

        self._solver.pulse = pulse
        try:
            found = self._solver.solve(self._position(view))
        except GameError:
            self._rest = PATIENCE
            return None
        return found if found.exact else None

    def _choose_by_search(self, view: View, deadline: Deadline, best: list[Move]) -> Move:
        """Among moves with the same exact value, the one that Monte-Carlo search prefers."""
        self._fallback.channel = Player.channel  # it would publish moves that lose the value
        try:
            decision = self._fallback.choose(view, deadline)
        finally:
            self._fallback.channel = self.channel
        reports = [report.move for report in decision.thinking.moves] or [decision.move]
        return next((move for move in reports if move in best), best[0])

    def observe(self, observation: Observation) -> None:
        """Pass the turn on to the fallback."""
        self._fallback.observe(observation)

    def ponder(self, view: View, deadline: Deadline) -> None:
        """Let the fallback ponder, unless everything is solved."""
        if self._solver is None or self._rest:
            self._fallback.ponder(view, deadline)

    def stop(self) -> None:
        """Stop the preparation and the fallback."""
        for running in (self._preparation, self._look):
            if running is not None:
                running.stop()
        self._solver = self._preparation = self._look = None
        self._fallback.stop()
