"""One match that a player of ludens plays for a remote server."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TypeVar

from ludens.core import Clock, LudensError, Move, Player, Role
from ludens.gdl.game import GdlGame
from ludens.protocols.ggp.messages import NIL, News, Start
from ludens.protocols.ggp.position import initial_position
from ludens.referee.draws import substitute
from ludens.referee.handle import AT_RANDOM, Answer, Inbox, PlayerHandle
from ludens.referee.latency import measure_latency

_Result = TypeVar("_Result")
_FORGOTTEN = 60.0
"""Seconds beyond three play clocks after which a silent server counts as disconnected."""
_PATIENCE = 0.2
"""Seconds to wait for a player to release its resources."""


class HostedMatch:
    """A player in its own thread, with the news and questions for it.

    Whatever the player does, there is an answer in time: the best move that it has published, or a random one if it has
    published none.
    """

    def __init__(
        self,
        start: Start,
        game: GdlGame,
        role: Role,
        player: Player,
        *,
        seed: int,
        latency: float,
        log: Callable[[str], None],
        release: Callable[[GdlGame], None],
    ) -> None:
        self.name = start.match
        self._play_clock = max(start.play_clock, 0.01)
        self._reserve = min(self._play_clock / 2, latency + measure_latency().contended)
        """Seconds of network latency in each play clock, as measured at the start."""
        self._game = game
        self._role = role
        self._seed = seed
        self._log = log
        self._release = release
        self._position = initial_position(game, role)
        self._known: Sequence[Move] = self._position.view.legal_moves
        self._inbox: Inbox = queue.SimpleQueue()
        clock = Clock(self._play_clock - self._reserve, start.start_clock)
        self._handle = PlayerHandle(role, player, clock, self._inbox, None)
        self._reasoner = _Reasoner(start.match)
        self._ticket = 0
        self._answered: Move | None = None
        self._lock = threading.Lock()
        self._ended = False
        self._heard = time.monotonic() + start.start_clock

    @property
    def is_abandoned(self) -> bool:
        """True if the server has been silent for too long."""
        return time.monotonic() > self._heard + 3 * self._play_clock + _FORGOTTEN

    def start(self, until: float) -> None:
        """Start the player, and wait until a moment of ``time.monotonic``."""
        with self._lock:
            if self._ended:
                return
            self._ticket += 1
            self._handle.clock = Clock(self._handle.clock.play, max(0.0, until - time.monotonic()))
            self._handle.start(self._ticket, self._game, self._seed)
            answer = self._wait(until)
            if answer is not None and answer.failure:
                self._log(f"{self.name}: the player is not ready: {answer.message}")

    def play(self, news: News, arrived: float) -> Move:
        """Process the news and choose a move; the clock runs from the arrival of the question."""
        with self._lock:
            self._heard = time.monotonic()
            until = arrived + self._play_clock - self._reserve
            legal = self._known = self._update(news, until)
            if not legal or self._ended:
                return NIL
            move = legal[0] if len(legal) == 1 else self._choose(legal, until)
            self._answered = move
            return move

    def stop(self, news: News | None) -> None:
        """End the match; without news, it was aborted. Does not wait for a running search."""
        self._ended = True
        self._handle.cancel()
        self._inbox.put(None)

        def finish() -> None:
            if news is not None:
                self._inform(news, may_ponder=False)
            self._handle.stop()

        self._release(self._game)
        finished = self._reasoner.do(finish)
        self._reasoner.close()
        with contextlib.suppress(TimeoutError):
            finished.result(_PATIENCE)
            self._handle.join(_PATIENCE)

    def _update(self, news: News, until: float) -> Sequence[Move]:
        """Process the news; returns the role's legal moves, or the previous ones if time runs out."""

        def take_in() -> Sequence[Move]:
            self._inform(news, may_ponder=True)
            return self._position.view.legal_moves

        try:
            return self._reasoner.do(take_in).result(max(0.0, until - time.monotonic()))
        except (TimeoutError, LudensError) as error:
            self._log(f"{self.name}: the legal moves of turn {self._position.turn + 1} are not known: {error}")
            return self._known

    def _inform(self, news: News, may_ponder: bool) -> None:
        try:
            observation = self._position.advance(news, self._answered)
        except LudensError as error:
            self._log(f"{self.name}: the server's message contradicts the rules: {error}")
            return
        if observation is not None:
            self._handle.notify(observation, may_ponder)

    def _choose(self, legal: Sequence[Move], until: float) -> Move:
        """The player's move; if it is late or fails, its best so far, or else a random one."""
        self._ticket += 1
        turn = self._position.turn + 1
        left = until - time.monotonic()
        if left <= 0:
            self._log(f"{self.name}: turn {turn}: late, {AT_RANDOM}: the news took the whole clock")
            return substitute(self._seed, self._ticket, self._role, legal)
        self._handle.clock = Clock(left, 0.0)
        # other matches of this process may think at the same time
        self._handle.ask(self._ticket, self._position.view, contended=True)
        answer = self._wait(until)
        if answer is None and self._ended:
            return NIL
        settled = (answer or self._handle.stop_late()).settle(legal)
        if settled.kind:
            self._log(f"{self.name}: turn {turn}: {settled.kind}, {settled.message}")
        if settled.decision is None:
            return substitute(self._seed, self._ticket, self._role, legal)
        backend = settled.decision.thinking.backend
        searched = f", searched on the backend {backend}" if backend else ""
        self._log(f"{self.name}: turn {turn}: {settled.decision.move}{searched}")
        return settled.decision.move

    def _wait(self, until: float) -> Answer | None:
        while (left := until - time.monotonic()) > 0:
            try:
                item = self._inbox.get(timeout=left)
            except queue.Empty:
                break
            if item is None:
                break
            if isinstance(item, Answer) and item.ticket == self._ticket:
                return item
        return None


class _Reasoner:
    """Computes with the rules in its own thread, in order, so that slow rules delay no answer."""

    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name=f"rules of {name}", daemon=True).start()

    def do(self, work: Callable[[], _Result]) -> Future[_Result]:
        """Queue some work after all earlier work."""
        promise: Future[_Result] = Future()

        def job() -> None:
            try:
                promise.set_result(work())
            except BaseException as error:  # passed to the waiting thread
                promise.set_exception(error)

        self._jobs.put(job)
        return promise

    def close(self) -> None:
        """End the thread when all is done."""
        self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
