"""The readers of games, kept, since inference takes longer than drawing; provisional ones for people who wait."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from typing import TypeAlias

from ludens.core import Game, GameError
from ludens.drawing.fluents.reader import GdlReader
from ludens.drawing.hints import hints_for
from ludens.drawing.tabletop.equipment import TableReader
from ludens.gdl.game import GdlGame
from ludens.tabletop import TabletopGame

Reader: TypeAlias = GdlReader | TableReader

_KEPT = 16
"""Few, since each reader holds its game, and compiled games are large."""
_readers: OrderedDict[Game, Reader] = OrderedDict()
_lock = threading.Lock()


def reader_of(game: Game) -> Reader:
    """The reader of a game's states. Raises `GameError` for games that are neither GDL nor tabletop."""
    return _kept_reader(game) or keep_reader(game, new_reader(game))


def _kept_reader(game: Game) -> Reader | None:
    with _lock:
        if game in _readers:
            _readers.move_to_end(game)
        return _readers.get(game)


def new_reader(game: Game, seconds: float = math.inf) -> Reader:
    """A reader that looks at random play for some CPU seconds at most, if the rules do not declare their fluents; it is
    provisional if that was too short."""
    hints, picture = hints_for(game)
    match game:
        case GdlGame():
            return GdlReader(game, hints, picture, seconds)
        case TabletopGame():
            return TableReader(game, hints)
        case _:
            raise GameError(f"{game.name} cannot be drawn: only games in GDL and tabletop games can")


def keep_reader(game: Game, reader: Reader) -> Reader:
    """Read a game's states with this reader from now on."""
    with _lock:
        _readers[game] = reader
        while len(_readers) > _KEPT:
            _readers.popitem(last=False)
    return reader


def read_quickly(game: Game, seconds: float) -> bool:
    """Have a reader after about so many CPU seconds; True if it is provisional: `new_reader` may make a better one.
    Games that cannot be drawn have none."""
    try:
        reader = _kept_reader(game) or keep_reader(game, new_reader(game, seconds))
    except GameError:
        return False
    return isinstance(reader, GdlReader) and reader.is_provisional
