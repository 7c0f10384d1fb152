"""Playouts of hold'em from what one player sees, thousands at once: all play on in their styles.

What the searching player does later is not decided yet. It follows one of a few plans, and the best of them counts;
which one that is, is found with one half of the playouts, and its value with the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from ludens.games.tabletop.shared.holdem_deals import Deals, Spot
from ludens.games.tabletop.shared.holdem_record import CALL, FOLD, RAISE, with_keep
from ludens.games.tabletop.shared.holdem_styles import PLANS, STYLES, choice_shares, parameters
from ludens.tabletop.bulk_poker import Array

_ROWS = 6000
"""Playouts at a time."""
_MOST, _LEAST = 480, 64
"""Playouts of each move and plan at a time."""
_LAST_STREET = 3
_SIZES = np.array([0.5, 0.75, 1.0])
"""Raises in no-limit games, as parts of the pot."""

Choice = tuple[int, int]
"""What the player does, and the total bet of a raise."""


def rollouts(spot: Spot, choices: Sequence[Choice], rng: Random) -> Array:
    """The chips of the player at the end of many playouts after each of its choices (choices, playouts); the columns
    begin with the same cards."""
    count = min(_MOST, max(_LEAST, _ROWS // (len(PLANS) * len(choices))))
    deals = Deals(spot, count, rng)
    table = _Tables(spot, deals, choices, rng)
    chips = table.play().reshape(len(choices), len(PLANS), -1)
    half = chips.shape[2] // 2
    parts = [(chips[:, :, :half], chips[:, :, half:]), (chips[:, :, half:], chips[:, :, :half])]
    best = [np.take_along_axis(one, other.mean(axis=2).argmax(axis=1)[:, None, None], axis=1) for one, other in parts]
    return np.concatenate(best, axis=2)[:, 0]


class _Tables:
    """Many hands that are played side by side, a row each."""

    def __init__(self, spot: Spot, deals: Deals, choices: Sequence[Choice], rng: Random) -> None:
        self._spot, self._deals = spot, deals
        self._draws = np.random.default_rng(rng.getrandbits(64))
        deal_count, players = deals.styles.shape
        count = len(choices) * len(PLANS) * deal_count
        self._players = players
        self._seats = np.arange(players)
        self._first = np.array([what for what, _ in choices]).repeat(len(PLANS) * deal_count)
        self._first_total = np.array([total for _, total in choices]).repeat(len(PLANS) * deal_count)
        self._row = np.arange(count)
        self._deal = np.tile(np.arange(deal_count), len(choices) * len(PLANS))
        self._style = deals.styles[self._deal]
        plans = len(STYLES) + np.arange(len(PLANS)).repeat(deal_count)
        self._style[:, spot.actor] = np.tile(plans, len(choices))
        self._left = np.tile(np.array(spot.left), (count, 1))
        self._bet = np.tile(np.array(spot.bets), (count, 1))
        self._folded = np.tile(np.array(spot.folded), (count, 1))
        self._pending = np.tile(np.array(spot.pending), (count, 1))
        numbers = (spot.actor, spot.street, spot.high, spot.raised, spot.count)
        self._actor, self._street, self._high, self._raised, self._count = (np.full(count, one) for one in numbers)
        self._keep = np.full(count, with_keep(spot.acts)[1])
        self._end_left = np.zeros((count, players), np.int64)
        self._end_folded = np.zeros((count, players), np.bool_)
        self._is_early = np.zeros(count, np.bool_)

    def play(self) -> Array:
        """The chips of the searching player at the end of each row."""
        is_first = True
        while len(self._row):
            self._act(is_first)
            is_first = False
        return self._settle()

    def _act(self, is_first: bool) -> None:
        """One choice in each row."""
        rows = np.arange(len(self._row))
        actor, left = self._actor, self._left[rows, self._actor]
        own = self._bet[rows, actor]
        owed = np.minimum(np.maximum(self._high - own, 0), left)
        pot = (np.array(self._spot.chips) - self._left).sum(axis=1)
        part = np.minimum(owed / np.maximum(1, pot), 0.999)
        active = ~self._folded
        others = ((self._left > 0) & active).sum(axis=1) - (left > 0)
        can_raise = (left > owed) & (others > 0)
        if self._spot.most_bets:
            can_raise &= self._count < self._spot.most_bets
        if is_first:
            what, total = self._first, self._first_total
        else:
            what, total = self._choose(rows, part, active, can_raise, pot + owed)
            total = np.minimum(total, left + own)
        self._do(rows, what, total, owed, part)

    def _choose(self, rows: Array, part: Array, active: Array, can_raise: Array, pot: Array) -> tuple[Array, Array]:
        """What players do in their styles, and the totals of raises."""
        quality = self._deals.quality[self._deal, self._actor, self._street]
        rivals = active.sum(axis=1) - 1
        if self._players > 2:  # more others have better hands
            quality = quality ** ((rivals + 1) / 2)
        style = parameters()[self._style[rows, self._actor]]
        folds, calls, _ = choice_shares(quality, part, self._keep, self._street, can_raise, style)
        # The same luck for all choices and plans of a deal, so that their differences are theirs.
        drawn = self._draws.random(len(self._deals.styles))[self._deal]
        what = np.where(drawn < folds, FOLD, np.where(drawn < folds + calls, CALL, RAISE))
        if self._spot.most_bets:
            return what, self._high + self._spot.blind * np.where(self._street < 2, 1, 2)
        size = _SIZES[self._draws.integers(len(_SIZES), size=len(self._deals.styles))][self._deal]
        return what, self._high + np.maximum(self._raised, (size * pot).astype(np.int64))

    def _do(self, rows: Array, what: Array, total: Array, owed: Array, part: Array) -> None:
        actor = self._actor
        is_raise = what == RAISE
        paid = np.where(is_raise, total - self._bet[rows, actor], np.where(what == CALL, owed, 0))
        self._left[rows, actor] -= paid
        self._bet[rows, actor] += paid
        self._folded[rows, actor] |= what == FOLD
        self._keep = np.where(what == FOLD, self._keep, self._keep * (1 - part))
        self._raised = np.where(is_raise, np.maximum(total - self._high, self._raised), self._raised)
        self._high = np.where(is_raise, total, self._high)
        self._count = self._count + is_raise
        able = ~self._folded & (self._left > 0)
        self._pending[rows, actor] = False
        self._pending |= is_raise[:, None] & (self._seats != actor[:, None])
        self._pending &= able
        is_quiet = ~self._pending.any(axis=1)
        is_over = (~self._folded).sum(axis=1) == 1
        is_over |= is_quiet & ((self._street == _LAST_STREET) | (able.sum(axis=1) < 2))
        self._begin_street(is_quiet & ~is_over, able)
        self._move_on(rows)
        if is_over.any():
            self._remove(is_over)

    def _begin_street(self, is_new: Array, able: Array) -> None:
        """The small blind begins, with two players the big one."""
        self._street = self._street + is_new
        self._bet[is_new] = 0
        self._pending[is_new] = able[is_new]
        self._high, self._count = np.where(is_new, 0, self._high), np.where(is_new, 0, self._count)
        self._raised = np.where(is_new, self._spot.blind, self._raised)
        self._actor = np.where(is_new, self._players - 1 if self._players > 2 else 0, self._actor)

    def _move_on(self, rows: Array) -> None:
        """The next player who has to act."""
        following = self._actor
        for step in range(self._players - 1, 0, -1):
            seat = (self._actor + step) % self._players
            following = np.where(self._pending[rows, seat], seat, following)
        self._actor = following

    def _remove(self, is_over: Array) -> None:
        """Keep the ends of rows, and go on with the others."""
        ended = self._row[is_over]
        self._end_left[ended], self._end_folded[ended] = self._left[is_over], self._folded[is_over]
        self._is_early[ended] = self._street[is_over] == self._spot.street
        left = ~is_over
        for name in (
            "_row", "_deal", "_style", "_left", "_bet", "_folded", "_pending", "_actor", "_street", "_high", "_raised",
            "_count", "_keep",
        ):  # fmt: skip
            setattr(self, name, getattr(self, name)[left])

    def _settle(self) -> Array:
        """What the searching player has after the best hands took the pots."""
        paid, active, me = np.array(self._spot.chips) - self._end_left, ~self._end_folded, self._spot.actor
        deal = np.arange(len(paid)) % len(self._deals.rank)
        won = shares_of_pots(paid, active, self._deals.rank[deal], me)
        # Where all are all in at once, the mean over several run-outs says more.
        rows = np.flatnonzero(self._is_early & (active.sum(axis=1) > 1))
        if len(rows) and self._spot.street < _LAST_STREET:
            totals, count = won[rows], np.ones(len(rows))
            for rank, is_possible in zip(self._deals.other_ranks, self._deals.is_other, strict=True):
                shares = shares_of_pots(paid[rows], active[rows], rank[deal[rows]], me)
                totals += shares * is_possible[deal[rows]]
                count += is_possible[deal[rows]]
            won[rows] = totals / count
        return self._end_left[:, me] + won


def shares_of_pots(paid: Array, is_active: Array, rank: Array, player: int) -> Array:
    """What a player takes from the main pot and the side pots of each row (rows, players); odd chips are split."""
    won = np.zeros(len(paid))
    below = np.zeros((len(paid), 1), np.int64)
    levels = np.sort(np.where(is_active, paid, 0), axis=1)
    for number in range(paid.shape[1]):
        level = levels[:, number : number + 1]
        top = paid if number == paid.shape[1] - 1 else np.minimum(paid, level)  # the last pot has what is left
        size = (top - np.minimum(paid, below)).sum(axis=1)
        best = np.where(is_active & (paid >= level), rank, -1)
        is_winner = best == best.max(axis=1, keepdims=True)
        won += size * is_winner[:, player] / is_winner.sum(axis=1)
        below = level
    return won
