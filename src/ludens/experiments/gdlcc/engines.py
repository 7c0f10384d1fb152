"""The paper's Monte-Carlo player on each engine.

A simulation begins with a random joint move and continues with random moves to the end; the goals are averaged for the
first move of every role. The *rhythm* is the number of simulations after each drawn joint move, the same for all
engines. Clocks are CPU time of the process that computes, so that other work does not count.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Generic, Protocol, TypeVar

import numpy as np

from ludens.compiler.batch.game import CircuitGame
from ludens.compiler.cxx.build import shared_library
from ludens.compiler.cxx.native import NativeGame, Packed
from ludens.compiler.cxx.prepare import prepare
from ludens.compiler.cxx.project import CodeOptions, generate
from ludens.compiler.cxx.usage import sample_relations
from ludens.compiler.native.truth_tables import LANES
from ludens.core import Move, Role
from ludens.core.batch import Batch
from ludens.experiments.prolog.game import PrologGame
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.rules import RuleSheet
from ludens.gdl.write import kif

TRANSPOSITIONS = 10_000
"""States that the transposition table keeps, as in the paper."""
SHORTEST_CALL = 0.002
"""The minimum seconds of a call into native code, so that call overhead does not matter."""
MOST_LANES = 128 * LANES
RHYTHMS = (1, 8)
"""The numbers of simulations after each drawn joint move that are measured; the first is the paper's."""


class EngineName(StrEnum):
    """The programs that are compared, in the order of the tables."""

    PROLOG = "prolog"
    CXX = "cxx"
    CXX_TT = "cxx+tt"
    CIRCUIT = "circuit"


@dataclass(slots=True)
class Simulations:
    """The results of the simulations of one turn."""

    states: int = 0
    """Joint moves that were made."""
    count: int = 0
    """Simulations that reached the end."""
    seconds: float = 0.0
    """Their CPU time, which may exceed the limit, since a simulation is not aborted."""
    sums: dict[Role, dict[Move, float]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(float)))
    """For each role and first move the sum of its goals."""
    counts: dict[Role, dict[Move, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))

    def add(self, role: Role, move: Move, total: float, count: int) -> None:
        """Note the goals of some simulations that began with a role's move."""
        self.sums[role][move] += total
        self.counts[role][move] += count

    def best(self, role: Role, legal: Sequence[Move], rng: Random) -> Move:
        """The move with the highest average; a random one if none was simulated."""
        tried = [move for move in legal if self.counts[role][move]]
        if not tried:
            return rng.choice(legal)
        return max(tried, key=lambda move: self.sums[role][move] / self.counts[role][move])


Position = TypeVar("Position")
AnyGame = TypeVar("AnyGame", bound=GdlGame)


class Engine(Protocol, Generic[Position]):
    """An engine that computes a game."""

    roles: tuple[Role, ...]

    def initial(self) -> Position:
        """The state in which every match begins."""
        ...

    def legal(self, state: Position) -> Sequence[Sequence[Move]]:
        """The legal moves of each role; nothing if the match is over."""
        ...

    def play(self, state: Position, joint_move: Sequence[Move]) -> Position:
        """The state after a joint move."""
        ...

    def simulate(self, state: Position, seconds: float) -> Simulations:
        """Simulate from a state for some CPU seconds."""
        ...


class _GameEngine(Generic[AnyGame]):
    """An engine that computes matches with a game object and adds its own simulations."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.roles = game.roles

    def initial(self) -> GdlState:
        """The state in which every match begins."""
        return self._game.initial_state()

    def legal(self, state: GdlState) -> Sequence[Sequence[Move]]:
        """The legal moves of each role; nothing if the match is over."""
        return () if state.is_terminal else [state.legal_moves(role) for role in self.roles]

    def play(self, state: GdlState, joint_move: Sequence[Move]) -> GdlState:
        """The state after a joint move."""
        return state.play(dict(zip(self.roles, joint_move, strict=True)))


class PrologEngine(_GameEngine[PrologGame]):
    """SWI-Prolog instead of the paper's YAP; its simulations run inside Prolog."""

    def __init__(self, sheet: RuleSheet, name: str, rhythm: int) -> None:
        super().__init__(PrologGame(sheet, name))
        self._rhythm = rhythm

    def simulate(self, state: GdlState, seconds: float) -> Simulations:
        """Simulate from a state for some CPU seconds."""
        made = self._game.simulations(state, seconds, self._rhythm)
        simulations = Simulations(made.states, len(made.ended), made.cpu_seconds)
        for moves, goals in made.ended:
            for role, move, goal in zip(self.roles, moves, goals, strict=True):
                simulations.add(role, move, goal, 1)
        return simulations


