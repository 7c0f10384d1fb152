"""Deck Duel for its engine."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Rule, Table

STAGES = ("choose", "shuffle", "turn")
KINDS, MOST_DECK, MOST_CREATURES = 10, 20, 5
TARGETS, HERO, ATTACKS, MIX, END = 8, 7, 128, 1000, 1001
HEADER, SIDE, POOL = 3, 4 + 2 * KINDS + MOST_DECK + 1 + 3 * MOST_CREATURES, 3
"""The numbers of a position before the sides, of a side, and of a side before its pool."""


def deck_duel_twin(rule: Rule, titles: Sequence[str], properties: Sequence[Sequence[int]]) -> EngineTwin:
    """The twin of a page with these kinds of cards."""
    kind_of = {title: kind for kind, title in enumerate(titles)}

    def counts(titles: Sequence[str]) -> list[int]:
        found = [0] * KINDS
        for title in titles:
            found[kind_of[title]] += 1
        return found

    def side(table: Table, player: str) -> list[int]:
        places = (table.assortment(f"pool {player}"), *(table.hand(player, area) for area in ("hand", "deck")))
        pool, hand, deck = ([card.attributes["title"] for card in table.contents[place.index]] for place in places)
        field = table.contents[table.hand(player, "field").index]
        found = [table.value(table.score(owner=player)), *(table.get(name, of=player) for name in ("turn", "fatigue"))]
        found += [
            *counts(pool),
            *counts(hand),
            len(deck),
            *map(kind_of.__getitem__, deck),
            *[0] * (MOST_DECK - len(deck)),
        ]
        found.append(len(field))
        for card in field:
            found += [kind_of[card.attributes["title"]], int(table.get("ready", of=card)), table.get("damage", of=card)]
        return found + [0] * 3 * (MOST_CREATURES - len(field))

    def position(table: Table) -> list[int]:
        """The stage, who is to act, its mana, and both sides."""
        stage = STAGES.index(table.stage.split()[0])
        mover = table.players.index(table.current_player) if stage else 0
        found = [stage, mover, table.get("mana")]
        for player in table.players:
            found += side(table, player)
        return found

    def move(table: Table, player: str, number: int) -> str:
        """A card, an attack, or the end of the turn."""
        if number in (MIX, END):
            return "shuffle" if number == MIX else "end turn"
        if table.stage == STAGES[0]:
            return titles[number]
        what, target = divmod(number, TARGETS)
        (other,) = (one for one in table.players if one != player)
        on = "hero" if target == HERO else creature(table, other, target)
        if number >= ATTACKS:
            return f"{creature(table, player, what - ATTACKS // TARGETS)} attacks {on}"
        return f"{titles[what]} on {on}" if target else titles[what]

    settings = [rule.settings["deck"], rule.settings["health"], rule.players.index(rule.starting_player)]
    return EngineTwin(
        package=PACKAGE, engine="deck_duel", position=position, move=move, settled=settled,
        settings=[*settings, *(number for row in properties for number in row)],
    )  # fmt: skip


def creature(table: Table, player: str, number: int) -> str:
    """A creature on the field by its place there; empty if there is none, as for a card without a target."""
    field = table.contents[table.hand(player, "field").index]
    return f"{field[number - 1].attributes['title']} {number}" if 0 < number <= len(field) else ""


def settled(numbers: Sequence[int]) -> Hashable:
    """All but which cards of a shuffled deck are in the hand."""
    found: list[object] = [tuple(numbers[:HEADER])]
    for first in range(HEADER, len(numbers), SIDE):
        side = numbers[first : first + SIDE]
        pool = POOL + KINDS
        hand, deck = list(side[pool : pool + KINDS]), side[pool + KINDS + 1 : pool + KINDS + 1 + side[pool + KINDS]]
        size = sum(hand)
        for kind in deck:
            hand[kind] += 1
        found.append((tuple(side[:pool]), size, tuple(hand), tuple(side[pool + KINDS + 1 + MOST_DECK :])))
    return tuple(found)
