"""Detects fluents that are boards, and those that overlay another board."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ludens.drawing.fluents.grid import ACROSS, UPRIGHT, GridPart, Overlay, is_direction, side_of
from ludens.drawing.fluents.known import Known, is_number
from ludens.gdl.board import BLANKS, Grid
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, arguments, functor, sort_key
from ludens.gdl.write import kif

OVERLAYS = frozenset({"marks", "blocks", "walkers", "walls"})
"""The card's words for fluents that overlay another fluent's board."""
_MOST_SIDE = 40
_MOST_ARGUMENTS = 4
_MOST_WORDS = 12
"""The maximum number of kinds of things that stand on a board beside its own contents."""
_MOST_BOARDS = 9
_MIN_OFFERED = 0.4
"""The share of a board's squares that first moves must name."""


def grids_of(known: Known, grids: Sequence[Grid]) -> list[GridPart]:
    """A part for each board; the first one gets the overlays."""
    whole = _without_empty_ones(known, grids)
    empty = {grid.fluent for grid in grids} - {grid.fluent for grid in whole}
    whole = _with_walled_squares(known, _with_all_squares(known, _without_walkers(known, whole)))
    taken = {grid.fluent for grid in whole} | empty
    parts = []
    for grid in whole:
        overlays = find_overlays(known, grid, taken) if len(grid.names) == 1 else []
        taken |= {overlay.sign for overlay in overlays}
        part = GridPart(known, grid, overlays)
        part.fluents |= {sign for sign in empty if sign[0] == grid.fluent[0]}
        parts.append(part)
    return parts


def find_overlays(known: Known, grid: Grid, taken: Iterable[Signature]) -> list[Overlay]:
    """The fluents that lie on a grid: two arguments are its coordinates, others words: roles, directions, kinds."""
    overlays = []
    columns, rows = set(map(kif, grid.columns)), set(map(kif, grid.rows))
    for sign in known.facts:
        hint = known.hints.parts.get(sign[0], "")
        if sign in set(taken) or not 2 <= sign[1] <= _MOST_ARGUMENTS or (hint and hint not in OVERLAYS):
            continue
        domains = [set(known.domain(sign, n)) for n in range(sign[1])]
        if sign[1] == 3 and domains[0] <= ACROSS | UPRIGHT and all(map(is_number, domains[1] | domains[2])):
            overlays.append(Overlay(sign, 1, 2, "walls"))
            continue
        at = _coordinates_of(domains, columns, rows)
        if at is None or (len(known.facts[sign]) < 2 and len(domains) == 2):
            continue
        others = [n for n in range(sign[1]) if n not in (at, at + 1)]
        if all(_is_word(domain) or domain <= set(known.roles) for domain in (domains[n] for n in others)):
            if not hint and not others and side_of(sign[0]):
                overlays.append(Overlay(sign, at, at + 1, "sides"))
                continue
            facing = next((n for n in others if is_direction(domains[n])), None)
            overlays.append(Overlay(sign, at, at + 1, hint or ("walkers" if others else "marks"), facing))
    return overlays


def _coordinates_of(domains: Sequence[set[str]], columns: set[str], rows: set[str]) -> int | None:
    """The first of two neighbouring arguments that are a column and a row; the last ones count first."""
    return next(
        (n for n in reversed(range(len(domains) - 1)) if domains[n] <= columns and domains[n + 1] <= rows), None
    )


def _is_word(domain: set[str]) -> bool:
    return len(domain) <= _MOST_WORDS and not any(map(is_number, domain))


def _without_empty_ones(known: Known, grids: Sequence[Grid]) -> list[Grid]:
    """The boards without those that only mark empty squares of another one: contents of one word beside longer ones,
    as ``(at (square a 1) none)`` beside ``(at (square a 1) (piece white rook))``."""
    by_name: dict[str, Grid] = {}
    for grid in sorted(grids, key=lambda grid: -len(grid.content)):
        other = by_name.get(grid.fluent[0])
        contents = {kif(arguments(fact)[n]).lower() for fact in known.facts[grid.fluent] for n in grid.content}
        if other is not None and len(grid.content) == 1 and contents <= BLANKS and len(other.names) == len(grid.names):
            columns = tuple(sorted({*other.columns, *grid.columns}, key=sort_key))
            rows = tuple(sorted({*other.rows, *grid.rows}, key=sort_key))
            by_name[grid.fluent[0]] = replace(other, columns=columns, rows=rows, squares=other.squares | grid.squares)
        else:
            by_name[grid.fluent[0] if other is None else str(grid.fluent)] = grid
    order = {grid.fluent: n for n, grid in enumerate(grids)}
    return sorted(by_name.values(), key=lambda grid: order[grid.fluent])


def _without_walkers(known: Known, grids: Sequence[Grid]) -> list[Grid]:
    """The boards without fluents of a few things that move on another board: ``(at red 4 7)`` beside ``cell``."""
    full = [grid for grid in grids if len(known.start.get(grid.fluent, ())) >= len(grid.squares) / 2]
    return [grid for grid in grids if not any(_walks_on(known, grid, other, full) for other in full)]


