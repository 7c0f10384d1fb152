"""The queens puzzle: as many queens as the board has rows, none attacking another."""

from __future__ import annotations

from ludens.games.generating import Number, number_facts, read_numbers, shares, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the size of the board.

    >>> "(worth 5 100)" in rules("5")
    True
    """
    (size,) = read_numbers("queens", parameters, Number("size of the board", 4, 12, 8))
    return _SHEET.format(
        size=size,
        indexes=number_facts("index", 1, size),
        numbers=successors(0, size),
        worth=shares("worth", size),
    )


_SHEET = """\
; {size} queens on a {size}x{size} board, one row after another from the bottom, none attacking another.
; The game ends when the next row has no safe square; the goal is the share of the queens that were placed.

(role solver)

{indexes}

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (cell ?x ?y b)) (index ?x) (index ?y))
(<= (base (cell ?x ?y queen)) (index ?x) (index ?y))
(<= (base (placed ?n)) (worth ?n ?value))

(<= (input solver (place ?x ?y)) (index ?x) (index ?y))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (cell ?x ?y b)) (index ?x) (index ?y))
(init (placed 0))

; ---- moves -------------------------------------------------------------------------------------------------

(<= (legal solver (place ?x ?y)) (safe ?x ?y))

(<= (safe ?x ?y)
    (index ?x)
    (true (placed ?n))
    (succ ?n ?y)
    (not (attacked down ?x ?y))
    (not (attacked left ?x ?y))
    (not (attacked right ?x ?y)))

; (attacked direction x y): there is a queen somewhere in that direction, one row further down with each step.
(<= (attacked ?direction ?x ?y) (below ?direction ?x ?y ?x2 ?y2) (true (cell ?x2 ?y2 queen)))
(<= (attacked ?direction ?x ?y) (below ?direction ?x ?y ?x2 ?y2) (attacked ?direction ?x2 ?y2))
(<= (below down ?x ?y ?x ?y2) (index ?x) (index ?y) (index ?y2) (succ ?y2 ?y))
(<= (below left ?x ?y ?x2 ?y2) (index ?x2) (index ?y2) (succ ?x2 ?x) (succ ?y2 ?y))
(<= (below right ?x ?y ?x2 ?y2) (index ?x) (index ?y2) (succ ?x ?x2) (succ ?y2 ?y))

(<= (next (cell ?x ?y queen)) (does solver (place ?x ?y)))
(<= (next (cell ?x ?y ?content)) (true (cell ?x ?y ?content)) (not (does solver (place ?x ?y))))
(<= (next (placed ?n)) (true (placed ?m)) (succ ?m ?n))

; ---- the end -----------------------------------------------------------------------------------------------

(<= can_place (safe ?x ?y))
(<= terminal (not can_place))
(<= (goal solver ?value) (true (placed ?n)) (worth ?n ?value))

{numbers}
{worth}
"""
