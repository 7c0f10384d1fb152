"""The knight's tour: visit every square of the board once."""

from __future__ import annotations

from ludens.games.generating import Number, number_facts, read_numbers, shares, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the columns and rows of the board.

    >>> "(worth 12 100)" in rules("3", "4")
    True
    """
    width, height = read_numbers(
        "knights_tour", parameters, Number("number of columns", 3, 8, 5), Number("number of rows", 3, 8, 5)
    )
    squares = width * height
    return _SHEET.format(
        width=width,
        height=height,
        columns=number_facts("column", 1, width),
        rows=number_facts("row", 1, height),
        numbers=successors(0, squares),
        worth=shares("worth", squares),
    )


_SHEET = """\
; The knight's tour on {width} columns and {height} rows. The knight begins on a square of choice, and never comes back
; to one. When it is stuck the game is over; the goal is the share of the squares that it has visited.

(role rider)

{columns}
{rows}

(<= (near ?a ?b) (succ ?a ?b))
(<= (near ?a ?b) (succ ?b ?a))
(<= (far ?a ?c) (succ ?a ?b) (succ ?b ?c))
(<= (far ?a ?c) (succ ?c ?b) (succ ?b ?a))
(<= (leap ?x1 ?y1 ?x2 ?y2) (column ?x1) (column ?x2) (row ?y1) (row ?y2) (near ?x1 ?x2) (far ?y1 ?y2))
(<= (leap ?x1 ?y1 ?x2 ?y2) (column ?x1) (column ?x2) (row ?y1) (row ?y2) (far ?x1 ?x2) (near ?y1 ?y2))

; ---- base and inputs ---------------------------------------------------------------------------------------

(content b) (content visited) (content knight)
(<= (base (cell ?x ?y ?content)) (column ?x) (row ?y) (content ?content))
(<= (base (visits ?n)) (worth ?n ?value))

(<= (input rider (go ?x ?y)) (column ?x) (row ?y))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (cell ?x ?y b)) (column ?x) (row ?y))
(init (visits 0))

; ---- moves -------------------------------------------------------------------------------------------------

(<= (legal rider (go ?x ?y)) (can_go ?x ?y))

(<= (can_go ?x ?y) (true (visits 0)) (true (cell ?x ?y b)))
(<= (can_go ?x2 ?y2)
    (true (cell ?x1 ?y1 knight))
    (leap ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x2 ?y2 b)))

(<= (next (cell ?x ?y knight)) (does rider (go ?x ?y)))
(<= (next (cell ?x ?y visited)) (true (cell ?x ?y knight)))
(<= (next (cell ?x ?y visited)) (true (cell ?x ?y visited)))
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (not (does rider (go ?x ?y))))
(<= (next (visits ?n)) (true (visits ?m)) (succ ?m ?n))

; ---- the end -----------------------------------------------------------------------------------------------

(<= goes_on (can_go ?x ?y))
(<= terminal (not goes_on))
(<= (goal rider ?value) (true (visits ?n)) (worth ?n ?value))

{numbers}
{worth}
"""
