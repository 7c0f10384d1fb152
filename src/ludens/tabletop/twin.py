"""Twins: rules in GDL, or an engine in C++, that play as a page of Python does, from any of its tables.

Searches convert sampled tables once and play them out in machine code. A page that has a twin returns it from
`Rule.twin`; `ludens.testing.check_game` plays both side by side and reports the first turn in which they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ludens.tabletop.table import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Evaluate: TypeAlias = "Callable[[Table, NDArray[Any]], NDArray[np.float64]]"
"""Takes a table that playouts began with and which of the watched facts hold at their ends (playouts, facts); returns a
number for each player (playouts, players)."""


def ends_alike(table: Table) -> bool:
    """The twin of a page ends whenever the page does."""
    return False


@dataclass(frozen=True, eq=False, kw_only=True)
class Twin:
    """The open form of a page in GDL: all players see everything, and chance is drawn by the role ``random``.

    Its roles are the page's players, in order, under any names. The turns of both are the same, but for moves that the
    page refuses (`Refuse`), which the twin does not have, and turns in which the twin lets only ``random`` act.
    """

    rules: str
    """The rules in GDL. Every table that `facts` describes must be reachable by them, since the compiler leaves out
    what never happens."""
    facts: Callable[[Table], Iterable[str] | None]
    """All that is true in the twin's state for a table, as texts in KIF, such as ``(cell 1 1 x)``; None for tables that
    the twin does not cover, such as an auction. Playouts then begin in Python."""
    moves: Callable[[Table, str, str], tuple[str, str] | None]
    """The player and the move of the page that a move of a role of the twin stands for; None for moves that mean
    nothing, such as ``noop``."""
    watched: Sequence[str] = ()
    """The facts that `points` and `prospects` look at."""
    points: Evaluate | None = None
    """The points of all players when the play is over, if the page finishes with points; else the goals of the twin
    count."""
    prospects: Evaluate | None = None
    """As `Rule.prospects`: the evaluation of a play that is cut off after `Rule.horizon` turns."""
    ends_apart: Callable[[Table], bool] = ends_alike
    """True for tables at which the page is over and the twin may go on, such as a position that is repeated: GDL knows
    no history."""


class StonesPosition(NamedTuple):
    """A board with stones of two players."""

    colours: Sequence[int]
    """For each point the number of the player whose stone is there, or -1."""
    player: int
    """The number of the player to act."""
    passes: int
    """How many turns in a row were passed."""
    turns: int
    """The turns that are left."""


@dataclass(frozen=True, eq=False, kw_only=True)
class StonesTwin:
    """The twin of a page in which stones are placed and captured: chains, liberties and areas, written in C++.

    Two passes in a row, or the last turn, end the play, and areas decide. In playouts both players place a random stone
    that has a liberty, not in an eye of their own, and pass when there is none.
    """

    near: Sequence[Sequence[int]]
    """The neighbours of each point, by their numbers; at most 512 points."""
    position: Callable[[Table], StonesPosition]
    """The board of a table."""
    move: Callable[[int], str]
    """The page's move that places a stone on a point; the other move is ``pass``."""
    points: Callable[[Table, int, int], Mapping[str, float]]
    """The points of each player by the areas of both, when the play is over."""
    goals: Evaluate
    """What playouts are worth by their areas (playouts, 2) to each player, 0 to 100."""
    repeats: Callable[[Table, int], bool]
    """True if a stone on a point is not allowed because the position was there before."""


@dataclass(frozen=True, eq=False, kw_only=True)
class EngineTwin:
    """The open form of a page as an engine in C++, which includes ``twin.hpp``: tables are rows of small numbers.

    The turns of both are the same, joint stages and races included. The engine draws chance itself, and chooses at
    random, as playouts of the page do.
    """

    package: str
    """The package with the bitcode of the engine in its folder ``source``."""
    engine: str
    """The name of the engine there."""
    settings: Sequence[int] = ()
    """What the engine reads in each turn: numbers of players, sizes, options, tables."""
    position: Callable[[Table], Sequence[int] | None]
    """The numbers that describe a table; None for tables that the twin does not cover. Playouts then begin in
    Python."""
    move: Callable[[Table, str, int], str]
    """The page's move for a player's move of the engine."""
    settled: Callable[[Sequence[int]], Hashable] | None = None
    """What of a position chance has not drawn in the turn before: `check_game` compares this alone after turns with
    too many outcomes, such as a shuffle."""
    ends_apart: Callable[[Table], bool] = ends_alike
    """As of `Twin`."""


AnyTwin: TypeAlias = Twin | StonesTwin | EngineTwin
