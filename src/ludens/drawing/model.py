"""The model of a picture, independent of looks: panels with places and pieces.

Both kinds of games are read into these, GDL by inference from fluents, tabletop from its equipment; the looks draw
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: a man, a stone, a card, a digit."""

    name: str
    """Its readable name: ``white knight``."""
    kind: str
    """Its kind without its owner, in lower case: ``knight``, ``x``, ``7``."""
    colour: str = ""
    """A colour of the palette; empty without an owner."""
    seat: int = -1
    """The index of the owner's role; -1 without an owner."""
    is_hidden: bool = False
    """True if only its back is visible."""
    spot: str = ""
    """Where to click to choose it, if it can be chosen among others of its place."""
    count: int = 1
    """Its count, if equal pieces are drawn as one."""
    image: str = ""
    """A picture of it as a data URL; empty to draw it by its kind."""
    is_word: bool = False
    """True if its kind is only a word, though it may read like a playing card: ``c4``."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a board."""

    spot: str
    """Its identity, unique in the drawing."""
    x: float
    """In squares from the left."""
    y: float
    """In squares from the bottom."""
    name: str
    """Its readable name: ``b1``."""
    note: str = ""
    """Its ground: ``forest``, ``goal``."""


@dataclass(frozen=True, slots=True)
class Board:
    """Places in the plane, and their contents."""

    key: str
    """Its name among the panels."""
    shape: str
    """``squares``, ``hexes``, ``points`` joined by lines, or the name of a special shape such as ``pits``."""
    places: tuple[Place, ...]
    contents: Mapping[str, tuple[Piece, ...]]
    """The pieces on each spot, topmost last, without empty spots."""
    columns: tuple[tuple[float, str], ...] = ()
    """The positions of columns, and their names."""
    rows: tuple[tuple[float, str], ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    """Pairs of connected spots."""
    title: str = ""
    marked: frozenset[str] = frozenset()
    """Spots that a fact of the state points at."""
    unsure: frozenset[str] = frozenset()
    """Spots that may have contents that the role does not see."""
    walls: tuple[Wall, ...] = ()
    bodies: tuple[Body, ...] = ()
    drops: Mapping[str, str] = field(default_factory=dict)
    """Columns that are clicked as a whole: the spot of each, by the column's name."""
    drops_at_edge: bool = False
    """True if columns are clicked at their names, because moves also name squares."""
    flags: Mapping[str, str] = field(default_factory=dict)
    """The colour of a place's owner, by its spot."""
    look: str = ""
    """The name of a look (`ludens.drawing.looks.boards.LOOKS`); empty for the plain one of its shape."""
    blocks: int = 0
    """Squares between thick lines, as in sudoku; 0 for none."""
    is_named: bool = False
    """True if places show their names."""
    image: str = ""
    """A picture of the empty board as a data URL."""
    image_box: tuple[float, float, float, float] = (0, 0, 0, 0)
    """Left, lower, right and upper edge of the picture, in coordinates of the places."""
    edges: tuple[str, ...] = ()
    """Colours of the left, right, lower and upper edge, of boards whose edges belong to roles."""

    def with_contents(self, contents: Mapping[str, tuple[Piece, ...]]) -> Board:
        """The same board with other contents."""
        return replace(self, contents=contents)


@dataclass(frozen=True, slots=True)
class Wall:
    """Something between places: a wall, a line drawn between dots."""

    spot: str
    x: float
    y: float
    to_x: float
    to_y: float
    is_there: bool
    name: str


@dataclass(frozen=True, slots=True)
class Body:
    """A thing that covers several places."""

    spot: str
    piece: Piece
    covers: tuple[tuple[float, float], ...]
    """The coordinates of the places."""


@dataclass(frozen=True, slots=True)
class Row:
    """Things in a row: a hand, a pile, things to choose from."""

    key: str
    title: str
    pieces: tuple[Piece, ...]
    kind: str = "cards"
    """``cards``, ``pieces``, ``dice``, ``tiles``, ``dominoes``, or ``words`` on signs as wide as they need."""
    spot: str = ""
    """Where to click to choose the place itself."""
    is_pile: bool = False
    """True if only the topmost piece matters."""
    seat: int = -1
    """The number of the role it belongs to."""
    is_fanned: bool = False
    """True for a hand that is held like a fan."""
    is_above: bool = False
    """True if it is beyond the board from the observer's side."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Numbers of each role, as a table."""

    names: tuple[str, ...]
    """The roles, one column each."""
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """The name of each number, and its value for each role."""
    colours: tuple[str, ...] = ()
    spots: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """The cells that can be clicked, by row and column: lines of a score sheet that a role may choose."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Other facts: words and numbers in readable groups."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seat:
    """A role at a table: its name, its numbers and what lies before it."""

    name: str
    colour: str
    notes: tuple[str, ...] = ()
    """Its numbers and words: ``chips 98``."""
    rows: tuple[Row, ...] = ()
    """Its hands and piles; those of the observer lie below the table instead."""
    played: Piece | None = None
    """Its card in the trick."""
    is_next: bool = False
    """True if it is to move."""


@dataclass(frozen=True, slots=True)
class CardTable:
    """A table with seats around it."""

    seats: tuple[Seat, ...]
    """Clockwise; the first sits at the lower edge."""
    middle: tuple[Row, ...]
    """What lies in the middle and belongs to nobody."""
    notes: tuple[str, ...] = ()
    """Numbers that belong to nobody: ``pot: 24``."""


Panel: TypeAlias = Board | Row | Scores | Facts | CardTable


@dataclass(frozen=True, slots=True)
class Picture:
    """All panels of one position."""

    panels: tuple[Panel, ...]
    to_move: tuple[str, ...] = ()
    """The roles to move, as far as known."""
    label: str = ""

    @property
    def turn(self) -> str:
        """The roles to move, in words; empty if unknown."""
        return f"{' and '.join(self.to_move)} to move" if self.to_move else ""
