"""A player with an evolved evaluation: alpha-beta with it, or playouts guided by it."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import numpy as np

from ludens.core import Clock, Deadline, Decision, Game, MoveReport, Option, PlayerError, Role, Thinking, View
from ludens.core.batch_game import BatchGame
from ludens.players.alphabeta import AlphaBetaPlayer
from ludens.players.evaluation.evaluators import Evaluation
from ludens.players.genetic.file import read_judgement
from ludens.players.genetic.judgement import Evolved, Judgement
from ludens.players.genetic.playouts import PlayoutResult, Playouts
from ludens.players.learning.games import check_learnable

_LEFT_OUT = {"evaluation", "chance"}


class GeneticPlayer(AlphaBetaPlayer):
    """Plays with an evaluation that ``ludens evolve`` wrote."""

    name = "genetic"
    description = "alpha-beta or playouts with an evaluation evolved by `ludens evolve GAME`: genetic:best.json"
    options = (
        Option("file", "", "the evaluation"),
        Option(
            "search",
            "alphabeta",
            "alpha-beta search, or playouts guided by the evaluation after every move",
            choices=("alphabeta", "playouts"),
        ),
        Option("playouts", 0, "playouts per move; 0: as many as the clock allows", 0, 1_000_000),
        *(option for option in AlphaBetaPlayer.options if option.name not in _LEFT_OUT),
    )

    def check(self, game: Game) -> None:
        """Read the file."""
        self._read(check_learnable(game))

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Read the file; then start like `alphabeta`, or run a first round of playouts."""
        known = check_learnable(game)
        self._backend = known.backend
        self._evolved = Evolved(known, self._read(known))
        if self.settings["search"] == "alphabeta":
            super().start(game, role, seed, clock)
            return
        self._rng = Random(seed)
        rng = np.random.default_rng(seed)
        self._playouts = Playouts(known, self._evolved, game.roles.index(role), rng, clock.play / 2)
        state = game.initial_state()
        if not state.is_terminal:
            self._playouts.run(state, Deadline(clock.start / 2), 1)

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The best move found in time."""
        if self.settings["search"] == "alphabeta":
            return super().choose(view, deadline)
        began = time.monotonic()
        if len(view.legal_moves) == 1:
            return Decision(view.legal_moves[0], Thinking(note="the only move"))
        self.channel.publish(Decision(view.legal_moves[0]))

        def show(found: PlayoutResult) -> None:
            if self.channel.wants_thinking():
                self.publish_search(_thinking_of(found, time.monotonic() - began, self._backend), view.legal_moves)

        found = self._playouts.run(view.sample(self._rng), deadline, int(self.settings["playouts"]), show)
        thinking = _thinking_of(found, time.monotonic() - began, self._backend)
        return Decision(thinking.moves[0].move, thinking)

    def _evaluation(self, deadline: Deadline) -> Evaluation:
        return self._evolved

    def _read(self, game: BatchGame) -> Judgement:
        if not self.settings["file"]:
            raise PlayerError("genetic needs a file, genetic:best.json; create one with `ludens evolve GAME`")
        return read_judgement(Path(str(self.settings["file"])), game)


def _thinking_of(found: PlayoutResult, seconds: float, backend: str) -> Thinking:
    moves = tuple(
        MoveReport(move, value, found.playouts // len(found.values))
        for move, value in sorted(found.values.items(), key=lambda item: -item[1])
    )
    return Thinking(iterations=found.playouts, seconds=seconds, value=moves[0].value, moves=moves, backend=backend)
