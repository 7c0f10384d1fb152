"""Machine code written without a compiler does what its operations say."""

from __future__ import annotations

import ctypes

import pytest

from ludens.compiler.native.instruction_set import InstructionSet
from ludens.compiler.native.kernel import EVALUATION
from tests.compiler.circuits import (
    INPUTS,
    Circuit,
    all_functions,
    instruction_sets_here,
    random_circuit,
    random_gates,
)
from tests.compiler.lanes import evaluate

on_each = pytest.mark.parametrize("make", instruction_sets_here(), ids=lambda make: make.__name__)


def run(circuit: Circuit, instructions: InstructionSet, seed: int) -> list[list[int]]:
    code = circuit.assemble(instructions).load()
    values = circuit.values(code.slots, seed)
    EVALUATION(code.address)(ctypes.c_void_p(values.ctypes.data), None, 0)
    return circuit.results(values)


@on_each
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", [1, 30, 1000])
def test_code_computes_what_the_interpreter_does(make: type[InstructionSet], seed: int, size: int) -> None:
    circuit = random_circuit(seed, size, make().max_readers)

    assert run(circuit, make(), seed) == circuit.interpret(seed)


@on_each
def test_code_computes_what_the_gates_do(make: type[InstructionSet]) -> None:
    circuit = random_circuit(7, 1000, make().max_readers)
    gates, _ = random_gates(7, 1000)
    values = circuit.values(1 + INPUTS, seed=3)
    given = {node: int(values[slot, 5]) for node, slot in circuit.inputs.items()}

    found = run(circuit, make(), seed=3)

    assert [row[5] for row in found] == evaluate(gates, given, [literal for literal, _ in circuit.outputs], lanes=64)


@on_each
def test_every_function_of_three_inputs_can_be_written(make: type[InstructionSet]) -> None:
    circuit = all_functions()

    found = run(circuit, make(), seed=1)

    assert found == circuit.interpret(seed=1)
    assert len({tuple(row) for row in found}) == 256


@on_each
def test_values_that_leave_their_registers_share_slots(make: type[InstructionSet]) -> None:
    circuit = random_circuit(1, 4000, make().max_readers)

    assert circuit.assemble(make()).slots < 1500
