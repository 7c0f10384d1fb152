"""Chance inside compiled code: what batches draw has the distribution that `State.chance_outcomes` tells."""

from __future__ import annotations

import math
from collections.abc import Hashable

import numpy as np
import pytest

from ludens.compiler.batch.game import CircuitGame, CircuitState
from ludens.compiler.batch.playout import PlayoutMachine, playout_program
from ludens.compiler.circuit.gates import Gates
from ludens.compiler.circuit.selection import choose_by_weight, weight_bits
from ludens.compiler.compile import compile_rules
from ludens.core import GameError
from ludens.core.batch import Batch
from ludens.gdl.read import read_rules
from tests.gdl.test_chance import CARDS, DICE, FAULTY, ROLL, URN

LANES = 1 << 16


def game(text: str) -> CircuitGame:
    return CircuitGame(read_rules(text), "chance")


def _positions(batch: Batch) -> list[Hashable]:
    """The positions of the lanes: a batch does not know what roles perceived on the way."""
    return [state.position for state in batch.states()]


def chi_square(batch: Batch, expected: dict[Hashable, float]) -> float:
    """How far the states of the lanes are from a distribution; a state that it does not have is infinitely far."""
    packed, counts = np.unique(batch.packed_states, axis=0, return_counts=True)
    found = Batch(batch.game, len(packed))
    found.set_states(packed)
    total = 0.0
    for state, count in zip(_positions(found), counts, strict=True):
        share = expected.get(state, 0.0) * batch.size
        if not share:
            return float("inf")
        distance = int(count) - share
        total += distance * distance / share
    missing = sum(share for state, share in expected.items() if state not in set(_positions(found)))
    return total + missing * batch.size


def bound(outcomes: int) -> float:
    """What chi-square stays below in all but one of some thousand tests of a right distribution."""
    freedom = outcomes - 1
    return freedom + 4 * math.sqrt(2 * freedom) + 6


def outcomes_of(state: CircuitState, joint_move: dict[str, str]) -> dict[Hashable, float]:
    return {state.play(o.joint_move).position: o.probability for o in state.chance_outcomes(joint_move)}


def test_batches_draw_what_moves_leave_to_chance() -> None:
    dice = game(DICE)
    batch = Batch(dice, LANES, seed=1)
    numbers = batch.move_numbers
    expected = outcomes_of(dice.initial_state(), {"p": ROLL, "q": ROLL})
    batch.advance(np.tile([numbers["p"][ROLL], numbers["q"][ROLL]], (LANES, 1)))
    assert chi_square(batch, expected) < bound(len(expected))


def test_random_advances_draw_moves_and_chance() -> None:
    dice = game(DICE)
    batch = Batch(dice, LANES, seed=2)
    batch.advance()
    state = dice.initial_state()
    expected: dict[Hashable, float] = {}
    for move in ("pass", ROLL):
        for after, probability in outcomes_of(state, {"p": move, "q": ROLL}).items():
            expected[after] = expected.get(after, 0) + probability / 2
    assert chi_square(batch, expected) < bound(len(expected))


def test_weights_that_depend_on_the_state_are_drawn_by_the_state_of_each_lane() -> None:
    cards = game(CARDS)
    first, second = cards.initial_state(), cards.initial_state().play({"p": "(take king)"})
    for seed, state in enumerate((first, second)):
        batch = Batch(cards, LANES, seed=seed)
        batch.set_states([state])
        batch.advance()
        expected = outcomes_of(state, {"p": "(take draw)"})
        assert chi_square(batch, expected) < bound(len(expected))


def test_the_role_random_is_drawn_uniformly() -> None:
    urn = game(URN)
    batch = Batch(urn, LANES, seed=5)
    assert batch.chance_roles == ("random",)
    batch.advance(np.zeros((LANES, 1), np.int32))
    assert chi_square(batch, outcomes_of(urn.initial_state(), {"p": "noop"})) < bound(3)


def test_chance_can_be_given_to_batches() -> None:
    urn = game(URN)
    batch = Batch(urn, 8)
    red = batch.move_numbers["random"]["(draw red)"]
    batch.advance(np.tile([batch.move_numbers["p"]["noop"], red], (8, 1)))
    assert set(_positions(batch)) == {urn.initial_state().play({"random": "(draw red)", "p": "noop"}).position}


def test_percepts_of_lanes_are_fluents() -> None:
    urn = game(URN)
    batch = Batch(urn, 8)
    batch.advance(np.tile([batch.move_numbers["p"]["noop"], batch.move_numbers["random"]["(draw red)"]], (8, 1)))
    told = [text for text, holds in zip(batch.fluents, batch.observation[0], strict=True) if holds]
    assert told == ["(drawn red)", "(is told p warm)"]


def test_playouts_follow_the_weights() -> None:
    urn = Batch(game(URN), LANES, seed=1).playouts()
    assert urn.ended.all()
    assert urn.goals.mean() == pytest.approx(100 / 3, abs=1)
    text = DICE.replace("(goal p 50)", "(<= (goal p 100) (true (got q ?d heads ?d)))")
    heads = Batch(game(text), LANES, seed=1).playouts()
    assert heads.goals[:, 0].mean() == pytest.approx(75, abs=1)
    circuit = compile_rules(read_rules(text)).circuit
    found = PlayoutMachine(playout_program(circuit), seed=1).run_rounds(100)
    assert found.goal_sums[0] / found.playouts == pytest.approx(75, abs=1.5)


NO_WEIGHT_AT_FIRST = (
    FAULTY.replace("die 1 six", "die 0 six").replace("(init (weight two))", "")
    + """
(<= (next (weight two)) (does p (roll six)))
"""
)


@pytest.mark.parametrize("text", [FAULTY, NO_WEIGHT_AT_FIRST])
def test_lanes_without_weights_to_draw_by_are_an_error(text: str) -> None:
    batch = Batch(game(text), 4)
    with pytest.raises(GameError, match="chance no weights, or contradictory ones"):
        batch.advance()


def test_every_weight_has_its_share_of_all_random_numbers() -> None:
    weights = [3, 1, 5, 2]
    gates = Gates()
    legal = [gates.new_input() for _ in weights]
    random = [gates.new_input() for _ in range(weight_bits(weights))]
    chosen = choose_by_weight(gates, legal, weights, random)
    every = np.arange(1 << len(random))
    for present in ([True] * 4, [True, False, True, True], [False, True, False, False]):
        values = [np.zeros(len(every), bool)]
        inputs = [np.full(len(every), given) for given in present] + [
            (every >> n & 1).astype(bool) for n in range(len(random))
        ]
        for node in range(1, len(gates)):
            if gates.left[node] < 0:
                values.append(inputs[node - 1])
                continue
            reads = [values[literal >> 1] ^ bool(literal & 1) for literal in gates.reads(node)]
            if gates.is_xor[node]:
                values.append(np.logical_xor.reduce(reads))
            else:
                values.append(np.sum(reads, axis=0) >= 2)
        total = sum(weight for weight, given in zip(weights, present, strict=True) if given)
        for literal, weight, given in zip(chosen, weights, present, strict=True):
            share = (values[literal >> 1] ^ bool(literal & 1)).mean()
            assert share == pytest.approx(weight / total if given else 0, abs=2**-12)
