"""Stage 7: random playouts, `LANES` at a time.

One step takes every lane from its fluents to its next ones: legal moves, a random one for each role, what follows from
them. All lanes are in the same phase of the turn order. A lane that is over is counted and then waits, marked as idle,
until the last phase, after which it begins again with the initial state.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from ludens.compiler.circuit import Circuit, Loop
from ludens.compiler.code import StraightLine, compile_straight_line
from ludens.compiler.gates import FALSE, INPUT, Gates
from ludens.compiler.kernel import Words, aligned_values, kernel
from ludens.compiler.logic import LANES, WORDS
from ludens.compiler.objects import in_threads
from ludens.compiler.schedule import Schedule, schedule
from ludens.compiler.segments import phase_table, segment_table
from ludens.compiler.select import RANDOM_BITS, choose_uniformly
from ludens.compiler.translate import Translation
from ludens.compiler.turns import turn_phases
from ludens.gdl.terms import Term


@dataclass(frozen=True, slots=True)
class PlayoutStatistics:
    """What many random playouts came to."""

    states: int
    """Joint moves that were made."""
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

    @property
    def outputs(self) -> range:
        return range(self.nexts, self.tallied + self.tallies)


@dataclass(frozen=True)
class _Step:
    """The gates of one step in one phase, with the places of what they read and write."""

    gates: Gates
    inputs: dict[int, int]
    outputs: list[tuple[int, int]]
    loops: tuple[Loop, ...]

    def schedule(self, *, in_runs: bool) -> Schedule:
        return schedule(self.gates, self.inputs, self.outputs, self.loops, in_runs=in_runs)


@dataclass(frozen=True)
class PlayoutProgram:
    """The phases of a game's playouts, scheduled for the interpreter."""

    circuit: Circuit
    steps: tuple[_Step, ...]
    phases: tuple[Schedule, ...]
    layout: _Layout

    @property
    def operations(self) -> int:
        """Operations for one step, on average over the phases."""
        return sum(phase.operations for phase in self.phases) // len(self.phases)


def playout_program(circuit: Circuit, phases: Sequence[Circuit] = ()) -> PlayoutProgram:
    """The circuits of one step of a random playout, for each phase of the turn order.

    ``phases`` are better circuits for them (`ludens.compiler.invariants`) than `turn_phases` has. The same seed gives
    the same playouts with and without.
    """
    circuits = turn_phases(circuit)
    width = len(circuit.fluents) + 1
    bits = RANDOM_BITS * max(len(_choosing(phase)) for phase in circuits)
    fluents = 1
    random = fluents + width
    nexts = random + bits
    layout = _Layout(fluents, width, random, bits, nexts, nexts + width, 2 + len(circuit.goals))
    last = len(circuits) - 1
    steps = tuple(
        _step(phase, layout, [_possible(moves) for moves in plain.moves], is_last=number == last)
        for number, (phase, plain) in enumerate(zip(phases or circuits, circuits, strict=True))
    )
    return PlayoutProgram(circuit, steps, tuple(step.schedule(in_runs=True) for step in steps), layout)


def _possible(moves: Sequence[tuple[Term, int, int]]) -> list[int]:
    """The moves, by number, that may be legal."""
    return [n for n, (_, _, literal) in enumerate(moves) if literal != FALSE]


def _choosing(circuit: Circuit) -> list[int]:
    """The roles that may have a choice."""
    return [role for role, moves in enumerate(circuit.moves) if len(_possible(moves)) > 1]


def _step(circuit: Circuit, layout: _Layout, possible_moves: Sequence[Sequence[int]], *, is_last: bool) -> _Step:
    copy = Translation(circuit, {})
    gates = copy.gates
    fluents = copy.literals(circuit.fluent_inputs)
    random_inputs = [gates.new_input() for possible in possible_moves if len(possible) > 1 for _ in range(RANDOM_BITS)]
    left = list(random_inputs)
    for moves, possible in zip(circuit.moves, possible_moves, strict=True):
        legal = copy.literals(literal for _, _, literal in moves)
        chosen = [legal[n] for n in possible]
        if len(possible) > 1:
            chosen = choose_uniformly(gates, chosen, left[:RANDOM_BITS])
            del left[:RANDOM_BITS]
        copy.literal_of.update((does >> 1, FALSE) for _, does, _ in moves)
        copy.literal_of.update((moves[n][1] >> 1, literal) for n, literal in zip(possible, chosen, strict=True))
    idle = gates.new_input()
    terminal = copy.literal(circuit.terminal)
    over = gates.either(terminal, idle)
    ending = gates.both(terminal, idle ^ 1)
    outputs = [(over, layout.tallied), (ending, layout.tallied + 1)]
    for n, goal in enumerate(circuit.goals):
        outputs.append((gates.both(copy.literal(goal.literal), ending), layout.tallied + 2 + n))
    for n, (literal, initial) in enumerate(zip(copy.literals(circuit.next), circuit.initial, strict=True)):
        after = literal
        if is_last:
            after = gates.either(literal, over) if initial else gates.both(literal, over ^ 1)
        outputs.append((after, layout.nexts + n))
    outputs.append((FALSE if is_last else over, layout.nexts + layout.width - 1))
    inputs = {
        literal >> 1: layout.fluents + n
        for n, literal in enumerate((*fluents, idle))
        if literal >> 1 and gates.left[literal >> 1] == INPUT
    }
    inputs |= {literal >> 1: layout.random + n for n, literal in enumerate(random_inputs)}
    return _Step(gates, inputs, outputs, copy.loops())


def straight_line_code(program: PlayoutProgram) -> list[StraightLine]:
    """Every phase of a program as straight-line machine code, compiled side by side. Raises `CodeError`."""
    plans = [step.schedule(in_runs=False) for step in program.steps]
    return in_threads(lambda plan: compile_straight_line(plan, program.layout.outputs), plans)


class PlayoutMachine:
    """Runs playouts of one game on one thread."""

    def __init__(self, program: PlayoutProgram, seed: int, code: Sequence[StraightLine] = ()) -> None:
        self._program = program
        self._values = aligned_values(max(phase.slots for phase in program.phases))
        self._sums = aligned_values(program.layout.tallies)
        self._rng = aligned_values(1)
        rng = Random(seed)
        self._rng[0] = [rng.randrange(1, 2**64) for _ in range(WORDS)]
        self._tables = [segment_table(phase) for phase in program.phases]
        self._code: Sequence[StraightLine] = ()
        self._phases = phase_table(self._tables, [kernel().evaluate_address] * len(program.phases))
        for n, initial in enumerate(program.circuit.initial):
            self._values[program.layout.fluents + n] = np.uint64(2**64 - 1) if initial else np.uint64(0)
        if code:
            self.adopt(code)

    def adopt(self, code: Sequence[StraightLine]) -> None:
        """Go on with straight-line code of the same program, from the states that the lanes are in."""
        slots = max(phase.slots for phase in code)
        if slots > len(self._values):
            values = aligned_values(slots)
            values[: len(self._values)] = self._values
            self._values = values
        self._code = code
        self._phases = phase_table(self._tables, [phase.address for phase in code])

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
        kernel().play(
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
        sums = [0.0] * len(circuit.roles)
        for goal, count in zip(circuit.goals, goal_counts, strict=True):
            sums[goal.role] += goal.value * count
        return PlayoutStatistics(rounds * len(self._phases) * LANES - idle, ended, tuple(sums))
