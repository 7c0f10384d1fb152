"""Sudoku: any puzzle, given as the usual string of its squares."""

from __future__ import annotations

from math import isqrt

from ludens.core import GameError
from ludens.games.generating import facts, number_facts, shares, successors

PUZZLES = {
    "easy": "976.....385.6.1.7....57..68...3.74....1.56..2.4.9..78.29714863.5....91..1...3582.",
    "medium": "..9..3.8.8.5..237...2...4.92..86..9..78...2.......564...31...2....5.896.4...7....",
    "hard": "...5..4.1.......674.1..7.......96.3.7..4.......5.7.....7...9....948....3..2...1.4",
    "small": "..23...4.....23.",
}
"""Own puzzles with one solution each, of 40, 30 and 24 given digits, and a small one of 5."""
_BOXES = {16: 2, 81: 3}
"""The side of a box, by the number of squares."""


def rules(*parameters: str) -> str:
    """The rules in KIF: the name of a puzzle, or its squares row by row from the top, ``.`` or ``0`` where it is blank.

    >>> "(given 3 4 2)" in rules("small")
    True
    """
    word = (parameters or ("easy",))[0]
    puzzle = PUZZLES.get(word, word).replace("0", ".")
    size = isqrt(len(puzzle))
    if len(parameters) > 1 or len(puzzle) not in _BOXES or not set(puzzle) <= {".", *"123456789"[:size]}:
        raise GameError(
            f"sudoku takes {', '.join(PUZZLES)}, or 81 (or 16) digits and dots row by row, not {','.join(parameters)!r}"
        )
    clues = {(n % size + 1, size - n // size): mark for n, mark in enumerate(puzzle) if mark != "."}
    _refuse_contradictions(clues, size)
    blanks = size * size - len(clues)
    return _SHEET.format(
        size=size,
        indexes=number_facts("index", 1, size),
        boxes=facts(f"(box {n} {(n - 1) // isqrt(size) + 1})" for n in range(1, size + 1)),
        given=facts(f"(given {x} {y} {digit})" for (x, y), digit in clues.items()),
        numbers=successors(0, blanks),
        worth=shares("worth", blanks) if blanks else "(worth 0 100)",
    )


def _refuse_contradictions(clues: dict[tuple[int, int], str], size: int) -> None:
    side = isqrt(size)
    for (x, y), digit in clues.items():
        for (x2, y2), other in clues.items():
            is_seen = x == x2 or y == y2 or ((x - 1) // side, (y - 1) // side) == ((x2 - 1) // side, (y2 - 1) // side)
            if (x, y) != (x2, y2) and digit == other and is_seen:
                raise GameError(f"sudoku: {digit} is given twice in one line or box, at {x} {y} and {x2} {y2}")


_SHEET = """\
; Sudoku on a {size}x{size} board; 1 1 is the square at the bottom left.
;
; A digit may be marked where its row, its column and its box have none of its kind yet. The game ends when nothing
; can be marked any more: with all squares filled, or stuck. The goal is the share of the blanks that were filled.

(role solver)

{indexes}
; Which third (half, on a small board) of a side a number is in.
{boxes}
{given}

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (cell ?x ?y ?digit)) (index ?x) (index ?y) (index ?digit))
(<= (base (cell ?x ?y b)) (index ?x) (index ?y))
(<= (base (marked ?n)) (worth ?n ?value))

(<= (input solver (mark ?x ?y ?digit)) (index ?x) (index ?y) (index ?digit))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (cell ?x ?y ?digit)) (given ?x ?y ?digit))
(<= (init (cell ?x ?y b)) (index ?x) (index ?y) (not (is_given ?x ?y)))
(<= (is_given ?x ?y) (given ?x ?y ?digit))
(init (marked 0))

; ---- moves -------------------------------------------------------------------------------------------------

(<= (legal solver (mark ?x ?y ?digit)) (open ?x ?y ?digit))

(<= (open ?x ?y ?digit)
    (true (cell ?x ?y b))
    (index ?digit)
    (not (in_column ?x ?digit))
    (not (in_row ?y ?digit))
    (not (in_box_of ?x ?y ?digit)))
(<= (in_column ?x ?digit) (true (cell ?x ?y ?digit)) (index ?digit))
(<= (in_row ?y ?digit) (true (cell ?x ?y ?digit)) (index ?digit))
(<= (in_box ?across ?up ?digit) (true (cell ?x ?y ?digit)) (index ?digit) (box ?x ?across) (box ?y ?up))
(<= (in_box_of ?x ?y ?digit) (box ?x ?across) (box ?y ?up) (in_box ?across ?up ?digit))

(<= (next (cell ?x ?y ?digit)) (does solver (mark ?x ?y ?digit)))
(<= (next (cell ?x ?y ?content)) (true (cell ?x ?y ?content)) (not (touched ?x ?y)))
(<= (touched ?x ?y) (does solver (mark ?x ?y ?digit)))
(<= (next (marked ?n)) (true (marked ?m)) (succ ?m ?n))

; ---- the end -----------------------------------------------------------------------------------------------

(<= can_mark (open ?x ?y ?digit))
(<= terminal (not can_mark))
(<= (goal solver ?value) (true (marked ?n)) (worth ?n ?value))

{numbers}
{worth}
"""
