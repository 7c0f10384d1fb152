"""Attributes of equipment: any name that the kit does not use, and what Set says is what is read."""

from __future__ import annotations

from random import Random

import pytest

from ludens.core import random_joint_move
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Del,
    Distribute,
    Element,
    FinishPlay,
    Move,
    Pass,
    Position,
    Rule,
    RuleError,
    Score,
    Set,
    Stage,
    Table,
    TabletopGame,
    alternate,
)


class Charging(Rule):
    """Each turn charges the card; the rule reads the charge off the card."""

    name = "Charging"
    players = ("Anna", "Bert")

    def equipment(self, table: Table) -> None:
        table.add(Area("table", ["pile"]))
        table.add(Assortment("cards", [Element("gun", charge=0, kind="weapon", number=7)]))
        table.add(Area.hands("hand", self.players))

    def turns(self) -> list[Stage]:
        return alternate(self.players, self.load)

    def load(self, table: Table) -> list[Action]:
        gun = table.element(kind="weapon")
        return [Set(gun, charge=gun.charge + 1).named(f"to {gun.charge + 1}")]

    def result(self, table: Table) -> FinishPlay | None:
        return FinishPlay(draw=True) if table.element(kind="weapon").charge == 3 else None


@pytest.mark.parametrize("name", ["kind", "number", "bit_", "suit", "charge", "value", "owner"])
def test_an_element_has_any_attribute_of_its_author(name: str) -> None:
    assert getattr(Element("Guard", **{name: "mine"}), name) == "mine"


def test_an_attribute_that_queries_would_take_for_something_else_is_refused() -> None:
    with pytest.raises(RuleError, match="'at'"):
        Element("Guard", at="gate")
    with pytest.raises(RuleError, match="'empty'"):
        Position("gate", empty=False)


@pytest.mark.parametrize("name", ["index", "bit", "assortment", "attributes", "inventory", "is_endless"])
def test_an_attribute_that_the_kit_uses_itself_is_refused(name: str) -> None:
    with pytest.raises(RuleError, match=name):
        Element("Guard", **{name: "mine"})
    with pytest.raises(RuleError, match=name):
        Set(Element("Guard"), **{name: 1})


def test_the_same_holds_for_places_scores_and_players() -> None:
    with pytest.raises(RuleError, match="lines"):
        Area.grid("board", columns=3, rows=3)["A1"].check_attribute("lines")
    with pytest.raises(RuleError, match="partners"):
        Set("Anna", partners=())
    with pytest.raises(RuleError, match="index"):
        Score("points", index=3)


def test_what_set_says_is_what_the_rule_reads() -> None:
    game = TabletopGame(Charging())
    rng = Random(1)
    state = game.initial_state()
    moves: list[str] = []
    while not state.is_terminal:
        joint_move = random_joint_move(state, rng)
        moves += joint_move.values()
        state = state.play(joint_move)

    assert moves == ["to 1", "to 2", "to 3"]
    assert TabletopGame(Charging()).initial_state().legal_moves("Anna") == ("to 1",)  # other tables are not affected


def test_an_attribute_that_was_set_is_read_from_the_table_in_use() -> None:
    game = TabletopGame(Charging())
    table, other = game.first.copy(), game.first.copy()
    gun = table.element(kind="weapon")

    table.do(Set(gun, charge=1))
    assert gun.charge == 1
    other.do(Pass())
    assert gun.charge == 0
    table.do(Del(gun, "charge"))
    assert not hasattr(gun, "charge")
    table.undo()
    assert gun.charge == 1


def test_the_owner_of_an_element_is_whose_it_is_now() -> None:
    game = TabletopGame(Charging())
    table = game.first.copy()
    gun = table.element(kind="weapon")

    table.do(Move(gun, to=table.hand("Bert")))
    assert (gun.owner, table.owner(gun)) == ("Bert", "Bert")
    table.do(Distribute(table.hand("Bert"), [table.hand("Anna")], 1))
    assert (gun.owner, table.owner(gun)) == ("Anna", "Anna")
    table.do(Set(gun, owner="Bert"))
    assert (gun.owner, table.owner(gun), table.elements(owner="Bert")) == ("Bert", "Bert", [gun])
