"""Lanes of compiled games into arrays: one call of machine code (`source/arrays.cpp`) makes a step and writes it."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.batch.lane_kernel import lane_kernel
from ludens.compiler.batch.step_code import Step, StepCode
from ludens.compiler.batch.steps import BatchSteps
from ludens.compiler.batch.transpose import block_rows, lane_flags, padded
from ludens.compiler.native.bitcode import Library
from ludens.core.array_plan import Array, ArrayPlan, ArrayWriter, Fault, Form
from ludens.core.batch_game import BatchGame, Numbers
from ludens.core.block import LANES, Words

_WORD_BITS = 64
_POINTER, _INTEGER = ctypes.c_void_p, ctypes.c_int64
_FLUENTS, _SEEN, _PLAYED, _NOWHERE = range(4)
"""Where a column of bits comes from, as in ``arrays.cpp``."""
_FORMS: dict[Form, int] = {"flags": 0, "packed": 1, "floats": 2}
_SIGNED = 3
_STUCK = 1
"""The fault of a lane that is stuck, in what machine code returns; any other is a move that is refused."""


class _Piece(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        *((name, _INTEGER) for name in ("form", "square", "shift", "count")),
        ("target", _POINTER),
        ("stride", _INTEGER),
    ]


class _Table(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        *((name, _INTEGER) for name in ("square_count", "piece_count")),
        *((name, _POINTER) for name in ("places", "rows", "pieces", "over", "rewards", "illegal")),
    ]


class _Task(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        *((name, _POINTER) for name in ("run", "step", "position", "step_values", "position_values", "rng")),
        *((name, _POINTER) for name in ("fluents", "nexts", "seen", "initial", "initial_seen")),
        *((name, _INTEGER) for name in ("lanes", "roles", "restarts", "at_once")),
        *((name, _POINTER) for name in ("moves", "first_moves", "move_counts")),
        *((name, _INTEGER) for name in ("move_rows", "first_goal", "first_legal", "first_report")),
        *((name, _POINTER) for name in ("stuck", "refused")),
    ]


@cache
def _library() -> Library:
    return Library(files(__package__).joinpath("source", "arrays.bc").read_bytes())


@cache
def _functions() -> tuple[Any, Any]:
    library = _library()
    return (
        library.function("ludens_write", None, _POINTER, _POINTER),
        library.function("ludens_step", _INTEGER, _POINTER, _POINTER, _POINTER),
    )


class WritableLanes(Protocol):
    """What a writer needs of `CircuitLanes`."""

    size: int
    rng: Words
    steps: BatchSteps

    @property
    def rows(self) -> tuple[Words, Words]:
        """The rows of the fluents, and as many to write the next ones into."""

    def prepare(self, step: Step) -> tuple[StepCode, Words]:
        """The best code of a step, and its memory."""

    def swap_buffers(self) -> None:
        """Continue with the next fluents."""


@dataclass
class _Columns:
    """Bits that are written, in squares of 64 columns."""

    places: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    pieces: list[tuple[int, ...]] = field(default_factory=list)

    def add(self, form: int, place: int, rows: list[int], target: Array, offset: int = 0) -> None:
        """Bits of some rows for each lane, to an array (lanes, …) from so many bytes on; row -1 is always zero."""
        bits_of_a_byte, size = (8, 1) if form == _FORMS["packed"] else (1, target.itemsize)
        for first in range(0, len(rows), _WORD_BITS):
            part = rows[first : first + _WORD_BITS]
            if len(self.rows) % _WORD_BITS + padded(len(part)) > _WORD_BITS:
                self._fill(_WORD_BITS)
            square, shift = divmod(len(self.rows), _WORD_BITS)
            address = target.ctypes.data + offset + first * size // bits_of_a_byte
            self.pieces.append((form, square, shift, len(part), address, target.strides[0]))
            self.places += [_NOWHERE if row < 0 else place for row in part]
            self.rows += part
            self._fill(8)

    def _fill(self, unit: int) -> None:
        missing = -len(self.rows) % unit
        self.places += [_NOWHERE] * missing
        self.rows += [0] * missing

    def table(self) -> tuple[_Table, tuple[object, ...]]:
        """For machine code, and what must be kept as long as it is used. Squares go from the last to the first."""
        self._fill(_WORD_BITS)
        places, rows = np.array(self.places, np.int32), np.array(self.rows, np.int32)
        ordered = sorted(self.pieces, key=lambda piece: -piece[1])
        pieces = (_Piece * len(ordered))(*(_Piece(*piece) for piece in ordered))
        table = _Table(
            len(rows) // _WORD_BITS,
            len(ordered),
            places.ctypes.data,
            rows.ctypes.data,
            ctypes.addressof(pieces),
        )
        return table, (places, rows, pieces)


class CircuitWriter(ArrayWriter):
    """Writes the lanes of a compiled game."""

    def __init__(self, lanes: WritableLanes, game: BatchGame, plan: ArrayPlan) -> None:
        self._lanes, steps = lanes, lanes.steps
        self._plan = plan
        self._blocks, self._roles = -(-lanes.size // LANES), len(game.roles)
        self._seen = block_rows(1, steps.position.output_rows)
        self._stuck = block_rows(self._blocks, 1)
        self._refused = block_rows(self._blocks, self._roles)
        counts = np.array([len(own) for own in game.move_texts[: self._roles]], np.int64)
        first_moves = np.array(steps.first_moves[: self._roles], np.int64)
        self._kept: list[object] = [counts, first_moves, *lanes.rows]
        """What the structures for machine code point to."""
        self._task = _Task(
            run=lane_kernel().run,
            seen=self._seen.ctypes.data,
            initial=steps.initial.ctypes.data,
            initial_seen=self._initial_position().ctypes.data,
            rng=lanes.rng.ctypes.data,
            lanes=lanes.size,
            roles=self._roles,
            first_moves=first_moves.ctypes.data,
            move_counts=counts.ctypes.data,
            move_rows=steps.move_rows,
            first_goal=steps.first_goal,
            first_legal=steps.first_legal,
            first_report=steps.first_report,
            stuck=self._stuck.ctypes.data,
            refused=self._refused.ctypes.data,
        )
        self._addresses = {id(rows): rows.ctypes.data for rows in lanes.rows}
        """Where the two arrays of fluents are, which take turns."""
        self._position_code: StepCode | None = None
        self._step_code: StepCode | None = None
        self._position_values = self._step_values = self._seen
        self._task_address = ctypes.addressof(self._task)
        self._now_address = self._table(counts, is_step=False)
        self._after_address = self._table(counts, is_step=True)
        self._last_address = self._final_table()

    def _initial_position(self) -> Words:
        """What holds in the initial state, for a block."""
        steps, rows = self._lanes.steps, block_rows(1, self._lanes.steps.position.output_rows)
        code, values = self._lanes.prepare(steps.position)
        rng, initial = self._lanes.rng, steps.initial
        lane_kernel().compute(
            values.ctypes.data, code.address, rng.ctypes.data, initial.ctypes.data, rows.ctypes.data, 1
        )
        self._kept.append(rows)
        return rows

    def _table(self, counts: NDArray[np.int64], *, is_step: bool) -> int:
        memory, steps, columns = self._plan.memory, self._lanes.steps, _Columns()
        self._add_observations(columns, memory.observations)
        for role, mask in enumerate(memory.masks.values()):
            first = steps.first_legal + steps.first_moves[role]
            columns.add(_FORMS[self._plan.mask_form], _SEEN, list(range(first, first + int(counts[role]))), mask)
        if is_step:
            for role in range(self._roles):
                number = steps.first_number + steps.number_rows * role
                rows = list(range(number, number + steps.number_rows))
                columns.add(_SIGNED, _PLAYED, rows, memory.moves, 4 * role)
        table = self._keep(columns)
        table.over, table.rewards = memory.terminal.ctypes.data, memory.rewards.ctypes.data
        table.illegal = memory.illegal.ctypes.data if is_step else None
        return ctypes.addressof(table)

    def _final_table(self) -> int | None:
        if not self._plan.memory.final_observations:
            return None
        columns = _Columns()
        self._add_observations(columns, self._plan.memory.final_observations)
        return ctypes.addressof(self._keep(columns))

    def _add_observations(self, columns: _Columns, observations: Any) -> None:
        for name, target in observations.items():
            rows = self._plan.fluents[name].reshape(-1).tolist()
            columns.add(_FORMS[self._plan.observation_form], _FLUENTS, rows, target)

    def _keep(self, columns: _Columns) -> _Table:
        table, kept = columns.table()
        self._kept += [table, *kept]
        return table

    def write(self) -> None:
        """Write what holds now."""
        self._refresh(is_step=False)
        _functions()[0](self._task_address, self._now_address)

    def step(self, moves: Numbers | None, restart: bool, at_once: bool, replace: bool) -> Fault | None:
        """Make a joint move in every lane and write everything."""
        task = self._task
        self._refresh(is_step=True)
        task.moves = None if moves is None else moves.__array_interface__["data"][0]
        task.restarts, task.at_once = restart, at_once
        faults = _functions()[1](self._task_address, self._after_address, self._last_address)
        if faults & _STUCK or (faults and not replace):
            return self._fault(faults)
        self._lanes.swap_buffers()
        return None

    def _refresh(self, *, is_step: bool) -> None:
        """Set what changes from call to call: where the fluents are, and which code is best by now."""
        task, lanes, steps = self._task, self._lanes, self._lanes.steps
        fluents, nexts = lanes.rows
        task.fluents, task.nexts = self._addresses[id(fluents)], self._addresses[id(nexts)]
        steps.position.note_use(self._blocks)
        if steps.position.code is not self._position_code:
            self._position_code, self._position_values = lanes.prepare(steps.position)
            task.position, task.position_values = self._position_code.address, self._position_values.ctypes.data
        if not is_step:
            return
        steps.requested.note_use(self._blocks)
        if steps.requested.code is not self._step_code:
            self._step_code, self._step_values = lanes.prepare(steps.requested)
            task.step, task.step_values = self._step_code.address, self._step_values.ctypes.data

    def _fault(self, faults: int) -> Fault:
        size = self._lanes.size
        if faults & _STUCK:
            return Fault(int(np.flatnonzero(lane_flags(self._stuck[:, 0], size))[0]))
        refused = np.stack([lane_flags(self._refused[:, role], size) for role in range(self._roles)], axis=1)
        lane, role = divmod(int(np.flatnonzero(refused)[0]), self._roles)
        return Fault(lane, role)
