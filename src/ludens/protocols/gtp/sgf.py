"""Game records in SGF, as far as ``loadsgf`` needs them: the main line of the first game, on a board of Go."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite

from ludens.core import LudensError
from ludens.games.tabletop.go import LETTERS

MOST_LETTERS = 1_000_000
"""Characters of a file."""
_BEGIN = re.compile(r"\(\s*;")
"""Text may stand before a record."""
_PROPERTY = re.compile(r"\s*([A-Za-z]+)((?:\s*\[(?:\\.|[^\]\\])*\])+)", re.DOTALL)
_VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)
_COORDINATES = "abcdefghijklmnopqrs"
BLACK, WHITE = "black", "white"
_COLOURS = {"B": BLACK, "W": WHITE}


class SgfError(LudensError):
    """A text is no game record in SGF."""


@dataclass(slots=True)
class GameRecord:
    """The main line of a game."""

    size: int = 19
    komi: float | None = None
    stones: list[tuple[str, str]] = field(default_factory=list)
    """Colours and points of stones that were there at the beginning."""
    moves: list[tuple[str, str]] = field(default_factory=list)
    """Colours, and points or pass."""
    first: str = ""
    """Who moves first, if the record says so."""
    black: str = ""
    """The name of who plays black."""
    white: str = ""
    """The name of who plays white."""
    result: str = ""
    """``B+3.5``, ``W+R``; empty if it is unknown."""


def read_sgf(text: str) -> GameRecord:
    """The main line of the first game. Raises `SgfError`."""
    if len(text) > MOST_LETTERS:
        raise SgfError(f"a record of {len(text):,} characters, where {MOST_LETTERS:,} are allowed")
    record = GameRecord()
    for node in _main_line(text):
        _add(record, node)
    return record


def _main_line(text: str) -> Iterator[dict[str, list[str]]]:
    """The properties of each node on the first way through the tree."""
    begin = _BEGIN.search(text)
    if begin is None:
        raise SgfError("a game record begins with (;")
    at = begin.start()
    while at < len(text):
        letter = text[at]
        if letter == ")":
            break  # the end of the first variation is the end of the main line
        at += 1
        if letter == ";":
            properties: dict[str, list[str]] = {}
            while (match := _PROPERTY.match(text, at)) is not None:
                name = "".join(filter(str.isupper, match[1]))
                properties.setdefault(name, []).extend(_VALUE.findall(match[2]))
                at = match.end()
            yield properties
        elif letter == "[":
            raise SgfError("a value without the name of a property")


def _add(record: GameRecord, node: dict[str, list[str]]) -> None:
    if node.get("GM", ["1"])[0].strip() != "1":
        raise SgfError(f"the record is of another game than Go: GM[{node['GM'][0][:20]}]")
    if "SZ" in node:
        record.size = _size(node["SZ"][0])
    if "KM" in node:
        record.komi = _komi(node["KM"][0])
    record.black = node.get("PB", [record.black])[0]
    record.white = node.get("PW", [record.white])[0]
    record.result = node.get("RE", [record.result])[0].strip()
    if "PL" in node:
        record.first = {"b": BLACK, "w": WHITE}.get(node["PL"][0].strip().lower()[:1], "")
    for name, colour in (("AB", BLACK), ("AW", WHITE)):
        for value in node.get(name, ()):
            if record.moves:
                raise SgfError("stones are put on the board in the middle of the game, which is not supported")
            record.stones += [(colour, point) for point in _points(value, record.size)]
    for value in node.get("AE", ()):
        if record.moves:
            raise SgfError("stones are taken off the board in the middle of the game, which is not supported")
        emptied = set(_points(value, record.size))
        record.stones = [stone for stone in record.stones if stone[1] not in emptied]
    for name, colour in _COLOURS.items():
        for value in node.get(name, ()):
            record.moves.append((colour, _move(value, record.size)))


def _size(text: str) -> int:
    columns, _, rows = text.partition(":")
    if not columns.strip().isdecimal() or (rows and rows.strip() != columns.strip()) or not 2 <= int(columns) <= 19:
        raise SgfError(f"a board of {text[:20]!r} is not supported; squares from 2 to 19 are")
    return int(columns)


def _komi(text: str) -> float | None:
    try:
        komi = float(text)
    except ValueError:
        return None
    return komi if isfinite(komi) else None


def _points(value: str, size: int) -> Iterator[str]:
    """A point, or all points of a rectangle ``aa:cc``."""
    corners = [_square(corner, size) for corner in value.split(":")[:2]]
    (left, top), (right, bottom) = corners[0], corners[-1]
    for column in range(left, right + 1):
        for row in range(top, bottom + 1):
            yield _vertex(column, row, size)


def _move(value: str, size: int) -> str:
    text = value.strip()
    if not text or (text == "tt" and size <= 19):
        return "pass"
    return _vertex(*_square(text, size), size)


def sgf_move(vertex: str, size: int) -> str:
    """A point as SGF writes it, from the upper left corner; nothing for a pass."""
    if vertex.lower() == "pass":
        return ""
    return _COORDINATES[LETTERS.index(vertex[0].upper())] + _COORDINATES[size - int(vertex[1:])]


def _square(text: str, size: int) -> tuple[int, int]:
    letters = text.strip().lower()
    if len(letters) != 2 or any(letter not in _COORDINATES[:size] for letter in letters):
        raise SgfError(f"{text[:20]!r} is no point of a board of {size}")
    return _COORDINATES.index(letters[0]), _COORDINATES.index(letters[1])


def _vertex(column: int, row: int, size: int) -> str:
    return f"{LETTERS[column]}{size - row}"
