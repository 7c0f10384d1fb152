"""Steps of batches as code: on the interpreter at first, as straight-line code once they turn out to be used much.

Compiling takes longer than most uses of a batch, so it begins in the background when a step has been evaluated for
about half a second. Both forms compute the same, and a batch takes what is best whenever it calls.
"""

from __future__ import annotations

import ctypes
import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ludens.compiler.circuit import Loop
from ludens.compiler.code import StraightLine, compile_straight_line
from ludens.compiler.gates import Gates
from ludens.compiler.kernel import kernel
from ludens.compiler.lanes import StepEntry
from ludens.compiler.objects import in_threads
from ludens.compiler.schedule import Schedule, schedule
from ludens.compiler.segments import SegmentEntry, segment_table
from ludens.compiler.tiers import STRAIGHT_LINE_OPERATIONS

HOT_OPERATIONS = 400_000_000
"""After so many operations on the interpreter, a step is compiled."""

_log = logging.getLogger("ludens.compiler")


@dataclass(frozen=True)
class StepGates:
    """The gates of a step, with the slots of what they read and write."""

    gates: Gates
    inputs: Mapping[int, int]
    outputs: Sequence[tuple[int, int]]
    loops: tuple[Loop, ...]
    fluents: int
    """Rows of fluents."""
    first_choice: int
    random_bits: int
    first_output: int
    output_rows: int

    def schedule(self, *, in_runs: bool) -> Schedule:
        """The order of their evaluation."""
        return schedule(self.gates, self.inputs, self.outputs, self.loops, in_runs=in_runs)

    @property
    def output_slots(self) -> range:
        """The slots that are read afterwards."""
        return range(self.first_output, self.first_output + self.output_rows)


@dataclass(frozen=True)
class StepCode:
    """A step as the machine code of batches calls it."""

    entries: ctypes.Array[StepEntry]
    """One for each phase."""
    slots: int
    """How many values an evaluation keeps at once."""
    owners: tuple[object, ...]
    """What the entries point to."""

    @property
    def address(self) -> int:
        """Of the first entry."""
        return ctypes.addressof(self.entries)


class Step:
    """A computation on blocks of lanes, in one phase or several that share a layout."""

    def __init__(self, phases: Sequence[StepGates], growing: threading.RLock) -> None:
        self.output_rows = phases[0].output_rows
        """Rows that it computes for each block."""
        self._phases = phases
        self._growing = growing
        """Held by threads that make the gates grow, or must not see them do so."""
        plans = [phase.schedule(in_runs=True) for phase in phases]
        tables = [segment_table(plan) for plan in plans]
        addresses = [kernel().evaluate_address] * len(phases)
        self.code = StepCode(_entries(phases, addresses, tables), max(plan.slots for plan in plans), (*plans, *tables))
        """The best code that there is so far."""
        self.operations = sum(plan.operations for plan in plans) // len(plans)
        """Operations for one block on the interpreter, on average over the phases."""
        self._tables = tables
        self._left = HOT_OPERATIONS
        """Operations until it is worth compiling; nothing is counted any more below zero."""

    def note_use(self, blocks: int) -> None:
        """Take note that the step has been evaluated for so many blocks."""
        if self._left < 0 or self.operations > STRAIGHT_LINE_OPERATIONS:
            return
        self._left -= blocks * self.operations
        if self._left < 0:
            threading.Thread(target=self._try_to_compile, name="ludens-compiler", daemon=True).start()

    def compile(self) -> None:
        """Compile straight-line code, and use it from now on. Raises `CodeError`."""
        with self._growing:
            plans = [phase.schedule(in_runs=False) for phase in self._phases]
        outputs = self._phases[0].output_slots
        code: list[StraightLine] = in_threads(lambda plan: compile_straight_line(plan, outputs), plans)
        entries = _entries(self._phases, [phase.address for phase in code], self._tables)
        self.code = StepCode(entries, max(phase.slots for phase in code), (*code, *self._tables))

    def _try_to_compile(self) -> None:
        try:
            self.compile()
        except Exception as error:  # whatever it is, the interpreter can do without
            _log.warning("a batch stays on the interpreter: %s", str(error) or type(error).__name__)


def _entries(
    phases: Sequence[StepGates], addresses: Sequence[int], tables: Sequence[ctypes.Array[SegmentEntry]]
) -> ctypes.Array[StepEntry]:
    rows = zip(phases, addresses, tables, strict=True)
    return (StepEntry * len(phases))(
        *(
            StepEntry(
                address,
                ctypes.addressof(table),
                len(table),
                phase.fluents,
                phase.first_choice,
                phase.random_bits,
                phase.first_output,
                phase.output_rows,
            )
            for phase, address, table in rows
        )
    )
