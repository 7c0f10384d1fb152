"""Connect Four, on boards of several sizes."""

from __future__ import annotations

from ludens.games.generating import Number, number_facts, read_numbers, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the columns and rows of the board.

    >>> "(column 9)" in rules("9", "7")
    True
    """
    columns, rows = read_numbers(
        "connect_four", parameters, Number("number of columns", 4, 12, 7), Number("number of rows", 4, 12, 6)
    )
    return _SHEET.format(
        columns=columns,
        rows=rows,
        column_facts=number_facts("column", 1, columns),
        row_facts=number_facts("row", 1, rows),
        numbers=successors(1, max(columns, rows)),
    )


_SHEET = """\
; Connect Four, {columns} columns by {rows} rows.
; Two roles take turns to drop a piece into a column, where it falls to the lowest blank cell; four own pieces in a
; line win, a full board is a draw. Row 1 is at the bottom.

(role red)
(role black)

{column_facts}
{row_facts}

{numbers}

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (cell ?x ?y b)) (column ?x) (row ?y))
(<= (base (cell ?x ?y ?role)) (column ?x) (row ?y) (role ?role))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (drop ?x)) (role ?role) (column ?x))
(<= (input ?role noop) (role ?role))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (cell ?x ?y b)) (column ?x) (row ?y))
(init (control red))

; ---- moves -------------------------------------------------------------------------------------------------

; A column takes a piece as long as its top cell is blank.
(<= (legal ?role (drop ?x))
    (true (control ?role))
    (true (cell ?x {rows} b)))
(<= (legal red noop) (true (control black)))
(<= (legal black noop) (true (control red)))

; Where the next piece of each column comes to rest.
(<= (landing ?x 1)
    (true (cell ?x 1 b)))
(<= (landing ?x ?y)
    (true (cell ?x ?y b))
    (succ ?below ?y)
    (not (true (cell ?x ?below b))))

(<= (next (cell ?x ?y ?role))
    (does ?role (drop ?x))
    (landing ?x ?y))
(<= (next (cell ?x ?y b))
    (does ?role (drop ?x))
    (true (cell ?x ?y b))
    (not (landing ?x ?y)))
(<= (next (cell ?x ?y b))
    (does ?role (drop ?other))
    (true (cell ?x ?y b))
    (distinct ?x ?other))
(<= (next (cell ?x ?y ?piece))
    (true (cell ?x ?y ?piece))
    (distinct ?piece b))
(<= (next (control red)) (true (control black)))
(<= (next (control black)) (true (control red)))

; ---- lines of four -----------------------------------------------------------------------------------------

(<= (run ?a ?b ?c ?d) (succ ?a ?b) (succ ?b ?c) (succ ?c ?d))

(<= (line ?role)
    (role ?role)
    (run ?x1 ?x2 ?x3 ?x4)
    (true (cell ?x1 ?y ?role))
    (true (cell ?x2 ?y ?role))
    (true (cell ?x3 ?y ?role))
    (true (cell ?x4 ?y ?role)))
(<= (line ?role)
    (role ?role)
    (run ?y1 ?y2 ?y3 ?y4)
    (true (cell ?x ?y1 ?role))
    (true (cell ?x ?y2 ?role))
    (true (cell ?x ?y3 ?role))
    (true (cell ?x ?y4 ?role)))
(<= (line ?role)
    (role ?role)
    (run ?x1 ?x2 ?x3 ?x4)
    (run ?y1 ?y2 ?y3 ?y4)
    (true (cell ?x1 ?y1 ?role))
    (true (cell ?x2 ?y2 ?role))
    (true (cell ?x3 ?y3 ?role))
    (true (cell ?x4 ?y4 ?role)))
(<= (line ?role)
    (role ?role)
    (run ?x1 ?x2 ?x3 ?x4)
    (run ?y1 ?y2 ?y3 ?y4)
    (true (cell ?x1 ?y4 ?role))
    (true (cell ?x2 ?y3 ?role))
    (true (cell ?x3 ?y2 ?role))
    (true (cell ?x4 ?y1 ?role)))

(<= open (true (cell ?x {rows} b)))

; ---- the end -----------------------------------------------------------------------------------------------

(<= terminal (line red))
(<= terminal (line black))
(<= terminal (not open))

(<= (goal ?role 100) (line ?role))
(<= (goal red 0) (line black))
(<= (goal black 0) (line red))
(<= (goal ?role 50)
    (role ?role)
    (not (line red))
    (not (line black)))
"""