def _walks_on(known: Known, grid: Grid, other: Grid, full: Sequence[Grid]) -> bool:
    """True if a fluent is about few things on another fluent's board, named by words."""
    is_small = grid not in full or 2 * len(grid.squares) <= len(other.squares)
    is_inside = set(grid.columns) <= set(other.columns) and set(grid.rows) <= set(other.rows)
    kinds = [set(known.domain(grid.fluent, n)) for n in grid.content]
    return is_small and is_inside and all(_is_word(kind) or kind <= set(known.roles) for kind in kinds)


def _with_all_squares(known: Known, grids: Iterable[Grid]) -> list[Grid]:
    """The boards with the squares that a playout missed, where pieces move to squares without a fact."""
    completed = []
    for grid in grids:
        at_start = {grid.square(fact) for fact in known.start.get(grid.fluent, ())}
        columns, rows = ({kif(value): n for n, value in enumerate(axis)} for axis in (grid.columns, grid.rows))
        parity = {(columns[kif(square[1])] + rows[kif(square[2])]) % 2 for square in grid.squares}
        if known.is_declared or grid.squares <= at_start or len(parity) < 2:
            completed.append(grid)
        else:
            whole = itertools.product(grid.names, grid.columns, grid.rows)
            completed.append(replace(grid, squares=frozenset(whole)))
    return completed


def _with_walled_squares(known: Known, grids: Sequence[Grid]) -> list[Grid]:
    """The boards with the columns and rows that only walls name, because random play did not go there."""
    sides = [sign for sign in known.facts if sign[1] == 2 and side_of(sign[0])]
    if known.is_declared or len(grids) != 1 or len(grids[0].names) != 1:
        return list(grids)
    (grid,) = grids
    columns, rows = (
        tuple(sorted({*axis, *(arguments(fact)[n] for sign in sides for fact in known.facts[sign])}, key=sort_key))
        for n, axis in enumerate((grid.columns, grid.rows))
    )
    if not all(is_number(kif(value)) for value in (*columns, *rows)) or max(len(columns), len(rows)) > _MOST_SIDE:
        return [grid]
    if (columns, rows) == (grid.columns, grid.rows):
        return [grid]
    squares = frozenset(itertools.product(grid.names, columns, rows))
    return [replace(grid, columns=columns, rows=rows, squares=squares)]


def grid_of_moves(known: Known, signs: Iterable[Signature]) -> list[Grid]:
    """The board of a game that starts with an empty one, inferred from its first moves: ``(mark 3 4)``."""
    pairs: dict[tuple[str, int], set[tuple[Term, Term]]] = {}
    for move in known.moves:
        words = arguments(move)
        for n in range(len(words) - 1):
            pairs.setdefault((f"{functor(move)}/{len(words)}", n), set()).add((words[n], words[n + 1]))
    for squares in sorted(pairs.values(), key=len, reverse=True):
        columns = tuple(sorted({x for x, _ in squares}, key=sort_key))
        rows = tuple(sorted({y for _, y in squares}, key=sort_key))
        if not 2 <= min(len(columns), len(rows)) <= max(len(columns), len(rows)) <= _MOST_SIDE or len(
            squares
        ) < _MIN_OFFERED * len(columns) * len(rows):
            continue
        for sign in sorted((sign for sign in signs if sign not in known.start), key=lambda sign: -sign[1]):
            for n in range(sign[1] - 1):
                lying = {(fact[n + 1], fact[n + 2]) for fact in known.facts[sign] if isinstance(fact, tuple)}
                if lying and lying <= set(itertools.product(columns, rows)):
                    everywhere = frozenset(("", x, y) for x, y in squares | lying)
                    return [Grid(sign, n, n + 1, None, columns, rows, ("",), everywhere)]
    return []


def several_boards(known: Known, signs: Iterable[Signature]) -> Grid | None:
    """Several boards that are empty at first, whose squares the first moves name: ``(place 2 1 3)``."""
    triples: dict[tuple[str, int], set[tuple[Term, ...]]] = {}
    for move in known.moves:
        words = arguments(move)
        for n in range(len(words) - 2):
            triples.setdefault((f"{functor(move)}/{len(words)}", n), set()).add(words[n : n + 3])
    for squares in sorted(triples.values(), key=len, reverse=True):
        axes = [tuple(sorted({square[n] for square in squares}, key=sort_key)) for n in range(3)]
        names, columns, rows = axes
        is_full = len(squares) == len(names) * len(columns) * len(rows)
        is_square = len(columns) == len(rows) > 1 and columns[0] == rows[0]
        if not is_full or not is_square or not 2 <= len(names) <= _MOST_BOARDS:
            continue
        for sign in sorted((sign for sign in signs if sign not in known.start), key=lambda sign: -sign[1]):
            for n in range(sign[1] - 2):
                if not {arguments(fact)[n : n + 3] for fact in known.facts[sign]} <= squares:
                    continue
                if names == columns and sign[1] == 3:  # a number on each square, as in sudoku
                    pairs = frozenset(("", x, y) for x, y, _ in squares)
                    return Grid(sign, 0, 1, None, names, columns, ("",), pairs)
                return Grid(sign, n + 1, n + 2, n, columns, rows, names, frozenset(squares))
    return None
