from __future__ import annotations

import pytest

from ludens.tabletop import Area, Assortment, Dice, Element, Position, RuleError, Score, Table
from ludens.tabletop.material.inventory import Inventory

BOARD = [
    ("A1", (60, 60), [("H", "B1"), ("V", "A2"), ("B", "B2")]),
    ("B1", (150, 60), [("V", "B2")]),
    ("A2", (60, 150), [("H", "B2")]),
    ("B2", (150, 150), []),
]
"""The paper's way to write a board down."""


def test_boards_written_as_in_the_paper_have_directions_both_ways() -> None:
    board = Area("board", BOARD, picture="images/board.gif")

    assert [direction.target.name for direction in board["A1"].directions("H")] == ["B1"]
    assert [direction.target.name for direction in board["B1"].directions("H", -1)] == ["A1"]
    assert board["B1"].directions("H", 1) == []
    assert board["A1"].coordinates == (60, 60)
    assert board.picture == "images/board.gif"


def test_the_opposite_of_a_direction_leads_the_other_way_from_the_same_position() -> None:
    board = Area.grid("board", columns="ABC", rows=1)
    east = board["B1"].directions("E", 1)[0]

    opposite = east.opposite()

    assert opposite is not None
    assert (east.target.name, opposite.target.name) == ("C1", "A1")
    assert board["A1"].directions("E", 1)[0].opposite() is None


def test_grids_have_the_directions_asked_for() -> None:
    orthogonal = Area.grid("board", columns=3, rows=3, directions=("N", "E"))
    compass = Area.grid("other", columns=3, rows=3)

    assert {position.name for position in orthogonal["B2"].neighbours} == {"B1", "B3", "A2", "C2"}
    assert len(compass["B2"].neighbours) == 8
    assert len(compass["A1"].neighbours) == 3


def test_directions_of_a_grid_are_those_of_the_compass() -> None:
    board = Area.grid("board", columns=3, rows=3)

    found = {direction: board["B2"].step(direction) for direction in ("N", "E", "NE", "SE")}

    assert found == {"N": board["B3"], "E": board["C2"], "NE": board["C3"], "SE": board["C1"]}


def test_west_is_the_way_back_of_the_line_east() -> None:
    board = Area.grid("board", columns=2, rows=1, directions=("W",))

    assert board["A1"].step("E") is board["B1"]
    assert board["B1"].step("E", -1) is board["A1"]


def test_on_a_torus_lines_come_round_and_end_where_they_began() -> None:
    board = Area.torus("board", 3, 3)

    assert all(len(position.neighbours) == 8 for position in board.positions)
    ray = board["A1"].ray(board["A1"].directions("E", 1)[0])
    assert [position.name for position in ray] == ["B1", "C1"]
    assert {direction: board["A1"].step(direction) for direction in ("N", "NE", "SE")} == {
        "N": board["A2"],
        "NE": board["B2"],
        "SE": board["B3"],
    }


def test_rings_come_round_and_tracks_end() -> None:
    ring, track = Area.ring("ring", 5), Area.track("track", ["start", "middle", "end"])

    assert ring["5"].step("on") is ring["1"]
    assert track["end"].step("on") is None


def test_a_track_lies_in_a_row() -> None:
    track = Area.track("way", 3)

    assert [(position.name, position.coordinates) for position in track.positions] == [
        ("1", (0, 0)),
        ("2", (1, 0)),
        ("3", (2, 0)),
    ]


@pytest.mark.parametrize(("side", "cells"), [(1, 1), (2, 7), (5, 61)])
def test_hexagonal_boards_have_as_many_cells_as_they_should(side: int, cells: int) -> None:
    assert len(Area.hexagon("board", side).positions) == cells


def test_cells_of_a_hex_board_have_six_neighbours_inside_and_two_or_three_in_corners() -> None:
    board = Area.hexagons("board", 5, 5)

    assert len(board["C3"].neighbours) == 6
    assert sorted(len(board[corner].neighbours) for corner in ("A1", "E1", "A5", "E5")) == [2, 2, 3, 3]


def test_the_star_has_121_holes_and_ten_in_each_point() -> None:
    star = Area.star("star")

    assert len(star.positions) == 121
    points = [position.point for position in star.positions]
    assert [points.count(number) for number in range(6)] == [10] * 6


def test_every_direction_has_a_way_back() -> None:
    for board in (Area.star("star", 2), Area.hexagon("hexagon", 3), Area.torus("torus", 4, 3)):
        for position in board.positions:
            for direction in position.directions():
                backs = direction.target.directions(direction.name, -direction.orientation)
                assert any(back.target is position for back in backs)


def test_elements_take_any_attribute() -> None:
    card = Element("3S", suit="spades", rank=3)

    assert (card.suit, card.rank) == ("spades", 3)
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        _ = card.colour


def test_assortments_take_rows_with_a_layout_as_in_the_paper() -> None:
    pawns = Assortment("pawns", [("X", "Cross", "images/cross.gif")], ["name", "player", "image"])

    assert (pawns.elements[0].name, pawns.elements[0].player, pawns.elements[0].image) == (
        "X",
        "Cross",
        "images/cross.gif",
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Area("board", ["A", "A"]), "two positions called 'A'"),
        (lambda: Area("board", [("A", (0, 0), [("H", "Z")])]), "leads to 'Z', not a position"),
        (lambda: Area("board", [("A", 7)]), "a position is a name"),
        (lambda: Area.grid("board", 2, 2, directions=("up",)), "compass points"),
        (lambda: Position("hand", visibility="mine"), "visibility is one of"),
        (lambda: Position("hand", visibility="owner"), "needs an owner"),
        (lambda: Assortment("pawns", [("X",)], ["name", "player"]), "does not fit the layout"),
    ],
)
def test_what_is_wrong_with_equipment_is_told(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(RuleError, match=message):
        make()


def test_equipment_of_one_kind_needs_different_names() -> None:
    table = Table(Inventory(("A", "B")))
    table.add(Score("points"))

    with pytest.raises(RuleError, match="two of the name 'points'"):
        table.add(Dice("points"))


def test_places_belong_to_players() -> None:
    table = Table(Inventory(("A", "B")))

    with pytest.raises(RuleError, match="'C', who is no player"):
        table.add(Area.hands("hand", ("C",)))


@pytest.mark.parametrize(
    ("options", "problem"), [({}, "needs an owner"), ({"owner": "A", "visibility": "secret"}, "dice are")]
)
def test_dice_under_a_cup_have_an_owner(options: dict[str, str], problem: str) -> None:
    with pytest.raises(RuleError, match=problem):
        Dice("cup", 2, **{"visibility": "owner", **options})  # type: ignore[arg-type]