class CxxEngine:
    """Generated C++, with the paper's transposition table or without."""

    def __init__(self, sheet: RuleSheet, name: str, rhythm: int, *, transpositions: int, memo: str) -> None:
        prepared = prepare(sheet, name)
        options = CodeOptions(memo=memo, queries=False, abi=True)
        project = generate(prepared, sample_relations(prepared), options)
        self._native = NativeGame(shared_library(project, name), project.layout, name, transpositions)
        self.roles = tuple(map(kif, prepared.roles))
        self._rng = Random(1)
        self._rhythm = rhythm
        self._draws = 1
        """Joint moves drawn in one call, enough that the call from Python does not matter."""

    def initial(self) -> Packed:
        """The state in which every match begins."""
        return self._native.initial()

    def _moves(self, state: Packed) -> list[dict[Move, int]]:
        return [
            {kif(self._native.move(number)): number for number in self._native.legal(state, role)}
            for role in range(len(self.roles))
        ]

    def legal(self, state: Packed) -> Sequence[Sequence[Move]]:
        """The legal moves of each role; nothing if the match is over."""
        return () if self._native.terminal(state) else [tuple(moves) for moves in self._moves(state)]

    def play(self, state: Packed, joint_move: Sequence[Move]) -> Packed:
        """The state after a joint move."""
        moves = self._moves(state)
        return self._native.successor(state, [numbers[move] for numbers, move in zip(moves, joint_move, strict=True)])

    def simulate(self, state: Packed, seconds: float) -> Simulations:
        """Simulate from a state for some CPU seconds."""
        simulations = Simulations()
        names = [{number: move for move, number in numbers.items()} for numbers in self._moves(state)]
        began = now = time.process_time()
        while now < began + seconds:
            made = self._native.simulations(state, self._rng.getrandbits(64), self._draws, self._rhythm)
            simulations.states += made.steps
            simulations.count += int(made.finished.sum())
            for place, (role, texts) in enumerate(zip(self.roles, names, strict=True)):
                numbers, which = np.unique(made.moves[:, place], return_inverse=True)
                counts = np.bincount(which, weights=made.finished)
                sums = np.bincount(which, weights=made.goals[:, place])
                for number, total, count in zip(numbers.tolist(), sums.tolist(), counts.tolist(), strict=True):
                    simulations.add(role, texts[number], total, int(count))
            before, now = now, time.process_time()
            self._draws = max(1, self._draws * 2 if now - before < SHORTEST_CALL else self._draws // 2)
        simulations.seconds = now - began
        return simulations


class CircuitEngine(_GameEngine[CircuitGame]):
    """The circuit, many simulations at once."""

    def __init__(self, sheet: RuleSheet, name: str, rhythm: int) -> None:
        super().__init__(CircuitGame(sheet, name))
        self._rhythm = rhythm
        self._with_lanes(LANES)
        # Until a round takes long enough, or there are enough lanes; by then the code is compiled, too.
        while self._lanes < MOST_LANES and self._seconds(self._one_round) < SHORTEST_CALL:
            self._with_lanes(2 * self._lanes)

    def _with_lanes(self, lanes: int) -> None:
        self._lanes = lanes
        self._now = Batch(self._game, lanes, seed=1)
        self._after = Batch(self._game, lanes, seed=2)

    @staticmethod
    def _seconds(compute: Callable[[Simulations], None]) -> float:
        compute(Simulations())
        began = time.process_time()
        compute(Simulations())
        return time.process_time() - began

    def simulate(self, state: GdlState, seconds: float) -> Simulations:
        """Simulate from a state for some CPU seconds."""
        began = time.process_time()
        self._now.set_states([state] * self._lanes)
        simulations = Simulations()
        while simulations.seconds < seconds:
            self._one_round(simulations)
            simulations.seconds = time.process_time() - began
        return simulations

    def _one_round(self, simulations: Simulations) -> None:
        """Some simulations in every lane, after a random joint move for each."""
        moves = self._now.random_moves()
        self._after.set_states(self._now.packed_states)
        self._after.advance(moves)
        ended = np.zeros(self._lanes, np.int64)
        goals = np.zeros((self._lanes, len(self.roles)), np.int64)
        simulations.states += self._lanes
        for _ in range(self._rhythm):
            made = self._after.playouts()
            simulations.states += made.moves
            ended += made.ended
            goals += made.goals  # 0 in lanes whose playout did not end
        simulations.count += int(ended.sum())
        for number, role in enumerate(self.roles):
            counts = np.bincount(moves[:, number], weights=ended)
            sums = np.bincount(moves[:, number], weights=goals[:, number])
            for move in np.flatnonzero(counts).tolist():
                simulations.add(role, self._now.moves[role][move], float(sums[move]), int(counts[move]))


def make_engine(engine: EngineName, sheet: RuleSheet, name: str, memo: str, rhythm: int = 1) -> Engine[object]:
    """An engine for a game, with a rhythm. Raises `GameError` if it is missing or cannot play the game."""
    makers: Mapping[EngineName, Callable[[], object]] = {
        EngineName.PROLOG: lambda: PrologEngine(sheet, name, rhythm),
        EngineName.CXX: lambda: CxxEngine(sheet, name, rhythm, transpositions=0, memo=memo),
        EngineName.CXX_TT: lambda: CxxEngine(sheet, name, rhythm, transpositions=TRANSPOSITIONS, memo=memo),
        EngineName.CIRCUIT: lambda: CircuitEngine(sheet, name, rhythm),
    }
    return makers[engine]()  # type: ignore[return-value]  # states go back only to the engine that they came from
