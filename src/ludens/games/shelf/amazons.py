"""The Game of the Amazons, on boards of several sizes."""

from __future__ import annotations

from ludens.games.generating import Number, facts, number_facts, read_numbers, successors

SIZES = Number("size of the board", 4, 10, 6)


def rules(*parameters: str) -> str:
    """The rules in KIF: the size of the board.

    >>> "(start 1 4 white)" in rules("10")
    True
    """
    (size,) = read_numbers("amazons", parameters, SIZES)
    return _SHEET.format(
        size=size,
        indexes=number_facts("index", 1, size),
        numbers=successors(1, size),
        start=facts(f"(start {x} {y} {role})" for x, y, role in _amazons(size)),
    )


def _amazons(size: int) -> list[tuple[int, int, str]]:
    """Four amazons for each side: two in the first row, and two at the edges, as far from the corner as those."""
    far = max(2, size // 2 - 1)
    white = [(far, 1), (size + 1 - far, 1), (1, far), (size, far)]
    return [(x, y, "white") for x, y in white] + [(x, size + 1 - y, "black") for x, y in white]


_SHEET = """\
;; The Game of the Amazons on {size}x{size}.
;;
;; An amazon moves like a queen in chess, and then shoots an arrow, which also moves like a queen. The square where the
;; arrow lands is burnt for good. Nothing passes amazons or burnt squares. A side that cannot move has lost.

(role white)
(role black)
(opponent white black)
(opponent black white)

;; ---- Board ----

{indexes}
{numbers}

(<= (step east ?x1 ?y ?x2 ?y) (succ ?x1 ?x2) (index ?y))
(<= (step north ?x ?y1 ?x ?y2) (index ?x) (succ ?y1 ?y2))
(<= (step north_east ?x1 ?y1 ?x2 ?y2) (succ ?x1 ?x2) (succ ?y1 ?y2))
(<= (step south_east ?x1 ?y1 ?x2 ?y2) (succ ?x1 ?x2) (succ ?y2 ?y1))
(<= (step west ?x1 ?y1 ?x2 ?y2) (step east ?x2 ?y2 ?x1 ?y1))
(<= (step south ?x1 ?y1 ?x2 ?y2) (step north ?x2 ?y2 ?x1 ?y1))
(<= (step south_west ?x1 ?y1 ?x2 ?y2) (step north_east ?x2 ?y2 ?x1 ?y1))
(<= (step north_west ?x1 ?y1 ?x2 ?y2) (step south_east ?x2 ?y2 ?x1 ?y1))

;; All squares in a direction, whatever is on them.
(<= (ray ?way ?x1 ?y1 ?x2 ?y2) (step ?way ?x1 ?y1 ?x2 ?y2))
(<= (ray ?way ?x1 ?y1 ?x3 ?y3) (ray ?way ?x1 ?y1 ?x2 ?y2) (step ?way ?x2 ?y2 ?x3 ?y3))

;; ---- Start ----

{start}
(<= (init (cell ?x ?y ?role)) (start ?x ?y ?role))
(<= (init (cell ?x ?y b)) (index ?x) (index ?y) (not (occupied ?x ?y)))
(<= (occupied ?x ?y) (start ?x ?y ?role))
(init (control white))

;; ---- Moves ----

;; A flight from one square to another, over free squares only.
(<= (flight ?way ?x1 ?y1 ?x2 ?y2)
    (step ?way ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x2 ?y2 b)))
(<= (flight ?way ?x1 ?y1 ?x3 ?y3)
    (flight ?way ?x1 ?y1 ?x2 ?y2)
    (step ?way ?x2 ?y2 ?x3 ?y3)
    (true (cell ?x3 ?y3 b)))

(<= shooting (true (archer ?x ?y)))

(<= (legal ?role (move ?x1 ?y1 ?x2 ?y2))
    (true (control ?role))
    (not shooting)
    (true (cell ?x1 ?y1 ?role))
    (flight ?way ?x1 ?y1 ?x2 ?y2))
(<= (legal ?role (shoot ?x2 ?y2))
    (true (control ?role))
    (true (archer ?x1 ?y1))
    (flight ?way ?x1 ?y1 ?x2 ?y2))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

;; ---- Effects of moves ----

(<= (becomes ?x1 ?y1 b) (does ?role (move ?x1 ?y1 ?x2 ?y2)))
(<= (becomes ?x2 ?y2 ?role) (does ?role (move ?x1 ?y1 ?x2 ?y2)))
(<= (becomes ?x ?y burnt) (does ?role (shoot ?x ?y)))
(<= (changed ?x ?y) (becomes ?x ?y ?content))

(<= (next (cell ?x ?y ?content)) (becomes ?x ?y ?content))
(<= (next (cell ?x ?y ?content))
    (true (cell ?x ?y ?content))
    (not (changed ?x ?y)))

;; The amazon that moved shoots before the turn passes.
(<= (next (archer ?x2 ?y2)) (does ?role (move ?x1 ?y1 ?x2 ?y2)))
(<= (next (control ?role)) (true (control ?role)) (not shooting))
(<= (next (control ?other)) (true (control ?role)) shooting (opponent ?role ?other))

;; ---- End ----

;; One step is enough to tell whether somebody can move.
(<= mobile
    (true (control ?role))
    (true (cell ?x1 ?y1 ?role))
    (step ?way ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x2 ?y2 b)))

(<= terminal (not shooting) (not mobile))

(<= going_on shooting)
(<= going_on mobile)
(<= (goal ?role 0) (true (control ?role)) (not going_on))
(<= (goal ?role 100) (opponent ?role ?other) (true (control ?other)) (not going_on))
(<= (goal ?role 50) (role ?role) going_on)

;; ---- Base and inputs ----

(content b) (content burnt) (content white) (content black)
(<= (base (cell ?x ?y ?content)) (index ?x) (index ?y) (content ?content))
(<= (base (archer ?x ?y)) (index ?x) (index ?y))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (move ?x1 ?y1 ?x2 ?y2)) (role ?role) (ray ?way ?x1 ?y1 ?x2 ?y2))
(<= (input ?role (shoot ?x ?y)) (role ?role) (index ?x) (index ?y))
(<= (input ?role noop) (role ?role))
"""
