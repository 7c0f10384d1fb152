"""Quoridor on small boards: reach the other side, or build walls in the way."""

from __future__ import annotations

from ludens.core import GameError
from ludens.games.generating import Number, facts, number_facts, read_numbers, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the size of the board, and the walls of each role.

    >>> "(init (cell 3 1 south))" in rules("5")
    True
    """
    size, walls = read_numbers(
        "quoridor", parameters, Number("size of the board", 3, 7, 5), Number("number of walls", 0, 10, 3)
    )
    if size % 2 == 0:
        raise GameError(f"the size of the board of quoridor must be odd, so that it has a middle, not {size}")
    middle = size // 2 + 1
    limit = 4 * size * size
    return _SHEET.format(
        size=size,
        walls=walls,
        limit=limit,
        middle=middle,
        indexes=number_facts("index", 1, size),
        gaps=number_facts("gap", 1, size - 1),
        empty=facts(
            f"(init (cell {x} {y} b))"
            for x in range(1, size + 1)
            for y in range(1, size + 1)
            if (x, y) not in ((middle, 1), (middle, size))
        ),
        counts=number_facts("count", 0, limit),
        wall_counts=number_facts("supply", 0, walls),
        numbers=successors(0, limit),
    )


_SHEET = """\
;; Quoridor on {size}x{size} with {walls} walls for each role.
;;
;; South begins in the middle of the bottom row and wants to reach the top row; north the other way round. On its turn a
;; role moves its pawn to a neighbouring square, across or up and down, or builds a wall two squares long between
;; squares. Walls do not overlap or cross, and must leave each pawn a way to its goal. If the other pawn is next to
;; one's own, one may jump over it, straight, or sideways if a wall or the edge is behind it.
;; After {limit} turns the match is drawn.

(role south)
(role north)
(opponent south north)
(opponent north south)

;; ---- Board ----

{indexes}
;; Where walls go: a wall (upright x y) stands right of column x along the rows y and y+1, a wall (across x y) lies
;; above row y along the columns x and x+1.
{gaps}
(limit {limit})
(<= (goal_row south {size}) (index {size}))
(<= (goal_row north 1) (index {size}))

(<= (side ?a ?b) (index ?a) (index ?b) (succ ?a ?b))
(<= (step right ?x1 ?y ?x2 ?y) (side ?x1 ?x2) (index ?y))
(<= (step left ?x2 ?y ?x1 ?y) (side ?x1 ?x2) (index ?y))
(<= (step up ?x ?y1 ?x ?y2) (index ?x) (side ?y1 ?y2))
(<= (step down ?x ?y2 ?x ?y1) (index ?x) (side ?y1 ?y2))
(turn right up) (turn right down) (turn left up) (turn left down)
(turn up right) (turn up left) (turn down right) (turn down left)

(<= (slot upright ?x ?y) (gap ?x) (gap ?y))
(<= (slot across ?x ?y) (gap ?x) (gap ?y))

;; (bars kind x y x1 y1 x2 y2): a wall there lies between these squares.
(<= (half_bars upright ?x ?y ?x ?y ?x2 ?y) (slot upright ?x ?y) (succ ?x ?x2))
(<= (half_bars upright ?x ?y ?x ?y2 ?x2 ?y2) (slot upright ?x ?y) (succ ?x ?x2) (succ ?y ?y2))
(<= (half_bars across ?x ?y ?x ?y ?x ?y2) (slot across ?x ?y) (succ ?y ?y2))
(<= (half_bars across ?x ?y ?x2 ?y ?x2 ?y2) (slot across ?x ?y) (succ ?x ?x2) (succ ?y ?y2))
(<= (bars ?kind ?x ?y ?x1 ?y1 ?x2 ?y2) (half_bars ?kind ?x ?y ?x1 ?y1 ?x2 ?y2))
(<= (bars ?kind ?x ?y ?x1 ?y1 ?x2 ?y2) (half_bars ?kind ?x ?y ?x2 ?y2 ?x1 ?y1))

;; (hinders kind x y kind2 x2 y2): the walls would overlap or cross.
(<= (hinders ?kind ?x ?y ?kind ?x ?y) (slot ?kind ?x ?y))
(<= (hinders upright ?x ?y across ?x ?y) (slot upright ?x ?y))
(<= (hinders across ?x ?y upright ?x ?y) (slot across ?x ?y))
(<= (hinders upright ?x ?y1 upright ?x ?y2) (slot upright ?x ?y1) (slot upright ?x ?y2) (succ ?y1 ?y2))
(<= (hinders upright ?x ?y2 upright ?x ?y1) (slot upright ?x ?y1) (slot upright ?x ?y2) (succ ?y1 ?y2))
(<= (hinders across ?x1 ?y across ?x2 ?y) (slot across ?x1 ?y) (slot across ?x2 ?y) (succ ?x1 ?x2))
(<= (hinders across ?x2 ?y across ?x1 ?y) (slot across ?x1 ?y) (slot across ?x2 ?y) (succ ?x1 ?x2))

;; ---- Start ----

(init (cell {middle} 1 south))
(init (cell {middle} {size} north))
{empty}
(<= (init (stock ?role {walls})) (role ?role))
(init (control south))
(init (turns 0))

;; ---- Pawns ----

(<= (barred ?x1 ?y1 ?x2 ?y2) (true (wall ?kind ?x ?y)) (bars ?kind ?x ?y ?x1 ?y1 ?x2 ?y2))
(<= (passage ?way ?x1 ?y1 ?x2 ?y2) (step ?way ?x1 ?y1 ?x2 ?y2) (not (barred ?x1 ?y1 ?x2 ?y2)))

