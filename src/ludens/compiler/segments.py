"""Schedules as the kernel reads them."""

from __future__ import annotations

import ctypes

from ludens.compiler.schedule import Schedule


class _SegmentEntry(ctypes.Structure):
    _fields_ = (
        ("operations", ctypes.c_void_p),
        ("runs", ctypes.c_void_p),
        ("run_count", ctypes.c_int64),
        ("feedback", ctypes.c_void_p),
        ("feedback_count", ctypes.c_int64),
    )


def segment_table(plan: Schedule) -> ctypes.Array[_SegmentEntry]:
    """The segments as the kernel reads them; the schedule owns the arrays that they point to."""
    table = (_SegmentEntry * len(plan.segments))()
    for entry, segment in zip(table, plan.segments, strict=True):
        entry.operations = segment.operations.ctypes.data
        entry.runs = segment.runs.ctypes.data
        entry.run_count = len(segment.runs)
        entry.feedback = segment.feedback.ctypes.data
        entry.feedback_count = len(segment.feedback)
    return table
