"""Liar's dice for its engine."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Rule, Table

MOST_PLAYERS, MOST_DICE = 6, 6
DOUBT, BASE = 0, 8
PUBLIC = 5 + MOST_PLAYERS
"""Numbers of a position before the dice."""


def liars_dice_twin(rule: Rule, *, is_one_round: bool) -> EngineTwin:
    """The twin of a page."""
    settings = [len(rule.players), *(int(rule.settings[name]) for name in ("dice", "faces", "wild")), int(is_one_round)]
    return EngineTwin(
        package=PACKAGE, engine="liars_dice", settings=settings, position=position, move=move, settled=settled
    )


def position(table: Table) -> list[int] | None:
    """Who is to act, whether by rolling, the bid, and the dice that count."""
    action, _, _ = table.stage.partition(" ")
    if action not in ("bid", "roll"):
        return None
    players = table.players
    left = [*table.get("left"), *[0] * (MOST_PLAYERS - len(players))]
    count, face = table.get("bid") or (0, 0)
    bidder = table.get("bidder")
    found = [
        players.index(table.current_player), int(action == "roll"), count, face,
        players.index(bidder) if bidder else -1, *left,
    ]  # fmt: skip
    for player, dice in zip(players, left, strict=False):
        shown = table.value(table.dice(f"dice {player}"))[:dice] if dice and action == "bid" else ()
        found += [*shown, *[0] * (MOST_DICE - len(shown))]
    return found + [0] * MOST_DICE * (MOST_PLAYERS - len(players))


def settled(numbers: Sequence[int]) -> tuple[int, ...]:
    """All but the dice."""
    return tuple(numbers[:PUBLIC])


def move(table: Table, player: str, number: int) -> str:
    """A bid, a doubt, or a roll."""
    if number == DOUBT:
        return "roll" if table.stage.startswith("roll") else "liar"
    return f"{number // BASE} x {number % BASE}"
