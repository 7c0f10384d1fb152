"""Stage 7: random playouts, `LANES` at a time.

One step takes every lane from its fluents to its next ones: legal moves, a random one for each role, what follows from
them. All lanes are in the same phase of the turn order. A lane that is over is counted and then waits, marked as idle,
until the last phase, after which it begins again with the initial state.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np

from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.draw import DrawnCircuit, Possible, draw
from ludens.compiler.circuit.gates import FALSE
from ludens.compiler.circuit.turns import turn_order, without_percepts
from ludens.compiler.native.computation import Computation, machine_code_of
from ludens.compiler.native.kernel import Words, play_loop
from ludens.compiler.native.machine_code import MachineCode
from ludens.compiler.native.segments import phase_table
from ludens.compiler.native.truth_tables import LANES, WORDS
from ludens.core.block import row_array


@dataclass(frozen=True, slots=True)
class PlayoutStatistics:
    """Statistics of many random playouts."""

    states: int
    """Joint moves made."""
    playouts: int
    """Matches that ended."""
    goal_sums: tuple[float, ...]
    """The sum of the goals of all ended matches, for each role."""

    def __add__(self, other: PlayoutStatistics) -> PlayoutStatistics:
        sums = tuple(mine + others for mine, others in zip(self.goal_sums, other.goal_sums, strict=True))
        return PlayoutStatistics(self.states + other.states, self.playouts + other.playouts, sums)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where inputs and outputs are, the same in all phases. The fluents are followed by the idle mark."""

    fluents: int
    width: int
    """Fluents and idle mark."""
    random: int
    random_bits: int
    nexts: int
    tallied: int
    """Lanes that make no move, lanes that end here, and for these each goal."""
    tallies: int


@dataclass(frozen=True)
class PlayoutProgram:
    """The steps of a game's playouts, one for each phase of the turn order."""

    circuit: Circuit
    steps: tuple[Computation, ...]
    possible: tuple[Possible, ...]
    """The moves that are chosen from, in each phase."""
    layout: _Layout

    @property
    def operations(self) -> int:
        """Operations for one step, on average over the phases."""
        return sum(step.operations for step in self.steps) // len(self.steps)

    @property
    def is_assembled(self) -> bool:
        """Whether machine code is emitted directly, so that the interpreter is not needed."""
        return all(step.is_assembled for step in self.steps)

    @property
    def is_compiled(self) -> bool:
        """Whether machine code is worth its compile time."""
        return all(step.is_compiled for step in self.steps)

    @cached_property
    def interpreted(self) -> tuple[MachineCode, ...]:
        """The steps as the interpreter runs them."""
        return tuple(step.interpreted() for step in self.steps)

    def machine_code(self) -> list[MachineCode]:
        """The steps as machine code, made in parallel. Raises `CodeError`."""
        return machine_code_of(self.steps)


def playout_program(circuit: Circuit) -> PlayoutProgram:
    """One step of a random playout, for each phase of the turn order."""
    circuit = without_percepts(circuit)
    return _program(circuit, [draw(circuit, known) for known in turn_order(circuit)])


def improved_program(program: PlayoutProgram, phases: Iterable[Circuit]) -> PlayoutProgram:
    """The program with better circuits for its phases (`ludens.compiler.circuit.invariants`).

    The same seed gives the same playouts, and values are in the same places.
    """
    pairs = zip(phases, program.possible, strict=True)
    return _program(program.circuit, [draw(circuit, {}, possible) for circuit, possible in pairs])


def _program(circuit: Circuit, phases: Sequence[DrawnCircuit]) -> PlayoutProgram:
    width = len(circuit.fluents) + 1
    bits = max(len(drawn.random) for drawn in phases)
    fluents = 1
    random = fluents + width
    nexts = random + bits
    layout = _Layout(fluents, width, random, bits, nexts, nexts + width, 2 + len(circuit.goals))
    steps = [_step(drawn, layout, is_last=number == len(phases) - 1) for number, drawn in enumerate(phases)]
    return PlayoutProgram(circuit, tuple(steps), tuple(drawn.possible for drawn in phases), layout)


