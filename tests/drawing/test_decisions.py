"""What a board says at a glance: who has won by which pieces, who is in check, who has taken what, who is who."""

from __future__ import annotations

import re

import ludens
from ludens.core import Game, State
from ludens.drawing import draw
from ludens.drawing.drawing import role_names
from ludens.drawing.material import material
from ludens.web.hosting.presentation import drawn_cause

_MARKED = re.compile(r'class="[^"]*d-last[^"]*"[^>]*aria-label="([^"]*)"')


def marked(game: Game, state: State) -> set[str]:
    return set(_MARKED.findall(draw(game, state).svg))


def played(game: Game, *moves: str) -> State:
    state: State = game.initial_state()
    for move in moves:
        mover = next(role for role in game.roles if state.legal_moves(role)[0] != "noop")
        state = state.play({role: move if role == mover else "noop" for role in game.roles})
    return state


def test_a_winning_line_is_marked() -> None:
    game = ludens.load("tic_tac_toe", backend="interpreter")
    moves = ["(mark 1 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"]
    assert marked(game, played(game, *moves)) == set()
    assert marked(game, played(game, *moves, "(mark 3 3)")) == {"x on a1", "x on b2", "x on c3"}


def test_check_is_marked_and_material_counted() -> None:
    game = ludens.load("chess", backend="interpreter")
    moves = ["(move e 2 e 4)", "(move d 7 d 5)", "(move e 4 d 5)", "(move d 8 d 5)", "(move b 1 c 3)"]
    assert marked(game, played(game, *moves)) == set()
    state = played(game, *moves, "(move d 5 e 5)")
    assert marked(game, state) == {"white king on e1", "black queen on e5"}
    (white, black) = material(game, played(game, *moves[:3]))
    assert (white["lost"], white["lead"]) == ([], 1.0)
    assert (black["lost"], black["lead"]) == ([["pawn", 1]], 0.0)
    assert material(ludens.load("tic_tac_toe"), ludens.load("tic_tac_toe").initial_state()) == []


def test_roles_are_called_as_they_are_drawn() -> None:
    game = ludens.load("connect_four", backend="interpreter")
    assert role_names(game) == {"red": "red", "black": "yellow"}
    assert "yellow to move" in draw(game, played(game, "(drop 1)")).text
    moves = [f"(drop {column})" for column in (1, 2, 1, 2, 1, 2, 3, 2)]
    end = played(game, *moves)
    assert "yellow on 2 1, 2 2, 2 3, 2 4" in draw(game, end).text
    assert drawn_cause(end) == "yellow has four in a row"
    assert role_names(ludens.load("chess")) == {"white": "white", "black": "black"}
