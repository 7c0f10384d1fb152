from __future__ import annotations

from random import Random
from typing import Any

import pytest

import ludens
from ludens.core import State, random_joint_move
from ludens.tabletop import french_deck
from ludens.tabletop.poker import strength
from tests.games.tabletop.contract import check_contract

DECK = {card.name: card for card in french_deck().elements}


def test_chinese_poker_keeps_the_contract() -> None:
    check_contract(ludens.load("chinese_poker"), matches=1)


def rows(front: str, middle: str, back: str) -> list[int]:
    return [strength([DECK[name] for name in row.split()]) for row in (front, middle, back)]


GOOD = rows("KC KD 2C", "AC AD 9C 9D 3C", "5H 5D 5S 4H 4S")
WEAK = rows("QC JD 3D", "6C 6D 8C TD 2H", "7H 7D 7S 7C 3S")
FOUL = rows("AH AS QD", "KH QH 9H 8H 2D", "TC TH JC JH 4C")


@pytest.mark.parametrize(
    ("own", "other", "points"),
    [
        (GOOD, WEAK, 1),  # two rows against one
        (WEAK, GOOD, -1),
        (GOOD, GOOD, 0),
        (GOOD, FOUL, 6),
        (FOUL, WEAK, -6),
        (FOUL, FOUL, 0),
        (GOOD, rows("QC JD 3D", "6C 6D 8C TD 2H", "3H 3D 9H 9S 2S"), 6),
    ],
)
def test_rows_are_compared_one_by_one_and_fouls_lose_all(own: list[int], other: list[int], points: int) -> None:
    rule: Any = ludens.load("chinese_poker")

    assert rule.rule.compare(own, other) == points


def test_everybody_arranges_at_once_and_sees_only_its_own() -> None:
    state: State = ludens.load("chinese_poker").initial_state()
    names = list(DECK)
    state = state.play({"North": "deal = " + " ".join(f'"{name}"' for name in names)})

    moves = {role: state.legal_moves(role) for role in state.game.roles}

    # AS was on top, then AH and so on, so that each gets a suit; the highest card is to be put first.
    assert moves["North"] == ("AS to front", "AS to middle", "AS to back")
    assert moves["East"][0] == "AH to front"
    after = state.play({role: own[2] for role, own in moves.items()})
    assert after.percepts("East") == ["North: 1 to back North", "East: AH to back", "South: 1 to back South",
                                      "West: 1 to back West"]  # fmt: skip


def test_points_add_up_to_nothing() -> None:
    for seed in range(20):
        rng = Random(seed)
        state: State = ludens.load("chinese_poker").initial_state()
        while not state.is_terminal:
            state = state.sample(random_joint_move(state, rng), rng)
        assert sum(state.points.values()) == 0
