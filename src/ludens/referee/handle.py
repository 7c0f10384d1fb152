"""Runs one player in its own thread, so that it can hang, crash or print without harm.

Engines behind a protocol are Players too, whose methods talk to another process; there is one kind of handle. Limits:
Python cannot end a thread, so a player that never returns keeps its thread (and the processor, if it computes) until
the process ends; and C code that holds the interpreter lock stops the whole process. Run players that are not trusted
in a separate process.
"""

from __future__ import annotations

import json
import math
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    LudensError,
    Message,
    Move,
    Observation,
    OptionValue,
    OutOfTimeError,
    Player,
    Role,
    TakeBack,
    Thinking,
    View,
)
from ludens.core.collector import full_collections
from ludens.referee.latency import Margin
from ludens.referee.output import player_thread, pop_dropped_count

MAX_MOVE = 10_000
"""Characters of a move."""
MAX_THINKING = 1_000_000
"""Characters of a search summary as JSON."""
MAX_MESSAGE = 2_000
"""Characters of a message."""
MAX_MESSAGES = 20
"""Messages of one player in one turn."""
REPORT_INTERVAL = 0.1
"""Seconds between two reports of one player; those between are dropped."""
CRASH = "crash"
"""The failure of a player that raises an exception."""
LATE = "late"
"""The failure of a player that does not answer in time."""
ILLEGAL = "illegal"
"""The failure of a player whose move is not legal."""
BEST_SO_FAR = "answered by its best so far"
AT_RANDOM = "answered at random"
"""How the move of a player that failed was found, for records and logs."""
TAKE_BACK = "take back"
"""The failure of a player that wants its last move back."""
_MAX_ERROR = 500
_PATIENCE = 0.2
"""Timeout at the end of a match for a player that is still thinking."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A player's answer: a decision, or how it failed."""

    role: Role
    ticket: int
    """Which question is answered."""
    seconds: float
    """From the question to the answer, timed in the player's thread."""
    decision: Decision | None = None
    failure: str = ""
    """A kind of `PlayerFailed`, or `TAKE_BACK`; empty if there is a decision."""
    message: str = ""
    best: Decision | None = None
    """The last decision that the player published in time."""

    def within(self, limit: float) -> Answer:
        """The answer, if it took no more than ``limit`` seconds; otherwise a failure."""
        if self.failure or self.seconds <= limit:
            return self
        message = f"the answer took {self.seconds:.3f} s, where {limit:g} s are allowed"
        return replace(self, decision=None, failure=LATE, message=message)

    def settle(self, legal: Sequence[Move]) -> Settlement:
        """What is played: the decision, or else the best so far, or else nothing, with what was wrong."""
        kind, message, decision = self.failure, self.message, self.decision
        if kind == TAKE_BACK:
            kind, message = ILLEGAL, "there is no move that can be taken back"
        elif decision is not None:
            if decision.move in legal:
                return Settlement(decision)
            kind, message = ILLEGAL, f"{_shorten(decision.move)} is not a legal move"
        if self.best is not None and self.best.move in legal:
            return Settlement(self.best, kind, message)
        return Settlement(None, kind, message)


@dataclass(frozen=True, slots=True)
class Settlement:
    """What becomes of an answer."""

    decision: Decision | None
    """What is played; None if a random move has to be made."""
    kind: str = ""
    """A kind of `PlayerFailed`; empty if nothing was wrong."""
    reason: str = ""
    """What was wrong."""

    @property
    def message(self) -> str:
        """What was wrong, and how the move was found."""
        return f"{AT_RANDOM if self.decision is None else BEST_SO_FAR}: {self.reason}"


@dataclass(slots=True, eq=False)
class _Question:
    """A move that a player is asked for."""

    ticket: int
    began: float
    """When it was asked, by ``time.monotonic``."""
    limit: float
    """Seconds for the answer."""
    best: Decision | None = None
    """The last decision published within the limit."""

    def checked_best(self) -> Decision | None:
        """The last decision published, if a record can store it. Checked here, so that publishing costs nothing."""
        try:
            return None if self.best is None else check_decision(self.best)
        except (TypeError, ValueError):
            return None


@dataclass(frozen=True, slots=True)
class Report:
    """A player's report on its search."""

    role: Role
    thinking: Thinking
    ticket: int
    """The question that the player works on; 0 while it works on none."""


@dataclass(frozen=True, slots=True)
class Note:
    """A failure that does not concern a move."""

    role: Role
    kind: str
    message: str


Inbox: TypeAlias = "queue.SimpleQueue[Answer | Report | Note | Message | None]"
"""Everything from players, in the order of arrival; None interrupts the wait."""
_Job: TypeAlias = Callable[[], None]


