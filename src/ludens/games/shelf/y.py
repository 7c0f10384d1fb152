"""Y: join the three sides of a triangle."""

from __future__ import annotations

from ludens.games.generating import Number, facts, read_numbers


def rules(*parameters: str) -> str:
    """The rules in KIF: the cells along a side.

    >>> "(on right 3 3)" in rules("5")
    True
    """
    (size,) = read_numbers("y", parameters, Number("size of the board", 2, 13, 7))
    cells = [(x, y) for y in range(1, size + 1) for x in range(1, size + 2 - y)]
    neighbours = [(1, 0), (0, 1), (1, -1)]
    sides = {"left": [(1, n) for n in range(1, size + 1)], "bottom": [(n, 1) for n in range(1, size + 1)]}
    sides["right"] = [(n, size + 1 - n) for n in range(1, size + 1)]
    return _SHEET.format(
        size=size,
        cells=facts(f"(spot {x} {y})" for x, y in cells),
        half=facts(
            f"(half_of_touching {x} {y} {x + dx} {y + dy})"
            for x, y in cells
            for dx, dy in neighbours
            if (x + dx, y + dy) in cells
        ),
        sides=facts(f"(on {name} {x} {y})" for name, places in sides.items() for x, y in places),
    )


_SHEET = """\
;; Y on a triangle with {size} cells along each side.
;;
;; The roles take turns to place a stone on a free cell; red begins, and there is no swap. A chain of one's stones that
;; touches all three sides wins; a cell in a corner belongs to two sides. A full board has exactly one winner, so there
;; is no draw. Only the chain of the latest stone can have become such a chain, so the rules look at that one alone.

(role red)
(role blue)
(opponent red blue)
(opponent blue red)

;; ---- Board ----

{cells}
{half}
{sides}

(<= (touching ?x1 ?y1 ?x2 ?y2) (half_of_touching ?x1 ?y1 ?x2 ?y2))
(<= (touching ?x1 ?y1 ?x2 ?y2) (half_of_touching ?x2 ?y2 ?x1 ?y1))

;; ---- Start ----

(<= (init (cell ?x ?y b)) (spot ?x ?y))
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
(<= (next (latest ?x ?y)) (placed ?x ?y))
(<= (next (control ?role))
    (opponent ?role ?other)
    (true (control ?other)))

;; ---- The chain of the latest stone ----

(<= (just_moved ?role) (opponent ?role ?other) (true (control ?other)))
(<= (stone ?x ?y) (just_moved ?role) (true (cell ?x ?y ?role)))
(<= (chained ?x ?y) (true (latest ?x ?y)))
(<= (chained ?x2 ?y2)
    (chained ?x1 ?y1)
    (touching ?x1 ?y1 ?x2 ?y2)
    (stone ?x2 ?y2))
(<= (reached ?side) (on ?side ?x ?y) (chained ?x ?y))

;; ---- End ----

(<= joined (reached left) (reached bottom) (reached right))
(<= terminal joined)

(<= (goal ?role 100) (just_moved ?role) joined)
(<= (goal ?role 0) (true (control ?role)) joined)
(<= (goal ?role 50) (role ?role) (not joined))

;; ---- Base and inputs ----

(<= (base (cell ?x ?y b)) (spot ?x ?y))
(<= (base (cell ?x ?y ?role)) (spot ?x ?y) (role ?role))
(<= (base (latest ?x ?y)) (spot ?x ?y))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (place ?x ?y)) (role ?role) (spot ?x ?y))
(<= (input ?role noop) (role ?role))
"""
