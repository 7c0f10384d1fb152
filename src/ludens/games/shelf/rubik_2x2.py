"""The Rubik cube of 2x2x2, scrambled by any sequence of turns."""

from __future__ import annotations

from itertools import product

from ludens.core import GameError
from ludens.games.generating import facts, number_facts, successors

Vector = tuple[int, int, int]
Sticker = tuple[Vector, Vector]
"""A corner of the cube, and the way a sticker on it faces."""

SCRAMBLES = {
    "easy": ("r", "u'", "f2", "r"),
    "medium": ("f", "u2", "r'", "f", "u", "r2", "f'"),
    "hard": ("r", "u", "f2", "r'", "u'", "f", "r2", "u", "f'", "r", "u2"),
}
DEFAULT_LIMIT = 14
MAX_LIMIT = 60
MAX_TURNS = 100
_FACES: dict[str, tuple[Vector, str]] = {
    "u": ((0, 1, 0), "white"), "d": ((0, -1, 0), "yellow"), "f": ((0, 0, 1), "green"),
    "k": ((0, 0, -1), "blue"), "r": ((1, 0, 0), "red"), "l": ((-1, 0, 0), "orange"),
}  # fmt: skip
"""Which way a face looks, and its colour; the face at the back is k, since b is a blank."""
_TURNED = ("r", "u", "f")
"""With one corner held still, turning three faces is enough."""
_AMOUNTS = {"": 1, "2": 2, "'": 3}
_WORDS = {1: "clockwise", 2: "half", 3: "back"}
_NET: dict[str, tuple[int, int, Vector, Vector]] = {
    "u": (3, 5, (1, 0, 0), (0, 0, -1)), "l": (1, 3, (0, 0, 1), (0, 1, 0)), "f": (3, 3, (1, 0, 0), (0, 1, 0)),
    "r": (5, 3, (0, 0, -1), (0, 1, 0)), "k": (7, 3, (-1, 0, 0), (0, 1, 0)), "d": (3, 1, (1, 0, 0), (0, 0, 1)),
}  # fmt: skip
"""Where a face begins on the unfolded cube, and which ways are right and up on it."""


def rules(*parameters: str) -> str:
    """The rules in KIF: the name of a scramble or its turns (``r``, ``u'``, ``f2``), then how many turns there are.

    >>> "(start 3 6 white)" in rules("r", "4")
    True
    """
    turns, limit = _parse(parameters or ("easy",))
    squares = _squares()
    colours = {_square: _FACES[_face(sticker)][1] for sticker, _square in squares.items()}
    for face, amount in turns:
        moved = {squares[_turn(sticker, face, amount)]: colours[square] for sticker, square in squares.items()}
        colours = moved
    return _SHEET.format(
        limit=limit,
        start=facts(f"(start {x} {y} {colour})" for (x, y), colour in sorted(colours.items())),
        faces=facts(f"(on {_face(sticker)} {x} {y})" for sticker, (x, y) in squares.items()),
        carries=facts(
            "(carries {} {} {} {} {} {})".format(face, word, *square, *squares[_turn(sticker, face, amount)])
            for face in _TURNED
            for amount, word in _WORDS.items()
            for sticker, square in squares.items()
        ),
        colours=facts(f"(colour {colour})" for _, colour in _FACES.values()),
        counts=number_facts("count", 0, limit),
        numbers=successors(0, limit),
    )


def _parse(words: tuple[str, ...]) -> tuple[list[tuple[str, int]], int]:
    limit = DEFAULT_LIMIT
    if words[-1].isascii() and words[-1].isdecimal():
        limit = int(words[-1][: len(str(MAX_LIMIT)) + 1])
        words = words[:-1]
    turns = SCRAMBLES.get(words[0], words) if words else ()
    names = [turn.lower() for turn in turns]
    is_right = all(name[:1] in _TURNED and name[1:] in _AMOUNTS for name in names)
    if not is_right or not 1 <= limit <= MAX_LIMIT or len(names) > MAX_TURNS:
        raise GameError(
            f"rubik_2x2 takes {', '.join(SCRAMBLES)} or turns such as r, u', f2, then how many turns there are "
            f"(1 to {MAX_LIMIT}), not {','.join(words)!r}"
        )
    return [(name[0], _AMOUNTS[name[1:]]) for name in names], limit


def _squares() -> dict[Sticker, tuple[int, int]]:
    """Where each sticker is on the unfolded cube."""
    squares: dict[Sticker, tuple[int, int]] = {}
    for face, (x, y, right, up) in _NET.items():
        normal = _FACES[face][0]
        for across, high in product((0, 1), repeat=2):
            signs = [n + (2 * across - 1) * a + (2 * high - 1) * b for n, a, b in zip(normal, right, up, strict=True)]
            squares[((signs[0], signs[1], signs[2]), normal)] = (x + across, y + high)
    return squares


def _face(sticker: Sticker) -> str:
    return next(face for face, (normal, _) in _FACES.items() if normal == sticker[1])


def _turn(sticker: Sticker, face: str, amount: int) -> Sticker:
    """Where a sticker goes when a face is turned clockwise so many times by a quarter."""
    axis = _FACES[face][0]
    corner, normal = sticker
    if sum(a * b for a, b in zip(axis, corner, strict=True)) < 0:
        return sticker
    for _ in range(amount):
        corner, normal = _rotate(corner, axis), _rotate(normal, axis)
    return corner, normal


def _rotate(vector: Vector, axis: Vector) -> Vector:
    """A quarter turn clockwise, seen from outside: what lies along the axis stays, the rest is crossed with it."""
    (x, y, z), (a, b, c) = vector, axis
    along = a * x + b * y + c * z
    return a * along + y * c - z * b, b * along + z * a - x * c, c * along + x * b - y * a


_SHEET = """\
; The Rubik cube of 2x2x2, unfolded: up above front, then left, front, right and back from left to right, down below.
;
; A turn of the right, upper or front face, by a quarter clockwise, a half, or a quarter back; the corner between the
; others stays where it is. The cube is solved when each face has one colour. There are {limit} turns.

(role turner)

(face r) (face u) (face f)
(amount clockwise) (amount half) (amount back)
{colours}
(limit {limit})

; (on face x y): the square x y belongs to that face.
{faces}
; (carries face amount x1 y1 x2 y2): where that turn brings the sticker of the first square.
{carries}
; The scrambled cube.
{start}

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (cell ?x ?y ?colour)) (on ?face ?x ?y) (colour ?colour))
(<= (base (turns ?n)) (count ?n))

(<= (input turner (turn ?face ?amount)) (face ?face) (amount ?amount))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (cell ?x ?y ?colour)) (start ?x ?y ?colour))
(init (turns 0))

; ---- moves -------------------------------------------------------------------------------------------------

(<= (legal turner (turn ?face ?amount)) (face ?face) (amount ?amount))

(<= (next (cell ?x2 ?y2 ?colour))
    (does turner (turn ?face ?amount))
    (carries ?face ?amount ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x1 ?y1 ?colour)))
(<= (next (turns ?n)) (true (turns ?m)) (succ ?m ?n))

; ---- the end -----------------------------------------------------------------------------------------------

(<= (shows ?face ?colour) (on ?face ?x ?y) (true (cell ?x ?y ?colour)))
(<= mixed (shows ?face ?colour) (shows ?face ?other) (distinct ?colour ?other))

(<= terminal (not mixed))
(<= terminal (true (turns ?n)) (limit ?n))

(<= (goal turner 100) (not mixed))
(<= (goal turner 0) mixed)

{counts}
{numbers}
"""
