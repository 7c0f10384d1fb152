"""Small games with chance for tests of searches: random trees, whose values anybody can compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from ludens.core import Game, JointMove, Move, OpenView, Outcome, Role, State, View


class RandomTree(Game):
    """Two roles in turn; after each move, chance goes one of some ways; at some depth, or before, goals are random."""

    name = "random tree"
    roles = ("max", "min")
    chance = True
    rules_text = "a random tree"

    def __init__(self, seed: int, depth: int, moves: int = 3, outcomes: int = 3) -> None:
        self.seed = seed
        self.depth = depth
        self.moves = moves
        self.outcomes = outcomes

    def initial_state(self) -> RandomTreeState:
        return RandomTreeState(self, ())


@dataclass(frozen=True)
class RandomTreeState(State):
    game: RandomTree
    way: tuple[str, ...]

    def _rng(self, purpose: str) -> Random:
        return Random(f"{self.game.seed} {purpose} {self.way}")

    @property
    def is_terminal(self) -> bool:
        return len(self.way) >= self.game.depth or (len(self.way) > 1 and self._rng("over").random() < 0.1)

    def legal_moves(self, role: Role) -> Sequence[Move]:
        if self.is_terminal:
            return ()
        if role != self.game.roles[len(self.way) % 2]:
            return ("wait",)
        return [f"go {n}" for n in range(self._rng("moves").randint(1, self.game.moves))]

    @property
    def goals(self) -> Mapping[Role, int]:
        goal = self._rng("goal").choice((0, 0, 20, 50, 70, 100, 100))
        return {"max": goal, "min": 100 - goal}

    def chance_outcomes(self, joint_move: JointMove, limit: int = 10_000) -> Sequence[Outcome]:
        mover = self.game.roles[len(self.way) % 2]
        rng = self._rng(joint_move[mover])
        weights = [rng.randint(1, 5) for _ in range(rng.randint(1, self.game.outcomes))]
        return [
            Outcome(weight / sum(weights), {**joint_move, mover: f"{joint_move[mover]} {n}"})
            for n, weight in enumerate(weights)
        ]

    def play(self, joint_move: JointMove) -> RandomTreeState:
        return RandomTreeState(self.game, (*self.way, joint_move[self.game.roles[len(self.way) % 2]]))

    def view(self, role: Role) -> View:
        return OpenView(self, role)


def expected_value(state: State) -> float:
    """What the first role of a random tree gets, by the definition of expectimax."""
    if state.is_terminal:
        return float(state.goals["max"])
    mover = max(state.game.roles, key=lambda role: state.legal_moves(role)[0] != "wait")
    other = next(role for role in state.game.roles if role != mover)
    values = [
        sum(
            outcome.probability * expected_value(state.play(outcome.joint_move))
            for outcome in state.chance_outcomes({mover: move, other: "wait"})
        )
        for move in state.legal_moves(mover)
    ]
    return max(values) if mover == "max" else min(values)
