"""A player of ludens for another program, which may ask about any position."""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    JointMove,
    Move,
    Observation,
    Role,
    SomeMovesView,
    State,
    Thinking,
)
from ludens.players.registry import make_player, without_options
from ludens.protocols.program_player import WAITING
from ludens.referee.draws import substitute
from ludens.referee.handle import LATE, Answer, Inbox, PlayerHandle, Report
from ludens.referee.latency import prepare_process

HANDOVER = 0.05
"""Seconds that an answer given in time may take to arrive here."""
PATIENCE = 1.0
"""Grace in seconds for a player that has published no move."""
STOPPING = 0.2
"""Seconds in which a player answers after `LentPlayer.stop`, before its best so far is taken."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play in a game in which one role moves at a time, from any state."""

    states: tuple[State, ...]
    """The state at the beginning, and the one after each turn."""
    turns: tuple[JointMove, ...] = ()

    @property
    def state(self) -> State:
        """The state at the end."""
        return self.states[-1]

    @property
    def mover(self) -> Role | None:
        """Who is to move; None if the game is over."""
        legal = {role: self.state.legal_moves(role) for role in self.state.game.roles}
        return next((role for role, moves in legal.items() if any(move != WAITING for move in moves)), None)

    def play(self, role: Role, move: Move) -> Line:
        """The line with one more move; the other roles wait. Raises `IllegalMoveError`."""
        state = self.state
        forced = {other: moves[0] for other in state.game.roles if (moves := state.legal_moves(other))}
        joint_move = forced | {role: move}
        return Line((*self.states, state.play(joint_move)), (*self.turns, joint_move))


@dataclass(frozen=True, slots=True)
class _Question:
    """A question to a player, and the callback for the answer."""

    ticket: int
    role: Role
    legal: Sequence[Move]
    due: float
    answered: Callable[[Move, Thinking], None]
    reported: Callable[[Thinking], None]
    failed: Callable[[str], None]
    stop_at: float = math.inf
    """When the player is told to stop, if that is not its own deadline."""
    is_stopped: bool = False
    """True if the other program wants the answer now, so that the best so far is what it asked for."""
    is_extended: bool = False
    """True if the player got more time, since it had published no move."""


