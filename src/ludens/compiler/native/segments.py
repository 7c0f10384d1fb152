"""Schedules and phases as the kernel reads them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from ludens.compiler.native.machine_code import MachineCode
from ludens.compiler.native.schedule import Schedule


class SegmentEntry(ctypes.Structure):
    """A segment of a schedule."""

    _fields_ = (
        ("operations", ctypes.c_void_p),
        ("runs", ctypes.c_void_p),
        ("run_count", ctypes.c_int64),
        ("feedback", ctypes.c_void_p),
        ("feedback_count", ctypes.c_int64),
    )


class PhaseEntry(ctypes.Structure):
    """A phase of a turn order: the function that evaluates it, and its segments."""

    _fields_ = (
        ("evaluate", ctypes.c_void_p),
        ("segments", ctypes.c_void_p),
        ("segment_count", ctypes.c_int64),
    )


def segment_table(plan: Schedule) -> ctypes.Array[SegmentEntry]:
    """The segments as the kernel reads them; the schedule owns the arrays that they point to."""
    table = (SegmentEntry * len(plan.segments))()
    for entry, segment in zip(table, plan.segments, strict=True):
        entry.operations = segment.operations.ctypes.data
        entry.runs = segment.runs.ctypes.data
        entry.run_count = len(segment.runs)
        entry.feedback = segment.feedback.ctypes.data
        entry.feedback_count = len(segment.feedback)
    return table


def phase_table(code: Sequence[MachineCode]) -> ctypes.Array[PhaseEntry]:
    """The phases as the kernel reads them; the caller keeps their code."""
    return (PhaseEntry * len(code))(*(PhaseEntry(*phase.call) for phase in code))
