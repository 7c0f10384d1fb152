"""Leduc poker for its engine."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Rule, Table

CHOICES = ("fold", "call", "raise")


def leduc_twin(rule: Rule, raises: Sequence[int], most_raises: int) -> EngineTwin:
    """The twin of a page."""
    settings = [*raises, most_raises]
    return EngineTwin(package=PACKAGE, engine="leduc_poker", settings=settings, position=position, move=move)


def position(table: Table) -> list[int] | None:
    """Who is to act, the cards, the round, and what is paid."""
    hands = [table.contents[table.hand(player).index] for player in table.players]
    if not all(hands):
        return None
    board = table.contents[table.position("board").index]
    deck = table.contents[table.assortment("deck").index]
    return [
        table.players.index(table.current_player),
        *(hand[0].rank for hand in hands),
        0 if board else deck[-1].rank,
        board[0].rank if board else 0,
        table.get("round"),
        table.get("raises"),
        int(table.get("checked")),
        *(table.value(table.score(f"paid {player}")) for player in table.players),
    ]


def move(table: Table, player: str, number: int) -> str:
    """The choice."""
    return CHOICES[number]