class LentPlayer:
    """A player for each role that is asked for, made by the same description. One question at a time.

    The description may name a file with code, so it must come from the user of this machine, never from the other
    program, which may only set options.
    There is always an answer: if the player fails, the best move that it has published, or a random one. ``log``
    reports that.
    """

    def __init__(self, player: str, *, seed: int, start_clock: float, log: Callable[[str], None]) -> None:
        self._name = without_options(player)
        self._settings = make_player(player, files=True).settings  # reports an error in the description now
        self._description = player
        self._seed = seed
        self._start_clock = start_clock
        self._log = log
        self._inbox: Inbox = queue.SimpleQueue()
        self._handles: dict[Role, PlayerHandle] = {}
        self._starting: dict[int, threading.Event] = {}
        """By ticket: set once a player is ready."""
        self._known_lines: dict[Role, Line] = {}
        self._game: Game | None = None
        self._preparing = threading.RLock()
        self._lock = threading.Lock()
        self._question: _Question | None = None
        self._ticket = 0
        self._closed = False
        threading.Thread(target=self._watch, name="lent player", daemon=True).start()

    def describe(self, player: str) -> None:
        """Play as another player from now on, if it is not the same. Raises `PlayerError`.

        A player whose `live_options` alone differ keeps all that it has prepared.
        """
        if player == self._description:
            return
        made = make_player(player, files=True)
        changed = {name: value for name, value in made.settings.items() if self._settings.get(name) != value}
        is_other = without_options(player) != self._name or not changed.keys() <= made.live_options
        self._name, self._settings, self._description = without_options(player), made.settings, player
        if is_other:
            self.forget()
            return
        for handle in self._handles.values():
            handle.change(changed)

    def forget(self) -> None:
        """Drop the players with all that they have learnt."""
        self.stop()
        with self._preparing:
            for handle in self._handles.values():
                handle.stop()
            self._handles, self._known_lines = {}, {}

    def prepare(self, game: Game, roles: Iterable[Role], seconds: float | None = None) -> None:
        """Get the players of roles ready, within some seconds, by default the start clock. Those that are, stay so."""
        with self._preparing:
            if game is not self._game:
                self.forget()
                self._game = game
            if all(role in self._handles for role in roles):
                return
            prepare_process(game)
            clock = Clock(1.0, self._start_clock if seconds is None else seconds)
            pending = [self._start(game, role, clock) for role in roles if role not in self._handles]
            deadline = Deadline(clock.start + PATIENCE)
            for ready in pending:
                ready.wait(max(0.0, deadline.remaining()))

    def _start(self, game: Game, role: Role, clock: Clock) -> threading.Event:
        player = make_player(self._description, files=True)
        handle = PlayerHandle(role, player, clock, self._inbox, None)
        with self._lock:
            self._ticket += 1
            ready = self._starting[self._ticket] = threading.Event()
        self._handles[role] = handle
        self._known_lines[role] = Line((game.initial_state(),))
        handle.start(self._ticket, game, self._seed)
        return ready

    def ask(
        self,
        line: Line,
        role: Role,
        seconds: float,
        answered: Callable[[Move, Thinking], None],
        reported: Callable[[Thinking], None],
        failed: Callable[[str], None] = lambda _: None,
        only: Sequence[Move] = (),
    ) -> None:
        """Ask for a move at the end of a line; the answer comes from another thread, also after `stop`.

        ``failed`` receives what was wrong, if the player does not answer itself. With ``only``, it chooses among these
        moves.
        """
        self.prepare(line.state.game, [role])
        handle = self._handles[role]
        self._inform(handle, role, line)
        legal = only or line.state.legal_moves(role)
        with self._lock:
            self._ticket += 1
            due = time.monotonic() + seconds + HANDOVER
            self._question = _Question(self._ticket, role, legal, due, answered, reported, failed)
            handle.clock = Clock(seconds, 0.0)
            view = SomeMovesView(line.state, role, only) if only else line.state.view(role)
            handle.ask(self._ticket, view, contended=True)
        self._inbox.put(None)

    def choose(self, line: Line, role: Role, seconds: float) -> Move:
        """The player's move at the end of a line."""
        found: queue.SimpleQueue[Move] = queue.SimpleQueue()
        self.ask(line, role, seconds, lambda move, _: found.put(move), lambda _: None)
        return found.get()

    def stop(self) -> None:
        """Stop the search, so that the player answers at once."""
        with self._lock:
            self._stop_search()
        self._inbox.put(None)

    def stop_in(self, seconds: float) -> None:
        """Stop the search after some seconds from now."""
        with self._lock:
            if self._question is not None:
                self._question = replace(self._question, stop_at=time.monotonic() + seconds)
        self._inbox.put(None)

    def _stop_search(self) -> None:
        if self._question is not None:
            due = min(self._question.due, time.monotonic() + STOPPING)
            self._question = replace(self._question, due=due, stop_at=math.inf, is_stopped=True)
            self._handles[self._question.role].cancel()

    def close(self) -> None:
        """Release the players, without waiting for those that still prepare themselves."""
        self.stop()
        self._closed = True
        for handle in [*self._handles.values()]:
            handle.stop()
        self._inbox.put(None)

    def _inform(self, handle: PlayerHandle, role: Role, line: Line) -> None:
        """Inform the player of moves played or taken back since its last question."""
        known = self._known_lines[role]
        common = 0
        if known.states[0] == line.states[0]:
            pairs = zip(known.turns, line.turns, strict=False)
            shorter = min(len(known.turns), len(line.turns))
            common = next((number for number, (old, new) in enumerate(pairs) if old != new), shorter)
        if common < len(known.turns):
            handle.take_back(len(known.turns) - common, line.states[common].view(role))
        for number in range(common, len(line.turns)):
            turn, view = line.turns[number], line.states[number + 1].view(role)
            handle.notify(Observation(number + 1, view, turn.get(role), turn), may_ponder=False)
        self._known_lines[role] = line

    def _watch(self) -> None:
        while not self._closed:
            question = self._question
            left = math.inf if question is None else min(question.due, question.stop_at) - time.monotonic()
            try:
                item = self._inbox.get(timeout=max(0.0, left) if left < threading.TIMEOUT_MAX else None)
            except queue.Empty:
                if question is not None:
                    self._time_out(question)
                continue
            with self._lock:
                question = self._question  # another one may have been asked meanwhile
            if isinstance(item, Answer) and item.ticket in self._starting:
                if item.failure:
                    self._log(f"the player is not ready: {item.message}")
                self._starting.pop(item.ticket).set()
            elif isinstance(item, Answer) and question is not None and item.ticket == question.ticket:
                self._answer(question, item)
            elif isinstance(item, Report) and question is not None and item.ticket == question.ticket:
                question.reported(item.thinking)

    def _time_out(self, question: _Question) -> None:
        if question.stop_at > question.due:
            self._answer_late(question)
            return
        with self._lock:
            if self._question is question:
                self._stop_search()

    def _answer_late(self, question: _Question) -> None:
        """Answer for a player whose time is up; one that has published no move gets some more."""
        late = self._handles[question.role].stop_late()
        if late.best is not None or question.is_extended:
            self._answer(question, late)
            return
        with self._lock:
            if self._question is question:
                self._question = replace(question, due=question.due + PATIENCE, is_extended=True)

    def _answer(self, question: _Question, answer: Answer) -> None:
        with self._lock:
            if self._question is None or self._question.ticket != question.ticket:
                return
            self._question = None
        legal = question.legal
        settled = answer.settle(legal)
        is_best_when_stopped = question.is_stopped and settled.kind == LATE and settled.decision is not None
        if settled.kind and not is_best_when_stopped:
            problem = f"the player failed ({settled.kind}), {settled.message}"
            self._log(problem)
            question.failed(problem)
        decision = settled.decision or Decision(substitute(self._seed, question.ticket, question.role, legal))
        question.answered(decision.move, decision.thinking)
