"""Dominoes for its engine."""

from __future__ import annotations

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import Element, EngineTwin, Rule, Table

MOST_TILES = 55
DRAW, PASS = 1000, 1001
SIDES = ("left", "right")


def dominoes_twin(rule: Rule, *, draws: bool) -> EngineTwin:
    """The twin of a page."""
    pips = range(rule.settings["highest"] + 1)
    tiles = [(low, high) for low in pips for high in pips if low <= high]
    settings = [len(rule.players), int(draws), len(tiles), *(number for tile in tiles for number in tile)]
    return EngineTwin(package=PACKAGE, engine="dominoes", settings=settings, position=position, move=move)


def position(table: Table) -> list[int] | None:
    """Who is to act, the ends of the line, the boneyard in order, and whose each tile is."""
    hands = [table.contents[table.hand(player).index] for player in table.players]
    if not any(hands):
        return None
    yard = [tile.index for tile in table.contents[table.assortment("boneyard").index]]
    owner = [0] * MOST_TILES
    for number, hand in enumerate(hands, 1):
        for tile in hand:
            owner[tile.index] = number
    mover = table.players.index(table.current_player)
    return [
        mover, *(table.get("ends") or (-1, -1)), table.get("passes"),
        len(yard), *yard, *[0] * (MOST_TILES - len(yard)), *owner,
    ]  # fmt: skip


def move(table: Table, player: str, number: int) -> str:
    """A tile, and its side of the line."""
    if number in (DRAW, PASS):
        return "draw" if number == DRAW else "pass"
    tile: Element = table.assortment("boneyard").elements[number // 2]
    return f"{tile} {SIDES[number % 2]}" if table.get("ends") else tile.name
