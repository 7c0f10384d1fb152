"""Chinese checkers for three on a small star."""

from __future__ import annotations

from ludens.games.generating import Number, facts, number_facts, read_numbers, successors

Cell = tuple[int, int]
_WAYS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def rules(*parameters: str) -> str:
    """The rules in KIF: the cells along a side of a point of the star, and the turns of each role.

    >>> "(limit 120)" in rules("2", "40")
    True
    """
    size, turns = read_numbers(
        "chinese_checkers_3p",
        parameters,
        Number("size of the points", 2, 3, 2),
        Number("number of turns of each role", 10, 200, 60),
    )
    points = _points(size)
    star = sorted({cell for cells in points for cell in cells} | _hexagon(size))
    shift = 2 * size + 1
    men = len(points[0])
    sides = [(role, points[2 * n], points[(2 * n + 3) % 6]) for n, role in enumerate(("red", "green", "blue"))]

    def square(cell: Cell) -> str:
        return f"{cell[0] + shift} {cell[1] + shift}"

    return _SHEET.format(
        men=men,
        limit=3 * turns,
        turns=turns,
        squares=facts(f"(square {square(cell)})" for cell in star),
        homes=facts(f"(home {role} {square(cell)})" for role, home, _ in sides for cell in home),
        targets=facts(f"(target {role} {n} {square(cell)})" for role, _, far in sides for n, cell in enumerate(far, 1)),
        steps=facts(
            f"(step {way} {square(cell)} {square(after)})"
            for cell in star
            for way, (dx, dy) in enumerate(_WAYS)
            if (after := (cell[0] + dx, cell[1] + dy)) in star
        ),
        worth=facts(f"(worth {n} {90 * n // (3 * men)})" for n in range(men + 1)),
        counts=number_facts("count", 0, 3 * turns),
        numbers=successors(0, 3 * turns),
    )


def _hexagon(size: int) -> set[Cell]:
    around = range(-size, size + 1)
    return {(x, y) for x in around for y in around if abs(x + y) <= size}


def _points(size: int) -> list[list[Cell]]:
    """The six points of the star, one after another around it: each the first one turned by a sixth again."""
    point = [(-a, size + b) for b in range(1, size + 1) for a in range(b, size + 1)]
    points = []
    for _ in range(6):
        points.append(sorted(point))
        point = [(-y, x + y) for x, y in point]
    return points


