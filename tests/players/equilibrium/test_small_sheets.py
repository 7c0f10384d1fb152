"""Equilibria of small games against linear programming over all pure strategies, without the tree of the solver."""

from __future__ import annotations

import itertools
from collections.abc import Hashable

import numpy as np
import pytest

from ludens.compiler.backends import make_game
from ludens.core import Game, GameError, Role, State
from ludens.gdl.read import read_rules
from ludens.players.equilibrium.response import measure
from ludens.players.equilibrium.solver import Solver
from ludens.players.equilibrium.tree import build_tree
from ludens.players.minimax.matrix import solve_matrix
from ludens.players.minimax.solve import Solver as PositionSolver
from tests.players.equilibrium.small_sheets import SHEETS

Known = tuple[tuple[str, tuple[str, ...]], ...]
"""What a role did and perceived, turn by turn."""
MOST = 10_000
"""Pure strategies of a role."""


def load(name: str) -> Game:
    return make_game(read_rules(SHEETS[name]), name, "interpreter")


class Brute:
    """All ways through a game of two roles, and what each role has to choose for them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.choices: dict[Role, dict[Hashable, tuple[str, ...]]] = {role: {} for role in game.roles}
        self.ends: list[tuple[float, float, dict[Role, dict[Hashable, str]]]] = []
        """For each end: its probability, the goal of the first role, and the choices that lead there."""
        self._walk(game.initial_state(), 1.0, dict.fromkeys(game.roles, ()), {role: {} for role in game.roles})

    def _walk(
        self, state: State, probability: float, known: dict[Role, Known], chosen: dict[Role, dict[Hashable, str]]
    ) -> None:
        roles = self.game.roles
        if state.is_terminal:
            assert sum(state.goals[role] for role in roles) == 100
            self.ends.append((probability, state.goals[roles[0]], {role: dict(chosen[role]) for role in roles}))
            return
        options = {role: tuple(map(str, state.legal_moves(role))) for role in roles}
        for role in roles:
            if len(options[role]) > 1:
                self.choices[role][known[role]] = options[role]
        for moves in itertools.product(*options.values()):
            joint_move = dict(zip(roles, moves, strict=True))
            further = {
                role: {**chosen[role], known[role]: joint_move[role]} if len(options[role]) > 1 else chosen[role]
                for role in roles
            }
            for outcome in state.chance_outcomes(joint_move):
                after = state.play(outcome.joint_move)
                knows = {role: (*known[role], (joint_move[role], tuple(after.percepts(role)))) for role in roles}
                self._walk(after, probability * outcome.probability, knows, further)

    def value(self) -> float:
        """The value of the game for the first role: the matrix game of all pure strategies."""
        first, second = (self._strategies(role) for role in self.game.roles)
        payoffs = np.zeros((len(first), len(second)))
        for probability, goal, chosen in self.ends:
            rows, columns = (
                np.array([all(one[known] == move for known, move in chosen[role].items()) for one in strategies], float)
                for role, strategies in zip(self.game.roles, (first, second), strict=True)
            )
            payoffs += probability * goal * np.outer(rows, columns)
        return solve_matrix(payoffs).value

    def _strategies(self, role: Role) -> list[dict[Hashable, str]]:
        choices = self.choices[role]
        found = list(itertools.islice(itertools.product(*choices.values()), MOST + 1))
        assert len(found) <= MOST
        return [dict(zip(choices, moves, strict=True)) for moves in found]


@pytest.mark.parametrize("name", SHEETS)
def test_the_equilibrium_is_that_of_all_pure_strategies(name: str) -> None:
    game = load(name)
    brute = Brute(game)
    tree = build_tree(game, 100_000)
    solver = Solver(tree)

    solver.run(2000)

    found = solver.assess()
    assert len([moves for moves in tree.moves if len(moves) > 1]) == sum(map(len, brute.choices.values()))
    assert found.values[0] == pytest.approx(brute.value(), abs=0.02)
    assert found.exploitability < 0.02


@pytest.mark.parametrize("name", SHEETS)
def test_auto_cannot_be_exploited(name: str) -> None:
    tree = build_tree(load(name), 100_000)

    found = measure(tree, "auto", 20.0, 1, 1, lambda done: None)  # solved in the start clock, so it answers at once

    assert found.assessment.exploitability < 0.5


def test_solving_positions_refers_to_equilibria_if_something_is_hidden() -> None:
    with pytest.raises(GameError, match="`ludens equilibrium` finds strategies"):
        PositionSolver(load("coin").initial_state(), 1.0)
