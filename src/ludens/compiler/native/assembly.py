"""Stage 5b: straight-line machine code, written without a compiler.

LLVM takes minutes for the hundred thousand operations of a large game. The code is simple, though: every operation is
an instruction on registers, or a few. So the instructions are written here, and values find their registers by one
rule: when there is none left, the value that is needed latest goes to memory. What the instructions are is the matter
of an `InstructionSet`.
"""

from __future__ import annotations

import platform
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ludens.compiler.native.avx2 import Avx2
from ludens.compiler.native.avx512 import Avx512
from ludens.compiler.native.cover import INVERT, Cover, permute
from ludens.compiler.native.executable import executable_memory, may_run_memory
from ludens.compiler.native.instruction_set import MEMORY, InstructionSet
from ludens.compiler.native.lowering import lower
from ludens.compiler.native.machine_code import MachineCode
from ludens.compiler.native.neon import Neon
from ludens.compiler.native.schedule import ZERO_SLOT
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
    writer = _Writer(found, inputs, outputs, instructions)
    return Assembled(writer.write(), writer.slots, len(found.operations))


class _Writer:
    """Writes the instructions of operations in their order.

    A value is the number of its node. What is not an input gets a slot only when it must leave its register.
    """

    def __init__(
        self,
        found: Cover,
        inputs: Mapping[int, int],
        outputs: Sequence[tuple[int, int]],
        instructions: InstructionSet,
    ) -> None:
        self.instructions = instructions
        self.operations = lower(found.operations.values(), instructions.programs)
        self.slot_of: dict[int, int] = {0: ZERO_SLOT, **inputs}
        """The slots of values that are in memory."""
        self.is_fixed = set(self.slot_of)
        """Values whose slots are never free for others."""
        self.slots = 1 + max([0, *inputs.values(), *(slot for _, slot in outputs)])
        self.free: list[int] = []
        self.outputs: dict[int, list[tuple[int, bool]]] = defaultdict(list)
        """For each value the slots that it goes to, and whether it is inverted on its way."""
        for literal, slot in outputs:
            self.outputs[literal >> 1].append((slot, (literal >> 1 in found.inverted) != bool(literal & 1)))
        self.register_of: dict[int, int] = {}
        self.held: list[int] = [0] * instructions.registers
        """The value in each register that is not free."""
        self.needed = [_NEVER] * instructions.registers
        """When the value in each register is needed next; `_NEVER` if the register is free."""
        self.code: list[bytes] = []
        """The instructions of this chunk."""
        self.chunks: list[bytes] = []

    def write(self) -> bytes:
        """The code of a function."""
        first_use, next_uses = self._uses()
        for value in self.slot_of:
            if value in self.outputs:
                self._load(value)
                self._write_outputs(value, self.register_of[value])
                self._expect(value, _NEVER)
        chunk = len(self.operations) if self.instructions.parts == 1 else CHUNK
        compute = {1: self._compute_one, 2: self._compute_two, 3: self._compute_three}
        for number, (table, reads, result) in enumerate(self.operations):
            if number and number % chunk == 0:
                self._end_chunk()
            uses = next_uses[number]
            missing = []
            for value in reads:
                if value in self.register_of:
                    self.needed[self.register_of[value]] = _PINNED
                else:
                    missing.append(value)
            distant = self._distant_operand(number, table, reads, uses) if missing else None
            for value in missing:
                if value != distant:
                    self._load(value)
            register = compute[len(reads)](table, reads, uses, distant)
            for value, when in zip(reads, uses, strict=True):
                self._expect(value, when)
            self._keep(result, register, first_use[number])
        self._end_chunk()
        return self.instructions.function(b"".join(self.chunks))

    def _uses(self) -> tuple[list[int], list[tuple[int, ...]]]:
        """When each result is used first, and when what each operation reads is used next."""
        first_use = [_NEVER] * len(self.operations)
        next_uses: list[tuple[int, ...]] = [()] * len(self.operations)
        following: dict[int, int] = {}
        for number in range(len(self.operations) - 1, -1, -1):
            _, reads, result = self.operations[number]
            first_use[number] = following.get(result, _NEVER)
            next_uses[number] = tuple([following.get(value, _NEVER) for value in reads])
            for value in reads:
                following[value] = number
        return first_use, next_uses

    def _distant_operand(self, number: int, table: int, reads: Sequence[int], next_uses: Sequence[int]) -> int | None:
        """The operand that the operation itself best reads from memory, since it is not needed again soon."""
        outside = [
            (when, value)
            for place, (value, when) in enumerate(zip(reads, next_uses, strict=True))
            if value not in self.register_of and self.instructions.may_read_memory(table, place)
        ]
        when, value = max(outside, default=(0, 0))
        return value if when >= number + self.instructions.soon else None

    def _compute_one(self, table: int, reads: Sequence[int], next_uses: Sequence[int], distant: int | None) -> int:
        """Write an inversion or a copy; the register that holds its result."""
        source, slot = self._operand(reads[0], distant)
        result = self._allocate()
        if table == INVERT:
            self.code.append(self.instructions.invert(result, source, slot))
        elif source == MEMORY:
            self.code.append(self.instructions.load(result, slot))
        else:
            self.code.append(self.instructions.copy(result, source))
        return result

    def _compute_two(self, table: int, reads: Sequence[int], next_uses: Sequence[int], distant: int | None) -> int:
        """Write an operation with two inputs: the result takes the register of one that is not needed again."""
        left, right = reads
        if left == distant:
            table = permute(table, (0, 2, 1))
            first, (last, slot) = self.register_of[right], self._operand(left, distant)
        else:
            first, (last, slot) = self.register_of[left], self._operand(right, distant)
        if next_uses[0] == _NEVER and left != distant:
            result = self.register_of.pop(left)
        elif next_uses[1] == _NEVER and right != distant:
            result = self.register_of.pop(right)
        else:
            result = self._allocate()
        self.code.append(self.instructions.compute_two(table, result, first, last, slot))
        return result

    def _compute_three(self, table: int, reads: Sequence[int], next_uses: Sequence[int], distant: int | None) -> int:
        """Write an operation with three inputs: the result takes the register of one of them."""
        places = [0, 1, 2]
        if distant is not None:
            places.sort(key=lambda place: reads[place] == distant)
        in_registers = [place for place in places if reads[place] != distant]
        given = max(in_registers, key=next_uses.__getitem__)
        places.remove(given)
        register = self.register_of[reads[given]]
        first, (last, slot) = self.register_of[reads[places[0]]], self._operand(reads[places[1]], distant)
        if next_uses[given] == _NEVER or reads[given] in self.slot_of:
            del self.register_of[reads[given]]
            result = register
        else:
            result = self._allocate()
            self.code.append(self.instructions.copy(result, register))
        permuted = permute(table, (given, *places))
        self.code.append(self.instructions.compute_three(permuted, result, first, last, slot))
        return result

    def _operand(self, value: int, distant: int | None) -> tuple[int, int]:
        """The register of a value, or the slot."""
        return (MEMORY, self.slot_of[value]) if value == distant else (self.register_of[value], ZERO_SLOT)

    def _load(self, value: int) -> None:
        register = self._allocate()
        self.code.append(self.instructions.load(register, self.slot_of[value]))
        self.register_of[value] = register
        self.held[register] = value
        self.needed[register] = _PINNED

    def _allocate(self) -> int:
        """A free register; the value that is needed latest makes room."""
        register = self.needed.index(max(self.needed))
        if self.needed[register] != _NEVER:
            self._empty(register)
        self.needed[register] = _PINNED
        return register

    def _empty(self, register: int) -> None:
        """Move a value that is needed later to memory, unless it is there, too."""
        value = self.held[register]
        if value not in self.slot_of:
            if not self.free:
                self.free.append(self.slots)
                self.slots += 1
            self.slot_of[value] = self.free.pop()
            self.code.append(self.instructions.store(register, self.slot_of[value]))
        del self.register_of[value]

    def _end_chunk(self) -> None:
        """End a chunk; values that are needed later go to memory."""
        for register, when in enumerate(self.needed):
            if when != _NEVER:
                self._empty(register)
                self.needed[register] = _NEVER
        self.chunks.append(self.instructions.chunk(b"".join(self.code)))
        self.code.clear()

    def _expect(self, value: int, when: int) -> None:
        """Remember when an operand is needed next."""
        register = self.register_of.get(value)
        if register is not None:
            self.needed[register] = when
        if when == _NEVER:
            self.register_of.pop(value, None)
            if value in self.slot_of and value not in self.is_fixed:
                self.free.append(self.slot_of.pop(value))

    def _keep(self, value: int, register: int, when: int) -> None:
        """Remember a result, and write it to where it must go."""
        self.needed[register] = _PINNED
        if value in self.outputs:
            self._write_outputs(value, register)
        self.held[register] = value
        self.needed[register] = when
        if when != _NEVER:
            self.register_of[value] = register

    def _write_outputs(self, value: int, register: int) -> None:
        for slot, is_inverted in self.outputs[value]:
            if is_inverted:
                inverse = self._allocate()
                self.code.append(self.instructions.invert(inverse, register, ZERO_SLOT))
                self.code.append(self.instructions.store(inverse, slot))
                self.needed[inverse] = _NEVER
            else:
                self.code.append(self.instructions.store(register, slot))
                if value not in self.slot_of:
                    self.slot_of[value] = slot
                    self.is_fixed.add(value)
