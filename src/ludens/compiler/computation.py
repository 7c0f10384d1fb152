"""Gates with the slots of what they read and write, and the ways to run them."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ludens.compiler.assembly import assemble, can_assemble
from ludens.compiler.circuit import Loop
from ludens.compiler.code import compile_straight_line
from ludens.compiler.collector import collector_at_rest
from ludens.compiler.cover import Cover, cover
from ludens.compiler.gates import Gates
from ludens.compiler.kernel import kernel
from ludens.compiler.machine_code import MachineCode
from ludens.compiler.schedule import Schedule, schedule
from ludens.compiler.segments import segment_table
from ludens.compiler.target import Target, host_target

COMPILED_OPERATIONS = 40_000
"""Up to so many operations LLVM compiles straight-line code; beyond, it takes longer than it is worth."""


@dataclass(frozen=True, eq=False)
class Computation:
    """What is computed from the values in some slots, and where the results go."""

    gates: Gates
    inputs: Mapping[int, int]
    """The slots of input nodes."""
    outputs: Sequence[tuple[int, int]]
    """Literals, and the slots that hold them in the end."""
    loops: tuple[Loop, ...]

    @cached_property
    def cover(self) -> Cover:
        """Its operations."""
        updates = [literal for loop in self.loops for literal in loop.updates]
        return cover(self.gates, [*(literal for literal, _ in self.outputs), *updates])

    @cached_property
    def operations(self) -> int:
        """The number of operations in one evaluation, each loop counted once."""
        return len(self.cover.operations)

    @property
    def is_assembled(self) -> bool:
        """Whether machine code can be written without a compiler, which takes no longer than a schedule."""
        return not self.loops and can_assemble()

    @property
    def is_compiled(self) -> bool:
        """Whether straight-line code is worth its time."""
        return self.is_assembled or self.operations <= COMPILED_OPERATIONS

    @collector_at_rest()
    def schedule(self, *, in_runs: bool) -> Schedule:
        """The order of its operations, for the interpreter or for a compiler."""
        return schedule(self.cover, self.inputs, self.outputs, self.loops, in_runs=in_runs)

    def interpreted(self) -> MachineCode:
        """The interpreter with the schedule of this computation."""
        plan = self.schedule(in_runs=True)
        table = segment_table(plan)
        address = kernel().evaluate_address
        return MachineCode(address, plan.slots, 0, (plan, table), ctypes.addressof(table), len(table))

    @collector_at_rest()
    def machine_code(self) -> MachineCode:
        """Straight-line machine code. Raises `CodeError`."""
        if self.is_assembled:
            # Not `self.cover`, which would be kept: a hundred megabytes for a large game.
            found = cover(self.gates, [literal for literal, _ in self.outputs])
            vars(self)["operations"] = len(found.operations)
            return assemble(found, self.inputs, self.outputs)
        return self.compiled(host_target())

    def compiled(self, target: Target) -> MachineCode:
        """Straight-line machine code by LLVM. Raises `CodeError`."""
        return compile_straight_line(self.schedule(in_runs=False), self.output_slots, target)

    @property
    def output_slots(self) -> range:
        """The slots that are read afterwards, and perhaps others between them."""
        slots = [slot for _, slot in self.outputs]
        return range(min(slots), max(slots) + 1)
