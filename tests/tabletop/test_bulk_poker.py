from __future__ import annotations

import itertools
from random import Random

import numpy as np
import pytest

from ludens.tabletop import french_deck
from ludens.tabletop.bulk_poker import CARDS, Showdowns, card_number, strengths
from ludens.tabletop.poker import CATEGORIES, strength
from tests.tabletop.test_poker import FREQUENCIES

BY_NUMBER = {card_number(card): card for card in french_deck().elements}


def cards(text: str) -> list[int]:
    names = {card.name: number for number, card in BY_NUMBER.items()}
    return [names[name] for name in text.split()]


def test_every_card_has_a_number() -> None:
    assert sorted(BY_NUMBER) == list(range(CARDS))


@pytest.mark.slow
def test_all_hands_of_five_cards_fall_into_the_known_categories() -> None:
    hands = np.fromiter(itertools.chain.from_iterable(itertools.combinations(range(CARDS), 5)), np.int32).reshape(-1, 5)

    found = strengths(hands)

    assert len(found) == 2_598_960
    assert len(np.unique(found)) == 7462
    assert dict(zip(CATEGORIES, np.bincount(found >> 20).tolist(), strict=True)) == FREQUENCIES


@pytest.mark.parametrize("count", [5, 6, 7])
def test_many_hands_are_as_strong_as_one_by_one(count: int) -> None:
    rng = Random(count)
    # Few ranks and suits in half of the hands, so that all categories come up.
    few = [card for card in range(CARDS) if card % 13 > 7 and card // 13 < 3]
    hands = [rng.sample(few if number % 2 else range(CARDS), count) for number in range(1000)]

    found = strengths(np.array(hands)).tolist()

    assert found == [strength([BY_NUMBER[number] for number in hand]) for hand in hands]
    assert count < 7 or len({number >> 20 for number in found}) >= 8


@pytest.mark.parametrize(
    "board", ["2C 7D 9H JS KC", "AS KS QS 2D 2C", "9H 9D 9S 4C 4H", "2H 3H 4H 5H 9C", "6C 7C 8C 9C TC"]
)
def test_on_a_board_all_hands_are_ordered_by_strength(board: str) -> None:
    showdowns = Showdowns()
    laid = np.array(cards(board))
    is_free = ~np.isin(showdowns.hands, laid).any(axis=1)

    rank = showdowns.rank(laid[None])[0][is_free].astype(int)

    hands = showdowns.hands[is_free]
    plain = strengths(np.concatenate([np.tile(laid, (len(hands), 1)), hands], axis=1))
    order = np.argsort(plain, kind="stable")
    assert (np.sign(np.diff(rank[order])) == np.sign(np.diff(plain[order]))).all()
