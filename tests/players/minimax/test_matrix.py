from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ludens.players.minimax.matrix import joint_value, solve_matrix
from ludens.players.space.space import Values

ROCK_PAPER_SCISSORS = np.array([[50.0, 0, 100], [100, 50, 0], [0, 100, 50]])


@pytest.mark.parametrize(
    ("payoffs", "value"),
    [
        ([[50, 0, 100], [100, 50, 0], [0, 100, 50]], 50),  # rock, paper, scissors
        ([[100, 0], [0, 100]], 50),  # matching pennies
        ([[3, -1], [-2, 1]], 1 / 7),  # (ad - bc) / (a + d - b - c)
        ([[4, 1], [2, 3], [0, 4]], 2.5),  # the first two rows mixed 1 : 3 ... the columns evenly
        ([[5, 7], [2, 9]], 5),  # a saddle point
        ([[30]], 30),
    ],
)
def test_known_games_have_their_values(payoffs: list[list[float]], value: float) -> None:
    assert solve_matrix(np.array(payoffs, float)).value == pytest.approx(value)


def test_rock_paper_scissors_is_played_evenly() -> None:
    found = solve_matrix(ROCK_PAPER_SCISSORS)

    assert found.rows == pytest.approx([1 / 3] * 3)
    assert found.columns == pytest.approx([1 / 3] * 3)


@given(
    st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
        lambda shape: arrays(np.float64, shape, elements=st.integers(0, 100).map(float))
    )
)
def test_neither_side_can_do_better_against_the_strategies_found(payoffs: Values) -> None:
    found = solve_matrix(payoffs)

    assert found.rows.sum() == pytest.approx(1)
    assert found.columns.sum() == pytest.approx(1)
    assert (found.rows @ payoffs).min() == pytest.approx(found.value, abs=1e-6)
    assert (payoffs @ found.columns).max() == pytest.approx(found.value, abs=1e-6)


def test_dominated_moves_are_removed_where_goals_do_not_add_up() -> None:
    dilemma = np.array([[[60.0, 60], [0, 100]], [[100, 0], [20, 20]]])

    found = joint_value(dilemma)

    assert found.exact
    assert found.values.tolist() == [20, 20]


def test_a_choice_between_two_equilibria_is_not_determined() -> None:
    meeting = np.array([[[100.0, 50], [0, 0]], [[0, 0], [50, 100]]])

    found = joint_value(meeting)

    assert not found.exact
    assert found.values.tolist() == [0, 0]
