from __future__ import annotations

import itertools
from collections import Counter

import pytest

from ludens.tabletop import Element, french_deck
from ludens.tabletop.poker import CATEGORIES, category, strength

DECK = {card.name: card for card in french_deck().elements}
FREQUENCIES = dict(zip(CATEGORIES, (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40), strict=True))
"""How many of the 2,598,960 hands of five cards are of each category."""
CLASSES = dict(zip(CATEGORIES, (1277, 2860, 858, 858, 10, 1277, 156, 156, 10), strict=True))
"""How many different strengths there are in each."""


def hand(text: str) -> list[Element]:
    return [DECK[name] for name in text.split()]


@pytest.mark.slow
def test_all_hands_of_five_cards_fall_into_the_known_classes() -> None:
    strengths = Counter(map(strength, itertools.combinations(DECK.values(), 5)))

    assert sum(strengths.values()) == 2_598_960
    assert len(strengths) == 7462
    counts: Counter[str] = Counter()
    for number, count in strengths.items():
        counts[category(number)] += count
    assert dict(counts) == FREQUENCIES
    assert Counter(map(category, strengths)) == CLASSES


def test_hands_without_flushes_fall_into_the_known_classes() -> None:
    """Ranks alone, with suits that never make a flush: 7,462 less the flushes."""
    suits = ["CDHS"[n % 4] for n in range(5)]
    strengths = set()
    for ranks in itertools.combinations_with_replacement("23456789TJQKA", 5):
        if max(Counter(ranks).values()) < 5:
            strengths.add(strength([DECK[rank + suit] for rank, suit in zip(ranks, suits, strict=True)]))

    assert len(strengths) == 7462 - 1277 - 10


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AS KS QS JS TS", "KS QS JS TS 9S"),
        ("5S 4S 3S 2S AS", "9C 9D 9H 9S AC"),
        ("6S 5D 4S 3S 2S", "5S 4D 3S 2S AS"),
        ("9C 9D 9H 2S 2C", "8C 8D 8H AS AC"),
        ("AC 9C 7C 4C 3C", "AD 9D 7D 4D 2D"),
        ("KC KD 3H 3S 4C", "KH KS 2H 2S AC"),
        ("2C 2D 4H 5S 7C", "AC KD QH JS 9C"),
        ("AC AD 3H 4S 7C", "AH AS 3C 4D 6C"),
    ],
)
def test_better_hands_are_stronger(better: str, worse: str) -> None:
    assert strength(hand(better)) > strength(hand(worse))


def test_of_seven_cards_the_best_five_count() -> None:
    for seven in itertools.islice(itertools.combinations(DECK.values(), 7), 0, 4_000_000, 40_009):
        assert strength(seven) == max(map(strength, itertools.combinations(seven, 5)))


def test_three_cards_are_no_straight_and_no_flush() -> None:
    assert category(strength(hand("4C 3C 2C"))) == "high card"
    assert category(strength(hand("4C 4D 4H"))) == "three of a kind"
    assert strength(hand("4C 4D 5H")) > strength(hand("4C 4D 3H"))


BY_CATEGORY = (
    "AC KD QH JS 9C",
    "2C 2D 4H 5S 7C",
    "2C 2D 3H 3S 4C",
    "2C 2D 2H 3S 4C",
    "AC 2D 3H 4S 5C",
    "2C 3C 4C 5C 7C",
    "2C 2D 2H 3S 3C",
    "2C 2D 2H 2S 3C",
    "AC 2C 3C 4C 5C",
)
"""A hand of each category, the lowest first."""


@pytest.mark.parametrize(("name", "text"), list(zip(CATEGORIES, BY_CATEGORY, strict=True)))
def test_a_hand_is_of_its_category(name: str, text: str) -> None:
    assert category(strength(hand(text))) == name


def test_a_hand_of_a_higher_category_wins() -> None:
    strengths = [strength(hand(text)) for text in BY_CATEGORY]

    assert strengths == sorted(set(strengths))
