"""Rows to lanes and back: the bits of one value for all lanes, or all bits of one lane side by side.

The compiled game computes with rows, people and arrays want lanes. Eight rows of a block become one byte of each lane.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

from ludens.compiler.batch.lane_entry import every_word
from ludens.compiler.batch.lane_kernel import machine_code
from ludens.compiler.native.kernel import Words
from ludens.compiler.native.machine_code import make_once
from ludens.compiler.native.truth_tables import LANES, WORDS
from ludens.core.block import row_array

ROWS_PER_BYTE = 8
"""Every group of rows that is turned into lanes is filled up to a multiple of this."""

PackedBits = NDArray[np.uint8]
"""A row of bytes for each lane; bit n of a lane is bit ``n % 8`` of byte ``n // 8``."""

_BYTES_ACROSS = "<" + ", ".join(f"i32 {8 * (n % 8) + n // 8}" for n in range(64)) + ">"
"""Byte m of word n becomes byte n of word m."""

_EIGHT_OF_EACH = ["<" + ", ".join(f"i32 {8 * octet + n // 8}" for n in range(64)) + ">" for octet in range(8)]
"""For each eight lanes their bytes, eight times each."""
_BIT_OF_BYTE = "<" + ", ".join(f"i8 {1 << n % 8}" for n in range(64)) + ">"

_STRIDES = "\n".join(f"  %q{n + 1} = getelementptr i8, ptr %q{n}, i64 %stride" for n in range(63))
"""The places of a byte in each of 64 lanes."""
_LOAD_ROWS = "\n".join(
    f"""  %p{n} = getelementptr i64, ptr %first, i64 {n * WORDS}
  %r{n} = load i64, ptr %p{n}
  %v{n + 1} = insertelement <8 x i64> {"zeroinitializer" if n == 0 else f"%v{n}"}, i64 %r{n}, i32 {n}"""
    for n in range(8)
)
_STORE_ROWS = "\n".join(
    f"""  %r{n} = extractelement <8 x i64> %words, i32 {n}
  %p{n} = getelementptr i64, ptr %first, i64 {n * WORDS}
  store i64 %r{n}, ptr %p{n}"""
    for n in range(8)
)
_LOAD_LANES = "\n".join(
    f"""  %b{n} = load i8, ptr %q{n}
  %c{n} = getelementptr i8, ptr %buffer, i64 {n}
  store i8 %b{n}, ptr %c{n}"""
    for n in range(64)
)
_STORE_LANES = "\n".join(
    f"""  %o{n} = extractelement <8 x i64> %mirrored, i32 {n // 8}
  %h{n} = lshr i64 %o{n}, {8 * (n % 8)}
  %b{n} = trunc i64 %h{n} to i8
  store i8 %b{n}, ptr %q{n}"""
    for n in range(64)
)


_STORE_DENSE = "\n".join(
    f"""  %m{octet} = shufflevector <64 x i8> %packed, <64 x i8> zeroinitializer, <64 x i32> {_EIGHT_OF_EACH[octet]}
  %n{octet} = and <64 x i8> %m{octet}, {_BIT_OF_BYTE}
  %o{octet} = icmp ne <64 x i8> %n{octet}, zeroinitializer
  %t{octet} = zext <64 x i1> %o{octet} to <64 x i8>
  %u{octet} = bitcast <64 x i8> %t{octet} to <8 x i64>
"""
    + "\n".join(
        f"""  %w{octet}x{n} = extractelement <8 x i64> %u{octet}, i32 {n}
  store i64 %w{octet}x{n}, ptr %q{8 * octet + n}, align 1"""
        for n in range(8)
    )
    for octet in range(8)
)
"""A byte for each bit. What the last eight bytes of a lane have too much falls on the next lane, which is written
afterwards: groups of rows are handled from the last to the first, and lanes from the first to the last."""


