"""Machine code for 64-bit ARM, run by QEMU, does what the interpreter does here."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from ludens.compiler.batch.playout import playout_program
from ludens.compiler.compile import compile_rules
from ludens.compiler.native.cover import cover
from ludens.compiler.native.neon import Neon
from ludens.games.library import find
from tests.compiler.circuits import Circuit, all_functions, random_circuit
from tests.peers import peer

pytestmark = peer("qemu")

HARNESS = Path(__file__).with_name("run_code.c")


@pytest.fixture(scope="module")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("harness") / "run_code"
    subprocess.run(["aarch64-linux-gnu-gcc", "-O1", "-static", "-o", str(program), str(HARNESS)], check=True)
    return program


def run(circuit: Circuit, seed: int, harness: Path) -> list[list[int]]:
    assembled = circuit.assemble(Neon())
    code = harness.with_name("code")
    code.write_bytes(assembled.code)
    values = circuit.values(assembled.slots, seed)
    ran = subprocess.run(
        ["qemu-aarch64", str(harness), str(code)], input=values.tobytes(), capture_output=True, check=True
    )
    return circuit.results(np.frombuffer(ran.stdout, np.uint64).reshape(values.shape))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [1, 30, 3000])
def test_random_circuits(seed: int, size: int, harness: Path) -> None:
    circuit = random_circuit(seed, size, Neon.max_readers)

    assert run(circuit, seed, harness) == circuit.interpret(seed)


def test_every_function_of_three_inputs(harness: Path) -> None:
    circuit = all_functions()

    assert run(circuit, 1, harness) == circuit.interpret(1)


def test_values_far_from_each_other(harness: Path) -> None:
    circuit = random_circuit(3, 500, Neon.max_readers, stride=1500)

    assert run(circuit, 3, harness) == circuit.interpret(3)


@pytest.mark.parametrize("name", ["tic_tac_toe", "breakthrough", "amazons"])
def test_a_step_of_a_game(name: str, harness: Path) -> None:
    for step in playout_program(compile_rules(find(name).rule_sheet()).circuit).steps:
        found = cover(step.gates, [literal for literal, _ in step.outputs], Neon.max_readers)
        circuit = Circuit(found, step.inputs, step.outputs)

        assert run(circuit, 1, harness) == circuit.interpret(1)
