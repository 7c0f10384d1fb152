"""How sensible players of hold'em choose: the model by which worlds are weighed, and playouts."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random

from ludens.tabletop import Element, Rule, Table
from ludens.tabletop.poker import strength

CARDS = 5
"""Community cards at the end."""
RIVALS = 16
"""Random hands with which a hand is compared."""
CAUTION, STRONG, STEEP = 0.15, 0.7, 12.0
"""How much better than the odds of the pot a hand must be to call, from where on hands raise, and how sharply."""
RAISING, BLUFFING = 0.7, 0.1
"""How often the best hands raise more than the worst, and how often these do."""


class SensibleHands(Rule):
    """A rule of hold'em, with a model of its players."""

    @abstractmethod
    def active(self, table: Table) -> list[str]:
        """The players who have not folded."""

    @abstractmethod
    def chips(self, table: Table, player: str) -> int:
        """The remaining chips of a player."""

    @abstractmethod
    def in_street(self, table: Table, player: str) -> int:
        """The bet of a player in this street."""

    @abstractmethod
    def paid(self, table: Table) -> dict[str, int]:
        """The chips that each player put into the pots."""

    @abstractmethod
    def shares(self, paid: dict[str, int], active: list[str], strengths: Mapping[str, int]) -> dict[str, int]:
        """What each player takes from the pots, by the strengths of the hands."""

    def owed(self, table: Table, player: str) -> int:
        """What a player has to pay to call."""
        missing = int(table.get("high")) - self.in_street(table, player)
        return min(max(0, missing), self.chips(table, player))

    def quality(self, table: Table, player: str) -> float:
        """How good a hand is, from 0 to 1: before the flop by rank, suit and distance of its cards, later the share of
        a few other hands that it beats now."""
        hand, board = frozenset(table[table.hand(player)]), frozenset(table["board"])
        return share_beaten(hand, board, table.assortment("deck").elements) if board else first_quality(tuple(hand))

    def fold_share(self, table: Table, player: str, owed: int) -> float:
        """How likely a player is to fold: by the quality of its hand and the odds that the pot offers."""
        pot = sum(self.paid(table).values())
        return _rise(owed / (pot + owed) + CAUTION - self.quality(table, player))

    def likelihood(self, table: Table, move: str, moves: Sequence[str]) -> float:
        """Bad hands fold to large bets, good ones raise; the size of a raise says nothing."""
        player = table.current_player
        owed = self.owed(table, player)
        folds = self.fold_share(table, player, owed) if owed else 0.0
        if move == "fold":
            return folds
        sizes = len(moves) - (2 if owed else 1)
        raises = RAISING * _rise(self.quality(table, player) - STRONG) + BLUFFING if sizes else 0.0
        return (1 - folds) * (1 - raises if move in ("call", "check") else raises / sizes)

    def playout(self, table: Table, rng: Random) -> Sequence[float]:
        """Players who owe chips fold or call by `likelihood`, then all check to the end."""
        is_over = not set(table.get("pending") or ()) <= set(self.players)  # the next hand of a session is to be dealt
        if is_over or not any(table[table.hand(player)] for player in self.players):
            return [100 * self.chips(table, player) / self.points_range[1] for player in self.players]
        active, before = self.active(table), self.paid(table)
        paid = dict(before)
        for player in table.get("pending"):
            owed = self.owed(table, player)
            if owed and len(active) > 1 and rng.random() < self.fold_share(table, player, owed):
                active.remove(player)
            else:
                paid[player] += owed
        board = table["board"]
        board = (*board, *rng.sample(table["deck"], CARDS - len(board)))
        strengths = {player: strength((*table[table.hand(player)], *board)) for player in active}
        won = self.shares(paid, active, strengths)
        chips = [self.chips(table, player) + before[player] - paid[player] + won[player] for player in self.players]
        return [100 * count / self.points_range[1] for count in chips]


def _rise(x: float) -> float:
    """From 0 to 1, a half at 0."""
    return 1 / (1 + math.exp(-STEEP * x))


@lru_cache(maxsize=20_000)
def share_beaten(hand: frozenset[Element], board: frozenset[Element], cards: tuple[Element, ...]) -> float:
    """The share of random hands that a hand beats with this board, ties counting half."""
    others = [card for card in cards if card not in hand and card not in board]
    rng = Random(" ".join(sorted(card.name for card in hand | board)))
    own = strength((*hand, *board))
    found = [strength((*rng.sample(others, 2), *board)) for _ in range(RIVALS)]
    return sum((own > other) + 0.5 * (own == other) for other in found) / RIVALS


def first_quality(hand: Sequence[Element]) -> float:
    """How good two cards are before the flop, from 0 to 1."""
    low, high = sorted(int(card.rank) for card in hand)
    if low == high:
        return 0.55 + 0.45 * (low - 2) / 12
    is_suited, is_near = str(hand[0].suit) == str(hand[1].suit), high - low < 3
    return 0.45 * (high - 2) / 12 + 0.25 * (low - 2) / 12 + 0.05 * is_suited + 0.03 * is_near
