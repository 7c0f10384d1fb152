"""Where everything lies on a card table: roles clockwise from the observer, the trick, own cards below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ludens.core import Role
from ludens.drawing.model import CardTable, Facts, Panel, Piece, Row, Scores, Seat

TRICK, TRICKS = "trick", "tricks"
TABLE_PARTS = frozenset({"spread", TRICK, TRICKS})
"""Parts of a card that say where something lies, not what kind it is."""
_KINDS = frozenset({"cards", "dominoes", "tiles"})
_MOST_SEATS = 9
_MOST_NOTES = 4
"""The maximum number of numbers that are written beside a role."""
_FEW = 6
"""The maximum number of open cards that lie before another role; more lie in a row of their own."""


def is_card_table(roles: Sequence[Role], rows: Sequence[Row]) -> bool:
    """True if several roles have cards before them."""
    owners = {row.seat for row in rows if row.seat >= 0 and row.kind in _KINDS}
    return bool(owners) and 2 <= len(roles) <= _MOST_SEATS


def is_sheet(scores: Scores) -> bool:
    """True for numbers that are a table of their own, rather than words beside the roles."""
    return len(scores.rows) > _MOST_NOTES or bool(scores.spots)


class Seating:
    """The roles around a table, the observer (or the first role) at its lower edge."""

    def __init__(
        self,
        roles: Sequence[Role],
        colours: Mapping[str, str],
        role: Role | None,
        to_move: str,
        parts: Mapping[str, str],
    ) -> None:
        self._roles = roles
        self._colours = colours
        self._role = role
        self._to_move = to_move
        self._parts = parts
        first = roles.index(role) if role in roles else 0
        self._order = [*roles[first:], *roles[:first]]

    def around(self, rows: Sequence[Row], middle: Sequence[Row], numbers: Sequence[Panel]) -> tuple[Panel, ...]:
        """The table, and below it the observer's own rows and open hands of others."""
        scores = [panel for panel in numbers if isinstance(panel, Scores)]
        common = tuple(line for panel in numbers if isinstance(panel, Facts) for line in panel.lines)
        trick = next((row for row in middle if self._parts.get(row.key) == TRICK), None)
        played = self._played(trick)
        if played:
            middle = [row for row in middle if row is not trick]
        below: list[Row] = []
        seats = []
        for role in self._order:
            lying = []
            notes = self._notes(role, scores)
            for row in rows:
                if row.seat != self._roles.index(role):
                    continue
                if self._part(row) == TRICKS:
                    count = len(row.pieces) // len(self._roles)
                    notes.append(f"{count} {'trick' if count == 1 else 'tricks'}")
                elif role == self._role or sum(not piece.is_hidden for piece in row.pieces) > _FEW:
                    below.append(row)
                else:
                    lying.append(row)
                    if len(row.pieces) > _FEW and not row.is_pile:
                        notes.append(f"{len(row.pieces)} cards" if row.kind == "cards" else f"{len(row.pieces)} tiles")
            alone = len(lying) == 1
            shown = tuple(replace(row, title="" if alone else self._title(row, role)) for row in lying)
            colour = self._colours[role]
            seats.append(Seat(role, colour, tuple(notes), shown, played.get(role), role == self._to_move))
        own = [replace(row, is_fanned=self._is_hand(row)) for row in below]
        return CardTable(tuple(seats), tuple(middle), common), *own

    def _played(self, trick: Row | None) -> Mapping[Role, Piece]:
        """Who played which card of the trick: the last was played by the role before the one to move."""
        if trick is None or self._to_move not in self._roles or not 0 < len(trick.pieces) < len(self._roles):
            return {}
        after = self._roles.index(self._to_move) - len(trick.pieces)
        return {self._roles[(after + n) % len(self._roles)]: piece for n, piece in enumerate(trick.pieces)}

    def _part(self, row: Row) -> str:
        """The card's word for a row: rows of an area have its name and the role's."""
        return self._parts.get(row.key, "") or self._parts.get(row.key.rpartition(" ")[0], "")

    @staticmethod
    def _is_hand(row: Row) -> bool:
        return row.kind == "cards" and not row.is_pile and not any(piece.is_hidden for piece in row.pieces)

    @staticmethod
    def _title(row: Row, role: Role) -> str:
        return row.title.removeprefix(f"{role}'s ").removesuffix(f" {role}")

    def _notes(self, role: Role, scores: Sequence[Scores]) -> list[str]:
        """The numbers of a role, without those that are zero for all."""
        notes = []
        for table in scores:
            at = table.names.index(role)
            for what, values in table.rows:
                if values[at] and any(value not in ("", "0") for value in values):
                    notes.append(f"{what} {values[at]}")
        return notes
