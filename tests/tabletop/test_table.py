from __future__ import annotations

import pytest

from ludens.tabletop import Area, Assortment, Dice, Element, Move, RuleError, Score, Set, Table
from ludens.tabletop.material.inventory import Inventory


@pytest.fixture
def table() -> Table:
    table = Table(Inventory(("White", "Black", "Red"), (("White", "Red"),)))
    table.add(Area.grid("board", columns=5, rows=5))
    table.add(Area.hands("hand", ("White", "Black")))
    pieces = [Element(f"{colour}{n}", player=colour, kind="pawn") for colour in ("White", "Black") for n in range(3)]
    table.add(Assortment("pieces", pieces))
    table.add(Score("points White", owner="White", start=7))
    table.add(Dice("dice", 2))
    return table


def element(table: Table, name: str) -> Element:
    return table.element(name=name)


def test_queries_take_restraints_on_any_attribute(table: Table) -> None:
    table.do(Move(element(table, "White0"), to=table.position("C3")))

    assert [one.name for one in table.elements(player="Black")] == ["Black0", "Black1", "Black2"]
    assert len(table.elements(player="White", kind="pawn")) == 3
    assert len(table.positions(area="board")) == 25
    assert len(table.positions(empty=True, area="board")) == 24
    assert [position.name for position in table.positions(empty=False)] == ["C3"]
    assert [position.name for position in table.positions(owner="Black")] == ["hand Black"]
    assert [one.name for one in table.elements(at="C3", player="White")] == ["White0"]


def test_restraints_see_attributes_that_were_set(table: Table) -> None:
    table.do(Set(element(table, "White1"), kind="king"))
    table.do(Set(table.position("A1"), mined=True))

    assert [one.name for one in table.elements(kind="king")] == ["White1"]
    assert len(table.elements(kind="pawn")) == 5
    assert [position.name for position in table.positions(mined=True)] == ["A1"]


def test_the_table_knows_where_things_are_and_whose(table: Table) -> None:
    pawn = element(table, "Black0")
    table.do(Move(pawn, to=table.position("hand White")))

    assert table.place_of(pawn) is table.hand("White")
    assert table.owner(pawn) == "White"
    assert table.owner(element(table, "Black1")) == "Black"
    assert table.top("hand White") is pawn
    assert table.is_empty("hand Black")


def test_markers_and_players_are_found(table: Table) -> None:
    assert table.value(table.score(owner="White")) == 7
    assert table.value(table.dice()) == ()
    assert table.partners("White") == ("Red",)
    assert table.next_player(2, after="Black") == "White"


def test_attributes_belong_to_the_table_a_player_or_equipment(table: Table) -> None:
    table.do(Set(table, turn=3) + Set("Black", castled=True))

    assert table.get("turn") == 3
    assert table.get("castled", of="Black") is True
    assert table.get("castled", False, of="White") is False
    assert table.get("kind", of=element(table, "White0")) == "pawn"


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (lambda table: table.element(player="White"), "3 elements have player='White'"),
        (lambda table: table.position("Z9"), "no position 'Z9'"),
        (lambda table: table.player("Green"), "'Green' is no player"),
        (lambda table: table.score("gold"), "no score gold"),
        (lambda table: table.area(), "no area without a name"),
        (lambda table: table.hand("Red"), "owns 0 positions"),
        (lambda table: table.undo(), "nothing to undo"),
    ],
)
def test_what_is_not_there_is_told(table: Table, question: object, message: str) -> None:
    assert callable(question)
    with pytest.raises(RuleError, match=message):
        question(table)


def test_the_only_one_of_its_kind_is_found_without_a_name_but_not_by_a_wrong_one(table: Table) -> None:
    assert table.assortment() is table.assortment("pieces")
    with pytest.raises(RuleError, match="no assortment deck"):
        table.assortment("deck")


def line(table: Table, *names: str) -> None:
    pool = [*table.elements(player="White"), *table.elements(player="Black")]
    table.do(Move(pool[0], to=table.position(names[0])))
    for piece, name in zip(pool[1:], names[1:], strict=False):
        table.do(Move(piece, to=table.position(name)))


@pytest.mark.parametrize(
    "names", [("A1", "B1", "C1"), ("A1", "A2", "A3"), ("A1", "C3", "B2"), ("C1", "A3", "B2"), ("A1", "C1", "B1")]
)
def test_lines_are_found_in_all_directions(table: Table, names: tuple[str, ...]) -> None:
    line(table, *names)

    assert table.has_new_line(3, player="White")
    assert not table.has_new_line(3, player="Black")
    assert not table.has_new_line(4, player="White")


def test_a_line_must_pass_through_what_was_put_down_last(table: Table) -> None:
    line(table, "A1", "B1", "C1", "E5")

    assert not table.has_new_line(3, kind="pawn")
    assert table.has_new_line(3, at=[table.position("A1")], kind="pawn")


def test_longer_lines_count_unless_exactly_that_length_is_asked_for(table: Table) -> None:
    line(table, "A1", "B1", "C1", "D1")

    assert table.has_new_line(3, kind="pawn")
    assert not table.has_new_line(3, kind="pawn", exactly=True)
    assert table.has_new_line(4, kind="pawn", exactly=True)
