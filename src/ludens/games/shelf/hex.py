"""Hex, on boards of several sizes."""

from __future__ import annotations

from ludens.games.generating import Number, read_numbers, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the size of the board.

    >>> "(far_side red 7 ?y)" in rules("7")
    True
    """
    (size,) = read_numbers("hex", parameters, Number("size of the board", 2, 13, 9))
    return _SHEET.format(size=size, numbers=successors(1, size, "next_number"))


_SHEET = """\
;; Hex on a {size}x{size} rhombus, without the swap rule.
;;
;; Red joins the left side to the right one, blue the bottom to the top. Each row lies half a cell to the
;; right of the row below it, so that the cell x y touches x-1 and x+1 in its row, x-1 and x above, and x and
;; x+1 below. A full board has exactly one winner, so there is no draw. Only the side that has just placed a
;; stone can have completed its chain, so the rules look at its stones alone.

(role red)
(role blue)

;; ---- Board ----

{numbers}

(index 1)
(<= (index ?n) (next_number ?m ?n))

(opponent red blue)
(opponent blue red)

(<= (half_of_touching ?x1 ?y ?x2 ?y) (next_number ?x1 ?x2) (index ?y))
(<= (half_of_touching ?x ?y1 ?x ?y2) (index ?x) (next_number ?y1 ?y2))
(<= (half_of_touching ?x1 ?y1 ?x2 ?y2) (next_number ?x2 ?x1) (next_number ?y1 ?y2))

(<= (touching ?x1 ?y1 ?x2 ?y2) (half_of_touching ?x1 ?y1 ?x2 ?y2))
(<= (touching ?x1 ?y1 ?x2 ?y2) (half_of_touching ?x2 ?y2 ?x1 ?y1))

;; The side that a chain grows from, and the one that it has to reach.
(<= (home_side red 1 ?y) (index ?y))
(<= (far_side red {size} ?y) (index ?y))
(<= (home_side blue ?x 1) (index ?x))
(<= (far_side blue ?x {size}) (index ?x))

;; ---- Start ----

(<= (init (cell ?x ?y b)) (index ?x) (index ?y))
(init (control red))

;; ---- Moves ----

(<= (legal ?role (place ?x ?y))
    (true (control ?role))
    (true (cell ?x ?y b)))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

(<= (placed ?x ?y) (does ?role (place ?x ?y)))

(<= (next (cell ?x ?y ?role)) (does ?role (place ?x ?y)))
(<= (next (cell ?x ?y ?content))
    (true (cell ?x ?y ?content))
    (not (placed ?x ?y)))

(<= (next (control ?role))
    (opponent ?role ?other)
    (true (control ?other)))

;; ---- Chains ----

(<= (just_moved ?role)
    (true (control ?other))
    (opponent ?role ?other))

(<= (stone ?x ?y)
    (just_moved ?role)
    (true (cell ?x ?y ?role)))

(<= (chained ?x ?y)
    (just_moved ?role)
    (home_side ?role ?x ?y)
    (stone ?x ?y))
(<= (chained ?x2 ?y2)
    (chained ?x1 ?y1)
    (touching ?x1 ?y1 ?x2 ?y2)
    (stone ?x2 ?y2))

(<= (won ?role)
    (just_moved ?role)
    (far_side ?role ?x ?y)
    (chained ?x ?y))

;; ---- End ----

(<= terminal (won ?role))

(<= decided (won ?role))
(<= (goal ?role 100) (won ?role))
(<= (goal ?role 0) (opponent ?role ?other) (won ?other))
(<= (goal ?role 50) (role ?role) (not decided))

;; ---- Base and inputs ----

(<= (base (cell ?x ?y b)) (index ?x) (index ?y))
(<= (base (cell ?x ?y ?role)) (index ?x) (index ?y) (role ?role))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (place ?x ?y)) (role ?role) (index ?x) (index ?y))
(<= (input ?role noop) (role ?role))
"""
