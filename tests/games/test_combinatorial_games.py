"""Kayles, Dawson's Kayles, chomp and domineering: who wins with best play, against theory and plain searches."""

from __future__ import annotations

from functools import cache, reduce
from itertools import product
from operator import xor

import pytest

from ludens.core import GameError
from ludens.core.perft import perft
from ludens.games.library import find
from ludens.gdl.reference import ReferenceState
from tests.games.boards import control_of
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game

KAYLES = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]
"""Published nimbers of rows of 0 to 12 pins."""
DAWSON = [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4]


@cache
def mover_wins(state: ReferenceState) -> bool:
    """Whether the role to move wins with best play, by the rules."""
    mover = control_of(state)
    if state.is_terminal:
        return state.goals[mover] == 100
    return any(not mover_wins(after(state, move)) for move in state.legal_moves(mover))


def after(state: ReferenceState, move: str) -> ReferenceState:
    mover = control_of(state)
    return state.play({role: move if role == mover else "noop" for role in state.game.roles})


def rows_of(standing: tuple[bool, ...]) -> list[int]:
    """The lengths of the rows that pins stand in."""
    text = "".join("1" if pin else " " for pin in standing)
    return [len(row) for row in text.split()]


@pytest.mark.parametrize(("name", "nimbers"), [("kayles:7", KAYLES), ("dawsons_kayles:8", DAWSON)])
def test_every_position_of_a_row_is_won_as_its_nimber_says(name: str, nimbers: list[int]) -> None:
    game = shelf_game(name)
    pins = len(game.initial_state().facts) - 1
    for standing in product((True, False), repeat=pins):
        facts = [("pin", str(n)) for n, pin in enumerate(standing, start=1) if pin]
        state = game.state([*facts, ("control", "first")])
        assert mover_wins(state) == (reduce(xor, (nimbers[row] for row in rows_of(standing)), 0) != 0), standing


@pytest.mark.parametrize("pins", [9, 10, 12])
def test_longer_rows_of_dawsons_kayles_are_won_as_published(pins: int) -> None:
    assert mover_wins(shelf_game(f"dawsons_kayles:{pins}").initial_state()) == (DAWSON[pins] != 0)


def test_the_last_pin_loses_in_misere_kayles() -> None:
    state = after(shelf_game("kayles:2,misere").initial_state(), "(two 1 2)")
    assert state.is_terminal
    assert state.goals == {"first": 0, "second": 100}
    assert mover_wins(shelf_game("kayles:2,misere").initial_state())
    assert not mover_wins(shelf_game("kayles:1,misere").initial_state())


def test_two_pins_must_stand_side_by_side() -> None:
    state = after(shelf_game("kayles:4").initial_state(), "(one 2)")
    assert set(state.legal_moves("second")) == {"(one 1)", "(one 3)", "(one 4)", "(two 3 4)"}


@pytest.mark.parametrize(("columns", "rows"), [(1, 2), (2, 2), (3, 2), (3, 3), (4, 3)])
def test_the_first_role_wins_chomp(columns: int, rows: int) -> None:
    assert mover_wins(shelf_game(f"chomp:{columns},{rows}").initial_state())


def test_a_single_poisoned_square_is_lost() -> None:
    assert not mover_wins(shelf_game("chomp:1,1").initial_state())


@pytest.mark.parametrize(("bar", "bite"), [("chomp:3,3", "(bite 2 2)"), ("chomp:4,2", "(bite 4 2)")])
def test_squares_and_two_rows_have_one_winning_bite(bar: str, bite: str) -> None:
    state: ReferenceState = shelf_game(bar).initial_state()
    assert [move for move in state.legal_moves("first") if not mover_wins(after(state, move))] == [bite]


def test_a_bite_takes_everything_above_and_to_the_right() -> None:
    state = after(shelf_game("chomp:3,3").initial_state(), "(bite 2 2)")
    assert set(state.legal_moves("second")) == {f"(bite {x} 1)" for x in (1, 2, 3)} | {"(bite 1 2)", "(bite 1 3)"}


Cells = frozenset[tuple[int, int]]


def domineering_winner(columns: int, rows: int) -> str:
    """Who wins with best play, vertical first, by a search that knows nothing of GDL."""

    @cache
    def wins(free: Cells, is_vertical: bool) -> bool:
        dx, dy = (0, 1) if is_vertical else (1, 0)
        return any(
            not wins(free - {(x, y), (x + dx, y + dy)}, not is_vertical) for x, y in free if (x + dx, y + dy) in free
        )

    everything = frozenset(product(range(columns), range(rows)))
    return "vertical" if wins(everything, True) else "horizontal"


@pytest.mark.parametrize(
    ("columns", "rows", "winner"),
    [(2, 2, "vertical"), (3, 3, "vertical"), (4, 3, "horizontal"), (3, 4, "vertical"), (4, 4, "vertical")],
)
def test_domineering_is_won_as_published(columns: int, rows: int, winner: str) -> None:
    assert domineering_winner(columns, rows) == winner
    assert mover_wins(shelf_game(f"domineering:{columns},{rows}").initial_state()) == (winner == "vertical")


@pytest.mark.slow
def test_domineering_on_five_by_five_is_lost_for_who_begins() -> None:
    assert domineering_winner(5, 5) == "horizontal"


def test_dominoes_lie_upright_or_across() -> None:
    assert perft(shelf_game("domineering:4,3").initial_state(), 1) == 8
    state = after(shelf_game("domineering:2,2").initial_state(), "(lay 1 1)")
    assert state.is_terminal
    assert state.goals == {"vertical": 100, "horizontal": 0}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("kayles:x", "normal or misere"),
        ("dawsons_kayles:1", "number of pins"),
        ("chomp:11,2", "number of columns"),
        ("domineering:2,0", "number of rows"),
    ],
)
def test_bad_parameters_are_refused(name: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        find(name).rule_sheet()


@pytest.mark.parametrize("name", ["kayles", "kayles:8,misere", "dawsons_kayles", "chomp", "domineering"])
def test_random_playouts_are_well_formed(name: str) -> None:
    check_random_playouts(shelf_game(name), 5)
