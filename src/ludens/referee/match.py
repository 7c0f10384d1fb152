"""The Referee: asks the players, checks what they say, and plays the joint moves until the game is over."""

from __future__ import annotations

import hashlib
import queue
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from ludens.core import Clock, Deadline, Decision, Game, GameError, Move, Player, Role, State
from ludens.referee.events import Event, MatchEnded, MatchStarted, PlayerFailed, TurnPlayed

GRACE = 0.1
"""Seconds that a player may be late before its move is replaced: passing the answer on takes time too."""


@dataclass(frozen=True, slots=True)
class _Answer:
    role: Role
    decision: Decision | None
    failure: str
    seconds: float


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
        self._start_players()
        yield self._started(state)
        turns = 0
        try:
            while not state.is_terminal and turns < self.max_turns:
                turn = self._play_turn(state, turns + 1)
                turns, state = turn.id, turn.state
                yield turn
        finally:
            for player in self.players.values():
                player.stop()
        failures = {role: self._failures[role] for role in self.game.roles}
        yield MatchEnded(dict(state.goals), turns, failures, state.is_terminal)

    def _start_players(self) -> None:
        for number, (role, player) in enumerate(self.players.items()):
            player.start(self.game, role, self.seed + 1 + number, self.clock)

    def _started(self, state: State) -> MatchStarted:
        return MatchStarted(
            game=self.game.name,
            roles=self.game.roles,
            players={role: player.name for role, player in self.players.items()},
            settings={role: dict(player.settings) for role, player in self.players.items()},
            clock=self.clock,
            seed=self.seed,
            rules_hash=hashlib.sha256(self.game.rules_text.encode()).hexdigest(),
            state=state,
        )

    def _play_turn(self, state: State, number: int) -> TurnPlayed:
        legal = {role: moves for role in self.game.roles if (moves := state.legal_moves(role))}
        if not legal:
            raise GameError(f"{self.game.name}: nobody has a legal move, but the state is not terminal")
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
            state=state.sample(joint_move, self._rng),
        )

    @staticmethod
    def _judge(answer: _Answer, legal: Sequence[Move]) -> PlayerFailed | None:
        if answer.decision is None:
            kind = "late" if answer.failure == "late" else "crash"
            return PlayerFailed(answer.role, kind, answer.failure)
        if answer.decision.move not in legal:
            return PlayerFailed(answer.role, "illegal", f"{answer.decision.move!r} is not a legal move")
        return None

    def _ask(self, state: State, roles: list[Role]) -> list[_Answer]:
        """Ask players at the same time; what has not arrived when the clock has run out counts as late."""
        arrived: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
        for role in roles:
            threading.Thread(target=self._think, args=(state, role, arrived), daemon=True).start()
        wait = Deadline(self.clock.play + GRACE)
        answers: dict[Role, _Answer] = {}
        while len(answers) < len(roles):
            try:
                answer = arrived.get(timeout=max(0.0, wait.remaining()))
            except queue.Empty:
                break
            answers[answer.role] = answer
        late = self.clock.play + GRACE
        return [answers.get(role) or _Answer(role, None, "late", late) for role in roles]

    def _think(self, state: State, role: Role, arrived: queue.SimpleQueue[_Answer]) -> None:
        started = time.monotonic()
        decision, failure = None, ""
        try:
            decision = self.players[role].choose(state.view(role), Deadline(self.clock.play))
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
        arrived.put(_Answer(role, decision, failure, time.monotonic() - started))
