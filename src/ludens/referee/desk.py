"""The Referee's desk: asks all players at once, and collects their answers in the order of arrival."""

from __future__ import annotations

import math
import queue
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

from ludens.core import Clock, Game, Message, Observation, Player, Role, State
from ludens.referee.draws import player_seed
from ludens.referee.events import Event, MessageSent, PlayerFailed, PlayerThinking
from ludens.referee.handle import Answer, Inbox, Note, PlayerHandle, Report

HANDOVER = 0.05
"""Seconds that an answer given in time may take to reach the Referee. Lateness is judged in the player's thread."""
LONGEST_WAIT = 10.0
"""Seconds that a race waits at most for a player that still works on the last one."""

Answers = dict[Role, Answer]
"""What players answered, in the order of arrival."""


class Interrupted(Exception):  # noqa: N818 - a request, not an error
    """Ends the match at once, whatever the players are doing."""


class Desk:
    """All players of a match, each behind a handle, and the inbox in which their answers arrive."""

    def __init__(self, players: Mapping[Role, Player], clocks: Mapping[Role, Clock], talking: bool) -> None:
        self._inbox: Inbox = queue.SimpleQueue()
        self._ticket = 0
        self._notes: list[PlayerFailed] = []
        self.handles = {
            role: PlayerHandle(role, player, clocks[role], self._inbox, _others(role, players) if talking else None)
            for role, player in players.items()
        }

    def start(self, game: Game, seed: int) -> Generator[Event, None, Answers]:
        """Start all players at the same time."""
        self._ticket += 1
        for number, handle in enumerate(self.handles.values()):
            handle.start(self._ticket, game, player_seed(seed, number))
        due = {role: time.monotonic() + handle.clock.start for role, handle in self.handles.items()}
        return (yield from self._collect(0, due, lambda answers: len(answers) == len(due)))

    def ask(
        self, turn: int, state: State, roles: Sequence[Role], is_decided: Callable[[Answers], bool]
    ) -> Generator[Event, None, Answers]:
        """Ask players for their moves at the same time, until all have answered, the turn is decided, or time is up.

        A late answer has a failure instead of a decision. Roles that did not answer are missing, unless the turn is
        undecided and they have published a move.
        """
        views = {role: state.view(role) for role in roles}
        if state.is_race:
            yield from self._await_idle(turn, roles)
        self._ticket += 1
        contended = len(roles) > 1 or any(handle.ponders for handle in self.handles.values())
        began = time.monotonic()
        for role, view in views.items():
            self.handles[role].ask(self._ticket, view, contended, began)
        limits = {role: self.handles[role].limit for role in roles}
        due = {role: began + seconds for role, seconds in limits.items()}

        def is_enough(answers: Answers) -> bool:
            return len(answers) == len(roles) or is_decided(self._apply_limits(answers, limits))

        answers = yield from self._collect(turn, due, is_enough)
        decided = is_enough(answers)
        for role in roles:
            if role not in answers:
                late = self.handles[role].stop_late()
                if late.best is not None and not decided:
                    answers[role] = late
        return self._apply_limits(answers, limits)

    def _await_idle(self, turn: int, roles: Sequence[Role]) -> Generator[Event, None, None]:
        """Wait until those who lost the last race have stopped, so that nobody starts the next one late.

        They were cancelled; one that does not stop is waited for no longer than it was allowed to think.
        """
        latest = time.monotonic() + LONGEST_WAIT
        due = {role: min(self.handles[role].due, latest) for role in roles if self.handles[role].is_busy}
        if due:
            yield from self._collect(turn, due, lambda _: not any(self.handles[role].is_busy for role in due))

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
        self, turn: int, due: Mapping[Role, float], is_enough: Callable[[Answers], bool]
    ) -> Generator[Event, None, Answers]:
        answers: Answers = {}
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
            elif item.ticket == self._ticket:
                answers[item.role] = item
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
