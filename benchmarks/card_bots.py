"""Simple players of card games, as opponents for those that search: ``--player player2=benchmarks/card_bots.py:Tight``.

Each plays by a few rules that a beginner could follow, and says in its docstring which.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ludens.core import Deadline, Decision, Move, Player, View
from ludens.tabletop.hidden.view import TableView

_RANKS = "23456789TJQKA"
_RAISE = re.compile(r"raise to (\d+)")


def _cards(names: Sequence[str]) -> list[tuple[int, str]]:
    """Ranks from 2 to 14, and suits."""
    return [(_RANKS.index(name[0]) + 2, name[1]) for name in names if len(name) == 2 and name[0] in _RANKS]


class Calling(Player):
    """Hold'em: calls every bet and never raises."""

    name = "calling"
    description = "calls every bet"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """Check or call."""
        return Decision(next(move for move in view.legal_moves if move in ("check", "call")))


class Tight(Player):
    """Hold'em, tight and aggressive.

    Before the flop it raises with a pair of eights or better and with an ace or king beside a ten or better, calls with
    smaller pairs and two cards from nine on, and folds the rest. After it, two pairs or better raise, the top pair
    or an overpair bets and calls, other pairs and four cards of a suit call a bet of at most half the pot, all else
    checks and folds. Raises are about three times the highest bet, or two thirds of the pot.
    """

    name = "tight"
    description = "plays few hands, and those aggressively"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """By the strength of the hand."""
        assert isinstance(view, TableView)
        seen = view.observation
        hand = _cards(seen["places"].get(f"hand {view.role}", ()))
        board = _cards(seen["places"].get("board", ()))
        worth = self._before_flop(hand) if not board else self._after_flop(hand, board)
        if worth == 3:
            return Decision(self._raise(view, seen))
        if worth == 2 and "check" in view.legal_moves:
            return Decision(self._raise(view, seen))
        if worth >= 2 or (worth == 1 and self._is_cheap(view, seen)):
            return Decision(next(move for move in view.legal_moves if move in ("check", "call")))
        return Decision("check" if "check" in view.legal_moves else "fold")

    @staticmethod
    def _before_flop(hand: list[tuple[int, str]]) -> int:
        (high, _), (low, _) = sorted(hand, reverse=True)
        if (high == low and high >= 8) or (high >= 13 and low >= 10):
            return 3
        return 2 if high == low or low >= 9 else 0

    @staticmethod
    def _after_flop(hand: list[tuple[int, str]], board: list[tuple[int, str]]) -> int:
        ranks = Counter(rank for rank, _ in hand + board)
        common = Counter(rank for rank, _ in board)
        suits = Counter(suit for _, suit in hand + board)
        mine = {rank for rank, _ in hand}
        pairs = [rank for rank, count in ranks.items() if count > 1 and rank in mine]
        if len(pairs) > 1 or any(ranks[rank] > 2 for rank in pairs) or max(suits.values()) > 4:
            return 3
        if pairs and pairs[0] >= max(common):
            return 2
        return 1 if pairs or max(suits.values()) == 4 else 0

    @staticmethod
    def _is_cheap(view: View, seen: Mapping[str, Any]) -> bool:
        bets = [value for name, value in seen["values"].items() if name.startswith("bet ")]
        chips = [value for name, value in seen["values"].items() if name.startswith("chips ")]
        start = max(chips) + max(bets)
        pot = sum(start - value for value in chips)
        return bool(max(bets) - seen["values"][f"bet {view.role}"] <= pot / 2)

    @staticmethod
    def _raise(view: View, seen: Mapping[str, Any]) -> Move:
        totals = {int(found[1]): move for move in view.legal_moves if (found := _RAISE.fullmatch(move))}
        if not totals:
            return next(move for move in view.legal_moves if move in ("check", "call"))
        wanted = 3 * max(2, *(value for name, value in seen["values"].items() if name.startswith("bet ")))
        return totals[min(totals, key=lambda total: abs(total - wanted))]
