"""AVX-512: a register holds a value, and one instruction computes any function of three of them."""

from __future__ import annotations

from functools import cache

from ludens.compiler.native.cover import INVERT, MAX_READERS
from ludens.compiler.native.instruction_set import MEMORY
from ludens.compiler.native.lowering import Programs

VALUE_BYTES = 64
RETURN = bytes((0xC5, 0xF8, 0x77, 0xC3))  # vzeroupper, ret

_LOAD, _STORE = 0x6F, 0x7F
_TWO_INPUTS = {0x88: 0xDB, 0xEE: 0xEB, 0x66: 0xEF, 0x22: 0xDF}
"""The instructions for AND, OR, XOR, and AND with the first input inverted, by truth table."""
_PROGRAMS: Programs = {}
"""Every function has an instruction."""
_TERNARY = 0x25
_MAP_0F, _MAP_0F3A = 1, 3


class Avx512:
    """Instructions on 512-bit registers."""

    registers = 32
    parts = 1
    programs = _PROGRAMS
    max_readers = MAX_READERS
    soon = 64

    def may_read_memory(self, table: int, place: int) -> bool:
        """All of them may."""
        return True

    def load(self, register: int, slot: int) -> bytes:
        """Vmovdqa64."""
        return _encode(_LOAD, _MAP_0F, register, 0, MEMORY, slot)

    def store(self, register: int, slot: int) -> bytes:
        """Vmovdqa64."""
        return _encode(_STORE, _MAP_0F, register, 0, MEMORY, slot)

    def copy(self, result: int, source: int) -> bytes:
        """Vmovdqa64."""
        return _encode(_LOAD, _MAP_0F, result, 0, source, 0)

    def invert(self, result: int, source: int, slot: int) -> bytes:
        """Vpternlogq; the inputs that the table ignores are whatever the register of the result holds."""
        return _encode(_TERNARY, _MAP_0F3A, result, result, source, slot) + bytes((INVERT,))

    def compute_two(self, table: int, result: int, first: int, last: int, slot: int) -> bytes:
        """One of those for two inputs, or vpternlogq."""
        if table in _TWO_INPUTS:
            return _encode(_TWO_INPUTS[table], _MAP_0F, result, first, last, slot)
        return self.compute_three(table, result, first, last, slot)

    def compute_three(self, table: int, result: int, first: int, last: int, slot: int) -> bytes:
        """Vpternlogq."""
        return _encode(_TERNARY, _MAP_0F3A, result, first, last, slot) + bytes((table,))

    def chunk(self, body: bytes) -> bytes:
        """The body as it is."""
        return body

    def function(self, chunks: bytes) -> bytes:
        """The chunks, then a return."""
        return chunks + RETURN


def _encode(opcode: int, map_: int, register: int, first: int, operand: int, slot: int) -> bytes:
    """An instruction: result (or what is stored), first input, second input, which may be `MEMORY`."""
    head = _head(opcode, map_, register, first, operand)
    return head if operand >= 0 else head + (slot * VALUE_BYTES).to_bytes(4, "little", signed=True)


@cache
def _head(opcode: int, map_: int, register: int, first: int, operand: int) -> bytes:
    """The instruction up to the address."""
    extended = 0x80 & ~register << 4 | 0x10 & ~register
    inputs = 0x84 | (~first & 0xF) << 3 | 0x01
    length = 0x40 | (0x08 if not first & 0x10 else 0)
    if operand < 0:
        return bytes((0x62, extended | 0x60 | map_, inputs, length, opcode, 0x87 | (register & 7) << 3))
    extended |= (0x40 if not operand & 0x10 else 0) | (0x20 if not operand & 0x08 else 0)
    return bytes((0x62, extended | map_, inputs, length, opcode, 0xC0 | (register & 7) << 3 | operand & 7))
