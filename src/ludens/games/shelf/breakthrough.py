"""Breakthrough, on boards of several sizes."""

from __future__ import annotations

from ludens.games.generating import Number, facts, number_facts, read_numbers, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the columns and rows of the board, as many rows as columns if only one number is given.

    >>> "(far_row white 5)" in rules("5")
    True
    """
    columns, rows = read_numbers(
        "breakthrough",
        parameters * 2 if len(parameters) == 1 else parameters,
        Number("number of columns", 3, 12, 8),
        Number("number of rows", 4, 12, 8),
    )
    contents = ["white"] * 2 + ["b"] * (rows - 4) + ["black"] * 2
    return _SHEET.format(
        columns=columns,
        rows=rows,
        numbers=successors(1, max(columns, rows), "next_number"),
        column_facts=number_facts("column", 1, columns),
        row_facts=number_facts("row", 1, rows),
        start_rows=facts(f"(start_row {row} {content})" for row, content in enumerate(contents, start=1)),
    )


_SHEET = """\
;; Breakthrough on {columns}x{rows}.
;;
;; Men go one step forward, straight or diagonally, and capture diagonally only. A side wins that reaches the
;; far row or takes every enemy. Nobody is ever stuck: a side's foremost man has no friend in front of it to
;; block both of its diagonals, so the rules need no pass and no move limit.

(role white)
(role black)

;; ---- Board ----

{numbers}

{column_facts}
{row_facts}

(opponent white black)
(opponent black white)

(far_row white {rows})
(far_row black 1)

(<= (ahead white ?y1 ?y2) (row ?y1) (row ?y2) (next_number ?y1 ?y2))
(<= (ahead black ?y1 ?y2) (row ?y1) (row ?y2) (next_number ?y2 ?y1))

(<= (beside ?x1 ?x2) (column ?x1) (column ?x2) (next_number ?x1 ?x2))
(<= (beside ?x1 ?x2) (column ?x1) (column ?x2) (next_number ?x2 ?x1))

;; Where a man may go if the square is free, and where it may also capture.
(<= (straight ?role ?x ?y1 ?x ?y2)
    (column ?x)
    (ahead ?role ?y1 ?y2))
(<= (diagonal ?role ?x1 ?y1 ?x2 ?y2)
    (beside ?x1 ?x2)
    (ahead ?role ?y1 ?y2))

;; ---- Start ----

{start_rows}

(<= (init (cell ?x ?y ?content))
    (column ?x)
    (start_row ?y ?content))
(init (control white))

;; ---- Moves ----

(<= (legal ?role (move ?x1 ?y1 ?x2 ?y2))
    (true (control ?role))
    (true (cell ?x1 ?y1 ?role))
    (straight ?role ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x2 ?y2 b)))
(<= (legal ?role (move ?x1 ?y1 ?x2 ?y2))
    (true (control ?role))
    (true (cell ?x1 ?y1 ?role))
    (diagonal ?role ?x1 ?y1 ?x2 ?y2)
    (not (true (cell ?x2 ?y2 ?role))))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

;; ---- Effects of moves ----

(<= (changed ?x ?y) (does ?role (move ?x ?y ?x2 ?y2)))
(<= (changed ?x ?y) (does ?role (move ?x1 ?y1 ?x ?y)))

(<= (next (cell ?x ?y b)) (does ?role (move ?x ?y ?x2 ?y2)))
(<= (next (cell ?x ?y ?role)) (does ?role (move ?x1 ?y1 ?x ?y)))
(<= (next (cell ?x ?y ?content))
    (true (cell ?x ?y ?content))
    (not (changed ?x ?y)))

(<= (next (control ?role))
    (opponent ?role ?other)
    (true (control ?other)))

;; ---- End ----

(<= (alive ?role)
    (role ?role)
    (true (cell ?x ?y ?role)))

(<= (won ?role)
    (far_row ?role ?y)
    (true (cell ?x ?y ?role)))
(<= (won ?role)
    (opponent ?role ?other)
    (not (alive ?other)))

(<= terminal (won ?role))

(<= decided (won ?role))
(<= (goal ?role 100) (won ?role))
(<= (goal ?role 0) (opponent ?role ?other) (won ?other))
(<= (goal ?role 50) (role ?role) (not decided))

;; ---- Base and inputs ----

(<= (base (cell ?x ?y b)) (column ?x) (row ?y))
(<= (base (cell ?x ?y ?role)) (column ?x) (row ?y) (role ?role))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (move ?x1 ?y1 ?x2 ?y2)) (straight ?role ?x1 ?y1 ?x2 ?y2))
(<= (input ?role (move ?x1 ?y1 ?x2 ?y2)) (diagonal ?role ?x1 ?y1 ?x2 ?y2))
(<= (input ?role noop) (role ?role))
"""
