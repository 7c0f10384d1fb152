"""The table of random playouts: as a `Table`, but nothing is kept for undoing, and nobody's knowledge is tracked.

What rules can ask is the same: contents, values, attributes, owners, and what players found out at secret places.
"""

from __future__ import annotations

from typing import Any

from ludens.tabletop.material.equipment import Equipment
from ludens.tabletop.table import Doable, Table


class LightTable(Table):
    """A table for one playout. Once a rule looks ahead (`do`, `mark`), changes are journalled until the turn ends."""

    __slots__ = ("_is_journalling",)
    is_light = True

    @classmethod
    def of(cls, table: Table) -> LightTable:
        """A copy of a table."""
        other = cls.__new__(cls)
        table.copy_to(other)
        other._is_journalling = False
        return other

    def write(self, store: list[Any], key: int, value: Any) -> None:
        """Change an entry of one of the table's lists."""
        if self._is_journalling:
            super().write(store, key, value)
        else:
            store[key] = value

    def write_attribute(self, of: Equipment | None, name: str, value: Any) -> None:
        """Set an attribute."""
        if self._is_journalling or of is not None:
            super().write_attribute(of, name, value)
        else:
            self.attributes[None, name] = value

    def do(self, action: Doable) -> None:
        """Do an action that a rule looks ahead with; `undo` takes it back."""
        self._is_journalling = True
        super().do(action)

    def mark(self) -> int:
        """A point to `roll_back` to."""
        self._is_journalling = True
        return super().mark()

    def end_turn(self) -> None:
        """Nothing so far is undone."""
        if self._journal:
            self.forget_changes()
        self._is_journalling = False
