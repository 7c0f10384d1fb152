"""Gates become operations of up to three inputs that compute the same."""

from __future__ import annotations

from random import Random

import pytest

from ludens.compiler.circuit.gates import Gates
from ludens.compiler.native.cover import COPY, INVERT, Cover, cover, inputs_of, operation, permute
from tests.compiler.circuits import INPUTS, random_gates
from tests.compiler.lanes import counting_pattern, evaluate

LANES = 64
EVERYWHERE = (1 << LANES) - 1


def value_of(found: Cover, inputs: dict[int, int], literal: int) -> int:
    """What the operations make of inputs, lane by lane."""
    values = {0: 0, **inputs}
    for table, reads, result in found.operations.values():
        value = 0
        for lane in range(LANES):
            entry = 0
            for node in reads:
                entry = 2 * entry + (values[node] >> lane & 1)
            value |= (table >> entry & 1) << lane
        values[result] = value
    inverted = (literal >> 1 in found.inverted) != bool(literal & 1)
    return values[literal >> 1] ^ (EVERYWHERE if inverted else 0)


@pytest.mark.parametrize("seed", range(15))
def test_operations_compute_what_the_gates_do(seed: int) -> None:
    gates, literals = random_gates(seed, 200)
    rng = Random(seed)
    wanted = [literal ^ rng.randrange(2) for literal in rng.choices(literals, k=10)]
    given = {node: rng.getrandbits(LANES) for node in range(1, INPUTS + 1)}

    found = cover(gates, wanted)

    assert [value_of(found, given, literal) for literal in wanted] == evaluate(gates, given, wanted, LANES)
    assert all(len(reads) <= 3 for _, reads, _ in found.operations.values())


def test_outputs_are_stored_as_they_are_wanted() -> None:
    gates = Gates()
    a, b = gates.new_input(), gates.new_input()
    both = gates.both(a, b)

    assert cover(gates, [both]).inverted == set()
    assert cover(gates, [both ^ 1]).inverted == {both >> 1}


def test_gates_disappear_into_their_readers() -> None:
    gates = Gates()
    a, b, c = (gates.new_input() for _ in range(3))
    choice = gates.choose(a, b, c)

    found = cover(gates, [choice])

    assert len(gates) - 4 == 3
    assert list(found.operations) == [choice >> 1]


def test_what_always_or_never_holds_is_a_copy_of_nothing() -> None:
    gates = Gates()
    a, b = gates.new_input(), gates.new_input()
    never = gates.both(gates.both(a, b), gates.both(a, b ^ 1))

    found = cover(gates, [never])

    assert [tuple(found.operations[never >> 1])[:2]] == [(COPY, (0,))]
    assert operation(0xFF, (1, 2, 3), 4)[:2] == (INVERT, (0,))


def test_every_table_has_one_form_whatever_the_order_of_its_inputs() -> None:
    for table in range(1, 255):
        forms = {operation(permute(table, places), (1, 2, 3), 4).table for places in ((0, 1, 2), (1, 2, 0), (2, 1, 0))}
        assert len(forms) == 1
        (form,) = forms
        assert len(operation(table, (1, 2, 3), 4).reads) == inputs_of(form)


def test_majority_and_parity_are_what_they_say() -> None:
    gates = Gates()
    inputs = [gates.new_input() for _ in range(3)]
    given = {literal >> 1: counting_pattern(n, 8) for n, literal in enumerate(inputs)}

    majority, parity = evaluate(gates, given, [gates.majority(*inputs), gates.parity(*inputs)], 8)

    assert majority == sum(1 << n for n in range(8) if n.bit_count() >= 2)
    assert parity == sum(1 << n for n in range(8) if n.bit_count() % 2)