_SHEET = """\
;; Chinese checkers for three, with {men} men each, on a star whose points are as large as that.
;;
;; In turn, a man goes to a free neighbouring cell, or jumps: over a neighbouring man of whatever side, straight to the
;; free cell behind it, and so on as often as it likes; nothing is taken. Whoever first has the point opposite its
;; own full, with at least one man of its own, wins. After {turns} turns of each role it ends without a winner, and each
;; gets something for its men in the point opposite. A role that cannot move passes.

(role red)
(role green)
(role blue)
(turn_after red green)
(turn_after green blue)
(turn_after blue red)

;; ---- Board ----

{squares}
;; (step way x1 y1 x2 y2): neighbouring cells, by the six ways that there are.
{steps}
;; Where the men of a role begin, and the cells of the point opposite, numbered.
{homes}
{targets}
(limit {limit})

;; (leap x1 y1 x y x2 y2): a jump, over the cell in the middle.
(<= (leap ?x1 ?y1 ?x ?y ?x2 ?y2) (step ?way ?x1 ?y1 ?x ?y) (step ?way ?x ?y ?x2 ?y2))
(<= (touching ?x1 ?y1 ?x2 ?y2) (step ?way ?x1 ?y1 ?x2 ?y2))

;; ---- Start ----

(<= (begun ?x ?y) (home ?role ?x ?y))
(<= (init (cell ?x ?y ?role)) (home ?role ?x ?y))
(<= (init (cell ?x ?y b)) (square ?x ?y) (not (begun ?x ?y)))
(init (control red))
(init (turns 0))

;; ---- Moves ----

(<= (man ?x ?y) (true (control ?role)) (true (cell ?x ?y ?role)))
(<= (occupied ?x ?y) (role ?role) (true (cell ?x ?y ?role)))

;; (lands x1 y1 x2 y2): by jumps, the man on x1 y1 gets to x2 y2. It does not jump over the cell that it left.
(<= (lands ?x1 ?y1 ?x2 ?y2)
    (man ?x1 ?y1)
    (leap ?x1 ?y1 ?x ?y ?x2 ?y2)
    (occupied ?x ?y)
    (true (cell ?x2 ?y2 b)))
(<= (lands ?x1 ?y1 ?x3 ?y3)
    (lands ?x1 ?y1 ?x2 ?y2)
    (leap ?x2 ?y2 ?x ?y ?x3 ?y3)
    (occupied ?x ?y)
    (not (same ?x ?y ?x1 ?y1))
    (true (cell ?x3 ?y3 b)))
(<= (same ?x ?y ?x ?y) (square ?x ?y))

(<= (can_move ?x1 ?y1 ?x2 ?y2) (lands ?x1 ?y1 ?x2 ?y2))
(<= (can_move ?x1 ?y1 ?x2 ?y2)
    (man ?x1 ?y1)
    (touching ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x2 ?y2 b)))
(<= mobile (can_move ?x1 ?y1 ?x2 ?y2))

(<= (legal ?role (move ?x1 ?y1 ?x2 ?y2))
    (true (control ?role))
    (can_move ?x1 ?y1 ?x2 ?y2))
(<= (legal ?role pass) (true (control ?role)) (not mobile))
(<= (legal ?role noop)
    (role ?role)
    (true (control ?other))
    (distinct ?role ?other))

(<= (left ?x ?y) (does ?role (move ?x ?y ?x2 ?y2)))
(<= (reached ?x ?y) (does ?role (move ?x1 ?y1 ?x ?y)))
(<= (next (cell ?x ?y b)) (left ?x ?y))
(<= (next (cell ?x ?y ?role)) (true (control ?role)) (reached ?x ?y))
(<= (next (cell ?x ?y ?content))
    (true (cell ?x ?y ?content))
    (not (left ?x ?y))
    (not (reached ?x ?y)))
(<= (next (control ?after)) (true (control ?role)) (turn_after ?role ?after))
(<= (next (turns ?n)) (true (turns ?m)) (succ ?m ?n))

;; ---- End ----

(<= (gap ?role) (target ?role ?n ?x ?y) (true (cell ?x ?y b)))
(<= (arrived ?role) (target ?role ?n ?x ?y) (true (cell ?x ?y ?role)))
;; A move fills one cell, and points have none in common, so nobody wins at the same time as another.
(<= (won ?role) (arrived ?role) (not (gap ?role)))
(<= decided (won ?role))

(<= terminal decided)
(<= terminal (true (turns ?n)) (limit ?n))

;; (men_in role n k): of the first n cells of the point opposite, the role has k.
(<= (men_in ?role 0 0) (role ?role))
(<= (men_in ?role ?n ?k)
    (target ?role ?n ?x ?y)
    (succ ?m ?n)
    (true (cell ?x ?y ?role))
    (men_in ?role ?m ?l)
    (succ ?l ?k))
(<= (men_in ?role ?n ?k)
    (target ?role ?n ?x ?y)
    (succ ?m ?n)
    (not (true (cell ?x ?y ?role)))
    (men_in ?role ?m ?k))

(<= (goal ?role 100) (won ?role))
(<= (goal ?role 0) (role ?role) decided (not (won ?role)))
(<= (goal ?role ?value) (not decided) (men_in ?role {men} ?k) (worth ?k ?value))

;; ---- Base and inputs ----

(<= (base (cell ?x ?y b)) (square ?x ?y))
(<= (base (cell ?x ?y ?role)) (square ?x ?y) (role ?role))
(<= (base (control ?role)) (role ?role))
(<= (base (turns ?n)) (count ?n))

(<= (input ?role (move ?x1 ?y1 ?x2 ?y2)) (role ?role) (square ?x1 ?y1) (square ?x2 ?y2))
(<= (input ?role pass) (role ?role))
(<= (input ?role noop) (role ?role))

{worth}
{counts}
{numbers}
"""
