"""Registers for values: instructions as numbers, which an `InstructionSet` then encodes."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from ludens.compiler.native.cover import Cover
from ludens.compiler.native.instruction_set import InstructionSet
from ludens.compiler.native.lowering import lower
from ludens.compiler.native.schedule import ZERO_SLOT
from ludens.compiler.passes.library import ADDRESS, COUNT, allocating_function, function

CHUNK = 250
"""Operations in a chunk, where there are chunks: its second run finds its instructions in the cache. Code in chunks of
1,000 was 15 % slower for chess, as one chunk 35 %; chunks of 100 spend their time on loads and stores."""

_NOWHERE = -1
_COLUMNS = 6

_allocate_registers = allocating_function(
    "allocate_registers", None, ADDRESS, ADDRESS, COUNT, ADDRESS, COUNT, ADDRESS, COUNT, COUNT, ADDRESS
)
_free_code = function("free_code", None, ADDRESS)


class Kind(IntEnum):
    """What an instruction does, named like the methods of an `InstructionSet`."""

    LOAD = 0
    STORE = 1
    COPY = 2
    INVERT = 3
    COMPUTE_TWO = 4
    COMPUTE_THREE = 5
    END_CHUNK = 6


class _Processor(ctypes.Structure):
    _fields_ = (
        ("registers", ctypes.c_int64),
        ("soon", ctypes.c_int64),
        ("chunk", ctypes.c_int64),
        ("may_read_memory", ctypes.c_void_p),
    )


class _Code(ctypes.Structure):
    _fields_ = (("instructions", ctypes.c_void_p), ("count", ctypes.c_int64), ("slots", ctypes.c_int64))


class Instructions(NamedTuple):
    """Instructions on registers and slots."""

    rows: list[list[int]]
    """Of each instruction its kind, truth table, result, first and last input, and slot."""
    slots: int


def allocate_registers(
    found: Cover, inputs: Mapping[int, int], outputs: Sequence[tuple[int, int]], instructions: InstructionSet
) -> Instructions:
    """The instructions for operations without loops; ``inputs`` and ``outputs`` as in a schedule."""
    given = sorted((node >> 1, slot, (node >> 1 in found.inverted) != bool(node & 1)) for node, slot in outputs)
    ends = np.array(given, np.int32).reshape(len(given), 3)
    unused = 1 + max([0, *inputs, int(ends[:, 0].max(initial=0)), int(found.rows[:, 2:].max(initial=0))])
    rows = np.ascontiguousarray(lower(found.rows, instructions.programs, unused))
    slot_of = np.full(unused + len(rows), _NOWHERE, np.int32)
    slot_of[0] = ZERO_SLOT
    slot_of[list(inputs)] = list(inputs.values())
    slots = 1 + max([0, *inputs.values(), int(ends[:, 1].max(initial=0))])
    chunk = 1 + len(rows) if instructions.parts == 1 else CHUNK
    masks = bytes(
        sum(instructions.may_read_memory(table, place) << place for place in range(3)) for table in range(256)
    )
    memory = ctypes.create_string_buffer(masks, len(masks))
    processor = _Processor(instructions.registers, instructions.soon, chunk, ctypes.addressof(memory))
    code = _Code()
    _allocate_registers(
        ctypes.addressof(processor),
        rows.ctypes.data,
        len(rows),
        slot_of.ctypes.data,
        len(slot_of),
        ends.ctypes.data,
        len(ends),
        slots,
        ctypes.addressof(code),
    )
    words = ctypes.string_at(code.instructions, 4 * _COLUMNS * code.count)
    _free_code(ctypes.addressof(code))
    return Instructions(np.frombuffer(words, np.int32).reshape(code.count, _COLUMNS).tolist(), code.slots)
