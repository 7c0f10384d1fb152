from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

import pytest

from ludens.core import joint_moves
from ludens.gdl.reference import ReferenceState
from ludens.gdl.terms import Term
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game

Cell = tuple[int, int]
Pieces = frozenset[Cell]

BOARD = {(x, y) for x, y in product(range(1, 5), repeat=2) if 2 <= x <= 3 or 2 <= y <= 3}
START = {"red": frozenset({(1, 2), (1, 3)}), "teal": frozenset({(2, 1), (3, 1)})}
HOME = {"red": frozenset({(4, 2), (4, 3)}), "teal": frozenset({(2, 4), (3, 4)})}
OTHER = {"red": "teal", "teal": "red"}


def position(red: Pieces, teal: Pieces, control: str = "red", step: int = 0) -> ReferenceState:
    contents = dict.fromkeys(red, "red") | dict.fromkeys(teal, "teal")
    cells = [("cell", str(x), str(y), contents.get((x, y), "b")) for x, y in BOARD]
    return shelf_game("criss_cross").state([*cells, ("control", control), ("step", str(step))])


def model_moves(role: str, mine: Pieces, theirs: Pieces) -> set[tuple[Cell, Cell]]:
    allowed = BOARD - HOME[OTHER[role]]
    taken = mine | theirs
    found = set()
    for (x, y), (dx, dy) in product(mine, [(1, 0), (-1, 0), (0, 1), (0, -1)]):
        beside, behind = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
        target = behind if beside in taken else beside
        if target in allowed - taken:
            found.add(((x, y), target))
    return found


def all_positions() -> Iterator[tuple[Pieces, Pieces]]:
    for red in combinations(sorted(BOARD - HOME["teal"]), 2):
        for teal in combinations(sorted(BOARD - HOME["red"] - set(red)), 2):
            yield frozenset(red), frozenset(teal)


def pieces(*cells: Cell) -> Pieces:
    return frozenset(cells)


def test_start() -> None:
    assert shelf_game("criss_cross").initial_state() == position(START["red"], START["teal"])


def test_moves_in_all_positions_are_those_of_the_model_and_there_is_one() -> None:
    unfinished = 0
    for red, teal in all_positions():
        if red == HOME["red"] or teal == HOME["teal"]:
            continue
        for role, mine, theirs in (("red", red, teal), ("teal", teal, red)):
            expected = {f"(move {x1} {y1} {x2} {y2})" for (x1, y1), (x2, y2) in model_moves(role, mine, theirs)}
            state = position(red, teal, control=role)
            assert set(state.legal_moves(role)) == expected
            assert expected
            assert state.legal_moves(OTHER[role]) == ("noop",)
            unfinished += 1
    # 45 of 1405 positions have red home, 45 have teal home, and one has both.
    assert unfinished == 2 * (1405 - 45 - 45 + 1)


def test_jump_leaves_the_piece_below_in_place() -> None:
    state = position(pieces((1, 2), (1, 3)), pieces((2, 2), (3, 1)))
    after = state.play({"red": "(move 1 2 3 2)", "teal": "noop"})
    assert after == position(pieces((3, 2), (1, 3)), pieces((2, 2), (3, 1)), control="teal", step=1)


def test_nobody_may_rest_on_the_others_home() -> None:
    state = position(pieces((2, 3), (1, 3)), pieces((2, 1), (3, 1)))
    assert "(move 2 3 2 4)" not in state.legal_moves("red")


def test_both_pieces_home_end_the_game() -> None:
    state = position(HOME["red"], pieces((2, 4), (3, 3)), control="teal", step=11)
    assert state.is_terminal
    assert state.goals == {"red": 100, "teal": 50}


def test_twenty_moves_end_the_game() -> None:
    red, teal = pieces((1, 2), (1, 3)), pieces((2, 4), (3, 1))
    assert not position(red, teal, control="teal", step=19).is_terminal
    state = position(red, teal, step=20)
    assert state.is_terminal
    assert state.goals == {"red": 0, "teal": 50}


@pytest.mark.slow
def test_red_comes_home_first_under_best_play() -> None:
    game = shelf_game("criss_cross")

    # Each role wants its own goal minus the other's to be high.
    @cache
    def red_minus_teal(facts: frozenset[Term]) -> int:
        state = game.state(facts)
        if state.is_terminal:
            return state.goals["red"] - state.goals["teal"]
        values = [red_minus_teal(state.play(move).facts) for move in joint_moves(state)]
        return max(values) if ("control", "red") in facts else min(values)

    assert red_minus_teal(game.initial_state().facts) == 50


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(shelf_game("criss_cross"), 50)
