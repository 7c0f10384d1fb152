"""Machine code written without a compiler does what its operations say."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from random import Random

import pytest

from ludens.compiler.circuit.gates import Gates
from ludens.compiler.native.assembly import _encode, assemble, can_assemble
from ludens.compiler.native.cover import cover
from ludens.compiler.native.kernel import EVALUATION
from ludens.core.block import row_array
from tests.compiler.lanes import evaluate
from tests.peers import peer

needs_processor = pytest.mark.skipif(not can_assemble(), reason="machine code is written for x86-64 with AVX-512 only")
INPUTS = 12


def random_gates(seed: int, size: int) -> tuple[Gates, list[int]]:
    rng = Random(seed)
    gates = Gates()
    literals = [gates.new_input() for _ in range(INPUTS)]
    for _ in range(size):
        # Old values are read again and again, so that registers do not suffice.
        a, b, c = (rng.choice(literals if rng.random() < 0.5 else literals[-20:]) ^ rng.randrange(2) for _ in range(3))
        make = rng.choice(["both", "either", "differ", "parity", "majority", "choose"])
        literals.append(getattr(gates, make)(*((a, b) if make in ("both", "either", "differ") else (a, b, c))))
    return gates, literals


@needs_processor
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", [1, 30, 1000])
def test_code_computes_what_the_gates_do(seed: int, size: int) -> None:
    gates, literals = random_gates(seed, size)
    rng = Random(seed)
    wanted = [literal ^ rng.randrange(2) for literal in rng.choices([0, *literals], k=40)]
    inputs = {node: node for node in range(1, INPUTS + 1)}
    outputs = [(literal, 1 + INPUTS + n) for n, literal in enumerate(wanted)]

    code = assemble(cover(gates, wanted), inputs, outputs).load()
    values = row_array(code.slots)
    given = {node: rng.getrandbits(64) for node in inputs}
    for node, slot in inputs.items():
        values[slot] = given[node]
    EVALUATION(code.address)(ctypes.c_void_p(values.ctypes.data), None, 0)

    expected = evaluate(gates, given, wanted, lanes=64)
    assert [values[slot].tolist() for _, slot in outputs] == [[value] * 8 for value in expected]


@needs_processor
def test_values_that_leave_their_registers_share_slots() -> None:
    gates, literals = random_gates(1, 4000)
    wanted = literals[-8:]

    code = assemble(
        cover(gates, wanted), {node: node for node in range(1, INPUTS + 1)}, [(wanted[0], INPUTS + 1)]
    ).load()

    assert code.slots < 1500


@peer("objdump")
def test_instructions_are_what_a_disassembler_takes_them_for(tmp_path: Path) -> None:
    written, expected = [], []
    for register in (0, 5, 9, 17, 26, 31):
        for first in (0, 7, 8, 16, 31):
            for operand in (-1, 0, 6, 8, 15, 16, 29):
                source = "0x4b00(%rdi)" if operand < 0 else f"%zmm{operand}"
                written.append(_encode(0x25, 3, register, first, operand, 300) + b"\x96")
                expected.append(f"vpternlogq $0x96,{source},%zmm{first},%zmm{register}")
                written.append(_encode(0xDF, 1, register, first, operand, 300))
                expected.append(f"vpandnq {source},%zmm{first},%zmm{register}")
    file = tmp_path / "code"
    file.write_bytes(b"".join(written))

    command = ["objdump", "-D", "-b", "binary", "-mi386:x86-64", str(file)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()

    assert [" ".join(line.split("\t")[2].split()) for line in lines if line.count("\t") == 2] == expected
