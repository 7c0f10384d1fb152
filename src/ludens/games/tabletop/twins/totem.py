"""Totem for its engine."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Place, Rule, Table

MOST_PLAYERS, MOST_CARDS = 8, 70
FIRST_SPECIAL = 100
WORDS = ("turn a card", "wait", "grab")


def totem_twin(rule: Rule, cards: Sequence[tuple[str, str]], special: Sequence[str]) -> EngineTwin:
    """The twin of a page with these shapes and colours; special shapes in the engine's order."""
    shapes = {shape: FIRST_SPECIAL + number for number, shape in enumerate(special)}
    colours: dict[str, int] = {}
    settings = [len(rule.players), rule.settings["turns"]]
    for shape, colour in cards:
        settings += [shapes.setdefault(shape, len(shapes)), colours.setdefault(colour, len(colours))]
    return EngineTwin(package=PACKAGE, engine="totem", settings=settings, position=position, move=move)


def pile(table: Table, place: Place) -> list[int]:
    """The cards at a place, and their number."""
    cards = [card.index for card in table.contents[place.index]]
    return [len(cards), *cards, *[0] * (MOST_CARDS - len(cards))]


def position(table: Table) -> list[int] | None:
    """The stage, who is to act, turns, who has turned a card, and all piles."""
    if table.contents[table.assortment("cards").index]:
        return None
    reacts = table.stage == "react"
    turned = table.get("turned")
    found = [
        int(reacts), 0 if reacts else table.players.index(table.current_player), table.get("turn"),
        int(table.get("by_colour")), table.players.index(turned) if turned else -1,
        *pile(table, table.position("pot")),
    ]  # fmt: skip
    for area in ("stack", "pile"):
        for player in table.players:
            found += pile(table, table.hand(player, area))
        found += [0] * (MOST_CARDS + 1) * (MOST_PLAYERS - len(table.players))
    return found


def move(table: Table, player: str, number: int) -> str:
    """The word."""
    return WORDS[number]
