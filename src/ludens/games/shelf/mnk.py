"""The m,n,k-game: k in a row on m columns and n rows."""

from __future__ import annotations

from ludens.core import GameError
from ludens.games.generating import Number, facts, number_facts, read_numbers

_WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


def rules(*parameters: str) -> str:
    """The rules in KIF: the columns, the rows, and how many in a row win.

    >>> "(in_row 1 1 2 3 3)" in rules("3", "3", "3")
    False
    """
    columns, rows, length = read_numbers(
        "mnk",
        parameters,
        Number("number of columns", 1, 15, 5),
        Number("number of rows", 1, 15, 5),
        Number("number in a row", 1, 15, 4),
    )
    if length > max(columns, rows):
        raise GameError(f"mnk: {length} in a row do not fit on {columns} columns and {rows} rows")
    return _SHEET.format(
        columns=columns,
        rows=rows,
        length=length,
        column_facts=number_facts("column", 1, columns),
        row_facts=number_facts("row", 1, rows),
        steps=facts(_steps(columns, rows)),
        chain=_chain(length),
    )


def _steps(columns: int, rows: int) -> list[str]:
    names = ("east", "north", "north_east", "south_east")
    return [
        f"(step {name} {x} {y} {x + dx} {y + dy})"
        for name, (dx, dy) in zip(names, _WAYS, strict=True)
        for x in range(1, columns + 1)
        for y in range(1, rows + 1)
        if x + dx <= columns and 1 <= y + dy <= rows
    ]


def _chain(length: int) -> str:
    """Rules for rows of each length, one stone longer each; a row is named by its direction and first stone."""
    first = "(<= (stones_1 ?way ?x ?y) (stone ?x ?y) (way ?way))"
    others = [
        f"(<= (stones_{n} ?way ?x1 ?y1) (stone ?x1 ?y1) (step ?way ?x1 ?y1 ?x2 ?y2) (stones_{n - 1} ?way ?x2 ?y2))"
        for n in range(2, length + 1)
    ]
    return "\n".join([first, *others, f"(<= row_found (stones_{length} ?way ?x ?y))"])


_SHEET = """\
;; The m,n,k-game: {length} in a row on {columns} columns and {rows} rows.
;;
;; Roles take turns to mark a free cell. The first with {length} or more marks in a row, column or diagonal
;; wins; a full board without such a row is a draw. Only the role that has just marked can have completed one.

(role xplayer)
(role oplayer)
(opponent xplayer oplayer)
(opponent oplayer xplayer)
(mark_of xplayer x)
(mark_of oplayer o)

;; ---- Board ----

{column_facts}
{row_facts}
(way east) (way north) (way north_east) (way south_east)
{steps}

;; ---- Start ----

(<= (init (cell ?x ?y b)) (column ?x) (row ?y))
(init (control xplayer))

;; ---- Moves ----

(<= (legal ?role (mark ?x ?y))
    (true (control ?role))
    (true (cell ?x ?y b)))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

(<= (marked ?x ?y) (does ?role (mark ?x ?y)))
(<= (next (cell ?x ?y ?mark))
    (does ?role (mark ?x ?y))
    (mark_of ?role ?mark))
(<= (next (cell ?x ?y ?content))
    (true (cell ?x ?y ?content))
    (not (marked ?x ?y)))
(<= (next (control ?role))
    (opponent ?role ?other)
    (true (control ?other)))

;; ---- Rows ----

(<= (just_moved ?role) (opponent ?role ?other) (true (control ?other)))
(<= (stone ?x ?y)
    (just_moved ?role)
    (mark_of ?role ?mark)
    (true (cell ?x ?y ?mark)))
{chain}

;; ---- End ----

(<= room (true (cell ?x ?y b)))
(<= terminal row_found)
(<= terminal (not room))

(<= (goal ?role 100) (just_moved ?role) row_found)
(<= (goal ?role 0) (true (control ?role)) row_found)
(<= (goal ?role 50) (role ?role) (not row_found))

;; ---- Base and inputs ----

(<= (base (cell ?x ?y b)) (column ?x) (row ?y))
(<= (base (cell ?x ?y ?mark)) (column ?x) (row ?y) (mark_of ?role ?mark))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (mark ?x ?y)) (role ?role) (column ?x) (row ?y))
(<= (input ?role noop) (role ?role))
"""
