from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

import ludens
from ludens.compiler.batch.game import CircuitGame
from ludens.core import GameError, State, random_joint_move
from ludens.core.batch import Batch
from ludens.games.library import find
from ludens.gdl.game import GdlState
from ludens.gdl.read import read_rules
from ludens.gdl.terms import Term
from ludens.players.space.choose import space_of
from ludens.players.space.compiled import CompiledSpace
from ludens.players.space.contract import ContractSpace
from ludens.players.space.space import Space
from tests.gdl.test_chance import CARDS, DICE, FAULTY, URN
from tests.gdl.test_gdl_ii import SEEN
from tests.referee.games import Dice

COMPILED = ("pig:8", "cant_stop:2,1,1", "twenty_one")
EVERYBODY = """
(role ann) (role random)
(random die 2 low) (random die 1 high)
(init start)
(<= (legal ?r (throw die)) (thrower ?r) (true start))
(thrower ann)
(<= (legal random (pick ?x)) (side ?x))
(side left) (side right)
(<= (next (thrown ?x)) (does ?r (throw ?x)))
(<= (next (picked ?x)) (does random (pick ?x)))
(<= terminal (not (true start)))
(<= (goal ann 100) (true (thrown high)) (true (picked left)))
(<= (goal ann 0) (not (true (thrown high))))
(<= (goal ann 50) (true (thrown high)) (true (picked right)))
"""
"""A random variable that any role might use, as far as its rule says, beside the role ``random``."""
CHAINED = EVERYBODY.replace("(thrower ann)", "(thrower ann) (thrower random)")
"""The role ``random`` throws the die, too."""


def some_states(name: str, count: int) -> list[State]:
    rng = Random(7)
    states: list[State] = []
    state = ludens.load(name, wait=True).initial_state()
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


def by_joint_move(
    space: Space, states: Sequence[GdlState]
) -> list[dict[tuple[str, ...], dict[frozenset[Term], float]]]:
    """For each state and joint move the states that it may lead to, with their probabilities."""
    found = space.expand([space.key(state) for state in states])
    joint = found.joint
    first_child = np.arange(len(joint.moves) + 1) if joint.first_child is None else joint.first_child
    probabilities = np.ones(len(found.keys)) if joint.probabilities is None else joint.probabilities
    children: Sequence[object] = found.keys
    if found.packed is not None:
        assert isinstance(space.game, CircuitGame)
        batch = Batch(space.game, len(found.packed))
        batch.set_states(found.packed)
        children = batch.states()
    result = []
    for begin, end in zip(joint.first, joint.first[1:], strict=False):
        own: dict[tuple[str, ...], dict[frozenset[Term], float]] = {}
        for number in range(begin, end):
            after = own.setdefault(tuple(space.joint_move(joint.moves[number]).values()), {})
            for child in range(first_child[number], first_child[number + 1]):
                state = children[child]
                assert isinstance(state, GdlState)
                after[state.facts] = after.get(state.facts, 0.0) + float(probabilities[child])
        result.append(own)
    return result


@pytest.mark.parametrize(
    "text",
    [DICE, CARDS, URN, SEEN, EVERYBODY, CHAINED, *(find(name).rule_sheet().source.text for name in COMPILED)],
    ids=["dice", "cards", "urn", "mixed", "everybody", "chained", *COMPILED],
)
def test_batches_resolve_chance_as_the_contract_does(text: str) -> None:
    game = CircuitGame(read_rules(text), "chance")
    rng = Random(1)
    states: list[GdlState] = []
    for _ in range(3):
        state: GdlState = game.initial_state()
        while not state.is_terminal and len(states) < 40:
            states.append(state)
            state = state.sample(random_joint_move(state, rng), rng)

    found = by_joint_move(space_of(game), states)

    for own, expected in zip(found, by_joint_move(ContractSpace(game), states), strict=True):
        assert own.keys() == expected.keys()
        for joint_move, distribution in expected.items():
            assert own[joint_move] == pytest.approx(distribution)


@pytest.mark.parametrize("text", [FAULTY, FAULTY.replace("die 1 six", "die 0 six").replace("die 2 six", "die 0 seven")])
def test_batches_refuse_chance_without_weights(text: str) -> None:
    state = CircuitGame(read_rules(text), "faulty").initial_state()
    space = space_of(state.game)

    with pytest.raises(GameError, match="no weights, or contradictory ones"):
        space.expand([space.key(state)])


def test_chance_gives_a_joint_move_several_children_with_their_probabilities() -> None:
    state = Dice(1).initial_state()

    found = ContractSpace(state.game).expand([state])

    # pass and pass, pass and roll, roll and pass, roll and roll
    assert found.joint.first_child is not None
    assert found.joint.first_child.tolist() == [0, 1, 4, 7, 16]
    assert found.joint.expected_values(np.ones(16)) == pytest.approx([1, 1, 1, 1])
