"""How good every hand of hold'em is on a board, among all hands, and on boards that may come of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from random import Random

import numpy as np

from ludens.tabletop.bulk_poker import CARDS, RANKS, Array, Showdowns

BOARD = 5
"""Community cards at the end."""
_FIRST_BOARDS = 240
"""Boards by which hands are ranked before the flop."""
_RUNOUTS = (8, 5)
"""Turn cards that are drawn after a flop, and river cards after each."""
_FEW_RUNOUTS = (4, 3)
"""The same, for flops that stand for all."""
_FLOPS, _FIRST_FLOPS, _MORE_FLOPS = 160, 16, 4
"""How many flops stand for all, how many of them at first, and how many are added at a time."""


class Runouts:
    """Boards of five cards that may come up, and how good all hands are in each street on the way there.

    The *quality* of a hand is the share of all hands that are not better: at the end by rank, before it by the mean
    over run-outs of that share. On the way to one of the run-outs, the mean is over the others, so that nobody in a
    playout knows what will come.
    """

    bits: Array
    """The cards of each run-out as bits."""
    rank: Array
    """The rank of each hand at the end (run-outs, hands)."""
    streets: dict[int, tuple[int, Array]]
    """For each street how many neighbouring run-outs have the same qualities, and these (run-outs / that, hands)."""

    def qualities(self, street: int, runouts: Array, hands: Array) -> Array:
        """How good hands are in a street on the way to run-outs (deals, players)."""
        same, found = self.streets[street]
        qualities: Array = found[runouts[:, None] // same, hands]
        return qualities


class Board(Runouts):
    """Three to five community cards, and what may come of them."""

    def __init__(self, cards: Sequence[int], draws: tuple[int, int] = _RUNOUTS) -> None:
        self.known = sorted(cards)
        """The cards."""
        street = len(cards) - 2
        boards = np.array([[*self.known, *one] for one in self._more(street, draws)])
        hands = showdowns()
        self.bits = (np.int64(1) << boards).sum(axis=1)
        self.rank = hands.rank(boards)
        is_free = (self.bits[:, None] & hands.bits) == 0
        last = shares(self.rank, is_free)
        self.streets = {3: (1, last)}
        if street < 3:
            known = sum(1 << card for card in self.known)
            mean = np.where(is_free, last, 0).sum(axis=0) / np.maximum(1, is_free.sum(axis=0))
            self.streets[street] = len(boards), percentiles(mean[None], ((known & hands.bits) == 0)[None])
        if street == 1:
            self.streets[2] = 1, _percentiles_of_others(last, is_free, draws)
        self.quality: Array = self.streets[street][1][0]
        """The quality of each hand on this board."""

    def _more(self, street: int, draws: tuple[int, int]) -> list[tuple[int, ...]]:
        """Cards that may come; all of them, or some after the flop."""
        others = [card for card in range(CARDS) if card not in self.known]
        if street > 1:
            return [(card,) for card in others] if street == 2 else [()]
        rng = Random(repr(self.known))
        return [
            (turn, river)
            for turn in rng.sample(others, draws[0])
            for river in rng.sample([one for one in others if one != turn], draws[1])
        ]


def _percentiles_of_others(last: Array, is_free: Array, draws: tuple[int, int]) -> Array:
    """How good all hands are after the turn, by the river cards other than that of a run-out."""
    groups, counts = (array.reshape(*draws, -1) for array in (np.where(is_free, last, 0), is_free))
    rest = (groups.sum(axis=1, keepdims=True) - groups).reshape(last.shape)
    number = (counts.sum(axis=1, keepdims=True) - counts).reshape(last.shape)
    return percentiles(rest / np.maximum(1, number), is_free)


class FirstBoards(Runouts):
    """Run-outs of flops that stand for all flops: a few at first, and more with each use."""

    def __init__(self) -> None:
        self._flops: list[Board] = []
        self._rng = Random(1)
        self._grow(_FIRST_FLOPS)

    def _grow(self, count: int) -> None:
        self._flops += [Board(self._rng.sample(range(CARDS), 3), _FEW_RUNOUTS) for _ in range(count)]
        each = _FEW_RUNOUTS[0] * _FEW_RUNOUTS[1]
        self.bits = np.concatenate([flop.bits for flop in self._flops])
        self.rank = np.concatenate([flop.rank for flop in self._flops])
        self.streets = {
            street: (same, np.concatenate([flop.streets[street][1] for flop in self._flops]))
            for street, same in ((1, each), (2, 1), (3, 1))
        } | {0: (each * len(self._flops), first_quality()[None])}

    def next(self) -> FirstBoards:
        """These, with a few more."""
        if len(self._flops) < _FLOPS:
            self._grow(_MORE_FLOPS)
        return self


@cache
def showdowns() -> Showdowns:
    """The ranking of all hands."""
    return Showdowns()


@cache
def first_boards() -> FirstBoards:
    """Run-outs for those who have to choose before the flop."""
    return FirstBoards()


@lru_cache(maxsize=64)
def board_of(cards: frozenset[int]) -> Board:
    """A board that was looked at before, or a new one."""
    return Board(tuple(cards))


@lru_cache(maxsize=2048)
def hand_number(cards: frozenset[int]) -> int:
    """The place of a hand of two cards."""
    return int(np.flatnonzero(showdowns().bits == sum(1 << card for card in cards))[0])


@cache
def first_quality() -> Array:
    """The quality of each hand before the flop."""
    rng = Random(1)
    boards = np.array([rng.sample(range(CARDS), BOARD) for _ in range(_FIRST_BOARDS)])
    hands = showdowns()
    is_free = ((np.int64(1) << boards).sum(axis=1)[:, None] & hands.bits) == 0
    found = np.where(is_free, shares(hands.rank(boards), is_free), 0).sum(axis=0) / is_free.sum(axis=0)
    # Hands that differ in their suits only are equally good.
    ranks, suits = hands.hands % RANKS, hands.hands // RANKS
    kinds = (ranks.max(axis=1) * RANKS + ranks.min(axis=1)) * 2 + (suits[:, 0] == suits[:, 1])
    means = np.bincount(kinds, found) / np.maximum(1, np.bincount(kinds))
    qualities: Array = percentiles(means[kinds][None], np.ones((1, len(found)), np.bool_))[0]
    return qualities


def quality_of_hands(board: Sequence[int], street: int) -> Array:
    """The quality of all hands in a street, given the community cards in the order in which they were dealt."""
    if not street:
        return first_quality()
    return board_of(frozenset(board[: street + 2])).quality


def shares(rank: Array, is_free: Array) -> Array:
    """The share of free hands that each hand beats, ties counting half, row by row."""
    count = showdowns().classes
    keys = rank + np.arange(len(rank))[:, None] * count
    have = np.bincount(keys[is_free], minlength=len(rank) * count).reshape(len(rank), count)
    below = np.cumsum(have, axis=1) - 0.5 * have
    found: Array = (below.ravel()[keys] / is_free.sum(axis=1)[:, None]).astype(np.float32)
    return found


def percentiles(values: Array, is_free: Array) -> Array:
    """The share of free hands with lower values, row by row; equal values have neighbouring shares."""
    order = np.argsort(np.where(is_free, values, -1), axis=1)
    places = np.empty(values.shape, np.float32)
    np.put_along_axis(places, order, np.arange(values.shape[1], dtype=np.float32)[None], axis=1)
    free = is_free.sum(axis=1)[:, None]
    found: Array = (np.maximum(0, places - (values.shape[1] - free) + 0.5) / free).astype(np.float32)
    return found
