"""Gates with their input and output slots, and the ways to run them."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ludens.compiler.circuit.circuit import Loop
from ludens.compiler.circuit.collector import collector_at_rest
from ludens.compiler.circuit.gates import Gates
from ludens.compiler.native.assembly import Assembled, assemble, host_instructions
from ludens.compiler.native.cover import MAX_READERS, Cover, cover
from ludens.compiler.native.instruction_set import InstructionSet
from ludens.compiler.native.kernel import interpreter
from ludens.compiler.native.llvm_code import compile_straight_line
from ludens.compiler.native.machine_code import MachineCode
from ludens.compiler.native.object_code import in_threads
from ludens.compiler.native.schedule import Schedule, schedule
from ludens.compiler.native.segments import segment_table
from ludens.compiler.native.target import Target, host_target

COMPILED_OPERATIONS = 40_000
"""The most operations for which LLVM compiles straight-line code; beyond, it takes longer than it is worth."""


@dataclass(frozen=True, eq=False)
class Computation:
    """A computation on values in slots."""

    gates: Gates
    inputs: Mapping[int, int]
    """The slots of input nodes."""
    outputs: Sequence[tuple[int, int]]
    """Literals, and the slots that hold them in the end."""
    loops: tuple[Loop, ...]

    @cached_property
    def cover(self) -> Cover:
        """Its operations."""
        return self._find_cover()

    def _find_cover(self) -> Cover:
        updates = [literal for loop in self.loops for literal in loop.updates]
        max_readers = MAX_READERS if self._instructions is None else self._instructions.max_readers
        return cover(self.gates, [*(literal for literal, _ in self.outputs), *updates], max_readers)

    @cached_property
    def operations(self) -> int:
        """The number of operations in one evaluation, each loop counted once."""
        return len(self.cover.rows)

    @property
    def is_assembled(self) -> bool:
        """Whether machine code can be emitted directly, which takes no longer than a schedule."""
        return self._instructions is not None

    @property
    def _instructions(self) -> InstructionSet | None:
        """The instructions to emit; None if a compiler has to."""
        return None if self.loops else host_instructions()

    @property
    def is_compiled(self) -> bool:
        """Whether straight-line code is worth its compile time."""
        return self.is_assembled or self.operations <= COMPILED_OPERATIONS

    @collector_at_rest()
    def schedule(self, *, in_runs: bool) -> Schedule:
        """The order of its operations, for the interpreter or for a compiler."""
        return schedule(self.cover, self.inputs, self.outputs, self.loops, in_runs=in_runs)

    def interpreted(self) -> MachineCode:
        """The interpreter with the schedule of this computation."""
        return interpret(self.schedule(in_runs=True))

    def machine_code(self) -> MachineCode:
        """Straight-line machine code. Raises `CodeError`."""
        return self._load(self._assemble()) if self.is_assembled else self.compiled(host_target())

    @collector_at_rest()
    def _assemble(self) -> Assembled:
        instructions = self._instructions
        assert instructions is not None
        # Not `self.cover`, which would stay cached.
        return assemble(self._find_cover(), self.inputs, self.outputs, instructions)

    def _load(self, code: Assembled) -> MachineCode:
        vars(self)["operations"] = code.operations
        return code.load()

    def compiled(self, target: Target) -> MachineCode:
        """Straight-line machine code by LLVM. Raises `CodeError`."""
        return compile_straight_line(self.schedule(in_runs=False), self.output_slots, target)

    @property
    def output_slots(self) -> range:
        """The slots that are read afterwards, and perhaps others between them."""
        slots = [slot for _, slot in self.outputs]
        return range(min(slots), max(slots) + 1)


def interpret(plan: Schedule) -> MachineCode:
    """The interpreter with a schedule."""
    table = segment_table(plan)
    return MachineCode(interpreter().address, plan.slots, 0, (plan, table), ctypes.addressof(table), len(table))


def machine_code_of(computations: Sequence[Computation]) -> list[MachineCode]:
    """Straight-line machine code of several computations, by LLVM in parallel. Raises `CodeError`."""
    if all(computation.is_assembled for computation in computations):
        return [computation.machine_code() for computation in computations]
    return in_threads(Computation.machine_code, computations)
