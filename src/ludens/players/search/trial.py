"""Try searches against each other in quick matches, before one of them plays."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from weakref import WeakKeyDictionary

from ludens.core import Deadline, Move, Role, State
from ludens.core.batch_game import BatchGame
from ludens.players.search.roots import best_first
from ludens.players.search.settings import Search

MATCHES = 12
"""At most; each opening is played twice, with seats swapped."""
_FEWEST_MATCHES = 4
"""Fewer say nothing."""
_LEAST_MOVE_SECONDS, _MOST_MOVE_SECONDS = 0.004, 0.05
"""CPU time for a move: as much as matches of a typical length allow."""
_TYPICAL_LENGTH = 60
_ENDLESS = 1 << 60
_OPENING = 4
"""Random joint moves at the beginning."""
_LONGEST_MATCH = 150
"""Longer matches count as draws."""
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


_shares: WeakKeyDictionary[BatchGame, dict[tuple[str, str], float]] = WeakKeyDictionary()


class _SimultaneousError(Exception):
    """Several roles choose at once."""


def share_of_points(game: BatchGame, rivals: tuple[Rival, Rival], deadline: Deadline) -> float | None:
    """The share of points of the first of two rivals in quick matches; remembered once all are played.

    None if there was no time for enough matches, or roles choose at once.
    """
    names = rivals[0].name, rivals[1].name
    if (known := _shares.setdefault(game, {}).get(names)) is not None:
        return known
    try:
        points = _points(game, rivals, deadline)
    except _SimultaneousError:
        return None
    if len(points) < _FEWEST_MATCHES:
        return None
    share = sum(points) / len(points)
    if len(points) == MATCHES:
        _shares[game][names] = share
    return share


def _points(game: BatchGame, rivals: tuple[Rival, Rival], deadline: Deadline) -> list[float]:
    """The points of the first rival in as many matches as there is time for."""
    seconds = deadline.remaining() / (MATCHES * _TYPICAL_LENGTH)
    move_seconds = min(max(seconds, _LEAST_MOVE_SECONDS), _MOST_MOVE_SECONDS)
    rng = Random(_SEED)
    points: list[float] = []
    while len(points) < MATCHES:
        opening = _random_opening(game, rng)
        for first in range(2):
            result = _play(game, (rivals[first], rivals[1 - first]), opening, deadline, move_seconds)
            if result is None:
                return points
            points.append(result if first == 0 else 1.0 - result)
    return points


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
) -> float | None:
    """The points of the first role in a match: 1, 0.5 or 0; None if time is up."""
    state = game.initial_state()
    for joint_move in opening:
        state = state.play(joint_move)
    searches = [rival.make(n, _SEED + n) for n, rival in enumerate(rivals)]
    for _ in range(_LONGEST_MATCH):
        if state.is_terminal:
            first, second = (state.goals[role] for role in game.roles)
            return 0.5 if first == second else float(first > second)
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
    return 0.5


def _run(search: Search, seconds: float) -> None:
    """Search for a moment of CPU time, so that a busy machine favours nobody."""
    began = time.thread_time()
    while not search.is_settled and (left := seconds - (time.thread_time() - began)) > 0:
        search.run(left, _ENDLESS)