def _step(drawn: DrawnCircuit, layout: _Layout, *, is_last: bool) -> Computation:
    circuit, gates = drawn.circuit, drawn.circuit.gates
    idle = gates.new_input()
    over = gates.either(circuit.terminal, idle)
    ending = gates.both(circuit.terminal, idle ^ 1)
    outputs = [(over, layout.tallied), (ending, layout.tallied + 1)]
    outputs += [(gates.both(goal.literal, ending), layout.tallied + 2 + n) for n, goal in enumerate(circuit.goals)]
    for n, (literal, initial) in enumerate(zip(circuit.next, circuit.initial, strict=True)):
        after = literal
        if is_last:
            after = gates.either(literal, over) if initial else gates.both(literal, over ^ 1)
        outputs.append((after, layout.nexts + n))
    outputs.append((FALSE if is_last else over, layout.nexts + layout.width - 1))
    inputs = {
        literal >> 1: layout.fluents + n for n, literal in enumerate((*circuit.fluent_inputs, idle)) if literal >> 1
    }
    inputs |= {literal >> 1: layout.random + n for n, literal in enumerate(drawn.random)}
    return Computation(gates, inputs, outputs, circuit.loops)


class PlayoutMachine:
    """Runs playouts of one game on one thread."""

    def __init__(self, program: PlayoutProgram, seed: int, code: Sequence[MachineCode] = ()) -> None:
        self._program = program
        self._sums = row_array(program.layout.tallies)
        self._rng = row_array(1)
        rng = Random(seed)
        self._rng[0] = [rng.randrange(1, 2**64) for _ in range(WORDS)]
        self._values = row_array(program.layout.random)
        for n, initial in enumerate(program.circuit.initial):
            self._values[program.layout.fluents + n] = np.uint64(2**64 - 1) if initial else np.uint64(0)
        self.adopt(code or program.interpreted)

    def adopt(self, code: Sequence[MachineCode]) -> None:
        """Continue with other code of the same program, from the current states of the lanes."""
        slots = max(step.slots for step in code)
        if slots > len(self._values):
            values = row_array(slots)
            values[: len(self._values)] = self._values
            self._values = values
        self._phases = phase_table(code)
        self._code = code

    def run(self, seconds: float) -> PlayoutStatistics:
        """Play for about so many seconds, at least one round of the turn order."""
        self._sums[:] = 0
        rounds, portion = 0, 1
        started = time.perf_counter()
        while not rounds or time.perf_counter() - started < seconds:
            self._play(portion)
            rounds += portion
            spent = time.perf_counter() - started
            portion = max(1, min(2 * portion, int((seconds - spent) * rounds / spent)))
        return self._statistics(rounds)

    def run_rounds(self, count: int) -> PlayoutStatistics:
        """Play exactly so many rounds of the turn order; the same seed gives the same result."""
        self._sums[:] = 0
        self._play(count)
        return self._statistics(count)

    @property
    def fluents(self) -> Words:
        """The fluents of all lanes now, a row for each fluent; all are states of the first phase."""
        layout = self._program.layout
        return self._values[layout.fluents : layout.fluents + layout.width - 1].copy()

    def _play(self, rounds: int) -> None:
        layout = self._program.layout
        play_loop().play(
            self._values.ctypes.data,
            ctypes.addressof(self._phases),
            len(self._phases),
            self._rng.ctypes.data,
            layout.random,
            layout.random_bits,
            self._sums.ctypes.data,
            layout.tallied,
            layout.tallies,
            layout.fluents,
            layout.nexts,
            layout.width,
            rounds,
        )

    def _statistics(self, rounds: int) -> PlayoutStatistics:
        idle, ended, *goal_counts = (int(row.sum()) for row in self._sums)
        circuit = self._program.circuit
        sums = [0.0] * circuit.players
        for goal, count in zip(circuit.goals, goal_counts, strict=True):
            sums[goal.role] += goal.value * count
        return PlayoutStatistics(rounds * len(self._phases) * LANES - idle, ended, tuple(sums))
