"""Mah-Jong for its engine."""

from __future__ import annotations

from ludens.games.tabletop.shared.mahjong_hands import CHOW, KINDS, KONG, NUMBER, PUNG, SETS, WINDS, counts_of
from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Place, Rule, Table

STAGES = ("turn", "claim", "rob")
SORTS = (CHOW, PUNG, KONG)
MELD, ADD, TAKE_CHOW = 40, 80, 130
WORDS = {120: "hu", 121: "pass", 122: PUNG, 123: KONG}
WALL, DEAD, NOTHING = 136, 15, -1


def mahjong_twin(rule: Rule) -> EngineTwin:
    """The twin of a page."""
    settings = [rule.settings["least"], WINDS.index(rule.settings["prevailing"])]
    return EngineTwin(package=PACKAGE, engine="mahjong", settings=settings, position=position, move=move)


def stack(table: Table, place: Place, most: int) -> list[int]:
    """The kinds of the tiles at a place in order, after their number."""
    kinds = [tile.attributes["number"] for tile in table.contents[place.index]]
    return [len(kinds), *kinds, *[0] * (most - len(kinds))]


def position(table: Table) -> list[int] | None:
    """The stage, whose tile it is, that tile, both walls, hands and melds."""
    word, _, seat = table.stage.rpartition(" ")
    word = word.partition(" ")[0]
    if word not in STAGES:
        return None
    tile = table.get("tile")
    found = [
        STAGES.index(word), table.players.index(seat), NUMBER[tile] if tile else NOTHING,
        int(table.get("drawn")), int(table.get("replaced")),
        *stack(table, table.assortment("wall"), WALL), *stack(table, table.position("dead wall"), DEAD),
    ]  # fmt: skip
    for player in table.players:
        found += counts_of([tile.attributes["number"] for tile in table.contents[table.hand(player).index]])
        melds = table.get("melds", of=player)
        found.append(len(melds))
        for sort, kind, is_open in melds:
            found += [SORTS.index(sort), kind, int(is_open)]
        found += [0] * 3 * (SETS - len(melds))
    return found


def move(table: Table, player: str, number: int) -> str:
    """A tile, a set, or a word."""
    if number >= TAKE_CHOW:
        kind = NUMBER[table.get("tile")]
        first = kind - (number - TAKE_CHOW)
        return f"{CHOW} {' '.join(KINDS[one] for one in range(first, first + 3) if one != kind)}"
    if number in WORDS:
        return WORDS[number]
    if number >= ADD:
        return f"add {KINDS[number - ADD]}"
    return f"{KONG} {KINDS[number - MELD]}" if number >= MELD else KINDS[number]
