"""From the equipment of a tabletop game to panels: boards, hands and piles, dice and scores."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ludens.drawing.hints import Hints
from ludens.drawing.model import Board, Facts, Panel, Picture, Piece, Place, Row
from ludens.drawing.sight import TableSeen
from ludens.drawing.words import Namer
from ludens.tabletop import Area, Assortment, Dice, Element, Position, Score, TabletopGame
from ludens.tabletop.drawing import BACK

_LABEL = re.compile(r"([A-Za-z]+)(\d+)|(\d+)([A-Za-z]+)")


class TableReader:
    """Reads what is known of a game's tables into pictures."""

    def __init__(self, game: TabletopGame, hints: Hints) -> None:
        self.game = game
        self.hints = hints
        self.namer = Namer(game.roles, hints.colours, hints.pieces)
        self._boards = {area.name: _empty_board(area) for area in game.kit.areas.values() if is_board(area)}

    def picture(self, seen: TableSeen) -> Picture:
        """All panels of what is known of a table."""
        panels: list[Panel] = []
        rows: list[Panel] = []
        for area in self.game.kit.areas.values():
            if area.name in self._boards:
                panels.append(self._filled(area, seen))
            else:
                rows += self._rows(area.positions, seen)
        rows += self._rows((place for place in self.game.kit.assortments.values() if not place.is_endless), seen)
        rows += self._dice(seen)
        scores = [f"{marker}: {seen.value(marker)}" for marker in self.game.kit.markers if isinstance(marker, Score)]
        if scores:
            rows.append(Facts("", tuple(scores)))
        return Picture((*panels, *rows))

    def _filled(self, area: Area, seen: TableSeen) -> Board:
        contents = {}
        for position in area.positions:
            pieces = tuple(self.piece(element, position.owner) for element in seen.lying(position))
            if pieces:
                contents[spot_of(position)] = pieces
        return replace(self._boards[area.name], contents=contents)

    def _rows(self, places: Iterable[Position | Assortment], seen: TableSeen) -> list[Panel]:
        found: list[Panel] = []
        for place in places:
            lying = seen.lying(place)
            if lying:
                pieces = tuple(
                    replace(self.piece(element, place.owner), spot=self.element_spot(element, place) if element else "")
                    for element in lying
                )
                seat = self.game.roles.index(place.owner) if place.owner in self.game.roles else -1
                is_pile = place.is_stack or (None in lying and len(lying) > 20)
                found.append(Row(place.name, place.name, pieces, "cards", "", is_pile, seat))
        return found

    def _dice(self, seen: TableSeen) -> list[Panel]:
        found: list[Panel] = []
        for marker in self.game.kit.markers:
            if isinstance(marker, Dice) and (value := seen.value(marker)):
                pieces = tuple(Piece(f"die {face}", str(face), is_hidden=face == BACK) for face in value)
                found.append(Row(marker.name, marker.name, pieces, "dice"))
        return found

    def piece(self, element: Element | None, owner: str | None = None) -> Piece:
        """What an element is; a back if it is not known."""
        if element is None:
            return Piece("face down", "", is_hidden=True)
        player = element.attributes.get("player")
        found = self.namer.piece([element.name])
        if player in self.game.roles:
            seat = self.game.roles.index(player)
            return replace(found, seat=seat, colour=self.namer.colours[player], name=f"{player} {element.name}")
        return found

    def element_spot(self, element: Element, place: Position | Assortment) -> str:
        """Where to click to choose an element."""
        return f"{place.name}:{element.name}"

    def clicks(self, text: str, seen: TableSeen) -> tuple[str, ...]:
        """The spots that make up a move: places and elements that its text names, in their order."""
        spots = {
            position.name: spot_of(position)
            for name in self._boards
            for position in self.game.kit.areas[name].positions
        }
        found = []
        rest = text
        names = sorted(spots, key=len, reverse=True)
        while rest:
            name = next((name for name in names if rest.startswith(name)), None)
            if name is not None:
                found.append(spots[name])
                rest = rest[len(name) :]
            else:
                rest = rest[1:]
        return tuple(found)


def spot_of(position: Position) -> str:
    """The spot of a position of a board."""
    return f"{position.area.name}:{position.name}"


def is_board(area: Area) -> bool:
    """True if the positions of an area lie in the plane, rather than being hands and piles."""
    positions = area.positions
    return len(positions) > 1 and all(len(position.coordinates) == 2 for position in positions)


def _empty_board(area: Area) -> Board:
    places = tuple(
        Place(spot_of(position), position.coordinates[0], position.coordinates[1], position.name)
        for position in area.positions
    )
    if any(coordinate != int(coordinate) for place in places for coordinate in (place.x, place.y)):
        places = tuple(replace(place, y=round(place.y, 3)) for place in places)
        return Board(area.name, "hexes", places, {})
    columns: dict[float, str] = {}
    rows: dict[float, str] = {}
    for place in places:
        if label := _LABEL.fullmatch(place.name):
            column, row = (label[1], label[2]) if label[1] else (label[3], label[4])
            columns[place.x], rows[place.y] = column, row
    return Board(area.name, "squares", places, {}, tuple(columns.items()), tuple(rows.items()))
