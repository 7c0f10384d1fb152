"""Detects boards of hexagons from the neighbour relations of the rules, or the shape of the board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ludens.drawing.fluents.known import Known
from ludens.gdl.board import Grid
from ludens.gdl.logic.relation_graph import STATIC
from ludens.gdl.reasoner.program import Budget, BudgetError, Program
from ludens.gdl.terms import Term, arguments

LEFT, RIGHT = "left", "right"
"""The directions in which rows of hexagons lean: each row is shifted by half a hexagon from the one below."""
_STRAIGHT = frozenset({(1, 0), (-1, 0), (0, 1), (0, -1)})
_DIAGONALS = {RIGHT: frozenset({(1, -1), (-1, 1)}), LEFT: frozenset({(1, 1), (-1, -1)})}
_BUDGET = Budget(seconds=1.0, facts=100_000)
"""The time limit in seconds for deriving neighbours; a drawing must not wait for it."""
_LEAST_CUT = 2
"""The minimum number of rows missing at a corner that counts as cut off."""
_Square = tuple[int, int]


def lean_of(known: Known, grid: Grid) -> str:
    """The direction in which the rows of a hexagonal board lean; empty for other boards."""
    if len(grid.names) > 1:
        return ""
    at = {(x, y): (grid.columns.index(x), grid.rows.index(y)) for _, x, y in grid.squares}
    return _lean_of_neighbours(known, at) or _lean_of_shape(set(at.values()), len(grid.columns), len(grid.rows))


def _lean_of_neighbours(known: Known, at: dict[tuple[Term, Term], _Square]) -> str:
    """The lean if a relation of the rules connects each place with its neighbours and those along one diagonal."""
    for pairs in _relations(known):
        steps = set()
        for here, there in pairs:
            if here not in at or there not in at:
                break
            steps.add((at[there][0] - at[here][0], at[there][1] - at[here][1]))
        else:
            for lean, diagonal in _DIAGONALS.items():
                if steps <= _STRAIGHT | diagonal and steps & diagonal and len(steps & _STRAIGHT) > 1:
                    return lean
    return ""


def _relations(known: Known) -> Iterator[Collection[tuple[tuple[Term, Term], tuple[Term, Term]]]]:
    """The static relations between pairs of coordinates; a direction may come first or last."""
    try:
        program = Program(known.game.sheet, known.game.name, _BUDGET)
        for sign in sorted(program.signatures(STATIC)):
            facts = (program.all_facts(program.static, sign) or ()) if 4 <= sign[1] <= 5 else ()
            for first in range(sign[1] - 3) if facts else ():
                yield _pairs(facts, first)
    except BudgetError:
        return


def _pairs(facts: Iterable[Term], first: int) -> list[tuple[tuple[Term, Term], tuple[Term, Term]]]:
    pairs = []
    for fact in facts:
        a, b, c, d = arguments(fact)[first : first + 4]
        pairs.append(((a, b), (c, d)))
    return pairs


def _lean_of_shape(squares: set[_Square], width: int, height: int) -> str:
    """The lean if the board is a rectangle without two opposite corners of one size, as a hexagon is, or without one
    half, as a triangle is."""
    for lean, sums in ((RIGHT, {s: s[0] + s[1] for s in _all(width, height)}), (LEFT, _differences(width, height))):
        inside = [sums[square] for square in squares if square in sums]
        low, high = min(inside), max(inside)
        if squares != {square for square, value in sums.items() if low <= value <= high}:
            continue
        cuts = low - min(sums.values()), max(sums.values()) - high
        is_hexagon = cuts[0] == cuts[1] >= _LEAST_CUT
        is_triangle = width == height > _LEAST_CUT and sorted(cuts) == [0, width - 1]
        if is_hexagon or is_triangle:
            return lean
    return ""


def _all(width: int, height: int) -> list[_Square]:
    return [(x, y) for x in range(width) for y in range(height)]


def _differences(width: int, height: int) -> dict[_Square, int]:
    return {(x, y): x - y for x, y in _all(width, height)}
