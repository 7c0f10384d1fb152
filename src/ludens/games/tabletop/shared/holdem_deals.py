"""Cards for many playouts of hold'em, as one player considers them possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from ludens.games.tabletop.shared.holdem_boards import (
    Runouts,
    board_of,
    first_boards,
    first_quality,
    hand_number,
    quality_of_hands,
    showdowns,
)
from ludens.games.tabletop.shared.holdem_record import Act, part_of_pot, with_keep
from ludens.games.tabletop.shared.holdem_styles import STYLES, TRUST, choice_shares, parameters, style_shares
from ludens.tabletop.bulk_poker import Array

_TRIES = 8
"""Attempts to find a run-out without cards that are held."""
_OTHERS = 8
"""Other run-outs, over which the mean is taken if no more bets are possible."""


@dataclass(frozen=True, slots=True)
class Spot:
    """All that a player sees when it has to choose. Players are numbered by their seats, from the small blind on."""

    names: Sequence[str]
    chips: Sequence[int]
    """The chips of each player at the beginning of the hand."""
    left: Sequence[int]
    """The remaining chips of each."""
    bets: Sequence[int]
    """The bet of each in this street."""
    folded: Sequence[bool]
    pending: Sequence[bool]
    """Who has to act in this street."""
    actor: int
    """Who chooses."""
    hand: frozenset[int]
    """Its cards."""
    board: Sequence[int]
    street: int
    high: int
    """The highest bet in this street."""
    raised: int
    """The least raise of a no-limit game."""
    count: int
    """The bets in this street."""
    blind: int
    most_bets: int
    """The most bets in a street of a limit game; 0 without limit."""
    acts: Sequence[Act]
    """The choices in this hand."""
    records: Sequence[Sequence[int]]
    """What each player did in earlier hands."""


class Deals:
    """Cards for many playouts: hands of others, run-outs, and how good all hands are there in each street.

    The cards of others are drawn by how likely their choices in this hand are with them, together with their styles.
    """

    def __init__(self, spot: Spot, count: int, rng: Random) -> None:
        self._spot = spot
        self._draws = np.random.default_rng(rng.getrandbits(64))
        own = hand_number(spot.hand)
        bits = showdowns().bits
        self._hands: Array = np.full((count, len(spot.names)), own)
        self.styles: Array = np.zeros((count, len(spot.names)), np.int64)
        """The style of each player (deals, players)."""
        used, is_valid = np.full(count, bits[own]), np.ones(count, np.bool_)
        taken = int(bits[own]) | sum(1 << card for card in spot.board)
        for seat in range(len(spot.names)):
            if seat != spot.actor and not spot.folded[seat]:
                self.styles[:, seat], hands = self._draw_hands(seat, taken, count)
                self._hands[:, seat] = hands
                is_valid &= (bits[hands] & used) == 0
                used |= bits[hands]
        self._lay_boards(used, is_valid)

    def _draw_hands(self, seat: int, taken: int, count: int) -> tuple[Array, Array]:
        """Styles and hands of a player."""
        weights = self.weights(seat)
        weights[:, (showdowns().bits & taken) != 0] = 0
        # Evenly over styles, and over hands from bad to good, so that less depends on luck.
        order = np.argsort(first_quality())
        sums = np.cumsum(weights[:, order].ravel())
        points = (self._draws.random() + np.arange(count)) / count * sums[-1]
        places = np.minimum(np.searchsorted(sums, self._draws.permutation(points), side="right"), len(sums) - 1)
        return places // len(order), order[places % len(order)]

    def weights(self, seat: int) -> Array:
        """How likely each style and hand of a player are, up to a factor (styles, hands)."""
        spot = self._spot
        styles = parameters()[: len(STYLES), None]
        weights = np.ones((len(STYLES), len(showdowns().bits)))
        for (name, what, street, owed, pot, can_raise), keep in with_keep(spot.acts)[0]:
            if name == spot.names[seat]:
                quality = quality_of_hands(spot.board, street)
                weights *= choice_shares(quality, part_of_pot(owed, pot), keep, street, can_raise, styles)[what]
        means = weights.mean(axis=1)
        found: Array = weights * (style_shares(spot.records[seat]) * means ** (TRUST - 1))[:, None]
        return found

    def _lay_boards(self, used: Array, is_valid: Array) -> None:
        """Find run-outs without cards that are held, and what all hands are worth there."""
        spot = self._spot
        known = board_of(frozenset(spot.board)) if spot.street else first_boards().next()
        number = len(known.bits)
        runouts = self._draws.permutation(max(number, len(used)))[: len(used)] % number
        for _ in range(_TRIES):
            is_taken = (known.bits[runouts] & used) != 0
            if not is_taken.any():
                break
            runouts[is_taken] = self._draws.integers(number, size=np.count_nonzero(is_taken))
        is_valid &= (known.bits[runouts] & used) == 0
        runouts, hands, self.styles = runouts[is_valid], self._hands[is_valid], self.styles[is_valid]
        self.quality: Array = np.zeros((*hands.shape, 4), np.float32)
        """How good each hand is in each street (deals, players, streets)."""
        for street in known.streets:
            self.quality[:, :, street] = known.qualities(street, runouts, hands)
        self.rank: Array = known.rank[runouts[:, None], hands]
        """How strong each hand is in the end."""
        self.other_ranks, self.is_other = self._draw_others(known, hands, used[is_valid])

    def _draw_others(self, known: Runouts, hands: Array, used: Array) -> tuple[Array, Array]:
        """How strong the hands are on other run-outs (run-outs, deals, players), and whether these are possible."""
        runouts = self._draws.integers(len(known.bits), size=(_OTHERS, len(hands)))
        return known.rank[runouts[:, :, None], hands], (known.bits[runouts] & used) == 0
