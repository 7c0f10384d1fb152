"""Sokoban: any level, in the text form that levels are usually written in."""

from __future__ import annotations

from ludens.core import GameError
from ludens.games.generating import facts, number_facts, successors

LEVELS = {
    "level1": ("######", "#  . #", "# $  #", "#.$@ #", "#    #", "######", "20"),
    "level2": ("####### ", "#     # ", "# $#$ ##", "#. @.$ #", "## # . #", " #     #", " #######", "40"),
    "level3": ("#######", "#.   .#", "# $#$ #", "#  @  #", "# $#  #", "#.    #", "#######", "50"),
    "level4": ("#########", "#   #   #", "# $ # $ #", "##.   .##", "# $ @ $ #", "#.  #  .#", "#########", "60"),
    "level5": ("########", "#   # .#", "# $   .#", "# $ #  #", "## ## ##", "#@    # ", "########", "70"),
}
"""Own levels, and how many steps there are; the shortest solutions have 5, 20, 25, 30 and 35."""
MAX_SIDE = 40
MAX_STEPS = 2_000
DEFAULT_STEPS = 100
_OCCUPANTS = {
    "@": "man",
    "+": "man",
    "$": "box",
    "*": "box",
    " ": "nothing",
    "-": "nothing",
    "_": "nothing",
    ".": "nothing",
}
_GOALS = ".+*"
_WALL = "#"


def rules(*parameters: str) -> str:
    """The rules in KIF: the name of a level, or its rows from the top; then the number of steps there are.

    >>> "(start 2 2 man)" in rules("####", "#@ #", "####")
    False
    >>> "(start 2 2 man)" in rules("#####", "#@$.#", "#####", "5")
    True
    """
    words = parameters or ("level1",)
    rows, steps = _with_steps(LEVELS[words[0]] + words[1:] if words[0] in LEVELS else words)
    occupants, goals = _read(rows)
    return _SHEET.format(
        steps=steps,
        start=facts(f"(start {x} {y} {occupant})" for (x, y), occupant in occupants.items()),
        goals=facts(f"(store {x} {y})" for x, y in goals),
        limits=f"(limit {steps})",
        indexes=successors(1, max(len(rows), *map(len, rows)), "above"),
        counts=number_facts("count", 0, steps),
        numbers=successors(0, steps),
    )


