"""Three roles: what is chosen among outcomes that are equal for the mover and in the sum of the others."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.players.minimax.choice import values_for_all
from ludens.players.space.space import JointMoves


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
def test_values_do_not_depend_on_the_order_of_moves(order: tuple[int, ...]) -> None:
    outcomes = np.array([(50.0, 25.0, 75.0), (50.0, 75.0, 25.0), (50.0, 100.0, 100.0)])
    joint = JointMoves(
        np.array([[3, 1, 1]], np.int32), np.array([0, 3]), np.array([[n, 0, 0] for n in range(3)], np.int32)
    )

    values, determined = values_for_all(joint, outcomes[list(order)])

    assert values.tolist() == [[50.0, 75.0, 25.0]]
    assert determined.all()
