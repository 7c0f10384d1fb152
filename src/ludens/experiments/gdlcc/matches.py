"""Matches in which one engine plays all roles, and the results of its simulations in each third."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

from ludens.core import GameError
from ludens.experiments.gdlcc.engines import Engine

THIRDS = ("early", "middle", "end")
MOST_TURNS = 1_000
"""The turn limit of a match: matches of some rule sheets need not end."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The results of the simulations of one turn."""

    states: float
    simulations: float


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of one row of both tables; None where no turn belongs to a third."""

    states: tuple[float | None, ...]
    simulations: tuple[float | None, ...]


def play_match(engine: Engine[object], clock: float, rng: Random) -> Iterator[Turn]:
    """The turns of a match in which every role plays its best move after some seconds of simulation."""
    state = engine.initial()
    for _ in range(MOST_TURNS):
        legal = engine.legal(state)
        if not legal:
            return
        if not all(legal):
            raise GameError("a role has no legal move, although the match is not over")
        simulations = engine.simulate(state, clock)
        within = clock / max(simulations.seconds, clock)
        yield Turn(simulations.states * within, simulations.count * within)
        choices = zip(engine.roles, legal, strict=True)
        state = engine.play(state, [simulations.best(role, moves, rng) for role, moves in choices])


def cells_of(matches: Sequence[Sequence[Turn]]) -> Cells:
    """Averages over the turns of each third of the matches, as the paper classes them."""
    classed: list[list[Turn]] = [[] for _ in THIRDS]
    for turns in matches:
        for number, turn in enumerate(turns):
            classed[number * len(THIRDS) // len(turns)].append(turn)
    return Cells(
        tuple(fmean(turn.states for turn in turns) if turns else None for turns in classed),
        tuple(fmean(turn.simulations for turn in turns) if turns else None for turns in classed),
    )
