"""Chinese Poker for its engine."""

from __future__ import annotations

from operator import attrgetter

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import Element, EngineTwin, Rule, Table

ROWS = ("front", "middle", "back")


def card_numbers(cards: tuple[Element, ...]) -> list[int]:
    """The rank and the number of the suit of each card."""
    suits: dict[str, int] = {}
    found: list[int] = []
    for card in cards:
        found += [card.attributes["rank"], suits.setdefault(card.attributes["suit"], len(suits))]
    return found


def chinese_poker_twin(rule: Rule, cards: tuple[Element, ...]) -> EngineTwin:
    """The twin of a page."""
    settings = [rule.settings["scoop"], *card_numbers(cards)]
    return EngineTwin(package=PACKAGE, engine="chinese_poker", settings=settings, position=position, move=move)


def position(table: Table) -> list[int] | None:
    """Whose each card is, and in which row."""
    deck = table.assortment("deck")
    if table.contents[deck.index]:
        return None
    owner, rows = [0] * len(deck.elements), [0] * len(deck.elements)
    for seat, player in enumerate(table.players):
        for row, area in enumerate(("hand", *ROWS)):
            for card in table.contents[table.hand(player, area).index]:
                owner[card.index], rows[card.index] = seat, row
    return [*owner, *rows]


def move(table: Table, player: str, number: int) -> str:
    """The highest card, or the rest, to a row."""
    if number >= len(ROWS):
        return f"the rest to {ROWS[number - len(ROWS)]}"
    card = max(table.contents[table.hand(player).index], key=attrgetter("index"))
    return f"{card.name} to {ROWS[number]}"
