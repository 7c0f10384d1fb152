"""One piece on one place, in a box of 40 around its middle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from string import ascii_letters

from ludens.drawing.looks import signs
from ludens.drawing.looks.chessmen import KINDS as CHESSMEN
from ludens.drawing.looks.chessmen import chessman
from ludens.drawing.model import Piece
from ludens.drawing.scenes.scene import Circle, Group, Image, Polygon, Rect, Shape, Text, fit_size, line

BOX = 40.0
"""The side of the box that pieces are drawn in."""
_PALE = frozenset({"white", "yellow", "card", "tile", "light-on", "goal", "hole", "panel", "board-light"})
"""Colours that need dark letters."""
_SHOGI_WEDGE = ((0.0, -18.0), (11.0, -12.0), (15.0, 17.0), (-15.0, 17.0), (-11.0, -12.0))


def draw_piece(piece: Piece) -> tuple[Shape, ...]:
    """Draw a piece by its kind, otherwise as a disc with letters, or letters alone."""
    if piece.is_hidden:
        return back(piece.colour or "card-back")
    if piece.image:
        return (Image(2 - BOX / 2, 2 - BOX / 2, BOX - 4, BOX - 4, piece.image, draw_piece(replace(piece, image=""))),)
    words = piece.kind.split()
    if words and words[0] == "shogi":
        return shogiman(words[-1], piece.seat == 1)
    if piece.kind in CHESSMEN and (piece.colour in ("white", "black") or piece.kind != "king"):
        return draw_chessman(piece)
    painter = _PAINTERS.get(words[0] if words else "disc")
    if painter is not None:
        return painter(piece)
    if piece.seat < 0 and not piece.colour:
        return _lettering(piece.kind)
    return *disc(piece), letters(piece.kind, piece.colour)


def _lettering(text: str) -> tuple[Shape, ...]:
    """Words on a square, in up to three lines of a readable size; long words are shortened."""
    lines = [text] if len(text) <= _IN_A_LINE else [word[:_IN_A_LINE] for word in text.split()][:3]
    size = min(fit_size(max(lines, key=len, default=""), 37, 22), 34 / max(1, len(lines)))
    step = size * 1.02
    middle = (len(lines) - 1) / 2
    return tuple(Text(0, (n - middle) * step, line, size, "on-board", bold=True) for n, line in enumerate(lines))


_IN_A_LINE = 5
"""The maximum number of letters beside each other on a square, so that they can be read."""


def _arrow(piece: Piece) -> tuple[Shape, ...]:
    """An arrow in one of eight directions."""
    turn = _TURNS.get(piece.kind.split()[-1], 0.0)
    points = ((0, -17), (11, -3), (4, -3), (4, 16), (-4, 16), (-4, -3), (-11, -3))
    return (Group((Polygon(points, piece.colour or "grey", "outline", 1.2),), turn=turn, name="way"),)


_TURNS = {"north": 0.0, "up": 0.0, "northeast": 45.0, "east": 90.0, "right": 90.0, "southeast": 135.0}
_TURNS |= {"south": 180.0, "down": 180.0, "southwest": 225.0, "west": 270.0, "left": 270.0, "northwest": 315.0}


def is_painted(kind: str) -> bool:
    """True if pieces of this kind have a shape of their own."""
    return kind in _PAINTERS


def has_face(piece: Piece) -> bool:
    """True if a piece is drawn as more than its letters."""
    words = piece.kind.split()
    return bool(piece.colour or piece.seat >= 0 or not words or words[0] in _PAINTERS or piece.kind in CHESSMEN)


def draw_chessman(piece: Piece) -> tuple[Shape, ...]:
    """A piece of chess."""
    return chessman(piece.kind, piece.colour or "white", outline(piece.colour or "white"))


def outline(colour: str) -> str:
    """The colour of the outline of a piece, seen on light and dark squares."""
    return "edge" if colour == "black" else "outline"


def on(colour: str) -> str:
    """The colour of letters on a piece."""
    return "outline" if colour in _PALE else "on-piece"


def disc(piece: Piece) -> tuple[Shape, ...]:
    """A draughtsman."""
    colour = piece.colour or "wood"
    return Circle(0, 0, 15, colour, outline(colour), 1.3), Circle(0, 0, 11, "", outline(colour), 0.8)


def stone(piece: Piece) -> tuple[Shape, ...]:
    """A stone of go, a disc of othello."""
    return (Circle(0, 0, 17.5, piece.colour or "grey", outline(piece.colour), 1),)


def _king(piece: Piece) -> tuple[Shape, ...]:
    ink = on(piece.colour)
    points = ((-8, 5), (-8, -5), (-4, 0), (0, -7), (4, 0), (8, -5), (8, 5))
    return *disc(piece), Polygon(points, ink, ink, 1)


def _cross(piece: Piece) -> tuple[Shape, ...]:
    ink = piece.colour or "on-board"
    return line(-11, -11, 11, 11, ink, 5), line(-11, 11, 11, -11, ink, 5)


def _ring(piece: Piece) -> tuple[Shape, ...]:
    return (Circle(0, 0, 11.5, "", piece.colour or "on-board", 5),)


def _block(piece: Piece) -> tuple[Shape, ...]:
    """A square that is filled."""
    return (Rect(-19, -19, 38, 38, piece.colour or "wall", "outline", 1, 3),)


def _tile(piece: Piece) -> tuple[Shape, ...]:
    """A tile with a word or number on it."""
    word = piece.kind.removeprefix("tile").strip()
    number = word.lstrip(ascii_letters + "_ ")
    if len(word) >= _IN_A_LINE and number.isdecimal():
        word = word[0] + number
    return Rect(-18, -18, 36, 36, "tile", "board-line", 1.2, 4), Text(0, 0, word, fit_size(word, 32, 20), "outline")


def _sticker(piece: Piece) -> tuple[Shape, ...]:
    return (Rect(-18, -18, 36, 36, piece.colour or "grey", "outline", 1.5, 4),)


def _peg(piece: Piece) -> tuple[Shape, ...]:
    colour = piece.colour or "blue"
    return Circle(0, 0, 11, colour, "outline", 1.2), Circle(-3.5, -3.5, 2.5, "on-piece")


def _number(piece: Piece) -> tuple[Shape, ...]:
    word = piece.kind.removeprefix("number").strip()
    return (Text(0, 0, word, fit_size(word, 34, 22), piece.colour or "on-board", bold=not piece.colour),)


def _counter(piece: Piece) -> tuple[Shape, ...]:
    """A cardboard counter with letters: a unit, a rank."""
    word = piece.kind.removeprefix("counter").strip() or piece.name
    colour = piece.colour or "tile"
    return (
        Rect(-15, -17, 30, 34, colour, outline(colour), 1.2, 4),
        Text(0, 0, word, fit_size(word, 26, 17), on(colour), bold=True),
    )


def _pawn(piece: Piece) -> tuple[Shape, ...]:
    return chessman("pawn", piece.colour or "white", outline(piece.colour))


def _seed(piece: Piece) -> tuple[Shape, ...]:
    return (Circle(0, 0, 14, piece.colour or "brown", "outline", 1),)


def letters(word: str, colour: str) -> Text:
    """A short word on a piece."""
    short = word if len(word) <= 3 else word[:1].upper() + word[1:2]
    return Text(0, 0, short, fit_size(short, 22, 15), on(colour), bold=True)


def back(colour: str) -> tuple[Shape, ...]:
    """A piece with only its back visible."""
    return Rect(-15, -17, 30, 34, colour, outline(colour), 1.2, 4), Rect(-9, -11, 18, 22, "", on(colour), 1.2, 2)


_PAINTERS: dict[str, Callable[[Piece], tuple[Shape, ...]]] = {
    **dict.fromkeys(("disc", "man", "piece", "token", "checker", "marble"), disc),
    **dict.fromkeys(("stone",), stone),
    **dict.fromkeys(("x", "cross"), _cross),
    **dict.fromkeys(("o", "ring", "circle"), _ring),
    "dot": lambda piece: (Circle(0, 0, 4.5, piece.colour or "brown", "outline", 0.8),),
    "king": _king,
    "arrow": _arrow,
    "hole": lambda piece: (Circle(0, 0, 17, "wall", "outline", 1),),
    "pawn": _pawn,
    "block": _block,
    "tile": _tile,
    "sticker": _sticker,
    "peg": _peg,
    "number": _number,
    "counter": _counter,
    "seed": _seed,
    "fire": lambda piece: signs.fire(),
    "crate": lambda piece: signs.crate("tick" in piece.kind),
    "person": lambda piece: signs.person(piece.colour or "blue", "goal" in piece.kind),
    "target": lambda piece: signs.target(),
    "lamp": lambda piece: signs.lamp("on" in piece.kind.split()),
    "chocolate": lambda piece: signs.chocolate(),
    "skull": lambda piece: (*signs.chocolate(), *signs.skull()),
    "pin": lambda piece: signs.pin(),
    "door": lambda piece: signs.door(piece.kind),
    "wolf": lambda piece: signs.animal("wolf"),
    "sheep": lambda piece: signs.animal("sheep"),
    "bike": lambda piece: signs.bike(piece.colour or "red"),
    "wrestler": lambda piece: signs.person(piece.colour or "orange", False),
    "worker": lambda piece: signs.worker(piece.colour or "grey", piece.kind.partition(" ")[2]),
    "soldier": lambda piece: signs.soldier(piece.colour or "grey", piece.kind.partition(" ")[2]),
    "base": lambda piece: signs.base(piece.colour or "grey"),
    "quarto": lambda piece: signs.quarto(piece.kind.split()[-1]),
}


def shogiman(letter: str, points_down: bool) -> tuple[Shape, ...]:
    """A shogi piece, a wedge that points at the enemy, by the letter of its diagram, ``+p`` for a promoted pawn."""
    promoted = letter.startswith("+")
    shapes = (
        Polygon(_SHOGI_WEDGE, "tile", "board-line", 1.3),
        Text(0, 4, letter.upper(), 15 if promoted else 18, "card-red" if promoted else "outline", bold=True),
    )
    return (Group(shapes, turn=180.0 if points_down else 0.0, name="way"),)
