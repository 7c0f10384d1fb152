"""What is to be drawn, before anybody decides what it looks like: panels with places and the pieces on them.

Both kinds of games are read into these, GDL by inference from fluents, tabletop from its equipment; the looks draw
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that lies somewhere: a man, a stone, a card, a digit."""

    name: str
    """What people call it: ``white knight``."""
    kind: str
    """What it is without its owner, in lower case: ``knight``, ``x``, ``7``."""
    colour: str = ""
    """A colour of the palette; empty if it belongs to nobody."""
    seat: int = -1
    """The number of the role it belongs to; -1 if it is nobody's."""
    is_hidden: bool = False
    """True if only its back is seen."""
    spot: str = ""
    """Where to click to choose it, if it can be chosen among others of its place."""


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
    """What people call it: ``b1``."""
    note: str = ""
    """What it is besides a place: ``forest``, ``goal``."""


@dataclass(frozen=True, slots=True)
class Board:
    """Places in the plane, and what lies on them."""

    key: str
    """Its name among the panels."""
    shape: str
    """``squares``, ``hexes``, or ``points`` joined by lines."""
    places: tuple[Place, ...]
    contents: Mapping[str, tuple[Piece, ...]]
    """The pieces on each spot, the topmost last; spots without any are left out."""
    columns: tuple[tuple[float, str], ...] = ()
    """Where columns are, and their names."""
    rows: tuple[tuple[float, str], ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    """Pairs of spots that are joined."""
    title: str = ""
    marked: frozenset[str] = frozenset()
    """Spots that a fact of the state points at."""
    unsure: frozenset[str] = frozenset()
    """Spots at which something may lie that the role does not see."""
    walls: tuple[Wall, ...] = ()
    drops: Mapping[str, str] = field(default_factory=dict)
    """Columns that are clicked as a whole: the spot of each, by the column's name."""


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
class Row:
    """Things in a row: a hand, a pile, what is left to choose from."""

    key: str
    title: str
    pieces: tuple[Piece, ...]
    kind: str = "cards"
    """``cards``, ``pieces``, ``dice``, ``tiles``, ``dominoes``."""
    spot: str = ""
    """Where to click to choose the place itself."""
    is_pile: bool = False
    """True if only the topmost piece is of interest."""
    seat: int = -1
    """The number of the role it belongs to."""


@dataclass(frozen=True, slots=True)
class Heap:
    """A number of equal things, clickable one by one."""

    name: str
    count: int
    spots: tuple[str, ...]
    """A spot for each thing, the lowest first; or one for all of them."""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Heaps:
    """Heaps beside each other."""

    key: str
    title: str
    heaps: tuple[Heap, ...]
    look: str = ""
    """``pits`` for seeds in pits, otherwise columns of stones."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is left: words and numbers in readable groups."""

    title: str
    lines: tuple[str, ...]
    numbers: tuple[tuple[str, int, int], ...] = ()


Panel: TypeAlias = Board | Row | Heaps | Facts


@dataclass(frozen=True, slots=True)
class Picture:
    """All panels of one position."""

    panels: tuple[Panel, ...]
    to_move: tuple[str, ...] = ()
    """Who is to move, as far as it is known."""
    label: str = ""
