"""Kuhn's poker for its engine."""

from __future__ import annotations

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Rule, Table

WORDS = ("pass", "bet")


def kuhn_twin(rule: Rule) -> EngineTwin:
    """The twin of a page."""
    return EngineTwin(package=PACKAGE, engine="kuhn_poker", position=position, move=move)


def position(table: Table) -> list[int] | None:
    """Who is to act, the cards, what is paid, and what was said."""
    hands = [table.contents[table.hand(player).index] for player in table.players]
    if not all(hands):
        return None
    paid = [table.value(table.score(f"paid {player}")) for player in table.players]
    said = [WORDS.index(word) for word in table.get("said")]
    mover = table.players.index(table.current_player)
    return [mover, *(hand[0].rank for hand in hands), *paid, len(said), *said, *[0] * (3 - len(said))]


def move(table: Table, player: str, number: int) -> str:
    """The word."""
    return WORDS[number]