class PlayerHandle:
    """One player in its own thread. Its answers, reports and messages arrive in the Referee's inbox."""

    def __init__(
        self, role: Role, player: Player, clock: Clock, inbox: Inbox, listeners: Sequence[Role] | None
    ) -> None:
        self.role = role
        self.player = player
        self.clock = clock
        self._inbox = inbox
        self._listeners = listeners
        self._margin = Margin(player.name, clock.play)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._pondering: Deadline | None = None
        self._deadline: Deadline | None = None
        self._question = _Question(0, 0.0, 0.0)
        self._working: _Question | None = None
        self._last_report = -math.inf
        self._messages = 0
        self._asked = 0
        self._answered = 0
        self._ponders = type(player).ponder is not Player.ponder
        self._thread = threading.Thread(target=self._work, name=f"player {role}", daemon=True)
        player.channel = self
        self._thread.start()

    @property
    def limit(self) -> float:
        """The time limit of a move in seconds, from the question to the answer."""
        return self.clock.play + self.player.grace

    @property
    def ponders(self) -> bool:
        """True if the player thinks while others do."""
        return self._ponders

    def start(self, ticket: int, game: Game, seed: int, *, pause: float | None = None) -> None:
        """Start the player; with a pause, after waiting so many seconds and warming up, which was not done before."""
        began = time.monotonic()
        self._asked += 1

        def start() -> None:
            if pause is not None:
                time.sleep(pause)
                self.player.warm_up()
            self.player.start(game, self.role, seed, self.clock)

        self._post(lambda: self._answer(ticket, began, start))

    @property
    def is_busy(self) -> bool:
        """True while the player works on a question, also on one that was cancelled."""
        return self._answered < self._asked

    @property
    def due(self) -> float:
        """When the last question had to be answered, by ``time.monotonic``."""
        return self._question.began + self._question.limit

    def ask(self, ticket: int, view: View, contended: bool, began: float | None = None) -> None:
        """Ask for a move; the answer arrives in the inbox. Its time counts from a moment of ``time.monotonic``: now."""
        began = time.monotonic() if began is None else began
        self._asked += 1
        deadline = Deadline(self.limit, self._margin.seconds(contended))
        self._deadline = deadline
        self._messages = 0
        question = self._question = _Question(ticket, began, self.limit)
        full_collections.defer(question, self.limit)

        def choose() -> Decision:
            self._working = question
            try:
                with deadline.enforced():
                    decision = check_decision(self.player.choose(view, deadline))
            except OutOfTimeError:  # a query was given up; what it was for is lost, what was found before is not
                best = question.checked_best()
                if best is None:
                    raise
                return best
            finally:
                self._working = None
            if not deadline.cancelled:
                self._margin.learn(-deadline.remaining())
            return decision

        self._post(lambda: self._answer(ticket, began, choose, question))

    def publish(self, decision: Decision) -> None:
        """Keep the player's best move so far, unless its time is up."""
        question = self._working
        if question is not None and time.monotonic() - question.began <= question.limit:
            question.best = decision

    @property
    def best_so_far(self) -> Decision | None:
        """The last decision that the player published in answer to the last question."""
        return self._question.checked_best()

    def stop_late(self) -> Answer:
        """Stop a player that has not answered in time; returns the answer in its place, with its best move so far."""
        self.cancel()
        question = self._question
        message = f"no answer within {question.limit:g} s"
        return Answer(self.role, question.ticket, question.limit, None, LATE, message, question.checked_best())

    def change(self, settings: Mapping[str, OptionValue]) -> None:
        """Change options of the player before its next move."""
        self._post(lambda: self._report_crash(lambda: self.player.change(settings)))

    def notify(self, observation: Observation, may_ponder: bool) -> None:
        """Notify the player of a turn, and let it ponder if it can."""
        self._post(lambda: self._report_crash(lambda: self.player.observe(observation)))
        if self._ponders and may_ponder:
            self._jobs.put(lambda: self._ponder(observation.view))

    def take_back(self, turns: int, view: View) -> None:
        """Notify the player that turns were taken back."""
        self._post(lambda: self._report_crash(lambda: self.player.take_back(turns, view)))

    def hear(self, message: Message) -> None:
        """Forward a message of another player."""
        self._post(lambda: self._report_crash(lambda: self.player.hear(message)))

    def cancel(self) -> None:
        """Signal the player to stop thinking."""
        if self._deadline is not None:
            self._deadline.cancel()

    def stop(self) -> None:
        """Stop the player; the match is over."""
        self.cancel()
        self._post(lambda: self._report_crash(self.player.stop))
        self._jobs.put(None)

    def join(self, seconds: float) -> None:
        """Wait until the player has stopped, with a timeout; only briefly if it still owes an answer."""
        self._thread.join(min(seconds, _PATIENCE) if self.is_busy else seconds)

    def wants_thinking(self) -> bool:
        """True if a report would be forwarded now."""
        return time.monotonic() - self._last_report >= REPORT_INTERVAL

    def report(self, thinking: Thinking) -> None:
        """Forward a report on the search, unless the last one is too recent."""
        if self.wants_thinking():
            self._last_report = time.monotonic()
            _check_size(thinking)
            question = self._working
            self._inbox.put(Report(self.role, thinking, 0 if question is None else question.ticket))

    def say(self, text: str, to: Sequence[Role] = ()) -> None:
        """Send a message to some roles, by default to all others; dropped if messages are not allowed."""
        if self._listeners is None:
            return
        self._messages += 1
        if self._messages > MAX_MESSAGES or len(text) > MAX_MESSAGE:
            if self._messages <= MAX_MESSAGES + 1:
                limits = f"at most {MAX_MESSAGES} messages a turn of {MAX_MESSAGE:,} characters"
                self._inbox.put(Note(self.role, "message", f"{limits}; the rest was dropped"))
            return
        named = [role for role in to if role in self._listeners] if to else self._listeners
        self._inbox.put(Message(self.role, tuple(named), str(text)))

    def _post(self, job: _Job) -> None:
        with self._lock:
            if self._pondering is not None:
                self._pondering.cancel()
            self._jobs.put(job)

    def _work(self) -> None:
        with player_thread():
            while (job := self._jobs.get()) is not None:
                job()

    def _answer(
        self, ticket: int, began: float, work: Callable[[], Decision | None], question: _Question | None = None
    ) -> None:
        decision, failure, message = None, "", ""
        try:
            decision = work()
        except TakeBack:
            failure = TAKE_BACK
        except TimeoutError as error:
            failure, message = LATE, _describe_error(error)
        except BaseException as error:  # a player may raise anything, and the match must go on
            failure, message = CRASH, describe_crash(self.player, error)
        seconds = time.monotonic() - began
        if question is not None:
            full_collections.allow(question)
        self._note_output()
        self._answered += 1
        best = None if question is None else question.checked_best()
        self._inbox.put(Answer(self.role, ticket, seconds, decision, failure, message, best))

    def _report_crash(self, work: _Job) -> None:
        try:
            work()
        except BaseException as error:  # as above
            self._inbox.put(Note(self.role, CRASH, describe_crash(self.player, error)))
        self._note_output()

    def _ponder(self, view: View) -> None:
        with self._lock:
            if not self._jobs.empty():
                return
            self._pondering = Deadline(math.inf)
            deadline = self._pondering

        def ponder() -> None:
            with suppress(OutOfTimeError), deadline.enforced():
                self.player.ponder(view, deadline)

        self._report_crash(ponder)
        with self._lock:
            self._pondering = None

    def _note_output(self) -> None:
        dropped = pop_dropped_count()
        if dropped:
            self._inbox.put(Note(self.role, "output", f"printed {dropped:,} characters, which were dropped"))


