"""Measures the speed of random playouts, and the time until they reach it."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from operator import add
from random import Random

from ludens.compiler.batch.playout import PlayoutStatistics, playout_program
from ludens.compiler.batch.tiers import TieredMachine, TieredPlayouts
from ludens.compiler.compile import compile_rules
from ludens.compiler.cxx.native import NativeGame, Packed
from ludens.compiler.cxx.state import CxxGame
from ludens.core import GameError, State, random_joint_move
from ludens.gdl.interpreter.game import InterpretedGame
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.rules import RuleSheet
from ludens.gdl.write import kif

INTERPRETERS: Mapping[str, type[ReferenceGame]] = {"interpreter": InterpretedGame, "reference": ReferenceGame}
"""The backends that are measured one state at a time."""
FIRST_PLAYOUT_LIMIT = 10.0
"""Timeout of the first playout, since some games never end."""
LOOK_UP = 0.5
"""Seconds after which threads check whether to stop."""
CXX_PLAYOUTS = 16
"""Playouts of generated C++ between two checks of the clock."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Rates of uniformly random playouts from the initial state; a state is one joint move applied."""

    backend: str
    gates: int
    """Operations for one joint move of all lanes; 0 for backends without gates."""
    threads: int
    setup_seconds: float
    """From the rules to the end of the first playout."""
    full_speed_seconds: float
    """From the rules to the rate below."""
    states: int
    playouts: int
    seconds: float
    cpu_seconds: float
    mean_goals: dict[str, float]

    @property
    def states_per_second(self) -> float:
        """By wall-clock time, all threads together."""
        return self.states / self.seconds

    @property
    def states_per_cpu_second(self) -> float:
        """By processor time, which excludes other processes."""
        return self.states / self.cpu_seconds

    @property
    def playouts_per_second(self) -> float:
        """Finished matches, by wall-clock time."""
        return self.playouts / self.seconds

    @property
    def mean_length(self) -> float:
        """The mean number of joint moves in a match."""
        return self.states / self.playouts if self.playouts else 0.0


def measure(sheet: RuleSheet, backend: str, seconds: float, threads: int = 1) -> Benchmark:
    """Measure playouts on a backend. Raises `GameError` if it rejects the game."""
    if backend == "circuit":
        return measure_circuit(sheet, seconds, threads)
    if threads > 1:
        raise GameError(f"the {backend} backend runs on one thread")
    return measure_cxx(sheet, seconds) if backend == "cxx" else measure_interpreted(sheet, backend, seconds)


def measure_circuit(sheet: RuleSheet, seconds: float, threads: int, seed: int = 1) -> Benchmark:
    """Measure playouts on the compiled circuit."""
    started = time.perf_counter()
    circuit = compile_rules(sheet).circuit
    playouts = TieredPlayouts(playout_program(circuit))
    _play_first(playouts.machine(seed))
    setup = time.perf_counter() - started
    playouts.wait_for_full_speed()
    machines = [playouts.machine(seed + n) for n in range(threads)]
    full_speed = time.perf_counter() - started
    wall, cpu = time.perf_counter(), time.process_time()
    found = _run_beside_each_other(machines, seconds)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    roles = tuple(map(kif, circuit.roles[: circuit.players]))
    return _benchmark("circuit", playouts.program.operations, (setup, full_speed), roles, found, (wall, cpu))


def _run_beside_each_other(machines: Sequence[TieredMachine], seconds: float) -> list[PlayoutStatistics]:
    """The statistics of each machine, run in its own thread; they check regularly for Ctrl-C."""
    stopped = threading.Event()
    due = time.perf_counter() + seconds

    def run(machine: TieredMachine) -> PlayoutStatistics:
        found = machine.run(min(seconds, LOOK_UP))
        while (left := due - time.perf_counter()) > 0 and not stopped.is_set():
            found += machine.run(min(left, LOOK_UP))
        return found

    with ThreadPoolExecutor(len(machines)) as pool:
        try:
            return list(pool.map(run, machines))
        finally:
            stopped.set()


def _play_first(machine: TieredMachine) -> None:
    """Play until a match has ended."""
    due = time.perf_counter() + FIRST_PLAYOUT_LIMIT
    while not machine.run(0.0).playouts and time.perf_counter() < due:
        pass


def measure_interpreted(sheet: RuleSheet, backend: str, seconds: float, seed: int = 1) -> Benchmark:
    """Measure playouts on the interpreter or the reference reasoner."""
    started = time.perf_counter()
    game = INTERPRETERS[backend](sheet)
    rng = Random(seed)
    setup = 0.0
    states = playouts = 0
    sums = [0.0] * len(game.roles)
    wall, cpu = time.perf_counter(), time.process_time()
    due = wall + max(seconds, FIRST_PLAYOUT_LIMIT)
    while time.perf_counter() - wall < seconds or not playouts:
        state: State = game.initial_state()
        while not state.is_terminal and time.perf_counter() < due:
            state = state.sample(random_joint_move(state, rng), rng)
            states += 1
        if not state.is_terminal:
            break
        playouts += 1
        sums = [total + goal for total, goal in zip(sums, state.goals.values(), strict=True)]
        setup = setup or time.perf_counter() - started
    spent = (time.perf_counter() - wall, time.process_time() - cpu)
    found = [PlayoutStatistics(states, playouts, tuple(sums))]
    return _benchmark(backend, 0, (setup, setup), game.roles, found, spent)


def measure_cxx(sheet: RuleSheet, seconds: float, seed: int = 1) -> Benchmark:
    """Measure playouts on generated C++."""
    started = time.perf_counter()
    game = CxxGame(sheet)
    native = game.native
    assert native is not None
    first = native.initial()
    found = [_cxx_playout(native, first, seed)]
    setup = time.perf_counter() - started
    found.clear()
    wall, cpu = time.perf_counter(), time.process_time()
    while time.perf_counter() - wall < seconds or not found:
        seed += 1
        found.append(_cxx_playout(native, first, seed))
    spent = (time.perf_counter() - wall, time.process_time() - cpu)
    return _benchmark("cxx", 0, (setup, setup), tuple(game.role_terms), [reduce(add, found)], spent)


def _cxx_playout(native: NativeGame, start: Packed, seed: int) -> PlayoutStatistics:
    """Several playouts in one call, so that the overhead of calls does not count."""
    totals = native.playouts(start, seed, CXX_PLAYOUTS)
    return PlayoutStatistics(totals.steps, totals.finished, tuple(map(float, totals.goals)))


def _benchmark(
    backend: str,
    gates: int,
    ready: tuple[float, float],
    roles: tuple[str, ...],
    found: list[PlayoutStatistics],
    spent: tuple[float, float],
) -> Benchmark:
    total = reduce(add, found)
    playouts = total.playouts
    return Benchmark(
        backend=backend,
        gates=gates,
        threads=len(found),
        setup_seconds=ready[0],
        full_speed_seconds=ready[1],
        states=total.states,
        playouts=playouts,
        seconds=spent[0],
        cpu_seconds=spent[1],
        mean_goals={
            role: goals / playouts if playouts else 0.0 for role, goals in zip(roles, total.goal_sums, strict=True)
        },
    )
