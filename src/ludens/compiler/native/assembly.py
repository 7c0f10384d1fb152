"""Stage 5b: straight-line machine code, written without a compiler.

LLVM takes minutes for the hundred thousand operations of a large game. The code is simple, though: every operation is
an instruction on registers, or a few. So the instructions are written here, and values find their registers by one
rule: when there is none left, the value that is needed latest goes to memory. What the instructions are is the matter
of an `InstructionSet`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ludens.compiler.native.avx2 import Avx2
from ludens.compiler.native.avx512 import Avx512
from ludens.compiler.native.cover import Cover
from ludens.compiler.native.executable import executable_memory, may_run_memory
from ludens.compiler.native.instruction_set import InstructionSet
from ludens.compiler.native.machine_code import MachineCode
from ludens.compiler.native.neon import Neon
from ludens.compiler.native.registers import Kind, allocate_registers
from ludens.compiler.native.target import host_cap, host_level, host_target
from ludens.core.processor import Level

_INSTRUCTION_SETS: dict[Level, type[InstructionSet]] = {Level.AVX512: Avx512, Level.AVX2: Avx2}


def host_instructions() -> InstructionSet | None:
    """The instructions to emit on this processor, up to the level in ``LUDENS_CPU``; None if a compiler has to.

    Raises `LudensError`.
    """
    found = _host_instruction_set()
    return None if found is None else found()


@cache
def _host_instruction_set() -> type[InstructionSet] | None:
    if sys.platform == "win32" or not may_run_memory():
        return None
    architecture = host_target().triple.partition("-")[0]
    if architecture in ("aarch64", "arm64"):
        return Neon
    if architecture != "x86_64":
        return None
    return _INSTRUCTION_SETS.get(host_cap() or host_level())


class Assembled(NamedTuple):
    """Machine code that is not loaded yet."""

    code: bytes
    slots: int
    operations: int

    def load(self) -> MachineCode:
        """The code in executable memory. Raises `OSError`."""
        address, memory = executable_memory(self.code)
        return MachineCode(address, self.slots, len(self.code), memory)


def assemble(
    found: Cover, inputs: Mapping[int, int], outputs: Sequence[tuple[int, int]], instructions: InstructionSet
) -> Assembled:
    """The machine code of operations without loops; ``inputs`` and ``outputs`` as in a schedule."""
    rows, slots = allocate_registers(found, inputs, outputs, instructions)
    return Assembled(_encode(rows, instructions), slots, len(found.rows))


def _encode(rows: Iterable[Sequence[int]], instructions: InstructionSet) -> bytes:
    """The bytes of instructions."""
    chunks: list[bytes] = []
    code: list[bytes] = []
    for kind, table, result, first, last, slot in rows:
        match kind:
            case Kind.COMPUTE_THREE:
                code.append(instructions.compute_three(table, result, first, last, slot))
            case Kind.COMPUTE_TWO:
                code.append(instructions.compute_two(table, result, first, last, slot))
            case Kind.LOAD:
                code.append(instructions.load(result, slot))
            case Kind.STORE:
                code.append(instructions.store(result, slot))
            case Kind.COPY:
                code.append(instructions.copy(result, last))
            case Kind.INVERT:
                code.append(instructions.invert(result, last, slot))
            case Kind.END_CHUNK:
                chunks.append(instructions.chunk(b"".join(code)))
                code.clear()
    return instructions.function(b"".join(chunks))
