"""Domineering: one role lays dominoes upright, the other across."""

from __future__ import annotations

from ludens.games.generating import on_grid


def rules(*parameters: str) -> str:
    """The rules in KIF: the columns and rows of the board.

    >>> "(column 5)" in rules("5", "4")
    True
    """
    return on_grid(_SHEET, "domineering", parameters, columns=6, rows=6)


_SHEET = """\
;; Domineering on {columns} columns and {rows} rows.
;;
;; In turns, vertical first, a role lays a domino on two free neighbouring cells: vertical one above the other,
;; horizontal side by side. Whoever cannot lay one loses.

(role vertical)
(role horizontal)
(opponent vertical horizontal)
(opponent horizontal vertical)

{column_facts}
{row_facts}
{numbers}

;; The two cells of a domino, named by the lower or the left one.
(<= (domino vertical ?x ?y ?x ?y2) (column ?x) (row ?y) (row ?y2) (succ ?y ?y2))
(<= (domino horizontal ?x ?y ?x2 ?y) (column ?x) (column ?x2) (row ?y) (succ ?x ?x2))

;; ---- Start ----

(<= (init (cell ?x ?y b)) (column ?x) (row ?y))
(init (control vertical))

;; ---- Moves ----

(<= (fits ?role ?x ?y)
    (domino ?role ?x ?y ?x2 ?y2)
    (true (cell ?x ?y b))
    (true (cell ?x2 ?y2 b)))

(<= (legal ?role (lay ?x ?y))
    (true (control ?role))
    (fits ?role ?x ?y))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

(<= (covered ?x ?y ?role) (does ?role (lay ?x ?y)))
(<= (covered ?x2 ?y2 ?role) (does ?role (lay ?x ?y)) (domino ?role ?x ?y ?x2 ?y2))
(<= (changed ?x ?y) (covered ?x ?y ?role))
(<= (next (cell ?x ?y ?role)) (covered ?x ?y ?role))
(<= (next (cell ?x ?y ?content)) (true (cell ?x ?y ?content)) (not (changed ?x ?y)))
(<= (next (control ?role))
    (opponent ?role ?other)
    (true (control ?other)))

;; ---- End ----

(<= mobile (true (control ?role)) (fits ?role ?x ?y))
(<= terminal (not mobile))

(<= (goal ?role 0) (true (control ?role)) (not mobile))
(<= (goal ?role 100) (opponent ?role ?other) (true (control ?other)) (not mobile))
(<= (goal ?role 50) (role ?role) mobile)

;; ---- Base and inputs ----

(<= (base (cell ?x ?y b)) (column ?x) (row ?y))
(<= (base (cell ?x ?y ?role)) (column ?x) (row ?y) (role ?role))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (lay ?x ?y)) (domino ?role ?x ?y ?x2 ?y2))
(<= (input ?role noop) (role ?role))
"""