def _with_steps(words: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """Rows and steps; the last number counts."""
    rows = tuple(word for word in words if _WALL in word)
    numbers = [word for word in words if _WALL not in word]
    for word in numbers:
        if not word.isascii() or not word.isdecimal() or len(word) > 4 or not 1 <= int(word) <= MAX_STEPS:
            raise GameError(
                f"sokoban takes {', '.join(LEVELS)} or the rows of a level, then the number of steps "
                f"(1 to {MAX_STEPS}), not {word!r}"
            )
    return rows, int(numbers[-1]) if numbers else DEFAULT_STEPS


def _read(rows: tuple[str, ...]) -> tuple[dict[tuple[int, int], str], list[tuple[int, int]]]:
    """The content of each square that the man can reach, and the storage places among them."""
    height, width = len(rows), max(map(len, rows), default=0)
    if height > MAX_SIDE or width > MAX_SIDE:
        raise GameError(f"sokoban has at most {MAX_SIDE} rows and columns, not {height} and {width}")
    marks = {(x, height - n): mark for n, row in enumerate(rows) for x, mark in enumerate(row, start=1)}
    unknown = sorted(set(marks.values()) - {*_OCCUPANTS, _WALL})
    if unknown:
        raise GameError(f"a sokoban level is written in # @ + $ * . and blanks (or - or _), not {unknown[0]!r}")
    men = [square for square, mark in marks.items() if _OCCUPANTS.get(mark) == "man"]
    if len(men) != 1:
        raise GameError(f"a sokoban level has one man (@, or + where a box belongs), not {len(men)}")
    inside = _inside(marks, men[0])
    occupants = {square: _OCCUPANTS[marks[square]] for square in sorted(inside)}
    goals = [square for square in occupants if marks[square] in _GOALS]
    boxes = list(occupants.values()).count("box")
    if boxes != len(goals) or not boxes:
        raise GameError(f"a sokoban level needs as many boxes as places for them, not {boxes} and {len(goals)}")
    return occupants, goals


def _inside(marks: dict[tuple[int, int], str], man: tuple[int, int]) -> set[tuple[int, int]]:
    """The squares that walls enclose together with the man."""
    squares, queue = {man}, [man]
    while queue:
        x, y = queue.pop()
        for square in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if square not in marks:
                raise GameError("the walls of a sokoban level must be closed around the man")
            if marks[square] != _WALL and square not in squares:
                squares.add(square)
                queue.append(square)
    return squares


_SHEET = """\
; Sokoban: push all boxes to where they belong, in {steps} steps at most.
;
; The man steps to a neighbouring square. If a box is there he pushes it on, if the square behind it is free; he cannot
; pull, nor push two boxes. Squares that are no walls are the cells of the board; 1 1 is at the bottom left.

(role man)

{start}
; Where boxes belong.
{goals}
{limits}

; ---- the board ---------------------------------------------------------------------------------------------

(<= (square ?x ?y) (start ?x ?y ?occupant))
(<= (step right ?x1 ?y ?x2 ?y) (above ?x1 ?x2) (square ?x1 ?y) (square ?x2 ?y))
(<= (step left ?x2 ?y ?x1 ?y) (above ?x1 ?x2) (square ?x1 ?y) (square ?x2 ?y))
(<= (step up ?x ?y1 ?x ?y2) (above ?y1 ?y2) (square ?x ?y1) (square ?x ?y2))
(<= (step down ?x ?y2 ?x ?y1) (above ?y1 ?y2) (square ?x ?y1) (square ?x ?y2))

; What a cell shows: its occupant, and whether a box belongs there.
(<= (shows ?x ?y nothing b) (square ?x ?y) (not (store ?x ?y)))
(<= (shows ?x ?y man man) (square ?x ?y) (not (store ?x ?y)))
(<= (shows ?x ?y box box) (square ?x ?y) (not (store ?x ?y)))
(<= (shows ?x ?y nothing place) (store ?x ?y))
(<= (shows ?x ?y man standing) (store ?x ?y))
(<= (shows ?x ?y box done) (store ?x ?y))

(<= (base (cell ?x ?y ?content)) (shows ?x ?y ?occupant ?content))
(<= (base (steps ?n)) (count ?n))

(direction right) (direction left) (direction up) (direction down)
(<= (input man (go ?direction)) (direction ?direction))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (cell ?x ?y ?content)) (start ?x ?y ?occupant) (shows ?x ?y ?occupant ?content))
(init (steps 0))

; ---- moves -------------------------------------------------------------------------------------------------

(<= (on ?x ?y ?occupant) (true (cell ?x ?y ?content)) (shows ?x ?y ?occupant ?content))

(<= (walk ?direction ?x1 ?y1 ?x2 ?y2)
    (on ?x1 ?y1 man)
    (step ?direction ?x1 ?y1 ?x2 ?y2)
    (on ?x2 ?y2 nothing))
(<= (push ?direction ?x1 ?y1 ?x2 ?y2 ?x3 ?y3)
    (on ?x1 ?y1 man)
    (step ?direction ?x1 ?y1 ?x2 ?y2)
    (on ?x2 ?y2 box)
    (step ?direction ?x2 ?y2 ?x3 ?y3)
    (on ?x3 ?y3 nothing))

(<= (can_go ?direction) (walk ?direction ?x1 ?y1 ?x2 ?y2))
(<= (can_go ?direction) (push ?direction ?x1 ?y1 ?x2 ?y2 ?x3 ?y3))
(<= (legal man (go ?direction)) (can_go ?direction))

(<= (becomes ?x ?y nothing) (on ?x ?y man) (does man (go ?direction)))
(<= (becomes ?x2 ?y2 man) (does man (go ?direction)) (walk ?direction ?x1 ?y1 ?x2 ?y2))
(<= (becomes ?x2 ?y2 man) (does man (go ?direction)) (push ?direction ?x1 ?y1 ?x2 ?y2 ?x3 ?y3))
(<= (becomes ?x3 ?y3 box) (does man (go ?direction)) (push ?direction ?x1 ?y1 ?x2 ?y2 ?x3 ?y3))

(<= (changes ?x ?y) (becomes ?x ?y ?occupant))
(<= (next (cell ?x ?y ?content)) (becomes ?x ?y ?occupant) (shows ?x ?y ?occupant ?content))
(<= (next (cell ?x ?y ?content)) (true (cell ?x ?y ?content)) (not (changes ?x ?y)))
(<= (next (steps ?n)) (true (steps ?m)) (succ ?m ?n))

; ---- the end -----------------------------------------------------------------------------------------------

(<= box_left (store ?x ?y) (not (on ?x ?y box)))
(<= mobile (can_go ?direction))

(<= terminal (not box_left))
(<= terminal (not mobile))
(<= terminal (true (steps ?n)) (limit ?n))

(<= (goal man 100) (not box_left))
(<= (goal man 0) box_left)

{indexes}
{counts}
{numbers}
"""
