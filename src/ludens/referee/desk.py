"""The Referee's desk: asks all players at once, and collects their answers in the order of arrival."""

from __future__ import annotations

import math
import queue
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

from ludens.core import Clock, Game, Message, Observation, Player, Role, State
from ludens.referee.draws import player_seed
from ludens.referee.events import Event, MessageSent, PlayerFailed, PlayerThinking
from ludens.referee.handle import LATE, Answer, Inbox, Note, PlayerHandle, Report

HANDOVER = 0.05
"""Seconds that an answer given in time may take to reach the Referee. Lateness is judged in the player's thread."""
LONGEST_WAIT = 10.0
"""Seconds that a race waits at most for a player that still works on the last one."""
WARM_UP = 10.0
"""Seconds beyond the start clock in which players warm up while a person is asked."""
_START = 0
"""The ticket of the question to start."""

Answers = dict[Role, Answer]
"""What players answered, in the order of arrival."""


class Interrupted(Exception):  # noqa: N818 - a request, not an error
    """Ends the match at once, whatever the players are doing."""


class Desk:
    """All players of a match, each behind a handle, and the inbox in which their answers arrive."""

    def __init__(self, players: Mapping[Role, Player], clocks: Mapping[Role, Clock], talking: bool) -> None:
        self._inbox: Inbox = queue.SimpleQueue()
        self._ticket = _START
        self._answers: Answers = {}
        """The answers to the last question."""
        self._started: Answers = {}
        """The answers to the question to start."""
        self._starting: dict[Role, float] = {}
        """When players that nobody has waited for have to be ready."""
        self._notes: list[PlayerFailed] = []
        self.handles = {
            role: PlayerHandle(role, player, clocks[role], self._inbox, _others(role, players) if talking else None)
            for role, player in players.items()
        }

    def start(self, game: Game, seed: int, pause: float | None) -> Generator[Event, None, tuple[PlayerFailed, ...]]:
        """Start all players at the same time, and wait for them; if there are people, only for these.

        Returns what failed. The others warm up after a pause, and are waited for when they are first asked; without a
        pause they start as they are, since one of them begins and people wait for it.
        """
        people = [role for role, handle in self.handles.items() if handle.player.is_person]
        for number, (role, handle) in enumerate(self.handles.items()):
            behind = bool(people) and role not in people
            handle.start(_START, game, player_seed(seed, number), pause=pause if behind else None)
        began = time.monotonic() + ((pause or 0.0) + WARM_UP if people else 0.0)
        self._starting = {role: began + handle.clock.start for role, handle in self.handles.items()}
        return (yield from self._await_start(0, people or list(self.handles)))

    def _await_start(self, turn: int, roles: Sequence[Role]) -> Generator[Event, None, tuple[PlayerFailed, ...]]:
        """Wait until players have started; returns what failed."""
        due = {role: self._starting.pop(role) for role in roles if role in self._starting}
        yield from self._collect(turn, due, self._started, lambda started: due.keys() <= started.keys())
        return tuple(failure for role in due if (failure := self._start_failure(role, turn)) is not None)

    def _start_failure(self, role: Role, turn: int) -> PlayerFailed | None:
        answer = self._started.get(role)
        if answer is None:
            return PlayerFailed(role, LATE, f"not ready within {self.handles[role].clock.start:g} s", turn)
        return PlayerFailed(role, answer.failure, f"at the start: {answer.message}", turn) if answer.failure else None

    def ask(
        self, turn: int, state: State, roles: Sequence[Role], is_decided: Callable[[Answers], bool]
    ) -> Generator[Event, None, Answers]:
        """Ask players for their moves at the same time, until all have answered, the turn is decided, or time is up.

        A late answer has a failure instead of a decision. Roles that did not answer are missing, unless the turn is
        undecided and they have published a move. Players that are still starting are asked as soon as all are ready.
        """
        if state.is_race:
            yield from self._await_idle(turn, roles)
        self._ticket += 1
        self._answers = {}
        starting = [role for role in roles if role in self._starting]
        due = self._ask(state, [role for role in roles if role not in starting])
        if starting:
            failures = yield from self._await_start(turn, starting)
            yield from failures
            self._notes += failures
            due |= self._ask(state, starting)
        limits = {role: self.handles[role].limit for role in roles}

        def is_enough(answers: Answers) -> bool:
            return len(answers) == len(roles) or is_decided(self._apply_limits(answers, limits))

        answers = yield from self._collect(turn, due, self._answers, is_enough)
        decided = is_enough(answers)
        for role in roles:
            if role not in answers:
                late = self.handles[role].stop_late()
                if late.best is not None and not decided:
                    answers[role] = late
        return self._apply_limits(answers, limits)

    def _ask(self, state: State, roles: Sequence[Role]) -> dict[Role, float]:
        """Ask players at the same time; returns when their answers are due."""
        views = {role: state.view(role) for role in roles}
        contended = len(roles) > 1 or any(handle.ponders for handle in self.handles.values())
        began = time.monotonic()
        for role, view in views.items():
            self.handles[role].ask(self._ticket, view, contended, began)
        return {role: began + self.handles[role].limit for role in roles}

    def _await_idle(self, turn: int, roles: Sequence[Role]) -> Generator[Event, None, None]:
        """Wait until those who lost the last race have stopped, so that nobody starts the next one late.

        They were cancelled; one that does not stop is waited for no longer than it was allowed to think.
        """
        latest = time.monotonic() + LONGEST_WAIT
        due = {role: min(self.handles[role].due, latest) for role in roles if self.handles[role].is_busy}
        if due:
            yield from self._collect(turn, due, {}, lambda _: not any(self.handles[role].is_busy for role in due))

    def notify(self, observations: Mapping[Role, Observation], may_ponder: bool) -> None:
        """Notify each player of a turn, and let those that can ponder."""
        for role, observation in observations.items():
            self.handles[role].notify(observation, may_ponder)

    def take_back(self, turns: int, state: State) -> None:
        """Notify each player that turns were taken back to this state."""
        for role, handle in self.handles.items():
            handle.take_back(turns, state.view(role))

    def take_notes(self) -> tuple[PlayerFailed, ...]:
        """The failures that do not concern moves, since the last call."""
        notes, self._notes = tuple(self._notes), []
        return notes

    def interrupt(self) -> None:
        """From any thread: stop waiting for players, by raising `Interrupted` in the waiting thread."""
        self._inbox.put(None)

    def close(self, seconds: float) -> None:
        """Stop all players, with a common timeout in seconds."""
        until = time.monotonic() + seconds
        for handle in self.handles.values():
            handle.stop()
        for handle in self.handles.values():
            handle.join(max(0.0, until - time.monotonic()))

    def _collect(
        self, turn: int, due: Mapping[Role, float], answers: Answers, is_enough: Callable[[Answers], bool]
    ) -> Generator[Event, None, Answers]:
        """Fill ``answers``, one of those kept here, until they are enough or those missing are due."""
        while not is_enough(answers):
            wait = max(moment for role, moment in due.items() if role not in answers) + HANDOVER - time.monotonic()
            try:
                item = self._inbox.get(timeout=None if wait == math.inf else max(0.0, wait))
            except queue.Empty:
                break
            if item is None:
                raise Interrupted
            if not isinstance(item, Answer):
                yield from self._events_of(turn, item)
            elif item.ticket == _START:
                self._started[item.role] = item
            elif item.ticket == self._ticket:
                self._answers[item.role] = item
        return answers

    def _events_of(self, turn: int, item: Answer | Report | Note | Message) -> Iterator[Event]:
        match item:
            case Report():
                yield PlayerThinking(turn, item.role, item.thinking)
            case Message():
                for role in item.to:
                    self.handles[role].hear(item)
                yield MessageSent(turn, item)
            case Note():
                note = PlayerFailed(item.role, item.kind, item.message, turn)
                self._notes.append(note)
                yield note

    @staticmethod
    def _apply_limits(answers: Answers, limits: Mapping[Role, float]) -> Answers:
        return {role: answer.within(limits[role]) for role, answer in answers.items()}


def _others(role: Role, roles: Mapping[Role, Player]) -> tuple[Role, ...]:
    return tuple(other for other in roles if other != role)
