"""Root-parallel Monte-Carlo tree search on many machines: each grows its own tree, and the roots are summed up."""

from __future__ import annotations

import importlib.util
import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from ludens.core import (
    BEST_GOAL,
    Clock,
    Deadline,
    Decision,
    Game,
    LudensError,
    MoveReport,
    Option,
    Player,
    PlayerError,
    Role,
    Thinking,
    View,
)
from ludens.players.distributed.crew import Crew
from ludens.players.distributed.link import LOCAL, MISSING, ClusterError
from ludens.players.mcts import MctsPlayer
from ludens.players.search.roots import merge_roots, pick_move
from ludens.players.search.settings import RootMove

_GATHERING_SHARE = 0.8
"""The share of the start clock that is used."""

_log = logging.getLogger("ludens.players")


class ClusterPlayer(Player):
    """Runs `mcts` in several processes of a Ray cluster, and plays the move with the most visits over all of them.

    While none of them answers (Ray takes seconds to start, and machines may be lost), it searches alone.
    """

    name = "cluster"
    description = "mcts on several processes or machines at once, through Ray"
    cores = 0  # its searchers reserve theirs from Ray
    options = (
        Option("workers", 2, "processes, each with a tree", 1, 1_000),
        Option("address", LOCAL, "address of the Ray cluster: local starts one here, auto uses that of this machine"),
        *MctsPlayer.options,
    )

    def check(self, game: Game) -> None:
        """Raise `PlayerError` for games with hidden information, and if Ray is missing."""
        if game.hidden:
            raise PlayerError(
                f"{self.name} does not play games with hidden information such as {game.name}; use ismcts"
            )
        if importlib.util.find_spec("ray") is None:
            raise ClusterError(MISSING)

    def warm_up(self) -> None:
        """Load what the search alone needs."""
        MctsPlayer().warm_up()

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Wait for searchers as long as the start clock allows; meanwhile prepare to search alone."""
        began = time.monotonic()
        self._role, self._rng = role, Random(seed)
        self._crew: Crew | None = None
        self._failure: LudensError | None = None
        self._stopped = False
        self._guard = threading.Lock()
        """Searchers may become ready just when the match is over; then they must be ended."""
        gathering = threading.Thread(target=self._gather, args=[game, role, seed, clock], daemon=True)
        gathering.start()
        self._alone = MctsPlayer(**self._search_settings())
        self._alone.channel = self.channel
        self._alone.start(game, role, seed, clock)

        def patience() -> float | None:
            left = max(0.0, _GATHERING_SHARE * clock.start - (time.monotonic() - began))
            return None if self.settings["iterations"] else min(left, threading.TIMEOUT_MAX)

        gathering.join(patience())
        if self._failure is not None:
            raise self._failure
        if self._crew is not None:
            self._crew.gather(patience())

    def _search_settings(self) -> dict[str, bool | int | float | str]:
        return {option.name: self.settings[option.name] for option in MctsPlayer.options}

    def _gather(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        address, workers = str(self.settings["address"]), int(self.settings["workers"])
        try:
            crew = Crew(address, workers, game, role, seed, self._search_settings(), clock)
        except LudensError as error:
            self._failure = error
            _log.warning("cluster searches alone: %s", error)
            return
        with self._guard:
            if not self._stopped:
                self._crew = crew
                return
        crew.close()

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The move with the most visits over all trees, or that one of them has proven best."""
        began = time.monotonic()
        if len(view.legal_moves) == 1:
            return Decision(view.legal_moves[0], Thinking(note="the only move"))
        self.channel.publish(Decision(view.legal_moves[0]))
        state = view.sample(self._rng)
        answers = [] if self._crew is None else self._crew.think(state, deadline)
        legal = set(view.legal_moves)
        moves = [found for found in merge_roots(map(_root_moves, answers), same_state=True) if found.move in legal]
        if not moves:
            decision = self._alone.choose(view, deadline)
            return replace(decision, thinking=replace(decision.thinking, note=f"alone: {decision.thinking}"))
        return Decision(pick_move(moves, self._rng), _sum_answers(answers, moves, time.monotonic() - began))

    def ponder(self, view: View, deadline: Deadline) -> None:
        """Let the searchers think during other roles' turns."""
        if self._crew is None or not self.settings["ponder"] or self.settings["iterations"]:
            return
        self._crew.ponder(view.sample(self._rng))
        while deadline.wait(threading.TIMEOUT_MAX):
            pass
        self._crew.stop_searching()

    def stop(self) -> None:
        """End the searchers."""
        with self._guard:
            self._stopped = True
            crew, self._crew = self._crew, None
        self._alone.stop()
        if crew is not None:
            crew.close()


def _root_moves(answer: Thinking) -> list[RootMove]:
    found = []
    for report in answer.moves:
        mean = BEST_GOAL / 2 if report.value is None else report.value
        low, high = (round(mean), round(mean)) if report.proven else (0, BEST_GOAL)
        found.append(RootMove(report.move, report.visits, mean, low, high, report.share))
    return found


def _sum_answers(answers: Sequence[Thinking], moves: Sequence[RootMove], seconds: float) -> Thinking:
    lines = {
        report.move: report.line
        for answer in answers
        for report in sorted(answer.moves, key=lambda report: report.visits)
        if report.line
    }
    reports = tuple(
        MoveReport(found.move, found.mean, found.visits, found.proven, lines.get(found.move, ()), found.share)
        for found in moves
    )
    return Thinking(
        iterations=sum(answer.iterations for answer in answers),
        seconds=seconds,
        nodes=sum(answer.nodes for answer in answers),
        depth=max(answer.depth for answer in answers),
        value=reports[0].value,
        line=reports[0].line,
        moves=reports,
        backend=next((answer.backend for answer in answers if answer.backend), ""),
        extra={"searchers": len(answers)},
    )
