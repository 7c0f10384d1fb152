"""Steps of batches as code: on the interpreter at first, as straight-line code once they are used often.

Compiling takes longer than most uses of a batch, so it begins in the background when a step has been evaluated for
about half a second. Both forms compute the same, and a batch takes what is best whenever it calls.
"""

from __future__ import annotations

import ctypes
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from ludens.compiler.batch.lane_entry import StepEntry
from ludens.compiler.native.computation import Computation, machine_code_of
from ludens.compiler.native.machine_code import MachineCode

HOT_OPERATIONS = 400_000_000
"""Operations on the interpreter after which a step is compiled."""

_log = logging.getLogger("ludens.compiler")


@dataclass(frozen=True, eq=False)
class StepGates(Computation):
    """The gates of a step, with the layout that the machine code of batches needs."""

    fluents: int
    """Rows of fluents."""
    first_choice: int
    random_bits: int
    first_output: int
    output_rows: int


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

    def __init__(
        self, phases: Sequence[StepGates], code: Sequence[MachineCode] = (), operations: int | None = None
    ) -> None:
        """A step of some gates; made again with the code that another process has made of them, and without them."""
        self.output_rows = phases[0].output_rows
        """Rows that it computes for each block."""
        self.phases = phases
        """The gates of each phase."""
        is_assembled = all(phase.is_assembled for phase in phases)
        if not code:
            code = machine_code_of(phases) if is_assembled else [phase.interpreted() for phase in phases]
        self.code = self._with(code)
        """The best code so far."""
        self.operations = operations if operations is not None else sum(p.operations for p in phases) // len(phases)
        """Operations for one block, on average over the phases."""
        self._left = -1 if is_assembled else HOT_OPERATIONS
        """Operations until it is compiled; not counted below zero."""

    def note_use(self, blocks: int) -> None:
        """Record that the step was evaluated for so many blocks."""
        if self._left < 0 or not all(phase.is_compiled for phase in self.phases):
            return
        self._left -= blocks * self.operations
        if self._left < 0:
            threading.Thread(target=self._try_to_compile, name="ludens-compiler", daemon=True).start()

    def compile(self) -> None:
        """Compile straight-line code, and use it from now on. Raises `CodeError`."""
        self.code = self._with(machine_code_of(self.phases))

    def _with(self, code: Sequence[MachineCode]) -> StepCode:
        return StepCode(_entries(self.phases, code), max(phase.slots for phase in code), tuple(code))

    def _try_to_compile(self) -> None:
        try:
            self.compile()
        except Exception as error:  # the interpreter works without the code
            _log.warning("a batch stays on the interpreter: %s", str(error) or type(error).__name__)


def _entries(phases: Sequence[StepGates], code: Sequence[MachineCode]) -> ctypes.Array[StepEntry]:
    return (StepEntry * len(phases))(
        *(
            StepEntry(
                *own.call, phase.fluents, phase.first_choice, phase.random_bits, phase.first_output, phase.output_rows
            )
            for phase, own in zip(phases, code, strict=True)
        )
    )
