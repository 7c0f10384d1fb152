"""Tree searches in processes of a Ray cluster, and the client that queries them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ludens.core import Clock, Deadline, Game, OpenView, OptionValue, Role, State, Thinking
from ludens.players.distributed.link import connect
from ludens.players.mcts import MctsPlayer
from ludens.players.tree_memory import megabytes_for

_RESTARTS = 100
"""How often a lost searcher is restarted."""
_THREADS = 3
"""Threads of a searcher: one searches, one waits for it to stop, one stops it."""
_MEGABYTE = 1_000_000
_LOOK = 0.05
"""Seconds between checks whether a question is still current."""
_FIRST_WAY = 0.05
"""The assumed round-trip time in seconds, before the first measurement."""
_LEAST_WAY = 0.01
_CAUTION = 1.5
"""The safety factor on the measured round-trip time."""
_FORGETTING = 0.8
"""The decay of the longest round-trip time from move to move."""

_log = logging.getLogger("ludens.players")


class Searcher:
    """One tree, kept from move to move. Ray calls it from several threads, and one of them searches at a time."""

    def __init__(self, game: Game, role: Role, seed: int, settings: Mapping[str, OptionValue], clock: Clock) -> None:
        self._role = role
        self._searching = threading.Lock()
        self._guard = threading.Lock()
        self._question = 0
        self._deadline = Deadline(0)
        self._player = MctsPlayer(**settings)
        self._player.start(game, role, seed, clock)

    def is_ready(self) -> bool:
        """True; an answer means that the searcher is ready."""
        return True

    def think(self, question: int, state: State, seconds: float) -> Thinking:
        """Search for ``seconds``; less if another question arrives, and not at all for an outdated one."""
        due = time.monotonic() + seconds
        self.supersede(question)
        with self._searching:
            deadline = self._begin(question, due - time.monotonic())
            if deadline is None:
                return Thinking()
            return self._player.choose(OpenView(state, self._role), deadline).thinking

    def ponder(self, question: int, state: State) -> None:
        """Search until another question arrives."""
        self.supersede(question)
        with self._searching:
            deadline = self._begin(question, threading.TIMEOUT_MAX)
            if deadline is not None:
                self._player.ponder(OpenView(state, self._role), deadline)

    def supersede(self, question: int) -> None:
        """Mark all questions before this one as outdated."""
        with self._guard:
            self._question = max(self._question, question)
            self._deadline.cancel()

    def _begin(self, question: int, seconds: float) -> Deadline | None:
        with self._guard:
            if question < self._question:
                return None
            self._deadline = Deadline(seconds)
            return self._deadline


class Crew:
    """Searchers on a Ray cluster. A lost one is missing for a move or two, and restarts with an empty tree."""

    def __init__(
        self,
        address: str,
        searchers: int,
        game: Game,
        role: Role,
        seed: int,
        settings: Mapping[str, OptionValue],
        clock: Clock,
    ) -> None:
        """Connect to Ray and start searchers; `gather` waits for them."""
        self._ray = connect(address)
        kind = self._ray.remote(Searcher).options(
            num_cpus=1,
            memory=megabytes_for(settings["memory"], clock) * _MEGABYTE,
            max_restarts=_RESTARTS,
            max_concurrency=_THREADS,
        )
        made = [kind.remote(game, role, seed + number, dict(settings), clock) for number in range(searchers)]
        self._coming = {searcher.is_ready.remote(): searcher for searcher in made}
        self._here: list[Any] = []
        self._question = 0
        self._way = _FIRST_WAY
        self._longest_way = clock.play / 2

    def gather(self, seconds: float | None) -> int:
        """Wait up to ``seconds`` for searchers, without limit for None; returns how many are ready."""
        if self._coming:
            arrived, _ = self._ray.wait(list(self._coming), num_returns=len(self._coming), timeout=seconds)
            for reference in arrived:
                searcher = self._coming.pop(reference)
                if self._answer(reference):
                    self._here.append(searcher)
        return len(self._here)

    def think(self, state: State, deadline: Deadline) -> list[Thinking]:
        """The answers of the searchers that reply in time; none if there is no time to ask."""
        self.gather(0.0)
        seconds = deadline.remaining() - min(self._way, self._longest_way)
        if seconds <= 0 or not self._here:
            return []
        began = time.monotonic()
        self._question += 1
        asked = [searcher.think.remote(self._question, state, seconds) for searcher in self._here]
        answers = self._answers(asked, deadline)
        way = time.monotonic() - began - seconds
        self._way = max(_LEAST_WAY, _FORGETTING * self._way, _CAUTION * way)
        return answers

    def _answers(self, asked: Sequence[Any], deadline: Deadline) -> list[Thinking]:
        found: list[Thinking | None] = []
        waiting = list(asked)
        while waiting and (left := deadline.remaining()) > 0:
            done, waiting = self._ray.wait(waiting, num_returns=len(waiting), timeout=min(_LOOK, left))
            found += map(self._answer, done)
        if waiting:
            self.stop_searching()
        return [answer for answer in found if answer is not None and answer.moves]

    def _answer(self, reference: Any) -> Any:
        """A searcher's answer; None if it was lost."""
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            _log.warning("a searcher does not answer: %s", str(error).strip().splitlines()[0])
            return None

    def ponder(self, state: State) -> None:
        """Let all search from a state until the next question."""
        self.gather(0.0)
        self._question += 1
        for searcher in self._here:
            searcher.ponder.remote(self._question, state)

    def stop_searching(self) -> None:
        """Stop all searches."""
        self._question += 1
        for searcher in self._here:
            searcher.supersede.remote(self._question)

    def close(self) -> None:
        """End all searchers."""
        for searcher in [*self._here, *self._coming.values()]:
            self._ray.kill(searcher)
        self._here.clear()
        self._coming.clear()
