"""Trick taking in GDL, as the twin of pages that take tricks: one generator for all of them.

Cards of the twin are a suit and a rank as they count in the hand that is played, so that one twin serves every trump
suit. The state begins with a set-up in which seats take cards, so that every deal can be reached by the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ludens.games.generating import facts
from ludens.tabletop import Element

SHEET = """
{roles}
{facts}

; --- Set-up: seats take cards, until one does nothing and leads ------------------------------------------------------

(init setup)
(init first)
(init (count 0))
(<= (next setup) (true setup) (not begins))
(<= begins (does ?s noop))
(<= (next (holds ?s ?c)) (true setup) (does ?s (play ?c)) (not (taken ?c)) (not (wanted_before ?s ?c)))
(<= (taken ?c) (true (holds ?s ?c)))
(<= (wanted_before ?s ?c) (before ?r ?s) (does ?r (play ?c)))
(<= (next (turn ?s)) (true setup) (does ?s noop) (not (idle_before ?s)))
(<= (idle_before ?s) (before ?r ?s) (does ?r noop))
(<= (next (count 0)) (true setup))
(<= (next first) (true setup))
(<= (next (trump ?u)) (true setup) (does {first_seat} (play ?c)) (suit_of ?c ?u))
(<= (next (stops ?s)) (true setup) (does ?s (play {first_card})))
(<= (next broken) (true setup) (does {first_seat} (play {first_card})))
(<= (legal ?s (play ?c)) (true setup) (role ?s) (card ?c))
(<= (legal ?s noop) (true setup) (role ?s))

; --- Legal cards ----------------------------------------------------------------------------------------------------

(<= (legal ?s noop) (role ?s) (true (turn ?t)) (distinct ?s ?t))
(<= (legal ?s (play ?c)) (true (turn ?s)) (playable ?c))
(<= (has ?c) (true (turn ?s)) (true (holds ?s ?c)))
(<= (follows ?c) (has ?c) (suit_of ?c ?u) (true (led ?u)))
(<= can_follow (follows ?c))
(<= (fits ?c) (follows ?c))
(<= (fits ?c) (has ?c) (not can_follow))
(<= leading (true (count 0)))
; What a rule asks players to avoid, they may still play if they have nothing else.
(<= (good ?c) (fits ?c) (not (avoided ?c)))
(<= some_good (good ?c))
(<= (playable ?c) (good ?c))
(<= (playable ?c) (fits ?c) (not some_good))
{avoided}

; --- The trick ------------------------------------------------------------------------------------------------------

(<= (played ?c) (true (turn ?s)) (does ?s (play ?c)))
(<= completes (true (turn ?s)) (true (count {last})))
(<= better (played ?c) (true (best ?d)) (over ?c ?d))
(<= better (played ?c) (suit_of ?c ?u) (true (trump ?u)) (true (best ?d)) (suit_of ?d ?v) (distinct ?u ?v))
(<= better (true (turn ?s)) leading)
(<= (winning ?s) (true (turn ?s)) better)
(<= (winning ?s) (true (turn ?t)) (true (ahead ?s)) (not better))

(<= (next (holds ?s ?c)) (true (holds ?s ?c)) (not (played ?c)))
(<= (next (led ?u)) (played ?c) leading (suit_of ?c ?u))
(<= (next (led ?u)) (true (led ?u)) (not completes))
(<= (next (best ?c)) (played ?c) better (not completes))
(<= (next (best ?c)) (true (best ?c)) (not better) (not completes))
(<= (next (ahead ?s)) (winning ?s) (not completes))
(<= (next (laid ?c)) (played ?c) (not completes))
(<= (next (laid ?c)) (true (laid ?c)) (not completes))
(<= (next (count ?n)) (true (turn ?s)) (true (count ?m)) (succ ?m ?n) (not completes))
(<= (next (count 0)) completes)
(<= (next (turn ?s)) completes (winning ?s))
(<= (next (turn ?t)) (true (turn ?s)) (after ?s ?t) (not completes))
(<= (next (won ?s ?c)) (true (won ?s ?c)))
(<= (next (won ?s ?c)) completes (winning ?s) (played ?c))
(<= (next (won ?s ?c)) completes (winning ?s) (true (laid ?c)))
(<= (next (trump ?u)) (true (turn ?s)) (true (trump ?u)))
(<= (next (stops ?s)) (true (turn ?t)) (true (stops ?s)))
(<= (next first) (true first) (true (turn ?s)) (not completes))
(<= (next broken) (true (turn ?s)) (true broken))
(<= (next broken) (played ?c) (breaks ?c))

