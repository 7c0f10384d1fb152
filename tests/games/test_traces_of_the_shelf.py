from __future__ import annotations

import pytest

import ludens
from ludens.gdl.game import GdlGame
from ludens.gdl.traces import read_trace, replay
from tests.games.record_traces import NAMES, TRACES
from tests.thorough import slow_among

LONG = {
    "amazons", "backgammon", "chinese_checkers_3p", "connect_four_3p", "dots_and_boxes", "double_criss_cross", "gomoku",
    "hex", "lines_of_action", "ludo", "nine_mens_morris", "othello", "pentago", "quoridor", "ultimate_tic_tac_toe",
}  # fmt: skip
"""Games that take the reference reasoner longest."""


@pytest.mark.parametrize("name", slow_among(NAMES, LONG))
def test_game_still_plays_as_recorded(name: str) -> None:
    game = ludens.load(name, backend="reference")
    assert isinstance(game, GdlGame)

    agreement = replay(game, read_trace(TRACES / f"{name}.jsonl.gz"))

    assert agreement.first_difference is None
    assert agreement.states > 1