(<= (meets ?way ?x2 ?y2)
    (true (control ?role))
    (opponent ?role ?other)
    (true (cell ?x1 ?y1 ?role))
    (passage ?way ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x2 ?y2 ?other)))
(<= (behind ?way ?x3 ?y3) (meets ?way ?x2 ?y2) (passage ?way ?x2 ?y2 ?x3 ?y3))
(<= (open_behind ?way) (behind ?way ?x ?y))

(<= (goes ?x2 ?y2)
    (true (control ?role))
    (true (cell ?x1 ?y1 ?role))
    (passage ?way ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x2 ?y2 b)))
(<= (goes ?x3 ?y3) (behind ?way ?x3 ?y3))
(<= (goes ?x3 ?y3)
    (meets ?way ?x2 ?y2)
    (not (open_behind ?way))
    (turn ?way ?sideways)
    (passage ?sideways ?x2 ?y2 ?x3 ?y3))

;; ---- Walls ----

(<= (hindered ?kind ?x ?y) (hinders ?kind ?x ?y ?kind2 ?x2 ?y2) (true (wall ?kind2 ?x2 ?y2)))
(<= (supplied ?role) (true (control ?role)) (not (true (stock ?role 0))))
(<= some_supply (supplied ?role))
(<= (free ?kind ?x ?y) some_supply (slot ?kind ?x ?y) (not (hindered ?kind ?x ?y)))

;; (leads role kind x y x1 y1): with this wall built too, there is a way from x1 y1 to the goal of the role.
(<= (leads ?role ?kind ?x ?y ?x1 ?y1) (free ?kind ?x ?y) (goal_row ?role ?y1) (index ?x1))
(<= (leads ?role ?kind ?x ?y ?x1 ?y1)
    (leads ?role ?kind ?x ?y ?x2 ?y2)
    (passage ?way ?x1 ?y1 ?x2 ?y2)
    (not (bars ?kind ?x ?y ?x1 ?y1 ?x2 ?y2)))
(<= (cut_off ?kind ?x ?y)
    (slot ?kind ?x ?y)
    (role ?role)
    (true (cell ?x1 ?y1 ?role))
    (not (leads ?role ?kind ?x ?y ?x1 ?y1)))

;; ---- Moves ----

(<= (legal ?role (go ?x ?y)) (true (control ?role)) (goes ?x ?y))
(<= (legal ?role (build ?kind ?x ?y))
    (true (control ?role))
    (free ?kind ?x ?y)
    (not (cut_off ?kind ?x ?y)))
(<= mobile (goes ?x ?y))
(<= mobile (free ?kind ?x ?y) (not (cut_off ?kind ?x ?y)))
(<= (legal ?role pass) (true (control ?role)) (not mobile))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

(<= going (does ?role (go ?x ?y)))
(<= building (does ?role (build ?kind ?x ?y)))
(<= (reached ?x ?y) (does ?role (go ?x ?y)))
(<= (left ?x ?y) going (true (control ?role)) (true (cell ?x ?y ?role)))
(<= (next (cell ?x ?y ?role)) (does ?role (go ?x ?y)))
(<= (next (cell ?x ?y b)) (left ?x ?y))
(<= (next (cell ?x ?y ?content))
    (true (cell ?x ?y ?content))
    (not (left ?x ?y))
    (not (reached ?x ?y)))
(<= (next (wall ?kind ?x ?y)) (does ?role (build ?kind ?x ?y)))
(<= (next (wall ?kind ?x ?y)) (true (wall ?kind ?x ?y)))
(<= (next (stock ?role ?n)) (true (stock ?role ?m)) (true (control ?role)) building (succ ?n ?m))
(<= (next (stock ?role ?n)) (true (stock ?role ?n)) (true (control ?role)) (not building))
(<= (next (stock ?role ?n)) (true (stock ?role ?n)) (opponent ?role ?other) (true (control ?other)))
(<= (next (control ?role))
    (opponent ?role ?other)
    (true (control ?other)))
(<= (next (turns ?n)) (true (turns ?m)) (succ ?m ?n))

;; ---- End ----

(<= (won ?role) (goal_row ?role ?y) (true (cell ?x ?y ?role)))
(<= decided (won ?role))
(<= terminal decided)
(<= terminal (true (turns ?n)) (limit ?n))

(<= (goal ?role 100) (won ?role))
(<= (goal ?role 0) (opponent ?role ?other) (won ?other))
(<= (goal ?role 50) (role ?role) (not decided))

;; ---- Base and inputs ----

(<= (base (cell ?x ?y b)) (index ?x) (index ?y))
(<= (base (cell ?x ?y ?role)) (index ?x) (index ?y) (role ?role))
(<= (base (wall ?kind ?x ?y)) (slot ?kind ?x ?y))
(<= (base (stock ?role ?n)) (role ?role) (supply ?n))
(<= (base (control ?role)) (role ?role))
(<= (base (turns ?n)) (count ?n))

(<= (input ?role (go ?x ?y)) (role ?role) (index ?x) (index ?y))
(<= (input ?role (build ?kind ?x ?y)) (role ?role) (slot ?kind ?x ?y))
(<= (input ?role pass) (role ?role))
(<= (input ?role noop) (role ?role))

{wall_counts}
{counts}
{numbers}
"""
