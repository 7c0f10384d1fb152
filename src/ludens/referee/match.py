"""The Referee: one match from the start of its players to its result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ludens.core import BEST_GOAL, Clock, Game, GameError, JointMove, Move, Observation, Player, Role, State
from ludens.referee.desk import Desk, Interrupted
from ludens.referee.events import NOTES, Event, MatchEnded, MatchStarted, PlayerFailed, TakenBack, TurnPlayed
from ludens.referee.latency import prepare_process
from ludens.referee.opening import first_choice
from ludens.referee.reading import Record, RecordedTurn
from ludens.referee.stream import Broadcast, Subscription
from ludens.referee.turn import TakeBackRequest, Turn

_Value = TypeVar("_Value")
_DRAWING = 1.0
"""Seconds in which a person's first position is drawn before the other players start, which takes all processors."""
_CLOSING = 1.0
"""Seconds that players have at the end to release their resources."""


@dataclass(frozen=True, slots=True)
class _Past:
    """A past turn."""

    parent: int
    joint_move: JointMove
    chosen: JointMove = field(default_factory=dict)
    """The moves chosen, before chance is resolved; empty if unknown."""
    asked: frozenset[Role] = frozenset()
    """The roles that were asked for their moves in it; not those that lost a race, who may not even have answered."""
    refused: Mapping[Role, Move] = field(default_factory=dict)
    """Answers that lost a race."""


