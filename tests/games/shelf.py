"""Games of the shelf on the reference reasoner, for the tests of their rules; and which stand for the others."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

import ludens.games
from ludens.games.library import find
from ludens.gdl.reference import ReferenceGame

SHELF = Path(ludens.games.__file__).parent / "shelf"


@cache
def shelf_game(name: str) -> ReferenceGame:
    """The game that a name, with parameters or without, stands for."""
    return ReferenceGame(find(name).rule_sheet(), name)


REPRESENTATIVE = {
    "breakthrough", "cant_stop", "checkers", "chess", "connect_four", "connect_four_3p", "criss_cross",
    "double_criss_cross", "double_tic_tac_toe", "eight_puzzle", "hex", "kriegspiel_tic_tac_toe", "kuhn_poker",
    "leduc_poker", "lights_out", "mastermind", "monty_hall", "nim", "peg_solitaire", "phantom_connect_four",
    "prisoners_dilemma", "rock_paper_scissors", "sealed_bid_auction", "three_dice", "tic_tac_toe", "twenty_one",
}  # fmt: skip
"""Games that expensive tests run on every time; they run on all others with the slow tests."""


def all_but_representative_slow(names: Iterable[str]) -> list[object]:
    """Parameters of an expensive test of the whole shelf."""
    return [pytest.param(name, marks=() if name in REPRESENTATIVE else pytest.mark.slow) for name in names]