def _function(name: str, bytes_a_group: int, body: str) -> str:
    """A function that does ``body`` for every eight rows and 64 lanes: the words of the rows are at ``%first`` and
    behind it, the bytes of the lanes at ``%q0`` to ``%q63``. The bytes of the same lanes follow each other in the inner
    loop, so that they are written while they are in the cache."""
    return f"""
define void @{name}(ptr %rows, i64 %height, i64 %groups, i64 %blocks, ptr %lanes, i64 %stride) {{
entry:
  %buffer = alloca [64 x i8], align 64
  br label %block
block:
  %i = phi i64 [0, %entry], [%i1, %blocked]
  %row = mul i64 %i, %height
  br label %word
word:
  %w = phi i64 [0, %block], [%w1, %worded]
  %lane0 = mul i64 %i, {LANES}
  %lane1 = mul i64 %w, 64
  %lane2 = add i64 %lane0, %lane1
  %offset = mul i64 %lane2, %stride
  %lane = getelementptr i8, ptr %lanes, i64 %offset
  br label %group
group:
  %g0 = phi i64 [%groups, %word], [%g, %group]
  %g = sub i64 %g0, 1
  %row8 = mul i64 %g, 8
  %row9 = add i64 %row, %row8
  %first = getelementptr [{WORDS} x i64], ptr %rows, i64 %row9, i64 %w
  %q0 = getelementptr [{bytes_a_group} x i8], ptr %lane, i64 %g
{_STRIDES}
{body}
  %gm = icmp ne i64 %g, 0
  br i1 %gm, label %group, label %worded
worded:
  %w1 = add i64 %w, 1
  %wm = icmp ult i64 %w1, {WORDS}
  br i1 %wm, label %word, label %blocked
blocked:
  %i1 = add i64 %i, 1
  %im = icmp ult i64 %i1, %blocks
  br i1 %im, label %block, label %end
end:
  ret void
}}
"""


_MIRROR_ROWS = f"""{_LOAD_ROWS}
  %bytes = bitcast <8 x i64> %v8 to <64 x i8>
  %across = shufflevector <64 x i8> %bytes, <64 x i8> zeroinitializer, <64 x i32> {_BYTES_ACROSS}
  %squares = bitcast <64 x i8> %across to <8 x i64>
  %mirrored = call <8 x i64> @mirror(<8 x i64> %squares)
"""
_TO_LANES = _function("to_lanes", 1, _MIRROR_ROWS + _STORE_LANES)
_TO_DENSE = _function(
    "to_dense", 8, f"{_MIRROR_ROWS}  %packed = bitcast <8 x i64> %mirrored to <64 x i8>\n{_STORE_DENSE}"
)
_TO_ROWS = _function(
    "to_rows",
    1,
    f"""{_LOAD_LANES}
  %squares = load <8 x i64>, ptr %buffer, align 64
  %mirrored = call <8 x i64> @mirror(<8 x i64> %squares)
  %bytes = bitcast <8 x i64> %mirrored to <64 x i8>
  %across = shufflevector <64 x i8> %bytes, <64 x i8> zeroinitializer, <64 x i32> {_BYTES_ACROSS}
  %words = bitcast <64 x i8> %across to <8 x i64>
{_STORE_ROWS}""",
)

_DELTA_SWAPS = ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0xF0F0F0F0))
"""Shifts and masks that mirror a square of 8 x 8 bits in three exchanges."""

_MIRROR = "".join(
    (
        "define internal <8 x i64> @mirror(<8 x i64> %x0) alwaysinline {\n",
        *(
            f"""  %s{n} = lshr <8 x i64> %x{n}, {every_word(shift)}
  %d{n} = xor <8 x i64> %x{n}, %s{n}
  %t{n} = and <8 x i64> %d{n}, {every_word(mask)}
  %l{n} = shl <8 x i64> %t{n}, {every_word(shift)}
  %y{n} = xor <8 x i64> %x{n}, %t{n}
  %x{n + 1} = xor <8 x i64> %y{n}, %l{n}
"""
            for n, (shift, mask) in enumerate(_DELTA_SWAPS)
        ),
        "  ret <8 x i64> %x3\n}\n",
    )
)


