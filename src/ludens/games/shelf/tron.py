"""Tron: riders that leave walls behind them, for two to four players."""

from __future__ import annotations

from ludens.games.generating import Number, facts, number_facts, read_numbers, successors

RIDERS = ("red", "blue", "green", "yellow")


def rules(*parameters: str) -> str:
    """The rules in KIF: the size of the board, and the number of riders.

    >>> "(start green 2 2)" in rules("8", "4")
    True
    """
    size, riders = read_numbers(
        "tron", parameters, Number("size of the board", 4, 16, 8), Number("number of riders", 2, 4, 2)
    )
    corners = [(2, size - 1), (size - 1, 2), (2, 2), (size - 1, size - 1)]
    names = RIDERS[:riders]
    return _SHEET.format(
        size=size,
        roles="\n".join(f"(role {name})" for name in names),
        starts=facts(f"(start {name} {x} {y})" for name, (x, y) in zip(names, corners, strict=False)),
        order=facts(f"(rider {n} {name})" for n, name in enumerate(names, start=1)),
        last=riders,
        shares=facts(f"(share {n} {100 // n})" for n in range(1, riders + 1)),
        indexes=number_facts("index", 1, size),
        numbers=successors(0, size),
    )


_SHEET = """\
; Tron on {size}x{size}: all riders move at the same time, and each leaves a wall behind it.
;
; A rider goes to a neighbouring free square, across or up and down. One that has no free square crashes, and so do
; riders that go to the same square. The last rider wins; if the last ones crash together they share.

{roles}

; ---- the board ---------------------------------------------------------------------------------------------

{indexes}
{starts}
; All riders in some order, to count them.
{order}
{shares}

(<= (step right ?x1 ?y ?x2 ?y) (side ?x1 ?x2) (index ?y))
(<= (step left ?x2 ?y ?x1 ?y) (side ?x1 ?x2) (index ?y))
(<= (step up ?x ?y1 ?x ?y2) (index ?x) (side ?y1 ?y2))
(<= (step down ?x ?y2 ?x ?y1) (index ?x) (side ?y1 ?y2))
(<= (side ?a ?b) (index ?a) (index ?b) (succ ?a ?b))

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (cell ?x ?y b)) (index ?x) (index ?y))
(<= (base (cell ?x ?y wreck)) (index ?x) (index ?y))
(<= (base (cell ?x ?y ?role)) (index ?x) (index ?y) (role ?role))
(<= (base (at ?role ?x ?y)) (role ?role) (index ?x) (index ?y))
(<= (base (crashed ?role)) (role ?role))

(way right) (way left) (way up) (way down)
(<= (input ?role (go ?way)) (role ?role) (way ?way))
(<= (input ?role crash) (role ?role))
(<= (input ?role noop) (role ?role))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (at ?role ?x ?y)) (start ?role ?x ?y))
(<= (init (cell ?x ?y ?role)) (start ?role ?x ?y))
(<= (init (cell ?x ?y b)) (index ?x) (index ?y) (not (taken ?x ?y)))
(<= (taken ?x ?y) (start ?role ?x ?y))

; ---- moves -------------------------------------------------------------------------------------------------

(<= (riding ?role) (true (at ?role ?x ?y)))
(<= (free ?role ?way ?x2 ?y2)
    (true (at ?role ?x1 ?y1))
    (step ?way ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x2 ?y2 b)))
(<= (mobile ?role) (free ?role ?way ?x ?y))

(<= (legal ?role (go ?way)) (free ?role ?way ?x ?y))
(<= (legal ?role crash) (riding ?role) (not (mobile ?role)))
(<= (legal ?role noop) (role ?role) (not (riding ?role)))

(<= (enters ?role ?x ?y) (does ?role (go ?way)) (free ?role ?way ?x ?y))
(<= (collision ?x ?y) (enters ?role ?x ?y) (enters ?other ?x ?y) (distinct ?role ?other))
(<= (entered ?x ?y) (enters ?role ?x ?y))

(<= (next (at ?role ?x ?y)) (enters ?role ?x ?y) (not (collision ?x ?y)))
(<= (next (cell ?x ?y ?role)) (enters ?role ?x ?y) (not (collision ?x ?y)))
(<= (next (cell ?x ?y wreck)) (collision ?x ?y))
(<= (next (cell ?x ?y ?content)) (true (cell ?x ?y ?content)) (not (entered ?x ?y)))

; Riders that crashed in the latest turn.
(<= (next (crashed ?role)) (enters ?role ?x ?y) (collision ?x ?y))
(<= (next (crashed ?role)) (does ?role crash))

; ---- the end -----------------------------------------------------------------------------------------------

(<= several (riding ?role) (riding ?other) (distinct ?role ?other))
(<= somebody (riding ?role))
(<= terminal (not several))

; How many of the riders so far crashed last.
(<= (together 0 0) (rider 1 ?role))
(<= (together ?n ?more) (rider ?n ?role) (succ ?m ?n) (together ?m ?count) (true (crashed ?role)) (succ ?count ?more))
(<= (together ?n ?count) (rider ?n ?role) (succ ?m ?n) (together ?m ?count) (not (true (crashed ?role))))

(<= (goal ?role 100) (riding ?role) (not several))
(<= (goal ?role 0) somebody (role ?role) (not (riding ?role)) (not several))
(<= (goal ?role ?share) (not somebody) (true (crashed ?role)) (together {last} ?n) (share ?n ?share))
(<= (goal ?role 0) (not somebody) (role ?role) (not (true (crashed ?role))))
(<= (goal ?role 0) (role ?role) several)

{numbers}
"""
