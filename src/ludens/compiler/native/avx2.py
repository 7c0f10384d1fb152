"""AVX2: a register holds half of a value, and there are instructions for four functions of two of them."""

from __future__ import annotations

from functools import cache

from ludens.compiler.native.avx512 import RETURN, VALUE_BYTES
from ludens.compiler.native.instruction_set import MEMORY
from ludens.compiler.native.logic_programs import AVX2_PROGRAMS

_AND, _OR, _XOR, _AND_NOT = 0x88, 0xEE, 0x66, 0x22
_OPCODES = {_AND: 0xDB, _OR: 0xEB, _XOR: 0xEF, _AND_NOT: 0xDF}
"""By truth table; the last one inverts its first input."""
_LOAD, _STORE, _EQUAL = 0x6F, 0x7F, 0x76

_OTHER_HALF = bytes((0x48, 0x83, 0xF7, 0x20))  # xor rdi, 32
_IS_SECOND = bytes((0x40, 0xF6, 0xC7, 0x20))  # test dil, 32
_JUMP_IF_SO = bytes((0x0F, 0x85))  # jnz
_JUMP_BYTES = 6


class Avx2:
    """Instructions on 256-bit registers. The values are aligned, so the address of a second half is odd in its way."""

    registers = 16
    parts = 2
    programs = AVX2_PROGRAMS
    max_readers = 1
    soon = 64

    def may_read_memory(self, table: int, place: int) -> bool:
        """All but what is inverted."""
        return table != _AND_NOT or place == 1

    def load(self, register: int, slot: int) -> bytes:
        """Vmovdqa."""
        return _encode(_LOAD, register, 0, MEMORY, slot)

    def store(self, register: int, slot: int) -> bytes:
        """Vmovdqa."""
        return _encode(_STORE, register, 0, MEMORY, slot)

    def copy(self, result: int, source: int) -> bytes:
        """Vmovdqa."""
        return _encode(_LOAD, result, 0, source, 0)

    def invert(self, result: int, source: int, slot: int) -> bytes:
        """Vpcmpeqd of the result with itself, which makes it all ones, and vpxor."""
        return _encode(_EQUAL, result, result, result, 0) + _encode(_OPCODES[_XOR], result, result, source, slot)

    def compute_two(self, table: int, result: int, first: int, last: int, slot: int) -> bytes:
        """Vpand, vpor, vpxor or vpandn."""
        if last >= 8 > first and table != _AND_NOT:
            first, last = last, first  # a byte shorter
        return _encode(_OPCODES[table], result, first, last, slot)

    def compute_three(self, table: int, result: int, first: int, last: int, slot: int) -> bytes:
        """There is none."""
        raise NotImplementedError

    def chunk(self, body: bytes) -> bytes:
        """The body in a loop that runs twice."""
        loop = body + _OTHER_HALF + _IS_SECOND
        return loop + _JUMP_IF_SO + (-len(loop) - _JUMP_BYTES).to_bytes(4, "little", signed=True)

    def function(self, chunks: bytes) -> bytes:
        """The chunks, then a return."""
        return chunks + RETURN


def _encode(opcode: int, register: int, first: int, operand: int, slot: int) -> bytes:
    """An instruction: result (or what is stored), first input, second input, which may be `MEMORY`."""
    head = _head(opcode, register, first, operand)
    return head if operand >= 0 else head + (slot * VALUE_BYTES).to_bytes(4, "little", signed=True)


@cache
def _head(opcode: int, register: int, first: int, operand: int) -> bytes:
    """The instruction up to the address."""
    high = 0x80 if register < 8 else 0
    inputs = (~first & 0xF) << 3 | 0x05
    place = 0x87 if operand < 0 else 0xC0 | operand & 7
    end = bytes((opcode, place | (register & 7) << 3))
    if operand < 8:
        return bytes((0xC5, high | inputs)) + end
    return bytes((0xC4, high | 0x41, inputs)) + end
