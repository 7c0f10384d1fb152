"""One turn: who is asked, what is legal, what replaces a failed answer, who wins a race, and what chance adds."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field

from ludens.core import GameError, IllegalMoveError, JointMove, Move, Role, State
from ludens.referee.desk import Answers, Desk
from ludens.referee.draws import resolve_chance, substitute, substitute_order
from ludens.referee.events import Event, PlayerFailed, TurnPlayed
from ludens.referee.handle import TAKE_BACK, Answer

Legal = Mapping[Role, Sequence[Move]]


@dataclass(frozen=True, slots=True)
class TakeBackRequest:
    """Returned instead of a turn: a player wants to take its last move back."""

    role: Role


@dataclass(frozen=True, slots=True)
class _Choice:
    """The moves chosen, with failures and arrivals to report."""

    chosen: JointMove
    failures: tuple[PlayerFailed, ...]
    arrivals: Mapping[Role, Move] = field(default_factory=dict)


class Turn:
    """One turn of a match, to be played once."""

    def __init__(self, desk: Desk, state: State, number: int, parent: int, seed: int) -> None:
        self._desk = desk
        self._state = state
        self._number = number
        self._parent = parent
        self._seed = seed
        self._legal: Legal = {role: moves for role in state.game.roles if (moves := state.legal_moves(role))}

    def play(self, may_take_back: Collection[Role]) -> Generator[Event, None, TurnPlayed | TakeBackRequest]:
        """Ask those who have a choice or are always asked, and play what they choose.

        Roles in ``may_take_back`` can request that instead.
        """
        if not self._legal:
            raise GameError(f"{self._state.game.name}: nobody has a legal move in a state that is not terminal")
        race = self._state.is_race
        asked = [role for role, moves in self._legal.items() if len(moves) > 1 or race or self._is_always_asked(role)]

        def is_decided(answers: Answers) -> bool:
            if _take_back_request(answers, may_take_back) is not None:
                return True
            return race and self._winner(self._valid_moves(answers), asked, answers) is not None

        answers = yield from self._desk.ask(self._number, self._state, asked, is_decided)
        request = _take_back_request(answers, may_take_back)
        if request is not None:
            return request
        choice = self._race_choice(asked, answers) if race else self._joint_choice(asked, answers)
        yield from choice.failures
        return self._finish(choice, answers)

    def _finish(self, choice: _Choice, answers: Answers) -> TurnPlayed:
        joint_move = resolve_chance(self._seed, self._number, self._state, choice.chosen)
        state = self._play(joint_move)
        percepts = {role: tuple(state.percepts(role)) for role in state.game.roles}
        return TurnPlayed(
            id=self._number,
            parent=self._parent,
            joint_move=dict(joint_move),
            chosen=choice.chosen,
            state=state,
            decisions={
                role: decision
                for role, answer in answers.items()
                if (decision := answer.decision or answer.best) is not None
            },
            seconds={role: answer.seconds for role, answer in answers.items()},
            failures=(*self._desk.take_notes(), *choice.failures),
            arrivals=choice.arrivals,
            percepts={role: own for role, own in percepts.items() if own},
        )

    def _joint_choice(self, asked: Sequence[Role], answers: Answers) -> _Choice:
        """All moves, with substitutes for those that failed and had published none."""
        chosen = {role: moves[0] for role, moves in self._legal.items()} | self._valid_moves(answers)
        failures = [failure for role in asked if (failure := self._failure(role, answers.get(role)))]
        chosen |= {failure.role: self._substitute(failure.role) for failure in failures if failure.substituted}
        return _Choice(chosen, tuple(failures))

    def _race_choice(self, asked: Sequence[Role], answers: Answers) -> _Choice:
        """The winner's move. Substitutes take part only if the time was up and nobody had won."""
        arrivals = self._valid_moves(answers)
        winner = self._winner(arrivals, asked, answers)
        taking_part = asked if winner is None else list(answers)
        failures = [
            failure for role in taking_part if (failure := self._failure(role, answers.get(role), winner is not None))
        ]
        if winner is None:
            behind = substitute_order(self._seed, self._number, [role for role in asked if role not in arrivals])
            arrivals |= {role: self._substitute(role) for role in behind}
            winner = self._state.race_winner(arrivals, ())
        if winner is None:
            raise GameError(f"{self._state.game.name}: all have answered a race, and the rules name no winner")
        return _Choice({winner: arrivals[winner]}, tuple(failures), arrivals)

    def _winner(self, valid: Mapping[Role, Move], asked: Sequence[Role], answers: Answers) -> Role | None:
        waiting = [role for role in asked if role not in answers]
        return self._state.race_winner(valid, waiting) if valid else None

    def _valid_moves(self, answers: Answers) -> dict[Role, Move]:
        """The legal answers, as the game spells them, in the order of arrival."""
        found = {role: answer.settle(self._legal[role]).decision for role, answer in answers.items()}
        return {
            role: self._legal[role][self._legal[role].index(decision.move)]
            for role, decision in found.items()
            if decision is not None
        }

    def _failure(self, role: Role, answer: Answer | None, is_won: bool = False) -> PlayerFailed | None:
        """What was wrong with an answer, or with its absence. Nobody gets a substitute in a race that is won."""
        settled = (answer or self._desk.handles[role].stop_late()).settle(self._legal[role])
        if not settled.kind:
            return None
        if is_won and settled.decision is None:
            return PlayerFailed(role, settled.kind, settled.reason, self._number)
        return PlayerFailed(role, settled.kind, settled.message, self._number, settled.decision is None)

    def _is_always_asked(self, role: Role) -> bool:
        return self._desk.handles[role].player.always_asked

    def _substitute(self, role: Role) -> Move:
        return substitute(self._seed, self._number, role, self._legal[role])

    def _play(self, joint_move: JointMove) -> State:
        try:
            return self._state.play(joint_move)
        except IllegalMoveError as error:
            idle = [role for role in self._state.game.roles if role not in joint_move]
            if idle:
                message = f"{idle[0]} has no legal move in a state that is not terminal"
                raise GameError(f"{self._state.game.name}: {message}") from error
            raise


def _take_back_request(answers: Answers, may_take_back: Collection[Role]) -> TakeBackRequest | None:
    requests = [role for role, answer in answers.items() if answer.failure == TAKE_BACK and role in may_take_back]
    return TakeBackRequest(requests[0]) if requests else None
