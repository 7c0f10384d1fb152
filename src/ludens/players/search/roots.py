"""Rank, merge and pick root moves of one or several trees."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from random import Random

from ludens.core import BEST_GOAL, Move, MoveReport
from ludens.players.search.settings import RootMove, Search

_SERIOUS = 0.02
"""Where roles choose at once, moves with a smaller probability are not made: they are remains of the search."""


def best_first(moves: Sequence[RootMove]) -> list[RootMove]:
    """Moves by visits, then by value; proven moves are placed by comparing values with the most visited one.

    Where roles choose at once, by probability.
    """
    if any(found.share is not None for found in moves):
        return sorted(moves, key=lambda found: (found.share or 0.0, found.visits), reverse=True)
    unproven = [found for found in moves if not found.proven]
    expected = max(unproven, key=lambda found: found.visits).mean if unproven else 0.0

    def rank(found: RootMove) -> tuple[float, float, float]:
        if not found.proven:
            return max(expected, found.low), found.visits, found.mean
        return found.low, math.inf if found.low else -1.0, found.mean

    return sorted(moves, key=rank, reverse=True)


def merge_roots(trees: Iterable[Iterable[RootMove]], *, same_state: bool) -> list[RootMove]:
    """The moves of several trees, each with all its visits, best first.

    A proof in one tree holds for all only if they grow from the same state.
    """
    found: dict[Move, list[RootMove]] = {}
    for tree in trees:
        for move in tree:
            found.setdefault(move.move, []).append(move)
    return best_first([_sum(move, parts, same_state) for move, parts in found.items()])


def _sum(move: Move, parts: Sequence[RootMove], same_state: bool) -> RootMove:
    visits = sum(part.visits for part in parts)
    mean = sum(part.mean * part.visits for part in parts) / visits if visits else BEST_GOAL / 2
    shares = [part.share for part in parts if part.share is not None]
    share = sum(shares) / len(parts) if shares else None
    if not same_state:
        return RootMove(move, visits, mean, 0, BEST_GOAL, share)
    low, high = max(part.low for part in parts), min(part.high for part in parts)
    return RootMove(move, visits, mean if low < high else float(low), low, high, share)


def pick_move(moves: Sequence[RootMove], rng: Random) -> Move:
    """The first of the moves, best first; where roles choose at once, one drawn by probability."""
    serious = [found for found in moves if found.share is not None and found.share >= _SERIOUS]
    if not serious:
        return moves[0].move
    return rng.choices(serious, [found.share or 0.0 for found in serious])[0].move


def move_reports(search: Search, moves: Sequence[RootMove], lines: int) -> tuple[MoveReport, ...]:
    """Moves, best first, as players report them: some of them with the expected line, which costs time."""
    return tuple(
        MoveReport(
            found.move,
            found.mean,
            found.visits,
            found.proven,
            search.line(found.move) if rank < lines else (),
            found.share,
            search.plies_to_end(found.move) if found.proven and rank < lines else None,
        )
        for rank, found in enumerate(moves)
    )
