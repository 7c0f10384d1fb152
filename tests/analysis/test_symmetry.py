from __future__ import annotations

from collections import defaultdict

import pytest

from ludens.analysis.report import report
from ludens.analysis.subgames.decompose import decompose
from ludens.analysis.symmetry import find_exchanges, find_symmetries
from ludens.gdl.write import kif
from tests.analysis.games import TWO_SWITCHES, compiled, shelf
from tests.players.decomposition.sheets import drop_boards


def orbits_of_moves(name: str, role: str) -> set[frozenset[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    for (who, move), orbit in find_symmetries(shelf(name).compilation.program).moves.items():
        if who == role:
            found[orbit].add(kif(move))
    return set(map(frozenset, found.values()))


def test_corners_edges_and_the_centre_of_tic_tac_toe_are_three_kinds_of_cells() -> None:
    assert orbits_of_moves("tic_tac_toe", "xplayer") == {
        frozenset({"(mark 1 1)", "(mark 1 3)", "(mark 3 1)", "(mark 3 3)"}),
        frozenset({"(mark 1 2)", "(mark 2 1)", "(mark 2 3)", "(mark 3 2)"}),
        frozenset({"(mark 2 2)"}),
        frozenset({"noop"}),
    }


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        ("nim:2,3,2", [0, None, 0]),
        ("nim:2,3", [None, None]),
        pytest.param("double_tic_tac_toe", [0, 0], marks=pytest.mark.slow),
    ],
)
def test_subgames_that_differ_in_names_only_are_found(name: str, alike: list[int | None]) -> None:
    assert [part.alike for part in report(shelf(name)).parts if part.kind == "game"] == alike


def test_boards_that_are_played_at_once_are_alike() -> None:
    parts = report(compiled(drop_boards(2, 3, 2, 2, style="parallel"))).parts

    assert [part.alike for part in parts[:2]] == [0, 0]


def test_subgames_with_different_goals_are_not_alike() -> None:
    """The lamp that must stay off is not the one that must be on."""
    game = compiled(TWO_SWITCHES.replace("(true (on a)) (true (on b))", "(true (on a)) (true (off b))"))

    assert find_symmetries(game.compilation.program).equivalents(decompose(game).games) == [None, None]


def test_roles_do_not_change_places() -> None:
    fluents = find_symmetries(shelf("tic_tac_toe").compilation.program).fluents

    assert fluents["cell", "1", "1", "x"] != fluents["cell", "1", "1", "o"]


def test_a_part_shows_which_of_its_moves_are_symmetric() -> None:
    (part,) = (part for part in report(shelf("tic_tac_toe")).parts if part.kind == "game")

    assert part.as_json()["symmetric_moves"] == [
        ["(mark 1 1)", "(mark 1 3)", "(mark 3 1)", "(mark 3 3)"],
        ["(mark 1 2)", "(mark 2 1)", "(mark 2 3)", "(mark 3 2)"],
    ]


def test_the_mirror_of_connect_four_is_found_in_its_rules_as_written() -> None:
    game = shelf("connect_four:5,4")

    (mirror,) = find_exchanges(game)

    assert find_symmetries(game.compilation.program).exchanges == ()
    assert mirror.fluents["cell", "1", "3", "red"] == ("cell", "5", "3", "red")
    assert mirror.moves["red", ("drop", "2")] == ("red", ("drop", "4"))


def test_without_time_no_symmetries_are_found() -> None:
    game = shelf("tic_tac_toe")
    assert find_exchanges(game)
    assert find_exchanges(game, 0.0) == ()
