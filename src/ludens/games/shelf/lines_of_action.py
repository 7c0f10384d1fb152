"""Lines of Action."""

from __future__ import annotations

from ludens.games.generating import Number, facts, number_facts, read_numbers, successors

_WAYS = {"east": (1, 0), "north": (0, 1), "north_east": (1, 1), "south_east": (1, -1)}


def rules(*parameters: str) -> str:
    """The rules in KIF: the size of the board, and after how many turns the match is drawn.

    >>> "(limit 200)" in rules()
    True
    """
    size, limit = read_numbers(
        "lines_of_action",
        parameters,
        Number("size of the board", 4, 9, 8),
        Number("number of turns", 20, 1000, 200),
    )
    return _SHEET.format(
        size=size,
        limit=limit,
        indexes=number_facts("index", 1, size),
        lines=facts(_lines(size)),
        order=facts(f"(order {n + 1} {n % size + 1} {n // size + 1})" for n in range(size * size)),
        numbers=successors(0, max(limit, size * size)),
    )


def _lines(size: int) -> list[str]:
    """Every square, the line of each direction that it lies on, and which one of the line's squares it is."""
    lines = []
    for way, (dx, dy) in _WAYS.items():
        for x in range(1, size + 1):
            for y in range(1, size + 1):
                place = 1
                while 1 <= x - place * dx <= size and 1 <= y - place * dy <= size:
                    place += 1
                name = f"{way}_{x - (place - 1) * dx}_{y - (place - 1) * dy}"
                lines.append(f"(on {way} {name} {place} {x} {y})")
    return lines


