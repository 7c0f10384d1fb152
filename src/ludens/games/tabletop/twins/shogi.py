"""Shogi for its engine, which ends no play because of repetitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludens.games.tabletop.shared import shogi_moves as shogi
from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Rule, Table

PROMOTED, DROP, WIN = 81 * 81, 20000, 30000


def shogi_twin(
    rule: Rule,
    board: Callable[[Table], Sequence[int]],
    in_hand: Callable[[Table, int], Sequence[int]],
    is_repeated: Callable[[Table], bool],
) -> EngineTwin:
    """The twin of a page."""

    def position(table: Table) -> list[int]:
        """Who is to act, turns, both hands and the board."""
        hands = (in_hand(table, side) for side in (shogi.BLACK, shogi.WHITE))
        mover = table.players.index(table.current_player)
        return [mover, table.get("turn"), *(count for hand in hands for count in hand), *board(table)]

    return EngineTwin(
        package=PACKAGE, engine="shogi", settings=[rule.settings["turns"]], position=position, move=move,
        ends_apart=is_repeated,
    )  # fmt: skip


def move(table: Table, player: str, number: int) -> str:
    """The usual notation: 7g7f, 8h2b+, P*5e."""
    if number == WIN:
        return "win"
    size = len(shogi.SQUARES)
    if number >= DROP:
        kind, target = divmod(number - DROP, size)
        return f"{shogi.PIECES[kind]}*{shogi.SQUARES[target]}"
    source, target = divmod(number % PROMOTED, size)
    return f"{shogi.SQUARES[source]}{shogi.SQUARES[target]}{'+' if number >= PROMOTED else ''}"