@dataclass(frozen=True)
class _TransposeKernel:
    """All functions take the rows, the rows from one block to the next, how many groups of eight rows to turn, the
    number of blocks, the lanes, and the bytes from one lane to the next."""

    to_lanes: ctypes._CFunctionType
    to_dense: ctypes._CFunctionType
    to_rows: ctypes._CFunctionType
    engine: llvm.ExecutionEngine
    """Owns the code."""


@make_once
def _transpose_kernel() -> _TransposeKernel:
    engine = machine_code(_MIRROR + _TO_LANES + _TO_DENSE + _TO_ROWS)
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    signature = ctypes.CFUNCTYPE(None, pointer, number, number, number, pointer, number)

    def function(name: str) -> ctypes._CFunctionType:
        return signature(engine.get_function_address(name))

    return _TransposeKernel(function("to_lanes"), function("to_dense"), function("to_rows"), engine)


def padded(rows: int) -> int:
    """So many rows, and as many more as a whole number of bytes needs."""
    return -(-rows // ROWS_PER_BYTE) * ROWS_PER_BYTE


def block_rows(blocks: int, rows: int) -> Words:
    """Zeroed rows for several blocks: (blocks, rows, words)."""
    return row_array(blocks * rows).reshape(blocks, rows, WORDS)


def to_lanes(rows: Words, lanes: int) -> PackedBits:
    """Rows (blocks, rows, words), a multiple of eight in each block, as packed bits (lanes, rows / 8)."""
    blocks, height, _ = rows.shape
    width = height // ROWS_PER_BYTE
    packed = np.empty((blocks * LANES, width), np.uint8)
    if width:
        _transpose_kernel().to_lanes(rows.ctypes.data, _block_height(rows), width, blocks, packed.ctypes.data, width)
    return packed[:lanes]


def to_dense(rows: Words, lanes: int, bits: int) -> NDArray[np.bool_]:
    """The first bits of rows (blocks, rows, words) as a truth value each (lanes, bits)."""
    blocks = len(rows)
    memory = np.empty(blocks * LANES * bits + ROWS_PER_BYTE, np.bool_)
    groups = -(-bits // ROWS_PER_BYTE)
    if groups:
        _transpose_kernel().to_dense(rows.ctypes.data, _block_height(rows), groups, blocks, memory.ctypes.data, bits)
    return memory[: lanes * bits].reshape(lanes, bits)


def to_rows(packed: PackedBits, rows: Words) -> None:
    """Write packed bits (lanes, rows / 8) into rows (blocks, rows, words); what is missing is zero."""
    blocks, height, _ = rows.shape
    width = height // ROWS_PER_BYTE
    filled = np.zeros((blocks * LANES, width), np.uint8)
    filled[: len(packed), : packed.shape[1]] = packed
    if width:
        _transpose_kernel().to_rows(rows.ctypes.data, _block_height(rows), width, blocks, filled.ctypes.data, width)


def _block_height(rows: Words) -> int:
    """Rows from one block to the next, of which the array may be a part."""
    return rows.strides[0] // rows.strides[1]


def lane_flags(row: Words, lanes: int) -> NDArray[np.bool_]:
    """One row of each block (blocks, words) as a flag for each lane."""
    bits = np.unpackbits(np.ascontiguousarray(row).view(np.uint8).reshape(-1), bitorder="little")
    return bits[:lanes].view(np.bool_)


def flag_rows(flags: NDArray[np.bool_], blocks: int) -> Words:
    """A flag for each lane as one row of each block (blocks, words)."""
    filled = np.zeros(blocks * LANES, np.bool_)
    filled[: len(flags)] = flags
    return np.packbits(filled, bitorder="little").view(np.uint64).reshape(blocks, WORDS)
