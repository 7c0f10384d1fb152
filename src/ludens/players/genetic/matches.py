"""Matches between evaluations, thousands at once, which determine fitness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL
from ludens.players.evaluation.evaluators import Evaluation
from ludens.players.minimax.choice import choosers, value_for_one
from ludens.players.minimax.full_width import FullWidth
from ludens.players.space.compiled import CompiledSpace
from ludens.players.space.space import Expansion, Key, Values

MOST_TURNS = 300
"""Joint moves after which a match is cut off and counts with its current goals."""

Seats = NDArray[np.int64]


def openings(space: CompiledSpace, count: int, turns: int, rng: np.random.Generator) -> list[Key]:
    """Nonterminal positions after up to ``turns`` random joint moves."""
    keys: list[Key] = [space.key(space.game.initial_state())] * count
    wanted = rng.integers(1, turns + 1, count)
    for turn in range(turns):
        found = space.expand(keys)
        sizes = np.diff(found.joint.first)
        drawn = found.joint.first[:-1] + (rng.random(count) * sizes).astype(np.int64)
        for lane, child in enumerate(drawn.tolist()):
            if turn < wanted[lane] and not found.terminal[child]:
                keys[lane] = found.keys[child]
    return keys


def play(
    space: CompiledSpace,
    judges: Sequence[Evaluation],
    seats: Seats,
    begins: Sequence[Key],
    depth: int,
    rng: np.random.Generator,
) -> Values:
    """The share of the best goal that each role gets in each match (matches, roles).

    ``seats`` are the judges that play each role of each match (matches, roles); all search ``depth`` plies deep.
    """
    shares = np.zeros(seats.shape)
    lanes, keys = np.arange(len(seats)), list(begins)
    for _ in range(MOST_TURNS):
        found = space.expand(keys)
        promise = _child_values(space, found, judges, seats[lanes], depth)
        chosen = _best_in_groups(promise + 1e-6 * rng.random(len(promise)), found.joint.first)
        over = found.terminal[chosen]
        shares[lanes] = found.goals[chosen] / BEST_GOAL
        lanes = lanes[~over]
        keys = [found.keys[place] for place in chosen[~over].tolist()]
        if not keys:
            break
    return shares


def _child_values(
    space: CompiledSpace, found: Expansion, judges: Sequence[Evaluation], seats: Seats, depth: int
) -> Values:
    """The value of each child for the role that chooses, by that role's judge."""
    assert found.packed is not None
    chooser = np.maximum(choosers(found.joint), 0)
    sizes = np.diff(found.joint.first)
    role = np.repeat(chooser, sizes)
    owner = np.repeat(seats[np.arange(len(seats)), chooser], sizes)
    promise = np.zeros(len(owner))
    for judge in np.unique(owner):
        for who in range(seats.shape[1]):
            mine = np.flatnonzero((owner == judge) & (role == who))
            if len(mine):
                promise[mine] = _look_ahead(
                    space, _select_children(found, mine, with_keys=depth > 1), judges[judge], who, depth
                )
    return promise


def _look_ahead(space: CompiledSpace, children: Expansion, judge: Evaluation, role: int, depth: int) -> Values:
    """The values of children for a role; ``depth`` includes the ply that leads to them."""

    def leaf(found: Expansion) -> Values:
        own: Values = judge.child_values(found)[:, role].copy()
        return own

    values = leaf(children)
    going = np.flatnonzero(~children.terminal)
    if depth > 1 and len(going):
        number: dict[Key, int] = {}
        ids = [number.setdefault(children.keys[place], len(number)) for place in going.tolist()]
        ahead = FullWidth(space, leaf, partial(value_for_one, role=role))
        values[going] = ahead.evaluate(list(number), depth - 1).values[ids]
    return values


def _select_children(found: Expansion, chosen: NDArray[np.int64], *, with_keys: bool) -> Expansion:
    """A selection of the children, without their joint moves; with their keys on request."""
    assert found.packed is not None
    return replace(
        found,
        keys=[found.keys[place] for place in chosen.tolist()] if with_keys else (),
        terminal=found.terminal[chosen],
        goals=found.goals[chosen],
        mobility=found.mobility[chosen],
        packed=found.packed[chosen],
    )


def _best_in_groups(promise: Values, first: NDArray[np.int64]) -> NDArray[np.int64]:
    """The index of the highest value in each group; ``first`` says where groups begin, and where the last ends."""
    group = np.repeat(np.arange(len(first) - 1), np.diff(first))
    found: NDArray[np.int64] = np.lexsort((promise, group))[first[1:] - 1]
    return found


def duel(
    space: CompiledSpace,
    judges: tuple[Evaluation, Evaluation],
    begins: Sequence[Key],
    depth: int,
    rng: np.random.Generator,
) -> float:
    """The first of two judges' part of all goals; each opening is played in all seats."""
    roles = len(space.roles)
    one = (np.arange(roles)[None] + np.arange(roles)[:, None]) % 2 if roles > 1 else np.array([[0], [1]])
    seats = np.tile(one, (len(begins), 1))
    shares = play(space, judges, seats, [key for key in begins for _ in one], depth, rng)
    mine, others = (float(shares[seats == judge].mean()) for judge in range(2))
    return 0.5 if mine + others == 0 else mine / (mine + others)
