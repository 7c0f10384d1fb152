"""How machine code of batches finds what a game computes: one structure, and how LLVM's assembly reads it."""

from __future__ import annotations

import ctypes

from ludens.compiler.native.truth_tables import WORDS

FLUENT_SLOT = 1
"""The slot of the first fluent in every step."""
STEP = "{ptr, ptr, i64, i64, i64, i64, i64, i64}"
"""A `StepEntry` in LLVM's assembly."""
ROW_BYTES = 8 * WORDS
"""Bytes of one bit for each lane of a block."""


class StepEntry(ctypes.Structure):
    """A computation on one block: how to evaluate it, and where it reads and writes."""

    _fields_ = (
        ("evaluate", ctypes.c_void_p),
        ("segments", ctypes.c_void_p),
        ("segment_count", ctypes.c_int64),
        ("fluents", ctypes.c_int64),
        ("choices", ctypes.c_int64),
        ("random_bits", ctypes.c_int64),
        ("outputs", ctypes.c_int64),
        ("output_rows", ctypes.c_int64),
    )


def every_word(constant: int) -> str:
    """A vector constant: the same number in every word."""
    return "<" + ", ".join([f"i64 {constant}"] * WORDS) + ">"


def fields(*numbers: int) -> str:
    """Loads of fields of ``%step``, a `StepEntry`: ``%f<number>``."""
    return "".join(
        f"  %e{n} = getelementptr {STEP}, ptr %step, i64 0, i32 {n}\n"
        f"  %f{n} = load {'ptr' if n < 2 else 'i64'}, ptr %e{n}\n"
        for n in numbers
    )
