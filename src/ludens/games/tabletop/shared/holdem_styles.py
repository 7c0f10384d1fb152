"""How players of hold'em choose, by the quality of their hands: a few styles, and which of them a player has.

A style says how many of its hands a player gives up to a bet, and with how many it raises. The measure is theory: a bet
of b into a pot of p is no profitable bluff if the other goes on with p / (p + b) of its hands. `keep` is the product of
these shares over all bets of a hand that were answered, so that who goes on has better hands with each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cache
from typing import Any

import numpy as np

from ludens.games.tabletop.shared.holdem_record import OWING_FIRST, OWING_LATER, OWING_NONE
from ludens.tabletop.bulk_poker import Array

_STEEP = 14.0
"""How sharply players tell good hands from bad ones."""
_OFTEN = 0.85
"""How often a hand that is good enough for a raise raises."""
_PRICE = 2.0
"""Hands are given up at most up to this many times the chance of winning that pays for a call: nobody folds much to a
small bet into a large pot."""
TRUST = 0.7
"""How much choices say about the style of a player, as a power: they depend on more than the model knows."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a player chooses."""

    first: float
    """How quickly bets before the flop drive it out: 1 as theory asks for, more for tight players, 0 for never."""
    later: float
    """The same for bets after the flop."""
    betting: float
    """The share of its hands, of those that theory would still hold, with which it bets if nobody has."""
    raising: float
    """The same for raises of a bet."""
    bluffing: float
    """How often it bets or raises with other hands."""
    sight: float = 0.5
    """The largest part of the pot that it takes note of, if it is owed: few players fold much more to larger bets."""
    noise: float = 0.04
    """How often it chooses at random."""


STYLES: dict[str, tuple[float, Style]] = {
    "balanced": (0.2, Style(1.0, 1.0, 0.45, 0.25, 0.1, sight=0.8)),
    "careful": (0.15, Style(1.0, 1.0, 0.2, 0.12, 0.03, sight=0.8)),
    "tight, aggressive": (0.15, Style(3.0, 1.4, 0.5, 0.35, 0.03, sight=0.4)),
    "tight, passive": (0.1, Style(2.5, 1.5, 0.15, 0.08, 0.01)),
    "loose, passive": (0.1, Style(0.4, 0.5, 0.15, 0.08, 0.02)),
    "loose, aggressive": (0.1, Style(0.3, 0.4, 0.7, 0.5, 0.4)),
    "calling": (0.15, Style(0.0, 0.0, 0.0, 0.0, 0.0)),
    "random": (0.05, Style(0.0, 0.0, 0.0, 0.0, 0.0, noise=1.0)),
}
"""The styles that others may have, each with its share."""
PLANS = (
    Style(1.0, 1.0, 0.5, 0.3, 0.08, sight=0.8, noise=0.0),
    Style(0.0, 0.0, 0.0, 0.0, 0.0, noise=0.0),
    Style(0.6, 0.7, 0.7, 0.45, 0.02, sight=0.8, noise=0.0),
    Style(2.0, 2.0, 0.25, 0.15, 0.0, sight=0.8, noise=0.0),
)
"""How the searching player may go on: as theory asks for, calling, betting more, giving up early."""


@cache
def parameters() -> Array:
    """The numbers of all styles, then those of the plans (styles, numbers)."""
    return np.array([astuple(style) for style in (*(style for _, style in STYLES.values()), *PLANS)])


def choice_shares(quality: Any, owed_share: Any, keep: Any, street: Any, can_raise: Any, style: Array) -> Array:
    """How likely a player is to fold, to call and to raise: arrays that go with each other. ``style`` has the numbers
    of a style in its last axis, ``owed_share`` is the part of the pot that the player owes."""
    first, later, betting, raising, bluffing, sight, noise = np.moveaxis(style, -1, 0)
    is_owed, can_raise = np.greater(owed_share, 0), np.asarray(can_raise, np.float64)
    owed_share = np.minimum(owed_share, sight)
    narrow = np.where(np.equal(street, 0), first, later)
    held = (keep * (1 - owed_share)) ** narrow
    given_up = np.minimum(1 - held, _PRICE * np.maximum(narrow, 1) * owed_share / (1 + owed_share))
    folds = _rise(given_up - quality) * (is_owed & (narrow > 0))
    good = np.where(is_owed, raising, betting) * held
    is_good = _rise(quality - 1 + good) * (good > 0)
    raises = (1 - folds) * (bluffing + (_OFTEN - bluffing) * is_good) * can_raise
    options = 1.0 + is_owed + can_raise
    folds = (1 - noise) * folds + noise * is_owed / options
    raises = (1 - noise) * raises + noise * can_raise / options
    return np.stack([folds, 1 - folds - raises, raises])


def _rise(x: Any) -> Any:
    """From 0 to 1, a half at 0."""
    return 1 / (1 + np.exp(-_STEEP * x))


# What players did in earlier hands

_SITUATIONS = {OWING_FIRST: (0, 0.33, 1.0), OWING_LATER: (1, 0.25, 0.6), OWING_NONE: (1, 0.0, 0.7)}
"""For each situation a street, a part of the pot that is owed, and what theory holds."""


@cache
def _shares_of_styles() -> Array:
    """How often each style folds, calls and raises in each situation (styles, 3 for each situation)."""
    qualities = np.linspace(0.01, 0.99, 50)
    styles = parameters()[: len(STYLES), None]
    rows = [
        choice_shares(qualities, part, keep, street, 1, styles).mean(axis=-1).T
        for street, part, keep in _SITUATIONS.values()
    ]
    found: Array = np.maximum(np.concatenate(rows, axis=1), 1e-3)
    return found


def style_shares(record: Sequence[int]) -> Array:
    """How likely a player with this record is to have each style."""
    logs = np.log([share for share, _ in STYLES.values()]) + TRUST * np.log(_shares_of_styles()) @ np.array(record)
    shares: Array = np.exp(logs - logs.max())
    return shares / float(shares.sum())


def mean_choice_shares(
    quality: float, owed_share: float, keep: float, street: int, can_raise: bool, record: Sequence[int]
) -> list[float]:
    """How likely a player with this record is to fold, to call and to raise."""
    shares = choice_shares(quality, owed_share, keep, street, can_raise, parameters()[: len(STYLES)])
    found: list[float] = (shares @ style_shares(record)).tolist()
    return found
