"""NEON, of 64-bit ARM processors: a register holds a quarter of a value; functions of two, and a choice between two."""

from __future__ import annotations

from functools import cache

from ludens.compiler.native.logic_programs import NEON_PROGRAMS

_VALUE_BYTES = 64
_PART_BYTES = 16

_TWO_INPUTS = {0x88: 0x4E201C00, 0xEE: 0x4EA01C00, 0x66: 0x6E201C00, 0x22: 0x4E601C00, 0xBB: 0x4EE01C00}
"""AND, ORR, EOR, BIC and ORN by truth table; all are written with the last input first, since BIC and ORN invert their
second one."""
_BSL, _BIT, _BIF = 0x6E601C00, 0x6EA01C00, 0x6EE01C00
_CHOICES = {
    0xCA: (_BSL, False),
    0xAC: (_BSL, True),
    0xD8: (_BIT, False),
    0xB8: (_BIT, True),
    0xE4: (_BIF, False),
    0xE2: (_BIF, True),
}
"""The instructions for a choice between two inputs by a third, and whether the last input comes first."""
_NOT, _LOAD, _STORE = 0x6E205800, 0x3DC00000, 0x3D800000

_WINDOW_BITS = 16
"""An instruction reaches so many bits of an address beyond its base register."""
_BASES = range(1, 18)
"""General registers that the code may change; x0 has the address of the values."""
_MOVE_WIDE, _ADD = 0xD2A00000, 0x8B000000

_SAVE = (0x6DBC27E8, 0x6D012FEA, 0x6D0237EC, 0x6D033FEE)  # stp d8, d9, [sp, #-64]! and so on
_RESTORE = (0x6D412FEA, 0x6D4237EC, 0x6D433FEE, 0x6CC427E8)  # ldp d10, d11, [sp, #16] … ldp d8, d9, [sp], #64
_NEXT_PART, _IS_NOT_LAST = 0x91004000, 0xF27C041F  # add x0, x0, #16; tst x0, #48
_JUMP_IF_SO, _FIRST_PART = 0x54000001, 0xD1010000  # b.ne; sub x0, x0, #64
_RETURN = 0xD65F03C0


class Neon:
    """Instructions on 128-bit registers. The values are aligned, so that an address shows its part."""

    registers = 32
    parts = 4
    programs = NEON_PROGRAMS
    max_readers = 1
    soon = 64

    def __init__(self) -> None:
        self._base_of: dict[int, int] = {}
        """General registers with the addresses of windows of memory, in the order in which they were set."""

    def may_read_memory(self, table: int, place: int) -> bool:
        """Only registers."""
        return False

    def load(self, register: int, slot: int) -> bytes:
        """LDR."""
        return self._access(_LOAD, register, slot)

    def store(self, register: int, slot: int) -> bytes:
        """STR."""
        return self._access(_STORE, register, slot)

    def copy(self, result: int, source: int) -> bytes:
        """ORR of a value with itself."""
        return _word(_TWO_INPUTS[0xEE] | source << 16 | source << 5 | result)

    def invert(self, result: int, source: int, slot: int) -> bytes:
        """NOT."""
        return _word(_NOT | source << 5 | result)

    def compute_two(self, table: int, result: int, first: int, last: int, slot: int) -> bytes:
        """AND, ORR, EOR, BIC or ORN."""
        return _word(_TWO_INPUTS[table] | first << 16 | last << 5 | result)

    def compute_three(self, table: int, result: int, first: int, last: int, slot: int) -> bytes:
        """BSL, BIT or BIF."""
        instruction, is_swapped = _CHOICES[table]
        if is_swapped:
            first, last = last, first
        return _word(instruction | last << 16 | first << 5 | result)

    def chunk(self, body: bytes) -> bytes:
        """The body in a loop that runs four times."""
        self._base_of.clear()
        loop = body + _word(_NEXT_PART) + _word(_IS_NOT_LAST)
        return loop + _word(_JUMP_IF_SO | (-len(loop) // 4 & 0x7FFFF) << 5) + _word(_FIRST_PART)

    def function(self, chunks: bytes) -> bytes:
        """The chunks, while the registers that belong to the caller are on the stack."""
        return b"".join((*map(_word, _SAVE), chunks, *map(_word, _RESTORE), _word(_RETURN)))

    def _access(self, instruction: int, register: int, slot: int) -> bytes:
        """LDR or STR, after instructions for the base register if that is not set in this chunk."""
        window, offset = divmod(slot * _VALUE_BYTES, 1 << _WINDOW_BITS)
        access = instruction | offset // _PART_BYTES << 10 | register
        if not window:
            return _word(access)
        if window in self._base_of:
            return _word(access | self._base_of[window] << 5)
        if len(self._base_of) < len(_BASES):
            base = _BASES[len(self._base_of)]
        else:
            base = self._base_of.pop(next(iter(self._base_of)))
        self._base_of[window] = base
        set_base = _word(_MOVE_WIDE | window << 5 | base) + _word(_ADD | base << 16 | base)
        return set_base + _word(access | base << 5)


@cache
def _word(instruction: int) -> bytes:
    return instruction.to_bytes(4, "little")