_SHEET = """\
;; Lines of Action on {size}x{size}.
;;
;; Black begins with men along the bottom and the top, white along the sides, the corners being free. A man moves in
;; a straight line, in any of eight directions, by exactly as many squares as there are men of both sides on the whole
;; line. It jumps over men of its own side but not over the enemy's, and takes an enemy's man that it comes to. A side
;; wins whose men are all connected, also diagonally; if a move connects both sides, the side that moved wins. A side
;; that cannot move has lost, and after {limit} turns the match is drawn.

(role black)
(role white)
(opponent black white)
(opponent white black)

;; ---- Board ----

{indexes}
(limit {limit})

;; (on way line place x y): the line of that direction through a square, and the place of the square on it.
{lines}

;; (along way n x1 y1 x2 y2): n steps in a direction.
(<= (step ?way ?x1 ?y1 ?x2 ?y2) (on ?way ?line ?a ?x1 ?y1) (succ ?a ?b) (on ?way ?line ?b ?x2 ?y2))
(<= (along ?way 1 ?x1 ?y1 ?x2 ?y2) (step ?way ?x1 ?y1 ?x2 ?y2))
(<= (along ?way ?n ?x1 ?y1 ?x3 ?y3)
    (along ?way ?m ?x1 ?y1 ?x2 ?y2)
    (succ ?m ?n)
    (step ?way ?x2 ?y2 ?x3 ?y3))
(back east west) (back north south) (back north_east south_west) (back south_east north_west)
(<= (towards ?way ?way ?n ?x1 ?y1 ?x2 ?y2) (along ?way ?n ?x1 ?y1 ?x2 ?y2))
(<= (towards ?back ?way ?n ?x2 ?y2 ?x1 ?y1) (along ?way ?n ?x1 ?y1 ?x2 ?y2) (back ?way ?back))

(<= (touching ?x1 ?y1 ?x2 ?y2) (towards ?way ?axis 1 ?x1 ?y1 ?x2 ?y2))

;; ---- Start ----

(<= (middle ?n) (index ?n) (distinct ?n 1) (distinct ?n {size}))
(<= (start ?x 1 black) (middle ?x))
(<= (start ?x {size} black) (middle ?x))
(<= (start 1 ?y white) (middle ?y))
(<= (start {size} ?y white) (middle ?y))
(<= (started ?x ?y) (start ?x ?y ?role))
(<= (init (cell ?x ?y ?role)) (start ?x ?y ?role))
(<= (init (cell ?x ?y b)) (index ?x) (index ?y) (not (started ?x ?y)))
(init (control black))
(init (turns 0))

;; ---- Moves ----

;; (tally line place n): how many men there are up to a place of a line; (men line n): on all of it.
(<= (tally ?line 0 0) (on ?way ?line ?place ?x ?y))
(<= (tally ?line ?place ?n)
    (on ?way ?line ?place ?x ?y)
    (succ ?before ?place)
    (true (cell ?x ?y b))
    (tally ?line ?before ?n))
(<= (tally ?line ?place ?n)
    (on ?way ?line ?place ?x ?y)
    (succ ?before ?place)
    (occupied ?x ?y)
    (tally ?line ?before ?m)
    (succ ?m ?n))
(<= (occupied ?x ?y) (role ?role) (true (cell ?x ?y ?role)))
(<= (goes_on ?line ?place) (on ?way ?line ?place ?x ?y) (on ?way ?line ?after ?x2 ?y2) (succ ?place ?after))
(<= (men ?line ?n) (on ?way ?line ?place ?x ?y) (not (goes_on ?line ?place)) (tally ?line ?place ?n))

;; (open role way n x y): no enemy on the squares between x y and the one that is n steps away.
(<= (open ?role ?way 1 ?x1 ?y1) (role ?role) (towards ?way ?axis 1 ?x1 ?y1 ?x2 ?y2))
(<= (open ?role ?way ?n ?x1 ?y1)
    (open ?role ?way ?m ?x1 ?y1)
    (succ ?m ?n)
    (towards ?way ?axis ?m ?x1 ?y1 ?x2 ?y2)
    (opponent ?role ?other)
    (not (true (cell ?x2 ?y2 ?other))))

(<= (can_move ?x1 ?y1 ?x2 ?y2)
    (true (control ?role))
    (true (cell ?x1 ?y1 ?role))
    (towards ?way ?axis ?n ?x1 ?y1 ?x2 ?y2)
    (on ?axis ?line ?place ?x1 ?y1)
    (men ?line ?n)
    (open ?role ?way ?n ?x1 ?y1)
    (not (true (cell ?x2 ?y2 ?role))))

(<= (legal ?role (move ?x1 ?y1 ?x2 ?y2))
    (true (control ?role))
    (can_move ?x1 ?y1 ?x2 ?y2))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

(<= (left ?x1 ?y1) (does ?role (move ?x1 ?y1 ?x2 ?y2)))
(<= (reached ?x2 ?y2) (does ?role (move ?x1 ?y1 ?x2 ?y2)))
(<= (next (cell ?x ?y b)) (left ?x ?y))
(<= (next (cell ?x ?y ?role)) (true (control ?role)) (reached ?x ?y))
(<= (next (cell ?x ?y ?content))
    (true (cell ?x ?y ?content))
    (not (left ?x ?y))
    (not (reached ?x ?y)))
(<= (next (control ?role))
    (opponent ?role ?other)
    (true (control ?other)))
(<= (next (turns ?n)) (true (turns ?m)) (succ ?m ?n))

;; ---- Connection ----

;; All squares in some order; the first man of a side is the one without any before it.
{order}
(<= (man_before ?role ?n) (succ ?m ?n) (order ?m ?x ?y) (role ?role) (true (cell ?x ?y ?role)))
(<= (man_before ?role ?n) (succ ?m ?n) (man_before ?role ?m) (order ?m ?x ?y))
(<= (linked ?role ?x ?y)
    (order ?n ?x ?y)
    (role ?role)
    (true (cell ?x ?y ?role))
    (not (man_before ?role ?n)))
(<= (linked ?role ?x2 ?y2)
    (linked ?role ?x1 ?y1)
    (touching ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x2 ?y2 ?role)))
(<= (scattered ?role)
    (role ?role)
    (true (cell ?x ?y ?role))
    (not (linked ?role ?x ?y)))
(<= (united ?role) (role ?role) (not (scattered ?role)))

;; ---- End ----

(<= decided (united ?role))
(<= mobile (can_move ?x1 ?y1 ?x2 ?y2))
(<= (stuck ?role) (true (control ?role)) (not decided) (not mobile))

(<= (won ?role) (united ?role) (opponent ?role ?other) (not (united ?other)))
(<= (won ?role) (united ?role) (opponent ?role ?other) (united ?other) (true (control ?other)))
(<= (won ?role) (opponent ?role ?other) (stuck ?other))
(<= has_winner (won ?role))

(<= terminal decided)
(<= terminal (not mobile))
(<= terminal (true (turns ?n)) (limit ?n))

(<= (goal ?role 100) (won ?role))
(<= (goal ?role 0) (opponent ?role ?other) (won ?other))
(<= (goal ?role 50) (role ?role) (not has_winner))

;; ---- Base and inputs ----

(<= (base (cell ?x ?y b)) (index ?x) (index ?y))
(<= (base (cell ?x ?y ?role)) (index ?x) (index ?y) (role ?role))
(<= (base (control ?role)) (role ?role))
(<= (base (turns ?n)) (turn ?n))
(turn 0)
(<= (turn ?n) (turn ?m) (succ ?m ?n) (not (limit ?m)))

(<= (input ?role (move ?x1 ?y1 ?x2 ?y2)) (role ?role) (towards ?way ?axis ?n ?x1 ?y1 ?x2 ?y2))
(<= (input ?role noop) (role ?role))

{numbers}
"""
