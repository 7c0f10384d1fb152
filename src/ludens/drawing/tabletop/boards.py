"""Boards of tabletop games: areas with positions in the plane, and two with special layouts."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path as FilePath

from ludens.core import Role
from ludens.drawing.fluents.tracks import backgammon_board, climbing_board
from ludens.drawing.hints import Hints
from ludens.drawing.layouts import ring_at
from ludens.drawing.looks.boards import LOOKS
from ludens.drawing.model import Board, Piece, Place
from ludens.drawing.sight import TableSeen
from ludens.drawing.tabletop.files import read_picture
from ludens.drawing.words import Namer
from ludens.tabletop import Area, Position, Score, TabletopGame

_LABEL = re.compile(r"([A-Za-z]+)(\d+)|(\d+)([A-Za-z]+)")
_NOTES = ("terrain", "note", "kind")
"""Attributes of positions that name their ground."""
WITH_OWN_SPOTS = ("backgammon", "columns")
"""Looks in which numbers in moves are points and columns."""


def spot_of(position: Position) -> str:
    """The spot of a position of a board."""
    return f"{position.area.name}:{position.name}"


def is_board(area: Area) -> bool:
    """True if the positions of an area lie in the plane, rather than being hands and piles."""
    positions = area.positions
    return len(positions) > 1 and all(len(position.coordinates) == 2 for position in positions)


def empty_board(area: Area, hints: Hints, page: FilePath | None) -> Board:
    """An empty board. ``page`` is the file with the rules, beside which its pictures are."""
    plain = _plain_board(area, hints)
    file = read_picture(page, area.picture)
    if file is None:
        return plain
    places = plain.places
    box = (
        min(place.x for place in places) - 0.5,
        min(place.y for place in places) - 0.5,
        max(place.x for place in places) + 0.5,
        max(place.y for place in places) + 0.5,
    )
    if area.pixels_per_unit and file.size is not None:  # coordinates are pixels of the picture
        width, height = file.size
        left, top = area.in_plane((0.0, 0.0))
        right, bottom = area.in_plane((width, height))
        box = (left, bottom, right, top)
    return replace(plain, image=file.href, image_box=box)


def _plain_board(area: Area, hints: Hints) -> Board:
    picture = area.picture or ""
    look = hints.look or (picture if picture in LOOKS else "")
    places = tuple(
        Place(spot_of(position), *area.in_plane(position.coordinates), position.name, _note(position))
        for position in area.positions
    )
    if picture == "ring":
        count = len(places)
        laid = tuple(replace(place, x=at[0], y=at[1]) for n, place in enumerate(places) for at in [ring_at(n, count)])
        return Board(area.name, "squares", laid, {}, look="ring")
    if area.pixels_per_unit and not all(place.x.is_integer() and place.y.is_integer() for place in places):
        lines = {
            tuple(sorted((spot_of(position), spot_of(other))))
            for position in area.positions
            for other in position.neighbours
        }
        joined = tuple((first, second) for first, second in sorted(lines))
        return Board(area.name, "points", places, {}, lines=joined, look=look)
    if any(coordinate != int(coordinate) for place in places for coordinate in (place.x, place.y)):
        return Board(area.name, "hexes", tuple(replace(place, y=round(place.y, 3)) for place in places), {}, look=look)
    columns: dict[float, str] = {}
    rows: dict[float, str] = {}
    for place in places:
        if label := _LABEL.fullmatch(place.name):
            column, row = (label[1], label[2]) if label[1] else (label[3], label[4])
            columns[place.x], rows[place.y] = column, row
    return Board(area.name, "squares", places, {}, tuple(columns.items()), tuple(rows.items()), look=look)


def _note(position: Position) -> str:
    note = next((position.attributes[name] for name in _NOTES if name in position.attributes), "")
    return str(note) if note not in ("clear", "") else ""


def backgammon(game: TabletopGame, namer: Namer, seen: TableSeen) -> Board:
    """The points of backgammon, with bars and the checkers borne off."""
    contents: dict[str, tuple[Piece, ...]] = {}
    for area in game.inventory.areas.values():
        for position in area.positions:
            name = position.name
            spot = f"point:{name}" if name.isdecimal() else name.replace(" ", ":", 1)
            pieces = []
            for element in seen.lying(position):
                player = element.attributes["player"] if element else game.roles[0]
                seat = game.roles.index(player)
                pieces.append(Piece(f"{player} checker", "disc", namer.colours[player], seat))
            if pieces:
                contents[spot] = tuple(pieces)
    return backgammon_board(game.roles, contents)


def columns(game: TabletopGame, namer: Namer, seen: TableSeen) -> Board:
    """The columns of can't stop, from scores called ``runner 7`` and ``player1 7``."""
    heights = {str(n): 13 - 2 * abs(7 - n) for n in range(2, 13)}
    contents: dict[str, tuple[Piece, ...]] = {}
    for marker in game.inventory.markers:
        who, _, column = marker.name.rpartition(" ")
        if isinstance(marker, Score) and column in heights and (height := int(seen.value(marker))):
            colour = namer.colours.get(who, "white")
            seat = game.roles.index(who) if who in game.roles else -1
            spot = f"column:{column}:{min(height, heights[column])}"
            kind = "stone" if seat >= 0 else "peg"
            contents[spot] = (*contents.get(spot, ()), Piece(who, kind, colour, seat))
    return climbing_board(heights, contents)


def special_spots(look: str, role: Role | None) -> dict[str, str]:
    """The names in moves on a board with a special layout."""
    if look == "columns":
        return {str(n): f"column:{n}" for n in range(2, 13)}
    points = {str(n): f"point:{n}" for n in range(1, 25)}
    return points | {"bar": f"bar:{role}", "off": f"off:{role}"}
