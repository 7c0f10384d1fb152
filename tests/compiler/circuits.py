"""Circuits for tests of machine code, and the interpreter's results for them."""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from ludens.compiler.circuit.gates import Gates
from ludens.compiler.native.assembly import Assembled, assemble
from ludens.compiler.native.avx2 import Avx2
from ludens.compiler.native.avx512 import Avx512
from ludens.compiler.native.cover import Cover, cover, operation
from ludens.compiler.native.instruction_set import InstructionSet
from ludens.compiler.native.kernel import Words, interpreter
from ludens.compiler.native.neon import Neon
from ludens.compiler.native.schedule import schedule
from ludens.compiler.native.segments import segment_table
from ludens.compiler.native.target import host_level
from ludens.core.block import row_array
from ludens.core.processor import Level

INPUTS = 12


@dataclass(frozen=True)
class Circuit:
    """Operations with the slots of their inputs and outputs."""

    cover: Cover
    inputs: Mapping[int, int]
    outputs: Sequence[tuple[int, int]]

    def assemble(self, instructions: InstructionSet) -> Assembled:
        """Its machine code."""
        return assemble(self.cover, self.inputs, self.outputs, instructions)

    def values(self, slots: int, seed: int) -> Words:
        """So many slots, random values in those of the inputs."""
        values = row_array(slots)
        rng = np.random.default_rng(seed)
        for slot in self.inputs.values():
            values[slot] = rng.integers(0, 2**64, values.shape[1], np.uint64)
        return values

    def results(self, values: Words) -> list[list[int]]:
        """The values of the outputs."""
        return [values[slot].tolist() for _, slot in self.outputs]

    def interpret(self, seed: int) -> list[list[int]]:
        """The interpreter's results for random inputs."""
        plan = schedule(self.cover, self.inputs, self.outputs, (), in_runs=True)
        values, table = self.values(plan.slots, seed), segment_table(plan)
        interpreter().evaluate(values.ctypes.data, ctypes.addressof(table), len(table))
        return self.results(values)


def instruction_sets_here() -> list[type[InstructionSet]]:
    """The instruction sets that this processor has, whatever ``LUDENS_CPU`` is."""
    if platform.machine().lower() in ("aarch64", "arm64"):
        return [Neon]
    widest: list[type[InstructionSet]] = [Avx512, Avx2]
    return widest[list(reversed(Level)).index(host_level()) :]


def random_gates(seed: int, size: int) -> tuple[Gates, list[int]]:
    """Gates and their literals; old ones are read again and again, so that registers do not suffice."""
    rng = Random(seed)
    gates = Gates()
    literals = [gates.new_input() for _ in range(INPUTS)]
    for _ in range(size):
        a, b, c = (rng.choice(literals if rng.random() < 0.5 else literals[-20:]) ^ rng.randrange(2) for _ in range(3))
        make = rng.choice(["both", "either", "differ", "parity", "majority", "choose"])
        literals.append(getattr(gates, make)(*((a, b) if make in ("both", "either", "differ") else (a, b, c))))
    return gates, literals


def random_circuit(seed: int, size: int, max_readers: int, stride: int = 1) -> Circuit:
    """A circuit with so many gates; ``stride`` is the distance of its slots."""
    gates, literals = random_gates(seed, size)
    rng = Random(seed)
    wanted = [literal ^ rng.randrange(2) for literal in rng.choices([0, *literals], k=40)]
    inputs = {node: node * stride for node in range(1, INPUTS + 1)}
    outputs = [(literal, (1 + INPUTS + n) * stride) for n, literal in enumerate(wanted)]
    return Circuit(cover(gates, wanted, max_readers), inputs, outputs)


def all_functions() -> Circuit:
    """All functions of three inputs, and the inverse of each."""
    operations = [operation(table, (1, 2, 3), 4 + table) for table in range(256)]
    rows = [(table, len(reads), *reads, *(0,) * (3 - len(reads)), result) for table, reads, result in operations]
    literals = [2 * node + inverse for *_, node in operations for inverse in (0, 1)]
    return Circuit(
        Cover(np.array(rows, np.int32), set()),
        {1: 1, 2: 2, 3: 3},
        [(literal, 4 + n) for n, literal in enumerate(literals)],
    )
