"""Try searches against each other in quick matches, before one of them plays."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from weakref import WeakKeyDictionary

from ludens.core import BEST_GOAL, Deadline, Move, Role, State
from ludens.core.batch_game import BatchGame
from ludens.players.search.roots import best_first
from ludens.players.search.settings import Search

OPENINGS = 6
"""At most; each is played with seats swapped, so there are twice as many matches."""
_GAIN_OPENINGS = 3
"""Fewer, with more time for each move: what alphabeta gains depends much on the time."""
_FEWEST_OPENINGS = 2
"""Fewer say nothing."""
_LEAST_MOVE_SECONDS, _MOST_MOVE_SECONDS = 0.004, 0.05
"""CPU time for a move: as much as matches of a typical length allow."""
_TYPICAL_LENGTH = 60
_ENDLESS = 1 << 60
_OPENING = 4
"""Random joint moves at the beginning."""
_LONGEST_MATCH = 150
_UNFINISHED = 50, 50
"""What longer matches count as."""
_SEED = 1
MEMORY = 16
"""Megabytes for each search."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A search that takes part in quick matches."""

    name: str
    """Tells it from others; results are remembered by it."""
    make: Callable[[int, int], Search]
    """Makes a search for a role, by its number, with a seed."""


_results: WeakKeyDictionary[BatchGame, dict[tuple[str, ...], float]] = WeakKeyDictionary()


class _SimultaneousError(Exception):
    """Several roles choose at once."""


def share_of_points(game: BatchGame, rivals: tuple[Rival, Rival], deadline: Deadline) -> float | None:
    """The share of points of the first of two rivals in quick matches; remembered once all are played.

    None if there was no time for enough matches, or roles choose at once.
    """
    return _measure(game, rivals, ((0, 1), (1, 0)), _share, OPENINGS, deadline)


def gain_by_switching(game: BatchGame, rivals: tuple[Rival, Rival], deadline: Deadline) -> float | None:
    """What a role gains on average by switching from the second of two rivals to the first while the other role does
    not: points of its goal, and a hundred for each match that it wins and did not win before.

    For goals without a constant sum: there, whoever beats the other may have fewer points than two who make peace.
    None if there was no time for enough matches, or roles choose at once.
    """
    return _measure(game, rivals, ((0, 1), (1, 0), (1, 1)), _gain, _GAIN_OPENINGS, deadline)


_Goals = Sequence[tuple[int, int]]
"""The roles' goals in the matches from one opening, for each pairing."""


def _share(found: _Goals) -> float:
    return 0.5 + (_points(*found[0]) - _points(*found[1])) / 2


def _points(first: int, second: int) -> float:
    return 0.5 if first == second else float(first > second)


def _gain(found: _Goals) -> float:
    return (found[0][0] + found[1][1] - sum(found[2])) / 2 + BEST_GOAL * (_share(found) - 0.5)


def _measure(
    game: BatchGame,
    rivals: tuple[Rival, Rival],
    pairings: Sequence[tuple[int, int]],
    result: Callable[[_Goals], float],
    openings: int,
    deadline: Deadline,
) -> float | None:
    """The mean result over openings, from each of which all pairings of the rivals play a match."""
    key = result.__name__, *(rival.name for rival in rivals)
    if (known := _results.setdefault(game, {}).get(key)) is not None:
        return known
    seconds = deadline.remaining() / (openings * len(pairings) * _TYPICAL_LENGTH)
    move_seconds = min(max(seconds, _LEAST_MOVE_SECONDS), _MOST_MOVE_SECONDS)
    rng = Random(_SEED)
    results: list[float] = []
    try:
        while len(results) < openings:
            opening = _random_opening(game, rng)
            goals = []
            for first, second in pairings:
                found = _play(game, (rivals[first], rivals[second]), opening, deadline, move_seconds)
                if found is None:
                    break
                goals.append(found)
            if len(goals) < len(pairings):
                break
            results.append(result(goals))
    except _SimultaneousError:
        return None
    if len(results) < _FEWEST_OPENINGS:
        return None
    mean = sum(results) / len(results)
    if len(results) == openings:
        _results[game][key] = mean
    return mean


def _chooser(state: State) -> Role | None:
    """The role that has a choice, if any has."""
    choosing = [role for role in state.game.roles if len(state.legal_moves(role)) > 1]
    if len(choosing) > 1:
        raise _SimultaneousError
    return choosing[0] if choosing else None


def _random_opening(game: BatchGame, rng: Random) -> list[dict[Role, Move]]:
    opening: list[dict[Role, Move]] = []
    state = game.initial_state()
    while len(opening) < _OPENING and not state.is_terminal:
        _chooser(state)
        opening.append({role: rng.choice(state.legal_moves(role)) for role in game.roles})
        state = state.play(opening[-1])
    return opening


def _play(
    game: BatchGame,
    rivals: Sequence[Rival],
    opening: Sequence[dict[Role, Move]],
    deadline: Deadline,
    move_seconds: float,
) -> tuple[int, int] | None:
    """The goals of both roles in a match; None if time is up."""
    state = game.initial_state()
    for joint_move in opening:
        state = state.play(joint_move)
    searches = [rival.make(n, _SEED + n) for n, rival in enumerate(rivals)]
    for _ in range(_LONGEST_MATCH):
        if state.is_terminal:
            first, second = (state.goals[role] for role in game.roles)
            return first, second
        if deadline.remaining() <= 0:
            return None
        joint_move = {role: state.legal_moves(role)[0] for role in game.roles}
        role = _chooser(state)
        if role is not None:
            search = searches[game.roles.index(role)]
            search.set_root(state)
            _run(search, move_seconds)
            joint_move[role] = best_first(search.root_moves())[0].move
        state = state.play(joint_move)
    return _UNFINISHED


def _run(search: Search, seconds: float) -> None:
    """Search for a moment of CPU time, so that a busy machine favours nobody."""
    began = time.thread_time()
    while not search.is_settled and (left := seconds - (time.thread_time() - began)) > 0:
        search.run(left, _ENDLESS)
