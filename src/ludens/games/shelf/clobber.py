"""Clobber on boards of any small size."""

from __future__ import annotations

from ludens.games.generating import on_grid


def rules(*parameters: str) -> str:
    """The rules in KIF: the columns and rows of the board.

    >>> "(column 6)" in rules("6", "5")
    True
    """
    return on_grid(_SHEET, "clobber", parameters, columns=6, rows=5)


_SHEET = """\
;; Clobber on {columns} columns and {rows} rows, full of stones, white and black like the squares of a chessboard.
;;
;; A stone moves to a neighbouring square, across or up and down, if an enemy's stone is there, which it takes.
;; Whoever cannot move loses.

(role white)
(role black)
(opponent white black)
(opponent black white)

{column_facts}
{row_facts}
{numbers}

(<= (beside ?x1 ?y ?x2 ?y) (column ?x1) (column ?x2) (row ?y) (succ ?x1 ?x2))
(<= (beside ?x ?y1 ?x ?y2) (column ?x) (row ?y1) (row ?y2) (succ ?y1 ?y2))
(<= (touching ?x1 ?y1 ?x2 ?y2) (beside ?x1 ?y1 ?x2 ?y2))
(<= (touching ?x1 ?y1 ?x2 ?y2) (beside ?x2 ?y2 ?x1 ?y1))

;; ---- Start ----

;; White has the square 1 1, and colours alternate from there.
(<= (colour 1 1 white) (column 1))
(<= (colour ?x2 ?y2 ?other)
    (beside ?x1 ?y1 ?x2 ?y2)
    (colour ?x1 ?y1 ?role)
    (opponent ?role ?other))
(<= (init (cell ?x ?y ?role)) (colour ?x ?y ?role))
(init (control white))

;; ---- Moves ----

(<= (can_take ?x1 ?y1 ?x2 ?y2)
    (true (control ?role))
    (opponent ?role ?other)
    (true (cell ?x1 ?y1 ?role))
    (touching ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x2 ?y2 ?other)))

(<= (legal ?role (move ?x1 ?y1 ?x2 ?y2))
    (true (control ?role))
    (can_take ?x1 ?y1 ?x2 ?y2))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

(<= (left ?x1 ?y1) (does ?role (move ?x1 ?y1 ?x2 ?y2)))
(<= (taken ?x2 ?y2) (does ?role (move ?x1 ?y1 ?x2 ?y2)))

(<= (next (cell ?x ?y b)) (left ?x ?y))
(<= (next (cell ?x ?y ?role)) (true (control ?role)) (taken ?x ?y))
(<= (next (cell ?x ?y ?content))
    (true (cell ?x ?y ?content))
    (not (left ?x ?y))
    (not (taken ?x ?y)))
(<= (next (control ?role))
    (opponent ?role ?other)
    (true (control ?other)))

;; ---- End ----

(<= mobile (can_take ?x1 ?y1 ?x2 ?y2))
(<= terminal (not mobile))

(<= (goal ?role 0) (true (control ?role)) (not mobile))
(<= (goal ?role 100) (opponent ?role ?other) (true (control ?other)) (not mobile))
(<= (goal ?role 50) (role ?role) mobile)

;; ---- Base and inputs ----

(<= (base (cell ?x ?y b)) (column ?x) (row ?y))
(<= (base (cell ?x ?y ?role)) (column ?x) (row ?y) (role ?role))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (move ?x1 ?y1 ?x2 ?y2)) (role ?role) (touching ?x1 ?y1 ?x2 ?y2))
(<= (input ?role noop) (role ?role))
"""
