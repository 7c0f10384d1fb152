"""Stage 7: random playouts, `LANES` at a time.

One step of the playout circuit takes every lane from its fluents to its next ones: legal moves, a random one for each
role, what follows from them. Lanes that are over are counted and begin again: their next state is the initial one.
"""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass
from random import Random

import numpy as np

from ludens.compiler.circuit import Circuit
from ludens.compiler.code import GameCode, compile_playouts
from ludens.compiler.kernel import LANES, WORDS, aligned_values, kernel
from ludens.compiler.schedule import Schedule, schedule
from ludens.compiler.segments import segment_table
from ludens.compiler.select import RANDOM_BITS, choose_uniformly


@dataclass(frozen=True, slots=True)
class PlayoutStatistics:
    """What many random playouts came to."""

    states: int
    """Joint moves that were made."""
    playouts: int
    """Matches that ended."""
    goal_sums: tuple[float, ...]
    """The sum of the goals of all ended matches, for each role."""


@dataclass(frozen=True)
class PlayoutProgram:
    """The playout circuit of a game, scheduled, with the places of its inputs and outputs."""

    circuit: Circuit
    schedule: Schedule
    fluents: int
    """The slot of the first fluent; the others follow."""
    nexts: int
    random: int
    random_bits: int
    tallied: int
    """The slot of ``terminal``; those of the goals follow."""


def straight_line_code(program: PlayoutProgram) -> GameCode:
    """The playout loop of a game as straight-line machine code."""
    outputs = range(program.nexts, program.tallied + 1 + len(program.circuit.goals))
    return compile_playouts(program.schedule, outputs)


def playout_program(circuit: Circuit) -> PlayoutProgram:
    """The circuit of one step of a random playout."""
    gates = circuit.gates
    aliases: dict[int, int] = {}
    random_nodes: list[int] = []
    for moves in circuit.moves:
        random = [gates.new_input() for _ in range(RANDOM_BITS)] if len(moves) > 1 else []
        random_nodes += [literal >> 1 for literal in random]
        chosen = choose_uniformly(gates, [legal for _, _, legal in moves], random) if moves else []
        aliases.update((does >> 1, literal) for (_, does, _), literal in zip(moves, chosen, strict=True))
    width = len(circuit.fluents)
    fluents = 1
    random_slot = fluents + width
    nexts = random_slot + len(random_nodes)
    tallied = nexts + width
    inputs = {literal >> 1: fluents + n for n, literal in enumerate(circuit.fluent_inputs)}
    inputs |= {node: random_slot + n for n, node in enumerate(random_nodes)}
    outputs = [(circuit.terminal, tallied)]
    outputs += [(gates.both(goal.literal, circuit.terminal), tallied + 1 + n) for n, goal in enumerate(circuit.goals)]
    for n, (literal, initial) in enumerate(zip(circuit.next, circuit.initial, strict=True)):
        again = gates.either(literal, circuit.terminal) if initial else gates.both(literal, circuit.terminal ^ 1)
        outputs.append((again, nexts + n))
    plan = schedule(gates, inputs, outputs, aliases, circuit.loops)
    return PlayoutProgram(circuit, plan, fluents, nexts, random_slot, len(random_nodes), tallied)


class PlayoutMachine:
    """Runs playouts of one game on one thread."""

    def __init__(self, program: PlayoutProgram, seed: int, code: GameCode | None = None) -> None:
        self._program = program
        self._code = code or kernel()
        self._values = aligned_values(program.schedule.slots)
        self._sums = aligned_values(1 + len(program.circuit.goals))
        self._rng = aligned_values(1)
        rng = Random(seed)
        self._rng[0] = [rng.randrange(1, 2**64) for _ in range(WORDS)]
        self._segments = segment_table(program.schedule)
        for n, initial in enumerate(program.circuit.initial):
            self._values[program.fluents + n] = np.uint64(2**64 - 1) if initial else np.uint64(0)

    def run(self, seconds: float) -> PlayoutStatistics:
        """Play for about so many seconds, at least one joint move in every lane."""
        self._sums[:] = 0
        steps, portion = 0, 1
        started = time.perf_counter()
        while not steps or time.perf_counter() - started < seconds:
            self._steps(portion)
            steps += portion
            spent = time.perf_counter() - started
            portion = max(1, min(2 * portion, int((seconds - spent) * steps / spent)))
        return self._statistics(steps)

    def run_steps(self, count: int) -> PlayoutStatistics:
        """Play exactly so many joint moves in every lane; the same seed gives the same result."""
        self._sums[:] = 0
        self._steps(count)
        return self._statistics(count)

    def _steps(self, count: int) -> None:
        program = self._program
        self._code.play(
            self._values.ctypes.data,
            ctypes.addressof(self._segments),
            len(program.schedule.segments),
            self._rng.ctypes.data,
            program.random,
            program.random_bits,
            self._sums.ctypes.data,
            program.tallied,
            len(self._sums),
            program.fluents,
            program.nexts,
            len(program.circuit.fluents),
            count,
        )

    def _statistics(self, steps: int) -> PlayoutStatistics:
        ended, *goal_counts = (int(row.sum()) for row in self._sums)
        sums = [0.0] * len(self._program.circuit.roles)
        for goal, count in zip(self._program.circuit.goals, goal_counts, strict=True):
            sums[goal.role] += goal.value * count
        return PlayoutStatistics(steps * LANES - ended, ended, tuple(sums))
