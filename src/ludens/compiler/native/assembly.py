"""Stage 5b: straight-line machine code, written without a compiler.

LLVM takes minutes for the hundred thousand operations of a large game. The code is simple, though: every operation is
an instruction on registers, or a few. So the instructions are written here, and values find their registers by one
rule: when there is none left, the value that is needed latest goes to memory. What the instructions are is the matter
of an `InstructionSet`.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ludens.compiler.native.avx2 import Avx2
from ludens.compiler.native.avx512 import Avx512
from ludens.compiler.native.cover import Cover
from ludens.compiler.native.executable import executable_memory, may_run_memory
from ludens.compiler.native.instruction_set import InstructionSet
from ludens.compiler.native.machine_code import MachineCode
from ludens.compiler.native.neon import Neon
from ludens.compiler.native.registers import Kind, allocate_registers
from ludens.compiler.native.target import host_cap, host_level
from ludens.core.processor import Level

_NEVER = 1 << 62
_PINNED = -1
CHUNK = 250
"""Operations in a chunk, where there are chunks: its second run finds its instructions in the cache. Code in chunks of
1,000 was 15 % slower for chess, as one chunk 35 %; chunks of 100 spend their time on loads and stores."""


def can_assemble() -> bool:
    """Whether this processor and system can run the emitted code."""
    return host_instructions() is not None


def host_instructions() -> InstructionSet | None:
    """The instructions to emit on this processor, up to the level in ``LUDENS_CPU``; None if there are none here."""
    if sys.platform == "win32" or not may_run_memory():
        return None
    machine = platform.machine().lower()
    if machine in ("aarch64", "arm64"):
        return Neon()
    if machine not in ("x86_64", "amd64"):
        return None
    level = host_cap() or host_level()
    return Avx512() if level is Level.AVX512 else Avx2() if level is Level.AVX2 else None


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
