"""Stage 5b: straight-line machine code for x86-64 processors with AVX-512, written without a compiler.

LLVM takes minutes for the hundred thousand operations of a large game. The code is simple, though: every operation is
one instruction on registers, and one operand may come from memory. So the instructions are written here, and values
find their registers by one rule: when there is none left, the value that is needed latest goes to memory.
"""

from __future__ import annotations

import ctypes
import mmap
import platform
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ludens.compiler.native.cover import COPY, INVERT, Cover, permute
from ludens.compiler.native.machine_code import MachineCode
from ludens.compiler.native.schedule import ZERO_SLOT
from ludens.compiler.native.target import host_target
from ludens.compiler.native.truth_tables import has_fused_logic

_REGISTERS = 32
_NEVER = 1 << 62
_PINNED = -1
_MEMORY = -1
_ALL_INPUTS = 3
_SOON = 64
"""A value in memory that is used again within so many operations is loaded into a register."""
_VALUE_BYTES = 64

_LOAD, _STORE = 0x6F, 0x7F
_TWO_INPUTS = {0x88: 0xDB, 0xEE: 0xEB, 0x66: 0xEF, 0x22: 0xDF}
"""The instructions for AND, OR, XOR, and AND with the first input inverted, by truth table."""
_TERNARY = 0x25
_MAP_0F, _MAP_0F3A = 1, 3
_RETURN = bytes((0xC5, 0xF8, 0x77, 0xC3))  # vzeroupper, ret


def can_assemble() -> bool:
    """Whether this processor and system can run the emitted code."""
    is_known = platform.machine() in ("x86_64", "AMD64") and sys.platform != "win32"
    return is_known and has_fused_logic(host_target()) and _may_run_memory()


@cache
def _may_run_memory() -> bool:
    """Whether the system allows a process to run memory that it has written; hardened ones do not."""
    try:
        mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()
    except OSError:
        return False
    return True


