"""Compiled games for machine code: the functions of the lane kernel with the steps of the game."""

from __future__ import annotations

import ctypes

import numpy as np

from ludens.compiler.batch.lane_entry import FLUENT_SLOT
from ludens.compiler.batch.lane_kernel import lane_kernel
from ludens.compiler.batch.step_code import Step
from ludens.compiler.batch.steps import BatchSteps, PlayoutSteps
from ludens.compiler.batch.transpose import block_rows
from ludens.core.block import (
    BlockCode,
    BlockFunction,
    BlockFunctions,
    BlockLayout,
    BlockPhases,
    Words,
    row_array,
    seed_words,
)


class CircuitBlockCode(BlockCode):
    """The steps of a circuit as functions; steps that are used much are compiled meanwhile."""

    first_fluent = FLUENT_SLOT

    def __init__(self, steps: BatchSteps, seed: int, *, notes_moves: bool = False) -> None:
        self._steps = steps
        self._in_turns = steps.playouts_with_moves if notes_moves else steps.playouts
        self._notes_moves = notes_moves
        self.layout = BlockLayout(
            steps.fluent_rows, tuple(steps.first_moves), steps.move_rows, steps.first_goal, steps.first_legal
        )
        self.rng = block_rows(1, 2)[0]
        self.rng[:] = seed_words(seed, self.rng.size).reshape(self.rng.shape)
        self._memory: dict[Step, tuple[object, Words]] = {}
        self._play_by(self._in_turns)

    def _play_by(self, playouts: PlayoutSteps) -> None:
        self._playouts = playouts
        self.first_made = playouts.first_made
        present = (playouts.absent[:, :, 0] == 0).astype(np.uint64)
        self.phases = BlockPhases(np.array(playouts.known, np.int64), present)

    def begin_at(self, state: Words) -> None:
        """Positions that people made up may be in no phase of the turn order."""
        playouts = self._in_turns
        present = playouts.absent[:, :, 0] == 0
        known = np.array([bool(int(state[n // 64]) >> n % 64 & 1) for n in playouts.known], np.bool_)
        in_some_phase = (present == known).all(axis=1).any()
        if not in_some_phase:
            steps = self._steps
            playouts = steps.playouts_with_moves_from_anywhere if self._notes_moves else steps.playouts_from_anywhere
        self._play_by(playouts)

    def functions(self) -> BlockFunctions:
        """The best code that there is by now."""
        kernel = lane_kernel()
        return BlockFunctions(
            position=self._function(kernel.compute, self._steps.position),
            advance=self._function(kernel.advance_with, self._steps.resolved),
            play_out=self._function(kernel.play_out, self._playouts.step),
        )

    def _function(self, function: ctypes._CFunctionType, step: Step) -> BlockFunction:
        """A step's code, which is kept alive here, and memory of its own."""
        code = step.code
        known, values = self._memory.get(step, (None, None))
        if known is not code or values is None:
            values = row_array(code.slots)
            self._memory[step] = code, values
        return BlockFunction(ctypes.cast(function, ctypes.c_void_p).value or 0, code.address, values)

    def note_use(self, rounds: int, playout_moves: int) -> None:
        """Count the use of each step."""
        self._steps.resolved.note_use(rounds)
        self._steps.position.note_use(rounds)
        self._playouts.step.note_use(playout_moves)
