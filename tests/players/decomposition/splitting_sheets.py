"""Boards that fall apart during play, as rule sheets: Domineering, Clobber, and Kayles on one row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

TURNS = """
(role left) (role right)
(init (control left))
(<= (next (control right)) (true (control left)))
(<= (next (control left)) (true (control right)))
(<= (legal left noop) (true (control right)))
(<= (legal right noop) (true (control left)))
(<= playable (true (control ?p)) (step ?p ?from ?to))
(<= terminal (not playable))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal left 100) (true (control right)))
(<= (goal right 100) (true (control left)))
"""


def domineering(cells: Iterable[tuple[int, int]]) -> str:
    """Left places dominoes upright, Right lying, on these cells; who cannot place one loses."""
    free = sorted(cells)
    rules = [f"(init (free (c {x} {y})))" for x, y in free]
    rules += [f"(pair left (c {x} {y}) (c {x} {y + 1}))" for x, y in free if (x, y + 1) in free]
    rules += [f"(pair right (c {x} {y}) (c {x + 1} {y}))" for x, y in free if (x + 1, y) in free]
    return (
        TURNS
        + "\n".join(rules)
        + """
(<= (step ?p ?one ?other) (pair ?p ?one ?other) (true (free ?one)) (true (free ?other)))
(<= (legal ?p (place ?one ?other)) (true (control ?p)) (step ?p ?one ?other))
(<= (covered ?cell) (does ?p (place ?cell ?other)))
(<= (covered ?cell) (does ?p (place ?one ?cell)))
(<= (next (free ?cell)) (true (free ?cell)) (not (covered ?cell)))
"""
    )


def clobber(rows: Sequence[str]) -> str:
    """A stone (``x`` of Left, ``o`` of Right) moves onto a neighbouring stone of the other role, which is removed."""
    cells = {(x, y): stone for y, row in enumerate(rows) for x, stone in enumerate(row) if stone in "xo"}
    rules = [f"(init (on (c {x} {y}) {'left' if stone == 'x' else 'right'}))" for (x, y), stone in cells.items()]
    rules += [
        f"(beside (c {x} {y}) (c {x + dx} {y + dy}))"
        for x, y in cells
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if (x + dx, y + dy) in cells
    ]
    return (
        TURNS
        + "\n".join(rules)
        + """
(other left right) (other right left)
(<= (step ?p ?from ?to) (beside ?from ?to) (true (on ?from ?p)) (other ?p ?q) (true (on ?to ?q)))
(<= (legal ?p (move ?from ?to)) (true (control ?p)) (step ?p ?from ?to))
(<= (next (on ?to ?p)) (does ?p (move ?from ?to)))
(<= (touched ?cell) (does ?p (move ?cell ?to)))
(<= (touched ?cell) (does ?p (move ?from ?cell)))
(<= (next (on ?cell ?p)) (true (on ?cell ?p)) (not (touched ?cell)))
"""
    )
