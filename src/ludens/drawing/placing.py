"""Facts on their places: where a fact lies on the drawing, and what it puts there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ludens.core import GameError
from ludens.drawing.compose import compose
from ludens.drawing.drawing import Drawing
from ludens.drawing.fluents.reader import GdlReader
from ludens.drawing.model import Board, Picture
from ludens.drawing.readers import reader_of
from ludens.drawing.sight import FactsSeen
from ludens.gdl.game import GdlGame
from ludens.gdl.terms import Term


@dataclass(frozen=True, slots=True)
class Content:
    """What a fact puts on its place."""

    name: str
    """Its readable name, ``white knight``; empty if it is not a piece."""
    drawing: Drawing
    """The place alone, with the content on it."""
    is_blank: bool
    """True if nothing is drawn for it: the fact says that the place is empty."""


def places_of(game: GdlGame, facts: Iterable[Term]) -> dict[Term, str]:
    """The spot of each fact that lies on one place of a board; other facts are left out."""
    reader = _reader(game)
    drawn = {spot for board in _boards(reader, game.initial_state().facts) for spot in _spots(board)}
    return {fact: spot for fact in facts if (spot := reader.spot_of(fact)) in drawn}


def content_of(game: GdlGame, fact: Term, spot: str) -> Content:
    """What a fact puts on its place; a wall between places has no drawing of its own."""
    boards = _boards(_reader(game), frozenset({fact}))
    found = next(((board, place) for board in boards for place in board.places if place.spot == spot), None)
    if found is None:
        return Content("", Drawing(compose(Picture(()), turned=False, last=frozenset()), ""), is_blank=False)
    board, place = found
    pieces = board.contents.get(spot, ())
    single = Board(board.key, board.shape, (place,), {spot: pieces} if pieces else {}, look=board.look)
    scene = compose(Picture((single,)), turned=False, last=frozenset())
    is_blank = not (pieces or place.note or spot in board.marked or board.bodies)
    return Content(" ".join(piece.name for piece in pieces), Drawing(scene, ""), is_blank)


def _reader(game: GdlGame) -> GdlReader:
    reader = reader_of(game)
    if not isinstance(reader, GdlReader):
        raise GameError(f"{game.name} has no facts: it is not a game in GDL")
    return reader


def _boards(reader: GdlReader, facts: frozenset[Term]) -> Iterator[Board]:
    panels = reader.picture(FactsSeen(facts, facts), None).panels
    return (panel for panel in panels if isinstance(panel, Board))


def _spots(board: Board) -> Iterator[str]:
    yield from (place.spot for place in board.places)
    yield from (wall.spot for wall in board.walls if wall.spot)
