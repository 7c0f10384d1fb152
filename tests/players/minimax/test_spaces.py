from __future__ import annotations

from random import Random

import numpy as np
import pytest

import ludens
from ludens.core import State, random_joint_move
from ludens.players.minimax.compiled import CompiledSpace
from ludens.players.minimax.contract import ContractSpace
from ludens.players.minimax.spaces import space_of
from tests.referee.games import Dice


def some_states(name: str, count: int) -> list[State]:
    rng = Random(7)
    states: list[State] = []
    state = ludens.load(name).initial_state()
    while len(states) < count:
        states.append(state)
        state = state.play(random_joint_move(state, rng))
        if state.is_terminal:
            state = state.game.initial_state()
    return states


@pytest.mark.parametrize("name", ["tic_tac_toe", "rock_paper_scissors", "connect_four_3p", "checkers", "peg_solitaire"])
def test_batches_expand_positions_as_the_contract_does(name: str) -> None:
    states = some_states(name, 40)
    compiled, contract = space_of(states[0].game), ContractSpace(states[0].game)
    assert isinstance(compiled, CompiledSpace)

    fast = compiled.expand([compiled.key(state) for state in states])
    slow = contract.expand(states)

    assert np.array_equal(fast.joint.counts, slow.joint.counts)
    assert np.array_equal(fast.joint.first, slow.joint.first)
    assert list(map(compiled.joint_move, fast.joint.moves)) == list(map(contract.joint_move, slow.joint.moves))
    assert list(fast.keys) == [compiled.key(child) for child in slow.keys if isinstance(child, State)]
    assert np.array_equal(fast.terminal, slow.terminal)
    assert np.array_equal(fast.goals, slow.goals)
    assert np.array_equal(fast.mobility, slow.mobility)


def test_chance_gives_a_joint_move_several_children_with_their_probabilities() -> None:
    state = Dice(1).initial_state()

    found = ContractSpace(state.game).expand([state])

    # pass and pass, pass and roll, roll and pass, roll and roll
    assert found.joint.first_child is not None
    assert found.joint.first_child.tolist() == [0, 1, 4, 7, 16]
    assert found.joint.expected(np.ones(16)) == pytest.approx([1, 1, 1, 1])