class Assembled(NamedTuple):
    """Machine code that is not loaded yet."""

    code: bytes
    slots: int
    operations: int

    def load(self) -> MachineCode:
        """The code in executable memory."""
        memory = mmap.mmap(-1, len(self.code), prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        memory.write(self.code)
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        return MachineCode(address, self.slots, len(self.code), memory)


def assemble(found: Cover, inputs: Mapping[int, int], outputs: Sequence[tuple[int, int]]) -> Assembled:
    """The machine code of operations without loops; ``inputs`` and ``outputs`` as in a schedule."""
    writer = _Writer(found, inputs, outputs)
    return Assembled(writer.write(), writer.slots, len(found.operations))


def _encode(opcode: int, map_: int, register: int, first: int, operand: int, slot: int) -> bytes:
    """An instruction on 512-bit values: result (or what is stored), first input, second input.

    The second input is the register ``operand``, or, if that is negative, the value in a slot.
    """
    extended = 0x80 & ~register << 4 | 0x10 & ~register
    inputs = 0x84 | (~first & 0xF) << 3 | 0x01
    length = 0x40 | (0x08 if not first & 0x10 else 0)
    if operand < 0:
        head = bytes((0x62, extended | 0x60 | map_, inputs, length, opcode, 0x87 | (register & 7) << 3))
        return head + (slot * _VALUE_BYTES).to_bytes(4, "little", signed=True)
    extended |= (0x40 if not operand & 0x10 else 0) | (0x20 if not operand & 0x08 else 0)
    return bytes((0x62, extended | map_, inputs, length, opcode, 0xC0 | (register & 7) << 3 | operand & 7))


class _Writer:
    """Writes the instructions of operations in their order.

    A value is the number of its node. What is not an input gets a slot only when it must leave its register.
    """

    def __init__(self, found: Cover, inputs: Mapping[int, int], outputs: Sequence[tuple[int, int]]) -> None:
        self.operations = list(found.operations.values())
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
        self.held: list[int] = [0] * _REGISTERS
        """The value in each register that is not free."""
        self.needed = [_NEVER] * _REGISTERS
        """When the value in each register is needed next; `_NEVER` if the register is free."""
        self.code: list[bytes] = []

    def write(self) -> bytes:
        """The code of a function."""
        first_use, next_uses = self._uses()
        for value in self.slot_of:
            if value in self.outputs:
                self._load(value)
                self._write_outputs(value, self.register_of[value])
                self._expect(value, _NEVER)
        for number, (table, reads, result) in enumerate(self.operations):
            uses = next_uses[number]
            distant = self._distant_operand(number, reads, uses)
            for value in reads:
                if value in self.register_of:
                    self.needed[self.register_of[value]] = _PINNED
            for value in reads:
                if value != distant and value not in self.register_of:
                    self._load(value)
            register = self._compute(table, reads, uses, distant)
            for value, when in zip(reads, uses, strict=True):
                self._expect(value, when)
            self._keep(result, register, first_use[number])
        return b"".join((*self.code, _RETURN))

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

    def _distant_operand(self, number: int, reads: Sequence[int], next_uses: Sequence[int]) -> int | None:
        """The operand that the operation itself best reads from memory, since it is not needed again soon."""
        outside = [(when, value) for value, when in zip(reads, next_uses, strict=True) if value not in self.register_of]
        when, value = max(outside, default=(0, 0))
        return value if when >= number + _SOON else None

    def _compute(self, table: int, reads: Sequence[int], next_uses: Sequence[int], distant: int | None) -> int:
        """Write the operation; the register that holds its result."""
        places = list(range(len(reads)))
        if distant is not None:
            places.sort(key=lambda place: reads[place] == distant)
        if len(reads) == _ALL_INPUTS:
            return self._compute_three(table, reads, next_uses, places)
        if places == [1, 0]:
            table = permute(table, (0, 2, 1))
        dying = [value for place, value in enumerate(reads) if next_uses[place] == _NEVER and value != distant]
        first = self.register_of[reads[places[0]]] if len(reads) == 2 else None
        last, slot = self.register_of.get(reads[places[-1]], _MEMORY), self.slot_of.get(reads[places[-1]], ZERO_SLOT)
        result = self.register_of.pop(dying[0]) if dying else self._allocate()
        if table == COPY:
            self.code.append(_encode(_LOAD, _MAP_0F, result, 0, last, slot))
        elif first is not None and table in _TWO_INPUTS:
            self.code.append(_encode(_TWO_INPUTS[table], _MAP_0F, result, first, last, slot))
        else:
            # The table does not depend on the first input, which is whatever the register of the result holds.
            first = result if first is None else first
            self.code.append(_encode(_TERNARY, _MAP_0F3A, result, first, last, slot) + bytes((table,)))
        return result

    def _compute_three(self, table: int, reads: Sequence[int], next_uses: Sequence[int], places: list[int]) -> int:
        """Write an operation with three inputs: the result takes the register of one of them."""
        in_registers = [place for place in places if reads[place] in self.register_of]
        given = max(in_registers, key=lambda place: next_uses[place])
        places.remove(given)
        register = self.register_of[reads[given]]
        first = self.register_of[reads[places[0]]]
        last, slot = self.register_of.get(reads[places[1]], _MEMORY), self.slot_of.get(reads[places[1]], ZERO_SLOT)
        if next_uses[given] == _NEVER or reads[given] in self.slot_of:
            del self.register_of[reads[given]]
            result = register
        else:
            result = self._allocate()
            self.code.append(_encode(_LOAD, _MAP_0F, result, 0, register, 0))
        imm = permute(table, (given, *places))
        self.code.append(_encode(_TERNARY, _MAP_0F3A, result, first, last, slot) + bytes((imm,)))
        return result

    def _load(self, value: int) -> None:
        register = self._allocate()
        self.code.append(_encode(_LOAD, _MAP_0F, register, 0, _MEMORY, self.slot_of[value]))
        self.register_of[value] = register
        self.held[register] = value
        self.needed[register] = _PINNED

    def _store(self, register: int, slot: int) -> None:
        self.code.append(_encode(_STORE, _MAP_0F, register, 0, _MEMORY, slot))

    def _allocate(self) -> int:
        """A free register; the value that is needed latest makes room."""
        register = self.needed.index(max(self.needed))
        if self.needed[register] != _NEVER:
            value = self.held[register]
            if value not in self.slot_of:
                if not self.free:
                    self.free.append(self.slots)
                    self.slots += 1
                self.slot_of[value] = self.free.pop()
                self._store(register, self.slot_of[value])
            del self.register_of[value]
        self.needed[register] = _PINNED
        return register

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
                self.code.append(_encode(_TERNARY, _MAP_0F3A, inverse, inverse, register, 0) + bytes((INVERT,)))
                self._store(inverse, slot)
                self.needed[inverse] = _NEVER
            else:
                self._store(register, slot)
                if value not in self.slot_of:
                    self.slot_of[value] = slot
                    self.is_fixed.add(value)
