"""Wolf and sheep: one piece is hunted by several slow ones."""

from __future__ import annotations

from ludens.core import GameError
from ludens.games.generating import Number, facts, read_numbers, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the size of the board, an even number.

    >>> "(init (cell 4 8 sheep))" in rules()
    True
    """
    (size,) = read_numbers("wolf_and_sheep", parameters, Number("size of the board", 4, 10, 8))
    if size % 2:
        raise GameError(f"the size of the board of wolf_and_sheep must be even, not {size}")
    dark = [(x, y) for y in range(1, size + 1) for x in range(1, size + 1) if (x + y) % 2 == 0]
    sheep = {square for square in dark if square[1] == size}
    wolf = (size // 2 + 1 - (size // 2) % 2, 1)
    start = {square: "sheep" if square in sheep else "wolf" if square == wolf else "b" for square in dark}
    return _SHEET.format(
        size=size,
        count=size // 2,
        squares=facts(f"(square {x} {y})" for x, y in dark),
        start=facts(f"(init (cell {x} {y} {content}))" for (x, y), content in start.items()),
        numbers=successors(1, size),
    )


_SHEET = """\
;; Wolf and sheep on the dark squares of {size}x{size}.
;;
;; The wolf begins in the bottom row, the {count} sheep in the top row. In turns, the wolf first, the wolf goes one
;; square diagonally in any direction, or one of the sheep goes one square diagonally downward; nothing is taken. The
;; sheep win by enclosing the wolf. The wolf wins by reaching the top row, or when no sheep can move.

(role wolf)
(role sheep)
(opponent wolf sheep)
(opponent sheep wolf)

;; ---- Board ----

{squares}
{numbers}

(<= (beside ?a ?b) (succ ?a ?b))
(<= (beside ?a ?b) (succ ?b ?a))
(<= (down ?x1 ?y1 ?x2 ?y2) (square ?x1 ?y1) (beside ?x1 ?x2) (succ ?y2 ?y1))
(<= (way sheep ?x1 ?y1 ?x2 ?y2) (down ?x1 ?y1 ?x2 ?y2))
(<= (way wolf ?x1 ?y1 ?x2 ?y2) (down ?x1 ?y1 ?x2 ?y2))
(<= (way wolf ?x1 ?y1 ?x2 ?y2) (down ?x2 ?y2 ?x1 ?y1))

;; ---- Start ----

{start}
(init (control wolf))

;; ---- Moves ----

(<= (can_move ?role ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x1 ?y1 ?role))
    (way ?role ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x2 ?y2 b)))

(<= (legal ?role (move ?x1 ?y1 ?x2 ?y2))
    (true (control ?role))
    (can_move ?role ?x1 ?y1 ?x2 ?y2))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

(<= (left ?x ?y) (does ?role (move ?x ?y ?x2 ?y2)))
(<= (reached ?x ?y) (does ?role (move ?x1 ?y1 ?x ?y)))
(<= (next (cell ?x ?y b)) (left ?x ?y))
(<= (next (cell ?x ?y ?role)) (true (control ?role)) (reached ?x ?y))
(<= (next (cell ?x ?y ?content))
    (true (cell ?x ?y ?content))
    (not (left ?x ?y))
    (not (reached ?x ?y)))
(<= (next (control ?role))
    (opponent ?role ?other)
    (true (control ?other)))

;; ---- End ----

(<= (mobile ?role) (can_move ?role ?x1 ?y1 ?x2 ?y2))

(<= (won wolf) (true (cell ?x {size} wolf)))
(<= (won wolf) (true (control sheep)) (not (mobile sheep)))
(<= (won sheep) (true (control wolf)) (not (mobile wolf)) (not through))
(<= through (true (cell ?x {size} wolf)))

(<= decided (won ?role))
(<= terminal decided)
(<= (goal ?role 100) (won ?role))
(<= (goal ?role 0) (opponent ?role ?other) (won ?other))
(<= (goal ?role 50) (role ?role) (not decided))

;; ---- Base and inputs ----

(<= (base (cell ?x ?y b)) (square ?x ?y))
(<= (base (cell ?x ?y ?role)) (square ?x ?y) (role ?role))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (move ?x1 ?y1 ?x2 ?y2)) (way ?role ?x1 ?y1 ?x2 ?y2))
(<= (input ?role noop) (role ?role))
"""
