"""Statistics of random playouts: length, results, branching factor, speed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from ludens.core import Game, GameError, Role, random_joint_move
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame

LANES = 2_048
"""Matches that are played in parallel on a circuit."""
MOST_TURNS = 2_000
"""Turns after which a match counts as endless."""
LARGE = 20_000
"""Circuits with more gates than this take longer to prepare for parallel playouts than to play some matches."""
BUCKETS = 24
"""Bars of a histogram at most."""
_SPEED_SECONDS = 0.3


@dataclass(slots=True)
class Statistics:
    """Counts over some matches."""

    roles: tuple[Role, ...]
    matches: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    """The number of matches by number of turns."""
    goals: dict[Role, Counter[int]] = field(init=False)
    """By role: how many matches gave it this goal."""
    choices: list[float] = field(default_factory=list)
    """By turn: the mean number of legal moves of a role that has a choice; 0 if none has."""
    endless: int = 0
    """Matches that did not end."""
    note: str = ""
    """Why matches could not be counted, in a sentence."""
    playouts_per_second: float = 0.0

    def __post_init__(self) -> None:
        self.goals = {role: Counter() for role in self.roles}

    def as_json(self) -> dict[str, Any]:
        """Means, histograms as lists of ``[label, count]``, and the choices by turn."""
        ended = sum(self.lengths.values())
        return {
            "matches": self.matches,
            "endless": self.endless,
            "mean_length": _mean(self.lengths),
            "mean_goals": {role: _mean(self.goals[role]) for role in self.roles if self.goals[role]},
            "mean_choices": round(float(np.mean(busy)), 2) if (busy := [n for n in self.choices if n]) else 0.0,
            "lengths": histogram(self.lengths) if ended else [],
            "goals": {role: [[str(goal), n] for goal, n in sorted(self.goals[role].items())] for role in self.roles},
            "choices": [round(number, 2) for number in self.choices[:MOST_TURNS]],
            "playouts_per_second": float(f"{self.playouts_per_second:.3g}"),
            "note": self.note,
        }


def _mean(counts: Mapping[int, int]) -> float:
    total = sum(counts.values())
    return round(sum(value * count for value, count in counts.items()) / total, 2) if total else 0.0


def histogram(counts: Mapping[int, int]) -> list[list[Any]]:
    """Counts in at most `BUCKETS` bars of equal width: ``[label, count]``, empty bars too."""
    low, high = min(counts), max(counts)
    width = -(-(high - low + 1) // BUCKETS)
    bars = [0] * (-(-(high - low + 1) // width))
    for value, count in counts.items():
        bars[(value - low) // width] += count
    return [[_label(low + n * width, width), count] for n, count in enumerate(bars)]


def _label(first: int, width: int) -> str:
    return str(first) if width == 1 else f"{first}\u2013{first + width - 1}"


def statistics_of(game: Game, seconds: float) -> Statistics:
    """Play random matches for some seconds: thousands at once on a circuit, otherwise one at a time."""
    if not isinstance(game, BatchGame):
        return _one_by_one(game, seconds)
    statistics = _one_by_one(game, seconds) if game.operations > LARGE else _on_batch(game, seconds)
    statistics.playouts_per_second = _playout_rate(game)
    return statistics


def _playout_rate(game: BatchGame) -> float:
    batch = Batch(game, LANES, seed=1)
    batch.playouts()  # the first round includes compiling to machine code
    began, playouts = time.perf_counter(), 0
    while (passed := time.perf_counter() - began) < _SPEED_SECONDS:
        playouts += int(batch.playouts().ended.sum())
    return playouts / passed


def _on_batch(game: BatchGame, seconds: float) -> Statistics:
    statistics = Statistics(game.roles, LANES)
    batch = Batch(game, LANES, seed=1)
    over = batch.terminal & False  # the first access computes it, off the clock
    due = time.monotonic() + seconds
    for turn in range(MOST_TURNS):
        ended = batch.terminal & ~over
        if ended.any():
            statistics.lengths[turn] += int(ended.sum())
            for role, column in zip(game.roles, batch.goals[ended].T, strict=True):
                statistics.goals[role].update(_count(column.tolist()))
        over |= ended
        if over.all() or time.monotonic() > due:
            break
        counts = np.stack([batch.legal(role).sum(axis=1) for role in game.roles], axis=1)[~over]
        statistics.choices.append(float(counts[counts > 1].mean()) if (counts > 1).any() else 0.0)
        try:
            batch.advance()
        except GameError as error:
            statistics.note = f"After {turn} turns, a match could not continue: {error}"
            break
    statistics.endless = int((~over).sum())
    return statistics


def _count(values: Iterable[int]) -> Counter[int]:
    return Counter(map(int, values))


def _one_by_one(game: Game, seconds: float) -> Statistics:
    statistics = Statistics(game.roles)
    sums: list[int] = []
    seen: list[int] = []
    rng = Random(1)
    due = time.monotonic() + seconds
    began = time.process_time()
    while time.monotonic() < due:
        state, turn = game.initial_state(), 0
        while not state.is_terminal and turn < MOST_TURNS and time.monotonic() < due:
            counts = [count for role in game.roles if (count := len(state.legal_moves(role))) > 1]
            if turn == len(sums):
                sums.append(0)
                seen.append(0)
            sums[turn] += sum(counts)
            seen[turn] += len(counts)
            state = state.sample(random_joint_move(state, rng), rng)
            turn += 1
        if not state.is_terminal and turn < MOST_TURNS:
            break
        statistics.matches += 1
        if state.is_terminal:
            statistics.lengths[turn] += 1
            for role, goal in state.goals.items():
                statistics.goals[role][goal] += 1
        else:
            statistics.endless += 1
    statistics.choices = [total / number if number else 0.0 for total, number in zip(sums, seen, strict=True)]
    statistics.playouts_per_second = statistics.matches / max(1e-9, time.process_time() - began)
    return statistics
