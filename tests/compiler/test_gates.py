from __future__ import annotations

import itertools
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.compiler.circuit.gates import FALSE, INPUT, TRUE, Gates
from tests.compiler.lanes import counting_pattern, evaluate


def test_constants_and_equal_inputs_need_no_gate() -> None:
    gates = Gates()
    a = gates.new_input()

    assert gates.both(a, FALSE) == FALSE
    assert gates.both(a, TRUE) == a
    assert gates.both(a, a) == a
    assert gates.both(a, a ^ 1) == FALSE
    assert gates.either(a, a ^ 1) == TRUE
    assert gates.differ(a, a) == FALSE
    assert gates.differ(a, a ^ 1) == TRUE
    assert gates.differ(a, TRUE) == a ^ 1
    assert len(gates) == 2


def test_equal_gates_are_shared() -> None:
    gates = Gates()
    a, b = gates.new_input(), gates.new_input()

    assert gates.both(a, b) == gates.both(b, a)
    assert gates.differ(a, b ^ 1) == gates.differ(a, b) ^ 1
    assert gates.either(a ^ 1, b ^ 1) == gates.both(a, b) ^ 1


@pytest.mark.parametrize("count", range(6))
def test_conjunction_and_disjunction_of_many(count: int) -> None:
    gates = Gates()
    inputs = [gates.new_input() for _ in range(count)]
    lanes = 2**count

    outputs = [gates.all_of(inputs), gates.any_of(inputs)]
    patterns = {literal >> 1: counting_pattern(n, lanes) for n, literal in enumerate(inputs)}
    all_of, any_of = evaluate(gates, patterns, outputs, lanes)

    assert all_of == 1 << (lanes - 1)
    assert any_of == (1 << lanes) - 2


@given(st.lists(st.tuples(st.sampled_from("&|^?"), *([st.integers(0, 60)] * 3)), max_size=30))
def test_gates_mean_what_they_say(steps: list[tuple[str, int, int, int]]) -> None:
    gates = Gates()
    lanes = 16
    literals = [FALSE, TRUE, *(gates.new_input() for _ in range(4))]
    inputs = {literal >> 1: counting_pattern(n, lanes) for n, literal in enumerate(literals[2:])}
    everywhere = (1 << lanes) - 1
    values = [0, everywhere, *inputs.values()]
    for operator, *chosen in steps:
        (a, x), (b, y), (c, z) = (
            (literals[n // 2 % len(literals)] ^ (n & 1), values[n // 2 % len(values)] ^ (everywhere if n & 1 else 0))
            for n in chosen
        )
        match operator:
            case "&":
                literals.append(gates.both(a, b))
                values.append(x & y)
            case "|":
                literals.append(gates.either(a, b))
                values.append(x | y)
            case "^":
                literals.append(gates.differ(a, b))
                values.append(x ^ y)
            case _:
                literals.append(gates.choose(a, b, c))
                values.append((x & y) | (~x & everywhere & z))

    assert evaluate(gates, inputs, literals, lanes) == values


def test_gates_that_outgrow_their_arrays_stay_what_they_are() -> None:
    gates = Gates()
    inputs = [gates.new_input() for _ in range(100)]
    left = gates.left

    made = {(a, b): gates.both(a, b ^ 1) for a in inputs for b in inputs if a != b}

    assert len(gates) == 1 + len(inputs) + len(made)
    assert {pair: gates.both(pair[0], pair[1] ^ 1) for pair in made} == made
    assert all({gates.left[gate >> 1], gates.right[gate >> 1]} == {a, b ^ 1} for (a, b), gate in made.items())
    assert left[inputs[0] >> 1] == INPUT  # what was read before can still be read


def test_a_copy_shares_no_gates_made_later() -> None:
    gates = Gates()
    a, b = gates.new_input(), gates.new_input()
    gate = gates.both(a, b)

    copy = gates.copy()

    assert copy.both(a, b) == gate
    assert copy.differ(a, b) >> 1 == len(gates)
    assert len(gates) == len(copy) - 1


def test_gates_survive_a_pickle_and_are_still_shared() -> None:
    gates = Gates()
    inputs = [gates.new_input() for _ in range(1_500)]
    made = [gates.both(a, b ^ 1) for a, b in itertools.pairwise(inputs)]

    twin = pickle.loads(pickle.dumps(gates))

    assert len(twin) == len(gates)
    assert list(twin.left)[: len(twin)] == list(gates.left)[: len(gates)]
    assert [twin.both(a, b ^ 1) for a, b in itertools.pairwise(inputs)] == made
    assert len(twin) == len(gates)