class Match:
    """One match. Iterate over `events` to play it; others may `subscribe`.

    For a player that crashes, is late or answers illegally, the best move that it has published is played, or a random
    one if it has published none; with ``forfeit_after``, that many errors end the match. ``messages`` allows messages
    even if the rules do not, ``take_back`` allows players to take moves back, ``ponder`` to think while others do.
    ``earlier`` joint moves, chance resolved, are played first; ``resumed`` continues a record instead, with its
    branches and turn numbers.
    """

    def __init__(
        self,
        game: Game,
        players: Mapping[Role, Player],
        clock: Clock | Mapping[Role, Clock],
        seed: int,
        *,
        max_turns: int = 10_000,
        messages: bool = False,
        forfeit_after: int | None = None,
        take_back: bool = False,
        ponder: bool = True,
        earlier: Sequence[JointMove] = (),
        resumed: Record | None = None,
    ) -> None:
        self.game = game
        self.players = _for_every_role(game, players, "player")
        clocks = dict.fromkeys(game.roles, clock) if isinstance(clock, Clock) else clock
        for player in self.players.values():
            player.check(game)
        self.clocks = _for_every_role(game, clocks, "clock")
        self.seed = seed
        self.max_turns = max_turns
        self.messages = messages or game.messages
        self.forfeit_after = forfeit_after
        self.may_take_back = take_back
        self.may_ponder = ponder
        self.state = game.initial_state()
        """The current state."""
        self._earlier = tuple(earlier)
        self._turns: dict[int, _Past] = {}
        self._line: list[int] = []
        self._failures: Counter[Role] = Counter()
        self._followers: Broadcast[Event] = Broadcast()
        self._desk: Desk | None = None
        self._stopped = False
        self._resigned: Role | None = None
        self._recorded = resumed.line_to(resumed.last) if resumed is not None else ()
        if resumed is not None:
            self._turns = {turn.id: _past_of(turn) for turn in resumed.turns.values()}
            errors = [error for turn in resumed.turns.values() for error in turn.data["errors"]]
            self._failures.update(error["role"] for error in errors if error.get("kind") not in NOTES)

    def subscribe(self, size: int = 1_000) -> Subscription[Event]:
        """Follow the match from another thread. A follower more than ``size`` events behind misses the oldest."""
        return self._followers.subscribe(size)

    def events(self) -> Iterator[Event]:
        """Play the match, event by event. The next turn begins when the caller asks for the next event."""
        prepare_process(self.game)
        if not any(player.is_person for player in self.players.values()):  # nobody should wait for that
            for player in self.players.values():
                player.warm_up()
        self._desk = Desk(self.players, self.clocks, self.messages)
        try:
            for event in self._play(self._desk):
                if isinstance(event, PlayerFailed) and event.kind not in NOTES:
                    self._failures[event.role] += 1
                self._followers.send(event)
                yield event
        finally:
            self._followers.close()
            self._desk.close(_CLOSING)

    def stop(self) -> None:
        """From any thread: end the match now."""
        self._stopped = True
        if self._desk is not None:
            self._desk.interrupt()

    def resign(self, role: Role) -> None:
        """From any thread: end the match now, forfeited by this role."""
        self._resigned = role
        self.stop()

    def can_take_back(self, role: Role) -> bool:
        """True if the role has chosen a move that it may take back."""
        return self.may_take_back and role in self._roles_moved()

    def go_to(self, turn: int) -> None:
        """Between two turns: continue after another turn, 0 for the start. The turns left become a branch."""
        line = self._line_to(turn)
        shared = 0
        while line[: shared + 1] == self._line[: shared + 1] and shared < len(line):
            shared += 1
        taken_back = len(self._line) - shared
        self.state = self._replay(line[:shared])
        self._line = line[:shared]
        if self._desk is not None and taken_back:
            self._desk.take_back(taken_back, self.state)
        for number in line[shared:]:
            past = self._turns[number]
            self._advance(number, past, self.state.play(past.joint_move))

    def _play(self, desk: Desk) -> Iterator[Event]:
        try:
            yield from self._play_on(desk)
        except Interrupted:
            yield self._end_event("stopped" if self._loser() is None else "forfeit")

    def _play_on(self, desk: Desk) -> Iterator[Event]:
        yield from self._start(desk)
        for past in self._recorded:
            state = self.state.play(past.moves)
            self._advance(past.id, self._turns[past.id], state)
            yield TurnPlayed(past.id, past.parent, past.moves, past.chosen, state, percepts=past.percepts, earlier=True)
        for joint_move in self._earlier:
            number, parent = self._next_numbers()
            state = self.state.play(joint_move)
            self._advance(number, _Past(parent, joint_move), state)
            yield TurnPlayed(number, parent, joint_move, joint_move, state, earlier=True)
        while (reason := self._end_reason()) is None:
            number, parent = self._next_numbers()
            may_take_back = self._roles_moved() if self.may_take_back else frozenset()
            turn = yield from Turn(desk, self.state, number, parent, self.seed).play(may_take_back)
            yield self._take_back(turn.role) if isinstance(turn, TakeBackRequest) else self._record_turn(turn)
        yield self._end_event(reason)

    def _start(self, desk: Desk) -> Iterator[Event]:
        """Start the players; those that fail are asked for moves all the same."""
        meanwhile = desk.start(self.game, self.seed, _DRAWING if self._people_begin() else None)
        waiting: list[Event] = []
        while True:
            try:
                waiting.append(next(meanwhile))
            except Interrupted:
                yield self._start_event(())
                raise
            except StopIteration as finished:
                failures: tuple[PlayerFailed, ...] = finished.value
                break
        self._failures.update(failure.role for failure in failures)
        yield self._start_event(failures)
        yield from waiting

    def _people_begin(self) -> bool:
        """True if only people have the first choice, and it is theirs how soon the match goes on."""
        others = [role for role, player in self.players.items() if not player.is_person]
        if len(others) == len(self.players):
            return False
        state = self.state if self._recorded or self._earlier else first_choice(self.game, self.seed)
        return not state.is_terminal and all(len(state.legal_moves(role)) < 2 for role in others)

    def _start_event(self, failures: tuple[PlayerFailed, ...]) -> MatchStarted:
        return MatchStarted(
            game=self.game.name,
            roles=self.game.roles,
            players={role: player.name for role, player in self.players.items()},
            settings={role: dict(player.settings) for role, player in self.players.items()},
            clocks=self.clocks,
            seed=self.seed,
            rules_hash=self.game.rules_hash,
            messages=self.messages,
            forfeit_after=self.forfeit_after,
            failures=failures,
            state=self.state,
        )

    def _record_turn(self, turn: TurnPlayed) -> TurnPlayed:
        refused = {role: move for role, move in turn.arrivals.items() if role not in turn.chosen}
        asked = turn.decisions.keys() & turn.chosen.keys()
        past = _Past(turn.parent, turn.joint_move, turn.chosen, frozenset(asked), refused)
        self._advance(turn.id, past, turn.state)
        return turn

    def _advance(self, number: int, past: _Past, state: State) -> None:
        """Append a turn to the line, and notify the players."""
        self._turns[number] = past
        self._line.append(number)
        self.state = state
        if self._desk is None:
            return
        self._desk.notify(
            {
                role: Observation(
                    turn=number,
                    view=state.view(role),
                    # The outcome of chance in the role's own move is hidden, too, unless it is a percept.
                    move=(past.chosen or past.joint_move if self.game.hidden else past.joint_move).get(role),
                    joint_move=None if self.game.hidden else past.joint_move,
                    percepts=tuple(state.percepts(role)),
                    refused=past.refused.get(role),
                )
                for role in self.game.roles
            },
            may_ponder=self.may_ponder and not state.is_terminal,
        )

    def _take_back(self, role: Role) -> TakenBack:
        """Go back to where the role last had a choice."""
        last = next(number for number in reversed(self._line) if role in self._turns[number].asked)
        turn = self._turns[last].parent
        self.go_to(turn)
        return TakenBack(role, turn, self.state)

    def _roles_moved(self) -> frozenset[Role]:
        """The roles that have chosen a move so far."""
        return frozenset().union(*(self._turns[number].asked for number in self._line))

    def _next_numbers(self) -> tuple[int, int]:
        return len(self._turns) + 1, self._line[-1] if self._line else 0

    def _line_to(self, turn: int) -> list[int]:
        line: list[int] = []
        while turn:
            if turn not in self._turns:
                raise GameError(f"there is no turn {turn} in this match ({len(self._turns)} were played)")
            line.append(turn)
            turn = self._turns[turn].parent
        return line[::-1]

    def _replay(self, line: Sequence[int]) -> State:
        state = self.game.initial_state()
        for number in line:
            state = state.play(self._turns[number].joint_move)
        return state

    def _loser(self) -> Role | None:
        if self._resigned is not None:
            return self._resigned
        limit = self.forfeit_after
        return next((role for role in self.game.roles if limit is not None and self._failures[role] >= limit), None)

    def _end_reason(self) -> str | None:
        """Why the match is over; None if it is not."""
        if self.state.is_terminal:
            return "terminal"
        if self._loser() is not None:
            return "forfeit"
        if self._stopped:
            return "stopped"
        return "limit" if len(self._line) >= self.max_turns else None

    def _end_event(self, reason: str) -> MatchEnded:
        failed = {role: self._failures[role] for role in self.game.roles}
        if reason != "forfeit":
            return MatchEnded(dict(self.state.goals), dict(self.state.points), len(self._line), failed, reason)
        loser = self._loser()
        goals = forfeit_goals(self.game, loser)
        return MatchEnded(goals, goals, len(self._line), failed, reason, loser)


def _past_of(turn: RecordedTurn) -> _Past:
    refused = {role: move for role, move in turn.arrivals.items() if role not in turn.chosen}
    asked = turn.data["thinking"].keys() & turn.chosen.keys()
    return _Past(turn.parent, turn.moves, turn.chosen, frozenset(asked), refused)


def forfeit_goals(game: Game, loser: Role | None) -> dict[Role, int]:
    """The goals when a role forfeits: 0 for itself, and the others share 100, since no rules define its value."""
    share = BEST_GOAL // max(1, len(game.roles) - 1)
    return {role: 0 if role == loser else share for role in game.roles}


def _for_every_role(game: Game, values: Mapping[Role, _Value], what: str) -> dict[Role, _Value]:
    missing = [role for role in game.roles if role not in values]
    if missing:
        raise GameError(f"no {what} for role {missing[0]!r}")
    return {role: values[role] for role in game.roles}
