"""Chomp: bite off a bar of chocolate, and leave the poisoned square to the other."""

from __future__ import annotations

from ludens.games.generating import on_grid


def rules(*parameters: str) -> str:
    """The rules in KIF: the columns and rows of the bar.

    >>> "(column 5)" in rules("5", "4")
    True
    """
    return on_grid(_SHEET, "chomp", parameters, columns=5, rows=4)


_SHEET = """\
; Chomp: a bar of chocolate of {columns} columns and {rows} rows, whose square at the bottom left is poisoned.
; In turn, a role chooses a square and eats it with all that are not to the left of it and not below it.
; Whoever eats the poisoned square loses.

(role first)
(role second)
(opponent first second)
(opponent second first)

{column_facts}
{row_facts}
{numbers}

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (cell ?x ?y chocolate)) (column ?x) (row ?y))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (bite ?x ?y)) (role ?role) (column ?x) (row ?y))
(<= (input ?role noop) (role ?role))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (cell ?x ?y chocolate)) (column ?x) (row ?y))
(init (control first))

; ---- moves -------------------------------------------------------------------------------------------------

(<= (legal ?role (bite ?x ?y))
    (true (control ?role))
    (true (cell ?x ?y chocolate)))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

(<= (eaten ?x2 ?y2)
    (does ?role (bite ?x ?y))
    (column ?x2)
    (row ?y2)
    (at_most ?x ?x2)
    (at_most ?y ?y2))
(<= (next (cell ?x ?y chocolate)) (true (cell ?x ?y chocolate)) (not (eaten ?x ?y)))
(<= (next (control ?role))
    (opponent ?role ?other)
    (true (control ?other)))

; ---- the end -----------------------------------------------------------------------------------------------

(<= left (true (cell 1 1 chocolate)))
(<= terminal (not left))

; Whoever is to move did not eat the last square.
(<= (goal ?role 100) (true (control ?role)) (not left))
(<= (goal ?role 0) (opponent ?role ?other) (true (control ?other)) (not left))
(<= (goal ?role 50) (role ?role) left)

(<= (at_most ?n ?n) (column ?n))
(<= (at_most ?n ?n) (row ?n))
(<= (at_most ?a ?c) (at_most ?a ?b) (succ ?b ?c))
"""