def check_decision(decision: Decision) -> Decision:
    """The decision, if a record can store it. Raises `TypeError` or `ValueError` if not."""
    if not isinstance(decision, Decision):
        raise TypeError(f"choose must return a Decision, not {type(decision).__name__}")
    if not isinstance(decision.move, str):
        raise TypeError(f"a move is text, not {type(decision.move).__name__}")
    if len(decision.move) > MAX_MOVE:
        raise ValueError(f"a move of {len(decision.move):,} characters")
    _check_size(decision.thinking)
    return decision


def _check_size(thinking: Thinking) -> None:
    if not isinstance(thinking, Thinking):
        raise TypeError(f"a search is described by a Thinking, not {type(thinking).__name__}")
    size = len(json.dumps(thinking.as_json(), allow_nan=False))
    if size > MAX_THINKING:
        raise ValueError(f"a search summary of {size:,} characters, where {MAX_THINKING:,} are allowed")


def describe_crash(player: Player, error: BaseException) -> str:
    """The error that a player raised, with the line of its own file, for its author."""
    if isinstance(error, LudensError):  # its message says what was wrong, and where
        return _describe_error(error)
    file = getattr(sys.modules.get(type(player).__module__), "__file__", None)
    frames = traceback.extract_tb(error.__traceback__)[::-1]
    line = next((frame.lineno for frame in frames if frame.filename == file), None)
    return _describe_error(error) + ("" if file is None or line is None else f" ({Path(file).name}:{line})")


def _describe_error(error: BaseException) -> str:
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # a hostile __str__
        text = type(error).__name__
    return text if len(text) <= _MAX_ERROR else text[:_MAX_ERROR] + "…"


def _shorten(move: Move) -> str:
    return repr(move if len(move) <= 200 else move[:200] + "…")
