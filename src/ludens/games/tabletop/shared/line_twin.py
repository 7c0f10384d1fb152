"""The shelf's m,n,k-game as the twin of pages in which two players place marks on a grid until one has a line."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.games.shelf import mnk
from ludens.tabletop import Position, Rule, Table, Twin

ROLES, MARKS = ("xplayer", "oplayer"), ("x", "o")
MOST = 15
"""The longest side of a board of the twin."""


def line_twin(rule: Rule, columns: int, rows: int, length: int) -> Twin | None:
    """The twin of a page whose only area is a grid, and whose marks know their player; None if the board is too large,
    or the second player begins, which the twin's rules do not know."""
    if max(columns, rows) > MOST or rule.starting_player != rule.players[0]:
        return None
    players: Sequence[str] = rule.players

    def facts(table: Table) -> list[str]:
        found = [f"(control {ROLES[players.index(table.current_player)]})"]
        for position in table.inventory.positions:
            lying = table[position]
            content = MARKS[players.index(lying[0].player)] if lying else "b"
            found.append(f"(cell {_place(position)} {content})")
        return found

    def moves(table: Table, role: str, move: str) -> tuple[str, str] | None:
        if move == "noop":
            return None
        place = move.removeprefix("(mark ").removesuffix(")")
        target = next(position for position in table.inventory.positions if _place(position) == place)
        return players[ROLES.index(role)], target.name

    return Twin(rules=mnk.rules(str(columns), str(rows), str(length)), facts=facts, moves=moves)


def _place(position: Position) -> str:
    across, up = position.coordinates
    return f"{int(across) + 1} {int(up) + 1}"