; --- The end: all cards are played, or a seat has a trick that must have none. Points are counted outside. ------------

(<= somebody_holds (true (holds ?s ?c)))
(<= terminal (not somebody_holds) (not (true setup)))
(<= terminal (true (stops ?s)) (true (won ?s ?c)))
(<= (goal ?s 50) (role ?s))
"""


@dataclass(frozen=True, slots=True)
class TrickRules:
    """What a page adds to plain tricks."""

    suits: Mapping[str, Sequence[int]]
    """The ranks of each suit, as the page counts them under any trump."""
    breaking: Sequence[tuple[str, int]] = ()
    """Cards, as suit and rank, that break a suit when they are played."""
    avoided: str = ""
    """Clauses for ``(avoided ?c)``: cards that are played only if there is no other. They may use ``leading``,
    ``(true first)`` (the first trick), ``(true broken)``, ``(suit_of ?c ?u)`` and names of cards."""


def card_name(suit: str, rank: int) -> str:
    """The twin's name of a card."""
    return f"{suit.lower() or 'x'}{rank}"


def seat_names(count: int) -> list[str]:
    """The roles of the twin."""
    return [f"seat{number}" for number in range(1, count + 1)]


def trick_rules(seats: int, rules: TrickRules) -> str:
    """The rules in GDL for a number of seats."""
    names = seat_names(seats)
    cards = [(suit, rank) for suit, ranks in rules.suits.items() for rank in ranks]
    texts = [f"(card {card_name(*card)}) (suit_of {card_name(*card)} {card[0].lower()})" for card in cards]
    texts += [
        f"(over {card_name(suit, high)} {card_name(suit, low)})"
        for suit, ranks in rules.suits.items()
        for high in ranks
        for low in ranks
        if high > low
    ]
    texts += [f"(breaks {card_name(*card)})" for card in rules.breaking] or ["(breaks nothing)"]
    texts += [f"(after {one} {other})" for one, other in zip(names, [*names[1:], names[0]], strict=True)]
    texts += [f"(before {one} {other})" for number, other in enumerate(names) for one in names[:number]]
    texts += [f"(succ {number} {number + 1})" for number in range(seats - 1)]
    return SHEET.format(
        roles=" ".join(f"(role {name})" for name in names),
        facts=facts(texts),
        first_seat=names[0],
        first_card=card_name(*cards[0]),
        last=seats - 1,
        avoided=rules.avoided or "(avoided nothing)",
    )


class CardFacts:
    """The facts about each card, for the suits and ranks that cards have in one hand."""

    def __init__(self, cards: Mapping[Element, tuple[str, int]], seats: int) -> None:
        names = {card: card_name(*ranked) for card, ranked in cards.items()}
        self.card = {name: card for card, name in names.items()}
        """The cards of the page by their names in the twin."""
        self.suits = {suit for suit, _ in cards.values()}
        self.holds = [{card: f"(holds {seat} {name})" for card, name in names.items()} for seat in seat_names(seats)]
        self.won = [{card: f"(won {seat} {name})" for card, name in names.items()} for seat in seat_names(seats)]
        self.laid = {card: f"(laid {name})" for card, name in names.items()}
        self.best = {card: f"(best {name})" for card, name in names.items()}


def won_facts(seats: int, rules: TrickRules) -> list[str]:
    """Who has won which card: by seat, then in the order of `won_cards`."""
    return [f"(won {seat} {card_name(*card)})" for seat in seat_names(seats) for card in won_cards(rules)]


def won_cards(rules: TrickRules) -> list[tuple[str, int]]:
    """All cards of the twin, as suit and rank."""
    return [(suit, rank) for suit, ranks in rules.suits.items() for rank in ranks]
