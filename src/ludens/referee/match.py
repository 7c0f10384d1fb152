"""The Referee: asks the players, checks what they say, and plays the joint moves until the game is over."""

from __future__ import annotations

import contextlib
import hashlib
import json
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from ludens.core import Clock, Deadline, Decision, Game, GameError, IllegalMoveError, Move, Player, Role, State
from ludens.referee.events import Event, MatchEnded, MatchStarted, PlayerFailed, TurnPlayed

GRACE = 0.1
"""Seconds that a player may be late before its move is replaced: passing the answer on takes time too."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What came of asking a player: a decision, or how it failed."""

    role: Role
    decision: Decision | None
    seconds: float
    failure: str = ""
    """``crash`` or ``late``; empty if there is a decision."""
    message: str = ""


class Match:
    """One match. Iterate over `events` to play it.

    A player that crashes, is late or answers illegally costs its own role a random legal move, nothing else.
    """

    def __init__(
        self, game: Game, players: Mapping[Role, Player], clock: Clock, seed: int, max_turns: int = 10_000
    ) -> None:
        missing = [role for role in game.roles if role not in players]
        if missing:
            raise GameError(f"no player for role {missing[0]!r}")
        self.game = game
        self.players = dict(players)
        self.clock = clock
        self.seed = seed
        self.max_turns = max_turns
        self._rng = Random(seed)
        self._failures: Counter[Role] = Counter()

    def events(self) -> Iterator[Event]:
        """Play the match, event by event."""
        state = self.game.initial_state()
        failures = self._start_players()
        yield self._started(state, failures)
        turns = 0
        try:
            while not state.is_terminal and turns < self.max_turns:
                turn = self._play_turn(state, turns + 1)
                turns, state = turn.id, turn.state
                yield turn
        finally:
            for player in self.players.values():
                with contextlib.suppress(Exception):
                    player.stop()
        failed = {role: self._failures[role] for role in self.game.roles}
        yield MatchEnded(dict(state.goals), turns, failed, state.is_terminal)

    def _start_players(self) -> tuple[PlayerFailed, ...]:
        """Let all players get ready at the same time; those that cannot play on all the same."""

        def start(role: Role) -> None:
            seed = self.seed + 1 + self.game.roles.index(role)
            self.players[role].start(self.game, role, seed, self.clock)

        answers = self._at_once(self.game.roles, start, self.clock.start)
        failed = [PlayerFailed(a.role, a.failure, f"at the start: {a.message}") for a in answers if a.failure]
        self._failures.update(failure.role for failure in failed)
        return tuple(failed)

    def _started(self, state: State, failures: tuple[PlayerFailed, ...]) -> MatchStarted:
        return MatchStarted(
            game=self.game.name,
            roles=self.game.roles,
            players={role: player.name for role, player in self.players.items()},
            settings={role: dict(player.settings) for role, player in self.players.items()},
            clock=self.clock,
            seed=self.seed,
            rules_hash=hashlib.sha256(self.game.rules_text.encode()).hexdigest(),
            failures=failures,
            state=state,
        )

    def _play_turn(self, state: State, number: int) -> TurnPlayed:
        legal = {role: moves for role in self.game.roles if (moves := state.legal_moves(role))}
        joint_move: dict[Role, Move] = {role: moves[0] for role, moves in legal.items()}
        answers = self._ask(state, [role for role, moves in legal.items() if len(moves) > 1])
        failures = []
        for answer in answers:
            failure = self._judge(answer, legal[answer.role])
            if failure is not None:
                failures.append(failure)
                self._failures[answer.role] += 1
                joint_move[answer.role] = self._rng.choice(legal[answer.role])
            elif answer.decision is not None:
                joint_move[answer.role] = answer.decision.move
        return TurnPlayed(
            id=number,
            parent=number - 1,
            joint_move=joint_move,
            decisions={answer.role: answer.decision for answer in answers if answer.decision is not None},
            seconds={answer.role: answer.seconds for answer in answers},
            failures=tuple(failures),
            state=self._after(state, joint_move),
        )

    def _after(self, state: State, joint_move: Mapping[Role, Move]) -> State:
        idle = [role for role in self.game.roles if role not in joint_move]
        try:
            return state.sample(joint_move, self._rng)
        except IllegalMoveError as error:
            if idle:
                message = f"{idle[0]} has no legal move in a state that is not terminal"
                raise GameError(f"{self.game.name}: {message}") from error
            raise

    @staticmethod
    def _judge(answer: _Answer, legal: Sequence[Move]) -> PlayerFailed | None:
        if answer.decision is None:
            return PlayerFailed(answer.role, answer.failure, answer.message)
        if answer.decision.move not in legal:
            return PlayerFailed(answer.role, "illegal", f"{answer.decision.move!r} is not a legal move")
        return None

    def _ask(self, state: State, roles: Sequence[Role]) -> list[_Answer]:
        """Ask players for their moves."""

        def choose(role: Role) -> Decision:
            decision = self.players[role].choose(state.view(role), Deadline(self.clock.play))
            if not isinstance(decision, Decision):
                raise TypeError(f"choose must return a Decision, not {type(decision).__name__}")
            json.dumps(dict(decision.details))  # the record must be able to hold it
            return decision

        return self._at_once(roles, choose, self.clock.play)

    @staticmethod
    def _at_once(roles: Sequence[Role], work: Callable[[Role], Decision | None], seconds: float) -> list[_Answer]:
        """Let players work at the same time; what has not arrived when the time is up counts as late."""
        arrived: queue.SimpleQueue[_Answer] = queue.SimpleQueue()

        def run(role: Role) -> None:
            started = time.monotonic()
            try:
                answer = _Answer(role, work(role), time.monotonic() - started)
            except BaseException as error:  # a player may raise anything, and must not take the match with it
                message = f"{type(error).__name__}: {error}"
                answer = _Answer(role, None, time.monotonic() - started, "crash", message)
            arrived.put(answer)

        for role in roles:
            threading.Thread(target=run, args=(role,), daemon=True).start()
        wait = Deadline(seconds + GRACE)
        answers: dict[Role, _Answer] = {}
        while len(answers) < len(roles):
            try:
                answer = arrived.get(timeout=max(0.0, wait.remaining()))
            except queue.Empty:
                break
            answers[answer.role] = answer
        late = {role: _Answer(role, None, seconds + GRACE, "late", f"no answer within {seconds:g} s") for role in roles}
        return [answers.get(role, late[role]) for role in roles]
