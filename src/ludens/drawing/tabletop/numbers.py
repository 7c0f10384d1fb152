"""Scores and other numbers of the roles, as a table whose cells are clicked for moves that name them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from ludens.core import Move, Role
from ludens.drawing.hints import Hints
from ludens.drawing.model import Facts, Panel, Scores
from ludens.drawing.sight import TableSeen
from ludens.tabletop import Score, TabletopGame

_LONGEST = 40
"""The maximum number of characters of an attribute that is shown."""


class Numbers:
    """What is counted for each role in one position: a row for each number, by its name without the role's."""

    def __init__(self, game: TabletopGame, hints: Hints, seen: TableSeen) -> None:
        self._roles = game.roles
        self._rows: dict[str, dict[str, str]] = {}
        for marker in game.inventory.markers:
            if isinstance(marker, Score) and hints.look != "columns":
                owner = marker.owner or next((role for role in game.roles if marker.name.endswith(f" {role}")), "")
                what = marker.name.removesuffix(owner).strip() or marker.name
                self._rows.setdefault(what, {})[owner] = str(seen.value(marker))
        for name, value in seen.attributes.items():
            of, _, what = name.rpartition(".")
            if of in game.roles and can_be_shown(hints, what, value):
                self._rows.setdefault(what, {})[of] = "" if _is_nothing(value) else format_value(value)

    def panels(self, colours: Mapping[str, str], named: Container[str]) -> Iterator[Panel]:
        """The table of the roles, and what belongs to nobody; ``named`` are the cells that can be clicked."""
        shown = {
            what: values
            for what, values in self._rows.items()
            if any(values.values()) or any(_spot(what, owner) in named for owner in values)
        }
        if table := {what: values for what, values in shown.items() if "" not in values}:
            yield _table(self._roles, table, tuple(colours[role] for role in self._roles), named)
        common = {what: values for what, values in shown.items() if "" in values}
        if sheet := {what: values for what, values in common.items() if _spot(what, "") in named}:
            yield _table(("",), sheet, (), named)
        if rest := tuple(f"{what}: {values['']}" for what, values in common.items() if what not in sheet):
            yield Facts("", rest)

    def clicks(self, moves: Iterable[Move], role: Role | None) -> dict[Move, tuple[str, ...]]:
        """The cells that each move names, such as ``score full house``: a role's own by the name of the row alone.

        Moves that name the same cells (amounts of chips) differ in something else, so they are left out, and so are
        names that are numbers, which may be dice.
        """
        spots = self._names(role)
        if not spots:
            return {}
        longest_first = sorted(spots, key=len, reverse=True)
        pattern = re.compile("|".join(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])" for name in longest_first))
        found = {move: tuple(spots[match[0]] for match in pattern.finditer(_plain(move))) for move in moves}
        count = Counter(found.values())
        return {move: path for move, path in found.items() if path and count[path] == 1}

    def _names(self, role: Role | None) -> Mapping[str, str]:
        names: dict[str, str] = {}
        for what, values in self._rows.items():
            for owner in values:
                names[_plain(f"{what} {owner}")] = _spot(what, owner)
            own = role if role is not None and role in values else ""
            if own in values:
                names[_plain(what)] = _spot(what, own)
        return {name: spot for name, spot in names.items() if name and not name.isdecimal()}


def _table(
    names: tuple[str, ...], rows: Mapping[str, Mapping[str, str]], colours: tuple[str, ...], named: Container[str]
) -> Scores:
    lines = tuple((what, tuple(values.get(name, "") for name in names)) for what, values in rows.items())
    spots = {
        (row, column): spot
        for row, what in enumerate(rows)
        for column, name in enumerate(names)
        if (spot := _spot(what, name)) in named
    }
    return Scores(names, lines, colours, spots)


def can_be_shown(hints: Hints, name: str, value: Any) -> bool:
    """True for attributes that are words or numbers of a readable length, or nothing yet."""
    if hints.parts.get(name) == "none":
        return False
    if isinstance(value, tuple):
        return all(isinstance(one, str | int | bool) for one in value) and len(format_value(value)) <= _LONGEST
    return value is None or isinstance(value, str | bool) or (isinstance(value, int | float) and abs(value) < 1_000_000)


def is_shown(hints: Hints, name: str, value: Any) -> bool:
    """True for such attributes that have a value."""
    return not _is_nothing(value) and can_be_shown(hints, name, value)


def _is_nothing(value: Any) -> bool:
    return value is False or value in ("", (), None)


def format_value(value: Any) -> str:
    """A value as text, the parts of a tuple one after the other."""
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _spot(what: str, owner: str) -> str:
    return f"score:{what}:{owner}"


def _plain(text: str) -> str:
    return text.lower().replace("_", " ").strip()
