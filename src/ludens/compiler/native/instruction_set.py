"""What the emitter of machine code needs to know about a processor: its registers, and the bytes of instructions."""

from __future__ import annotations

from typing import Protocol

from ludens.compiler.native.lowering import Programs

MEMORY = -1
"""In place of a register: the operand is the value in a slot."""


class InstructionSet(Protocol):
    """Logical instructions on registers that hold a value, or a part of it.

    If a register holds a part, the code consists of chunks, each of which runs once for each part.
    """

    @property
    def registers(self) -> int:
        """How many there are."""

    @property
    def parts(self) -> int:
        """How many registers hold one value."""

    @property
    def programs(self) -> Programs:
        """What to do instead of operations for which there is no instruction."""

    @property
    def max_readers(self) -> int:
        """Into how many operations a gate may disappear (`ludens.compiler.native.cover`)."""

    @property
    def soon(self) -> int:
        """A value in memory that is used again within so many operations is loaded into a register."""

    def may_read_memory(self, table: int, place: int) -> bool:
        """Whether an operation can read its input at this place from memory; the last one then is that input."""

    def load(self, register: int, slot: int) -> bytes:
        """The register becomes the value in the slot."""

    def store(self, register: int, slot: int) -> bytes:
        """The slot gets the value in the register."""

    def copy(self, result: int, source: int) -> bytes:
        """A register gets the value of another."""

    def invert(self, result: int, source: int, slot: int) -> bytes:
        """A register gets the inverted value of another one, or of the slot."""

    def compute_two(self, table: int, result: int, first: int, last: int, slot: int) -> bytes:
        """A function of the first input and the last, which is a register or the value in the slot."""

    def compute_three(self, table: int, result: int, first: int, last: int, slot: int) -> bytes:
        """A function of the result's register, the first input, and the last, as before."""

    def chunk(self, body: bytes) -> bytes:
        """A body that runs for each part of the values; the next one may rely on no register."""

    def function(self, chunks: bytes) -> bytes:
        """A function whose only argument that matters is the address of the values."""
