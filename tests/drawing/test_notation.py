"""Moves as people write them."""

from __future__ import annotations

import pytest

import ludens
from ludens.drawing import clicks
from ludens.drawing.notation import write_move


@pytest.mark.parametrize(
    ("move", "spots", "text"),
    [
        ("(move c 2 c 4)", ("cell:c:2", "cell:c:4"), "c2-c4"),
        ("(mark 2 3)", ("cell:2:3",), "2,3"),
        ("(jump 4 2 2 4)", ("cell:4:2", "cell:2:4"), "jump 4,2-2,4"),
        ("(promote c 7 c 8 queen)", ("cell:c:7", "cell:c:8"), "promote c7-c8 queen"),
        ("(drop 3)", ("column:3",), "drop 3"),
        ("(go down)", ("cell:4:2",), "go down"),  # the spot is not what the move names
        ("(reduce a 1)", ("heap:a:2",), "reduce a 1"),
        ("(swap (left a) 2)", (), "swap (left a) 2"),
        ("noop", (), "noop"),
        ("7NT", ("hand:7NT",), "7NT"),
    ],
)
def test_coordinates_are_written_in_short(move: str, spots: tuple[str, ...], text: str) -> None:
    assert write_move(move, spots) == text


@pytest.mark.parametrize("name", ["chess", "amazons", "tic_tac_toe", "pentago", "sudoku", "quoridor"])
def test_moves_stay_different(name: str) -> None:
    game = ludens.load(name)
    view = game.initial_state().view(game.roles[0])
    spots = clicks(game, view, view.legal_moves)
    written = {write_move(move, spots.get(move, ())) for move in view.legal_moves}
    assert len(written) == len(view.legal_moves)
