"""Rush Hour: any position, as the usual string of its 36 squares."""

from __future__ import annotations

from ludens.core import GameError
from ludens.games.generating import facts, number_facts, successors

LEVELS = {
    "level1": ("....GE.JJHGEAACHB.FDC.B.FD...KF.IIIK", "20"),
    "level2": ("..J..C..JBFCAAGBF...GD.E..GDIEHHH.IE", "40"),
    "level3": ("GHHF.EG.DF.EAADF.JIB...JIB..CCI.....", "60"),
    "level4": ("...CHF...CHFAA.C.F.BE.GG.BE.DD......", "80"),
}
"""Own positions, and how many steps there are; the shortest solutions have 7, 15, 23 and 30."""
SIZE = 6
MAX_STEPS = 300
DEFAULT_STEPS = "80"
_RED = "A"
_EXIT_ROW = 4


def rules(*parameters: str) -> str:
    """The rules in KIF: the name of a level, or 36 squares row by row from the top; then the number of steps.

    >>> "(across aa 4)" in rules("level2")
    True
    """
    words = parameters or ("level1",)
    level, limit = LEVELS.get(words[0], (words[0], DEFAULT_STEPS))
    steps = words[1] if len(words) == 2 else limit
    known = steps.isascii() and steps.isdecimal() and len(steps) <= 3 and 1 <= int(steps) <= MAX_STEPS
    if len(words) > 2 or not known or len(level) != SIZE * SIZE:
        raise GameError(
            f"rush_hour takes {', '.join(LEVELS)} or 36 letters and dots, row by row, then the number of steps "
            f"(1 to {MAX_STEPS}), not {','.join(parameters)!r}"
        )
    cars = _cars(level.replace("o", "."))
    return _SHEET.format(
        steps=steps,
        exit_row=_EXIT_ROW,
        lanes=facts(_lane(name, squares) for name, squares in cars.items()),
        starts=facts(f"(start {x} {y} {name})" for name, squares in cars.items() for x, y in squares),
        counts=number_facts("count", 0, int(steps)),
        numbers=successors(0, max(int(steps), SIZE)),
    )


def _cars(level: str) -> dict[str, list[tuple[int, int]]]:
    """The squares of each car, from the left or from the bottom."""
    if not set(level) <= {".", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}:
        raise GameError("a rush_hour position is written in capital letters, one for each car, and dots")
    cars: dict[str, list[tuple[int, int]]] = {}
    for place, mark in enumerate(level):
        if mark != ".":
            cars.setdefault(mark, []).append((place % SIZE + 1, SIZE - place // SIZE))
    for mark, squares in cars.items():
        (x, y), length = min(squares), len(squares)
        lines = {tuple((x + n, y) for n in range(length)), tuple((x, y + n) for n in range(length))}
        if length not in (2, 3) or tuple(sorted(squares)) not in lines:
            raise GameError(f"the car {mark} of a rush_hour position must be two or three squares in a line")
    if {y for _, y in cars.get(_RED, ())} != {_EXIT_ROW}:
        raise GameError("the car A of a rush_hour position must lie across in the third row from the top")
    return {mark.lower() * 2: sorted(squares) for mark, squares in sorted(cars.items())}


def _lane(name: str, squares: list[tuple[int, int]]) -> str:
    (x1, y1), (_, y2) = squares[:2]
    return f"(across {name} {y1})" if y1 == y2 else f"(upright {name} {x1})"


_SHEET = """\
; Rush Hour: cars slide along their lanes until car aa reaches the right edge, in {steps} steps at most.
;
; A step moves one car one square forward or back, onto a free square; cars never turn. 1 1 is at the bottom left.

(role driver)

; The row or the column that a car stays in, and the squares it begins on.
{lanes}
{starts}
(limit {steps})

(index 1) (index 2) (index 3) (index 4) (index 5) (index 6)

; (lane car direction x1 y1 x2 y2): from the first square the car can get to the second, one step in that direction.
(<= (lane ?car right ?x1 ?y ?x2 ?y) (across ?car ?y) (side ?x1 ?x2))
(<= (lane ?car left ?x2 ?y ?x1 ?y) (across ?car ?y) (side ?x1 ?x2))
(<= (lane ?car up ?x ?y1 ?x ?y2) (upright ?car ?x) (side ?y1 ?y2))
(<= (lane ?car down ?x ?y2 ?x ?y1) (upright ?car ?x) (side ?y1 ?y2))
(<= (side ?a ?b) (index ?a) (index ?b) (succ ?a ?b))

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (cell ?x ?y b)) (index ?x) (index ?y))
(<= (base (cell ?x ?y ?car)) (lane ?car ?direction ?x ?y ?x2 ?y2))
(<= (base (steps ?n)) (count ?n))

(<= (input driver (slide ?car ?direction)) (lane ?car ?direction ?x1 ?y1 ?x2 ?y2))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (cell ?x ?y ?car)) (start ?x ?y ?car))
(<= (init (cell ?x ?y b)) (index ?x) (index ?y) (not (occupied ?x ?y)))
(<= (occupied ?x ?y) (start ?x ?y ?car))
(init (steps 0))

; ---- moves -------------------------------------------------------------------------------------------------

(<= (slides ?car ?direction ?x2 ?y2)
    (true (cell ?x1 ?y1 ?car))
    (lane ?car ?direction ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x2 ?y2 b)))

(<= (legal driver (slide ?car ?direction)) (slides ?car ?direction ?x ?y))

(<= (filled ?x ?y ?car) (does driver (slide ?car ?direction)) (slides ?car ?direction ?x ?y))
; The square behind the car: nothing of it follows there.
(<= (freed ?x ?y)
    (does driver (slide ?car ?direction))
    (true (cell ?x ?y ?car))
    (not (followed ?car ?direction ?x ?y)))
(<= (followed ?car ?direction ?x2 ?y2) (lane ?car ?direction ?x1 ?y1 ?x2 ?y2) (true (cell ?x1 ?y1 ?car)))

(<= (changes ?x ?y) (filled ?x ?y ?car))
(<= (changes ?x ?y) (freed ?x ?y))
(<= (next (cell ?x ?y ?car)) (filled ?x ?y ?car))
(<= (next (cell ?x ?y b)) (freed ?x ?y))
(<= (next (cell ?x ?y ?content)) (true (cell ?x ?y ?content)) (not (changes ?x ?y)))
(<= (next (steps ?n)) (true (steps ?m)) (succ ?m ?n))

; ---- the end -----------------------------------------------------------------------------------------------

(<= out (true (cell 6 {exit_row} aa)))
(<= mobile (slides ?car ?direction ?x ?y))

(<= terminal out)
(<= terminal (not mobile))
(<= terminal (true (steps ?n)) (limit ?n))

(<= (goal driver 100) out)
(<= (goal driver 0) (not out))

{counts}
{numbers}
"""
