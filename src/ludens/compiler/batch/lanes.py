"""The lanes of compiled games: states as rows of bits, `LANES` to a block, computed by machine code."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludens.compiler.batch.array_writer import CircuitWriter
from ludens.compiler.batch.game import CircuitGame
from ludens.compiler.batch.lane_entry import FLUENT_SLOT
from ludens.compiler.batch.lane_kernel import lane_kernel
from ludens.compiler.batch.step_code import Step, StepCode
from ludens.compiler.batch.transpose import block_rows, flag_rows, lane_flags, padded, to_dense, to_lanes, to_rows
from ludens.core.array_plan import ArrayPlan
from ludens.core.batch_game import BatchGame, Flags, Lanes, Numbers, PackedBits, Playouts
from ludens.core.block import LANES, Words, row_array, seed_words


class CircuitLanes(Lanes):
    """States of a compiled game. Rows are transposed to lanes on demand."""

    def __init__(self, game: CircuitGame, size: int, seed: int | None) -> None:
        self._game = game
        self.size = size
        self.steps = game.batch_steps
        self._blocks = -(-size // LANES)
        self._fluents = block_rows(self._blocks, self.steps.fluent_rows)
        self._fluents[:] = self.steps.initial
        self._spare = block_rows(self._blocks, self.steps.fluent_rows)
        self._known_position: Words | None = None
        self.rng = block_rows(self._blocks, 2)
        self.rng[:] = seed_words(seed, self.rng.size).reshape(self.rng.shape)
        self._values: dict[Step, Words] = {}

    # Queries

    @property
    def terminal(self) -> Flags:
        """The lanes that are over (lanes,)."""
        return lane_flags(self._position[:, 0], self.size)

    @property
    def stuck(self) -> Flags:
        """The lanes that are not over although a role has no move, or chance no weights (lanes,)."""
        return lane_flags(self._position[:, 1], self.size)

    @property
    def goals(self) -> Numbers:
        """The goals of each lane's state (lanes, roles), as in `State.goals`."""
        rows = self._position[:, self.steps.first_goal : self.steps.first_legal]
        return to_lanes(rows, self.size).astype(np.int32)

    def legal(self, role: int) -> Flags:
        """The legal moves of a role (lanes, moves of the role); none where the lane is over."""
        return to_dense(self._legal_rows(role), self.size, len(self._game.move_texts[role]))

    def packed_legal(self, role: int) -> PackedBits:
        """The same, eight moves to the byte, the lowest bit first."""
        return to_lanes(self._legal_rows(role), self.size)

    @property
    def observation(self) -> Flags:
        """Which fluents are true (lanes, fluents)."""
        return to_dense(self._fluents, self.size, len(self._game.fluent_texts))

    @property
    def packed_states(self) -> PackedBits:
        """The same, eight fluents to the byte, the lowest bit first; `set_states` takes it back."""
        return to_lanes(self._fluents, self.size)[:, : self._game.packed_width]

    def fluent_flags(self, numbers: Sequence[int]) -> Flags:
        """Which of some fluents are true (lanes, numbers)."""
        return to_dense(self._rows_of(numbers), self.size, len(numbers))

    def packed_fluents(self, numbers: Sequence[int]) -> PackedBits:
        """The same, eight fluents to the byte, the lowest bit first."""
        return to_lanes(self._rows_of(numbers), self.size)

    def _rows_of(self, numbers: Sequence[int]) -> Words:
        rows = block_rows(self._blocks, padded(len(numbers)))
        rows[:, : len(numbers)] = self._fluents[:, numbers]
        return rows

    # Changes

    def random_moves(self) -> Numbers:
        """A legal move of each role (lanes, roles), drawn uniformly; -1 where it has none. Nothing is played yet."""
        chosen = block_rows(self._blocks, self.steps.choice.output_rows)
        self._compute(self.steps.choice, chosen)
        return to_lanes(chosen, self.size).view(np.int32)

    def restart(self, mask: Flags) -> None:
        """Put the lanes of a mask back to the initial state."""
        rows = flag_rows(mask, self._blocks)[:, None]
        self._fluents[:] = (self._fluents & ~rows) | (self.steps.initial & rows)
        self._known_position = None

    def set_packed(self, packed: PackedBits) -> None:
        """Set every lane to a packed state of its own."""
        to_rows(packed, self._fluents)
        self._known_position = None

    def playouts(self, most_moves: int) -> Playouts:
        """Play every lane to its end, each in the phase of the turn order that its state belongs to."""
        return self._play_out(most_moves, None)

    def playouts_with_last(self, most_moves: int) -> Playouts:
        """The same, block by block: the last fluents of a block are left in the memory of its playouts."""
        return self._play_out(most_moves, block_rows(self._blocks, self.steps.fluent_rows))

    def _play_out(self, most_moves: int, last: Words | None) -> Playouts:
        valid = flag_rows(np.ones(self.size, np.bool_), self._blocks)[:, None]
        steps = self.steps.playouts
        beginning = steps.beginning(self._fluents) & valid
        if not np.array_equal(np.bitwise_or.reduce(beginning, axis=1, keepdims=True), valid):
            steps, beginning = self.steps.playouts_from_anywhere, valid
        begins = block_rows(*beginning.shape[:2])
        begins[:] = beginning
        results = block_rows(self._blocks, self.steps.first_legal)
        code, values = self.prepare(steps.step)
        made = 0
        play_out = lane_kernel().play_out if last is None else lane_kernel().play_out_keeping
        each = self._blocks if last is None else 1
        for first in range(0, self._blocks, each):
            made += play_out(
                values.ctypes.data,
                code.address,
                len(code.entries),
                self.rng[first:].ctypes.data,
                self._fluents[first:].ctypes.data,
                begins[first:].ctypes.data,
                most_moves,
                results[first:].ctypes.data,
                each,
            )
            if last is not None:
                last[first] = values[FLUENT_SLOT : FLUENT_SLOT + self.steps.fluent_rows]
        steps.step.note_use(made // LANES)
        goals = to_lanes(results[:, self.steps.first_goal :], self.size).astype(np.int32)
        packed = None if last is None else to_lanes(last, self.size)[:, : self._game.packed_width]
        return Playouts(goals, lane_flags(results[:, 0], self.size), made, packed)

    def writer(self, game: BatchGame, plan: ArrayPlan) -> CircuitWriter:
        """Writes these lanes into arrays."""
        return CircuitWriter(self, game, plan)

    def copy(self) -> CircuitLanes:
        """The same states, which will make the same random moves."""
        return _restore(self._game, self.size, self._fluents, self.rng)

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self._game, self.size, self._fluents, self.rng)

    # Inside

    @property
    def rows(self) -> tuple[Words, Words]:
        """The rows of the fluents, and as many to write the next ones into."""
        return self._fluents, self._spare

    @property
    def _position(self) -> Words:
        if self._known_position is None:
            self._known_position = block_rows(self._blocks, self.steps.position.output_rows)
            self._compute(self.steps.position, self._known_position)
        return self._known_position

    def _legal_rows(self, role: int) -> Words:
        first = self.steps.first_legal + self.steps.first_moves[role]
        return self._position[:, first : first + padded(len(self._game.move_texts[role]))]

    def _compute(self, step: Step, outputs: Words) -> None:
        code, values = self.prepare(step)
        lane_kernel().compute(
            values.ctypes.data,
            code.address,
            self.rng.ctypes.data,
            self._fluents.ctypes.data,
            outputs.ctypes.data,
            self._blocks,
        )
        step.note_use(self._blocks)

    def prepare(self, step: Step) -> tuple[StepCode, Words]:
        """The best code of a step, and memory of the step's own, since rows that nothing is written to must stay zero.

        The caller keeps the code as long as it runs.
        """
        code = step.code
        values = self._values.get(step)
        if values is None or len(values) < code.slots:
            values = self._values[step] = row_array(code.slots)
        return code, values

    def _replacement(self, restart: bool) -> int | None:
        """The address of the rows that lanes continue with when they are over; None for their own."""
        return self.steps.initial.ctypes.data if restart else None

    def swap_buffers(self) -> None:
        """Continue with the next fluents, which were written into the other rows."""
        self._fluents, self._spare = self._spare, self._fluents
        self._known_position = None

    def advance_randomly(self, restart: bool) -> Flags:
        """Make a random joint move in every lane, unless one is stuck."""
        step = self.steps.random
        stuck = row_array(self._blocks)
        code, values = self.prepare(step)
        lane_kernel().advance_randomly(
            values.ctypes.data,
            code.address,
            self.rng.ctypes.data,
            self._fluents.ctypes.data,
            self._spare.ctypes.data,
            self._replacement(restart),
            stuck.ctypes.data,
            self._blocks,
        )
        step.note_use(self._blocks)
        found = lane_flags(stuck, self.size)
        if not found.any():
            self.swap_buffers()
        return found

    def advance(self, moves: Numbers, restart: bool) -> None:
        """Make a legal joint move in every lane."""
        step = self.steps.given if moves.shape[1] == len(self._game.roles) else self.steps.resolved
        offsets = np.array(self.steps.first_moves, np.int64)
        legal = self._position
        code, values = self.prepare(step)
        lane_kernel().advance_with(
            values.ctypes.data,
            code.address,
            self.rng.ctypes.data,
            self._fluents.ctypes.data,
            self._spare.ctypes.data,
            self._replacement(restart),
            legal.ctypes.data,
            legal.shape[1],
            moves.ctypes.data,
            offsets.ctypes.data,
            moves.shape[1],
            self.size,
        )
        step.note_use(self._blocks)
        self.swap_buffers()

    def first_illegal(self, moves: Numbers) -> tuple[int, int] | None:
        """Lane and role of the first move that is not legal."""
        roles = moves.shape[1]
        counts = np.array([len(own) for own in self._game.move_texts], np.int64)
        offsets = np.array(self.steps.first_moves, np.int64) + self.steps.first_legal
        legal = self._position
        bad = lane_kernel().find_illegal(
            legal.ctypes.data,
            legal.shape[1],
            moves.ctypes.data,
            offsets.ctypes.data,
            counts.ctypes.data,
            roles,
            self.size,
        )
        return None if bad < 0 else divmod(bad, roles)


def _restore(game: CircuitGame, size: int, fluents: Words, rng: Words) -> CircuitLanes:
    lanes = CircuitLanes(game, size, None)
    lanes._fluents[:] = fluents
    lanes.rng[:] = rng
    return lanes
