"""Small games that keep the contract in ways that GDL-I games do not: chance, races, percepts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ludens.core import (
    Game,
    IllegalMoveError,
    JointMove,
    Move,
    OpenView,
    Outcome,
    Role,
    State,
    TooManyOutcomesError,
    View,
)

DICE = ("1", "2", "3")


class Dice(Game):
    """Each role rolls a die, or passes, for some rounds; the roll comes with the move: ``roll`` becomes ``roll 2``."""

    name = "dice"
    roles = ("left", "right")
    chance = True
    rules_text = "roll or pass"

    def __init__(self, rounds: int = 3, hidden: bool = False) -> None:
        self.rounds = rounds
        self.hidden = hidden

    def initial_state(self) -> DiceState:
        return DiceState(self, (), ())


@dataclass(frozen=True)
class DiceState(State):
    game: Dice
    left: tuple[str, ...]
    right: tuple[str, ...]

    @property
    def is_terminal(self) -> bool:
        return len(self.left) >= self.game.rounds

    def legal_moves(self, role: Role) -> Sequence[Move]:
        return () if self.is_terminal else ("pass", "roll")

    @property
    def points(self) -> Mapping[Role, float]:
        return {"left": _total(self.left), "right": _total(self.right)}

    @property
    def goals(self) -> Mapping[Role, int]:
        return {role: int(100 * points / (3 * self.game.rounds)) for role, points in self.points.items()}

    def chance_outcomes(self, joint_move: JointMove, limit: int = 10_000) -> Sequence[Outcome]:
        rolls = [[f"roll {die}" for die in DICE] if move == "roll" else [move] for move in joint_move.values()]
        outcomes = [dict(zip(joint_move, (a, b), strict=True)) for a in rolls[0] for b in rolls[1]]
        if len(outcomes) > limit:
            raise TooManyOutcomesError(f"{len(outcomes)} outcomes")
        return [Outcome(1 / len(outcomes), outcome) for outcome in outcomes]

    def play(self, joint_move: JointMove) -> DiceState:
        for role in self.game.roles:
            if joint_move.get(role) not in {"pass", *(f"roll {die}" for die in DICE)}:
                raise IllegalMoveError(f"{joint_move.get(role)!r} of {role} is not resolved")
        return DiceState(self.game, (*self.left, joint_move["left"]), (*self.right, joint_move["right"]))

    def percepts(self, role: Role) -> Sequence[str]:
        moves = self.left if role == "left" else self.right
        return [f"you: {moves[-1]}"] if self.game.hidden and moves else []

    def view(self, role: Role) -> View:
        return OpenView(self, role)


def _total(moves: Sequence[str]) -> int:
    return sum(int(move.split()[1]) for move in moves if move != "pass")


class Buzzer(Game):
    """A race: the first to buzz scores, for some rounds. With priorities, the first role wins whenever it buzzes."""

    name = "buzzer"
    roles = ("ann", "bob", "cy")
    rules_text = "buzz"

    def __init__(self, rounds: int = 2, priorities: bool = False) -> None:
        self.rounds = rounds
        self.priorities = priorities

    def initial_state(self) -> BuzzerState:
        return BuzzerState(self, ())


@dataclass(frozen=True)
class BuzzerState(State):
    game: Buzzer
    winners: tuple[Role, ...]

    @property
    def is_terminal(self) -> bool:
        return len(self.winners) >= self.game.rounds

    @property
    def is_race(self) -> bool:
        return not self.is_terminal

    def race_winner(self, answers: Mapping[Role, Move], waiting: Collection[Role]) -> Role | None:
        if not self.game.priorities:
            return super().race_winner(answers, waiting)
        best = next((role for role in self.game.roles if role in answers or role in waiting), None)
        return best if best in answers else None

    def legal_moves(self, role: Role) -> Sequence[Move]:
        return () if self.is_terminal else ("buzz",)

    @property
    def goals(self) -> Mapping[Role, int]:
        return {role: 100 * self.winners.count(role) // self.game.rounds for role in self.game.roles}

    def play(self, joint_move: JointMove) -> BuzzerState:
        [(role, move)] = joint_move.items()
        if self.is_terminal or move != "buzz":
            raise IllegalMoveError(f"{move!r} is not a buzz")
        return BuzzerState(self.game, (*self.winners, role))

    def view(self, role: Role) -> View:
        return OpenView(self, role)
