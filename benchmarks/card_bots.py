"""Simple players of card games, as opponents for those that search: ``--player player2=benchmarks/card_bots.py:Tight``.

Each plays by a few rules that a beginner could follow, and says in its docstring which.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ludens.core import Clock, Deadline, Decision, Game, Move, Player, Role, View
from ludens.tabletop import french_deck
from ludens.tabletop.hidden.view import TableView
from ludens.tabletop.poker import strength

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


class Passive(Tight):
    """Hold'em, tight and passive: plays the hands of `Tight`, but never bets, and raises two pairs or better only."""

    name = "passive"
    description = "plays few hands, and those by calling"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """By the strength of the hand."""
        chosen = super().choose(view, deadline).move
        board = view.observation["places"].get("board", ()) if isinstance(view, TableView) else ()
        if chosen.startswith("raise") and (not board or "check" in view.legal_moves):
            return Decision(next(move for move in view.legal_moves if move in ("check", "call")))
        return Decision(chosen)


class _Chancy(Player):
    """A bot that draws random numbers."""

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Keep the seed."""
        self._rng = random.Random(seed)


class Maniac(_Chancy):
    """Hold'em, loose and aggressive: bets and raises six times of ten whatever it holds, by about the pot, and calls
    most other times; it folds one time of ten to a bet."""

    name = "maniac"
    description = "bets and raises with anything"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """By luck."""
        assert isinstance(view, TableView)
        drawn = self._rng.random()
        raises = [move for move in view.legal_moves if move.startswith("raise")]
        if raises and drawn < 0.6:
            bets = [value for name, value in view.observation["values"].items() if name.startswith("bet ")]
            pot = view.observation["values"]["pot"] + sum(bets)
            wanted = max(bets) + pot
            return Decision(min(raises, key=lambda move: abs(int(move.split()[-1]) - wanted)))
        if drawn > 0.9 and "fold" in view.legal_moves:
            return Decision("fold")
        return Decision(next(move for move in view.legal_moves if move in ("check", "call")))


class Odds(_Chancy):
    """Hold'em by the odds of the pot: it estimates how often its hand would win against a random one, by 100 deals. It
    calls if that is more than the share of the pot that it has to pay, bets and raises two thirds of the pot from 0.65
    on, and never bluffs."""

    name = "odds"
    description = "compares its chances with the odds of the pot"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """By the chances of the hand."""
        assert isinstance(view, TableView)
        seen = view.observation
        chance = self._chance(seen["places"][f"hand {view.role}"], seen["places"].get("board", ()))
        bets = {name: value for name, value in seen["values"].items() if name.startswith("bet ")}
        pot = seen["values"]["pot"] + sum(bets.values())
        owed = max(bets.values()) - bets[f"bet {view.role}"]
        raises = [move for move in view.legal_moves if move.startswith("raise")]
        if raises and chance > 0.65:
            wanted = max(bets.values()) + 2 * (pot + owed) / 3
            return Decision(min(raises, key=lambda move: abs(int(move.split()[-1]) - wanted)))
        if "check" in view.legal_moves:
            return Decision("check")
        return Decision("call" if chance > owed / (pot + owed) else "fold")

    def _chance(self, hand: Sequence[str], board: Sequence[str]) -> float:
        deck = {card.name: card for card in french_deck().elements}
        mine, laid = [deck.pop(name) for name in hand], [deck.pop(name) for name in board]
        won = 0.0
        for _ in range(100):
            drawn = self._rng.sample(list(deck.values()), 7 - len(laid))
            table = [*laid, *drawn[2:]]
            own, other = strength([*mine, *table]), strength([*drawn[:2], *table])
            won += (own > other) + 0.5 * (own == other)
        return won / 100
