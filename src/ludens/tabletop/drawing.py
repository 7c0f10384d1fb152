"""A table as text, all of it or what one player sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import ascii_letters

from ludens.tabletop.material.areas import Area
from ludens.tabletop.material.equipment import Assortment, Dice, Element, Place, Position, Score
from ludens.tabletop.table import Table

Shown = Callable[[Place, Element], bool]
"""Whether an element at a place is seen."""
BACK = "##"
"""An element that is not seen."""
_MOST = 30


def draw(
    table: Table,
    shown: Shown = lambda place, element: True,
    counted: Shown = lambda place, element: True,
    value: Callable[[Score | Dice], object] | None = None,
) -> str:
    """The table; elements that are not shown are drawn as backs if they are counted, and left out otherwise."""

    def names(place: Place) -> list[str]:
        lying = [element for element in table.contents[place.index] if counted(place, element)]
        return [element.name if shown(place, element) else BACK for element in lying]

    blocks = [_draw_area(area, names) for area in table.inventory.areas.values()]
    blocks += [
        f"{place}: {_format_list(names(place))}"
        for place in table.inventory.assortments.values()
        if not _is_stock(table, place)
    ]
    values = [f"{marker}: {_format_value((value or table.value)(marker))}" for marker in table.inventory.markers]
    if values:
        blocks.append("  ".join(values))
    return "\n".join(filter(None, blocks))


def _is_stock(table: Table, place: Assortment) -> bool:
    """True for assortments that are not worth drawing: endless or empty ones."""
    return place.is_endless or not table.contents[place.index]


def _draw_area(area: Area, names: Callable[[Place], list[str]]) -> str:
    rows: dict[float, list[Position]] = {}
    at: dict[Position, tuple[float, float]] = {}
    if area.positions[0].directions() and all(len(position.coordinates) == 2 for position in area.positions):
        for position in area.positions:
            at[position] = area.in_plane(position.coordinates)
            rows.setdefault(at[position][1], []).append(position)
    if len(rows) < 2:
        return "\n".join(
            f"{position}: {_format_list(names(position))}" for position in area.positions if names(position)
        )
    width = max(len(_format_cell(names(position))) for position in area.positions)
    left = min(x for x, _ in at.values())
    lines = []
    for height in sorted(rows, reverse=True):
        row = sorted(rows[height], key=lambda position: at[position][0])
        indent = " " * round((at[row[0]][0] - left) * (width + 1))
        label = row[0].name.lstrip(ascii_letters)
        lines.append(f"{label:>3} {indent}" + " ".join(_format_cell(names(position)).rjust(width) for position in row))
    columns = sorted({x for x, _ in at.values()})
    if all(column == int(column) for column in columns):
        last = sorted(rows[min(rows)], key=lambda position: at[position][0])
        lines.append("    " + " ".join(position.name.rstrip("0123456789")[:width].rjust(width) for position in last))
    return "\n".join(lines)


def _format_cell(lying: list[str]) -> str:
    if not lying:
        return "."
    return lying[-1] if len(lying) == 1 else f"{lying[-1]}{len(lying)}"


def _format_list(lying: Sequence[str]) -> str:
    if lying and all(name == BACK for name in lying):
        return f"{len(lying)} face down"
    more = f" … ({len(lying)} in all)" if len(lying) > _MOST else ""
    return " ".join(lying[-_MOST:]) + more or "-"


def _format_value(value: object) -> str:
    return " ".join(map(str, value)) or "-" if isinstance(value, tuple) else str(value)
