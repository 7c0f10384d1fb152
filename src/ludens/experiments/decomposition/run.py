"""Runs the experiments and measures CPU seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ludens.analysis.subgames.decompose import all_subgames, decompose
from ludens.analysis.subgames.ends import Reading
from ludens.analysis.subgames.positions import Subgames
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import GameError
from ludens.experiments.decomposition.paper import NIM, SEQUENCES, NimRow, SequenceGame
from ludens.experiments.decomposition.searches import ClassTree, PositionTree, search_to
from ludens.players.decomposition.sequences import Pruning
from ludens.players.decomposition.solve import PartSolver
from ludens.players.minimax.solve import Solution, Solver

Load = Callable[[str], CircuitRules]
"""Loads a game by its name; passed in, since the loader is in a higher layer."""
CLAIM = 50
"""The time limit of plain search to the end, as a multiple of the time by subgames."""
SEARCHES = ("normal", "seed", "inside", "sound")
"""The depth-limited searches: on all moves, with the paper's condition in two readings, with sound dominance."""
_READINGS = {"seed": Reading.FIRST, "inside": Reading.INSIDE}
HEAPS = (10, 30, 100, 300, 1000)
"""Largest heaps, to measure growth."""


class _BudgetSpentError(GameError):
    """A search exceeded its budget."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The settings of the experiment."""

    budget: float = 60.0
    """The time limit of a search in CPU seconds; wall-clock seconds for plain solving."""
    depth: int = 9
    """The maximum depth of depth-limited searches."""
    heaps: Sequence[int] = HEAPS
    games: Sequence[str] = ("nim", "double_tic_tac_toe", "double_criss_cross")
    """The games to run."""


@dataclass(frozen=True, slots=True)
class NimResult:
    """A game of Nim, solved by heaps and as a whole."""

    row: NimRow
    load: float
    analysis: float
    """Seconds to find the subgames."""
    search: float
    """Seconds to list their positions, prove that Sprague-Grundy theory applies, and compute nimbers."""
    positions: int
    value: float
    plain: float | None
    """Seconds of plain search; None if it was not run."""
    plain_positions: int = 0
    plain_exact: bool = False


@dataclass(frozen=True, slots=True)
class DepthResult:
    """One game searched to one depth."""

    game: SequenceGame
    depth: int
    every: int
    """Turn-move sequences of one subgame."""
    seed: int
    """Sequences that the paper's condition keeps, with the first local concepts (`Reading.FIRST`)."""
    inside: int
    """The same with those inside disjunctions (`Reading.INSIDE`)."""
    sound: int
    """Sequences that classes and sound dominance keep."""
    seconds: dict[str, float | None]
    """Seconds of each of the `SEARCHES`; None if the budget was exceeded."""
    values: dict[str, tuple[int, ...]]
    positions: dict[str, int]


@dataclass(frozen=True, slots=True)
class EndResult:
    """One game solved to its end."""

    game: SequenceGame
    seconds: float
    solution: tuple[float, ...]
    note: str
    plain: Solution
    plain_seconds: float


@dataclass(frozen=True, slots=True)
class Results:
    """All measurements."""

    nim: tuple[NimResult, ...] = ()
    growth: tuple[NimResult, ...] = ()
    depths: tuple[DepthResult, ...] = ()
    ends: tuple[EndResult, ...] = ()


def run_experiment(setup: Setup, load: Load, tell: Callable[[str], None]) -> Results:
    """Measure everything."""
    nim: list[NimResult] = []
    growth: list[NimResult] = []
    if "nim" in setup.games:
        for row in NIM:
            tell(f"{row.game}")
            nim.append(_nim(row, load, setup.budget))
        for size in setup.heaps:
            row = NimRow((size, size // 2), False, 0.0, 0.0)
            tell(f"{row.game}")
            growth.append(_nim(row, load, None))
    depths: list[DepthResult] = []
    ends: list[EndResult] = []
    for game in SEQUENCES:
        if game.game in setup.games:
            depths += _depths(game, load, setup, tell)
            tell(f"{game.title} to the end")
            ends.append(_to_the_end(game, load, setup.budget))
    return Results(tuple(nim), tuple(growth), tuple(depths), tuple(ends))


def _nim(row: NimRow, load: Load, budget: float | None) -> NimResult:
    began = time.process_time()
    game = load(row.game)
    loaded = time.process_time()
    whole = decompose(game)
    analysed = time.process_time()
    state = game.initial_state()
    solution = PartSolver(whole, state).solve(state)
    done = time.process_time()
    plain, seconds = None, None
    if budget is not None:
        before = time.process_time()
        plain = Solver(state, budget).solve()
        seconds = time.process_time() - before
    return NimResult(
        row,
        loaded - began,
        analysed - loaded,
        done - analysed,
        solution.positions,
        solution.bounds[0][0],
        seconds,
        plain.positions if plain else 0,
        plain.exact if plain else False,
    )


def _depths(game: SequenceGame, load: Load, setup: Setup, tell: Callable[[str], None]) -> list[DepthResult]:
    loaded = load(game.game)
    subgames = all_subgames(loaded)
    depths = []
    deepest = min(setup.depth, game.depth)
    given_up: set[str] = set()
    for depth in range(1, deepest + 1):
        tell(f"{game.title} to depth {depth}")
        result = _one_depth(game, subgames, depth, setup.budget, given_up)
        given_up |= {name for name, seconds in result.seconds.items() if seconds is None}
        depths.append(result)
    return depths


def _one_depth(game: SequenceGame, subgames: Subgames, depth: int, budget: float, given_up: set[str]) -> DepthResult:
    """Each search separately, including the time of its subgame search."""
    root = (0, *([0] * len(subgames.locals)))
    seconds: dict[str, float | None] = {}
    values: dict[str, tuple[int, ...]] = {}
    positions: dict[str, int] = {}
    kept = dict.fromkeys(SEARCHES, 0)
    for name in SEARCHES:
        if name in given_up:
            seconds[name] = None
            continue
        began = time.process_time()

        def pulse(began: float = began) -> None:
            if time.process_time() - began > budget:
                raise _BudgetSpentError("too slow")

        try:
            if name == "sound":
                classes = ClassTree(subgames)
                start = (0, *(int(quotient.class_of[0]) for quotient in classes.game.quotients))
                values[name], positions[name] = search_to(classes, start, depth, pulse)
                seconds[name] = time.process_time() - began
                kept[name] = classes.count(0, depth)
            else:
                pruning = Pruning.SEED if name in _READINGS else Pruning.NONE
                tree = PositionTree(subgames, pruning, _READINGS.get(name, Reading.FIRST))
                values[name], positions[name] = search_to(tree, root, depth, pulse)
                seconds[name] = time.process_time() - began
                if name in _READINGS:
                    kept[name] = tree.searches[0].count(0, depth)
        except _BudgetSpentError:
            seconds[name] = None
    every = PositionTree(subgames, Pruning.NONE).searches[0].count(0, depth)
    counts = (kept["seed"], kept["inside"], kept["sound"])
    return DepthResult(game, depth, every, *counts, seconds, values, positions)


def _to_the_end(game: SequenceGame, load: Load, budget: float) -> EndResult:
    loaded = load(game.game)
    state = loaded.initial_state()
    began = time.process_time()
    solution = PartSolver(decompose(loaded), state).solve(state)
    done = time.process_time()
    plain = Solver(state, max(budget, CLAIM * (done - began))).solve()
    return EndResult(
        game,
        done - began,
        tuple(low for low, _ in solution.bounds),
        solution.note,
        plain,
        time.process_time() - done,
    )
