"""Cards, dice, dominoes and tiles, each in a box around its middle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap

from ludens.drawing.model import Piece
from ludens.drawing.scenes.scene import READABLE, Circle, Group, Image, Path, Polygon, Rect, Shape, Text, fit_size, line

WIDTH, HEIGHT = 46.0, 64.0
"""The size of a card."""
_SHORT_LINE, _LONG_LINE = 7, 10
"""Letters on a line of a card with a long text: as many as can be read well, or more for a long word."""
_FEW_LINES, _MOST_LINES = 2, 5
"""Lines of different sizes, and the most on a card."""
_FRENCH = re.compile(r"(10|[2-9tjqka])([cdhs])")
_RANKS = {"t": "10", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}
_SUITS = {
    "h": "M 0 9 C -14 -2 -9 -11 -3 -9 C -1 -8 0 -6 0 -4 C 0 -6 1 -8 3 -9 C 9 -11 14 -2 0 9 Z",
    "d": "M 0 -11 L 8 0 L 0 11 L -8 0 Z",
    "s": (
        "M 0 -10 C 12 0 9 8 4 7 C 2 7 1 5 0 4 C 1 8 2 9 4 11 L -4 11 C -2 9 -1 8 0 4 C -1 5 -2 7 -4 7 "
        "C -9 8 -12 0 0 -10 Z"
    ),
    "c": (
        "M 0 -11 C 6 -11 6 -4 3 -2 C 8 -4 11 1 8 5 C 5 8 1 6 0 3 C 1 8 2 9 4 11 L -4 11 C -2 9 -1 8 0 3 "
        "C -1 6 -5 8 -8 5 C -11 1 -8 -4 -3 -2 C -6 -4 -6 -11 0 -11 Z"
    ),
}
_SUIT_NAMES = {"h": "hearts", "d": "diamonds", "s": "spades", "c": "clubs"}
_RANK_NAMES = {"a": "ace", "k": "king", "q": "queen", "j": "jack", "t": "10"}
_SUIT_WORDS = {name: letter for letter, name in _SUIT_NAMES.items()}
_SUIT_WORDS |= {name.removesuffix("s"): letter for letter, name in _SUIT_NAMES.items()}
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_RANK_WORDS = {name: letter for letter, name in _RANK_NAMES.items()} | {"knave": "j", "deuce": "2"}
_RANK_WORDS |= {word: str(n) for n, word in enumerate(_NUMBERS, start=2)}
_FILLERS = frozenset({"of", "card", "the"})
_SUIT_FIRST = re.compile(r"([cdhs])(10|[2-9tjqka])")
_SEPARATORS = re.compile(r"[_\s-]+")
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    7: ((-1, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (1, 1)),
    8: ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)),
    9: ((-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1)),
}


def french(kind: str) -> str:
    """A card of the French deck as its rank and suit, ``ks`` for ``king spades``, ``spades king`` or ``sk``; empty if
    it is not one."""
    words = [word for word in kind.split() if word not in _FILLERS]
    if len(words) == 1:
        turned = _SUIT_FIRST.fullmatch(words[0])
        code = f"{turned[2]}{turned[1]}" if turned else words[0]
        return code if _FRENCH.fullmatch(code) else ""
    if len(words) != 2:
        return ""
    for rank, suit in (words, words[::-1]):
        code = f"{_RANK_WORDS.get(rank, rank)}{_SUIT_WORDS.get(suit, suit)}"
        if _FRENCH.fullmatch(code):
            return code
    return ""


def are_cards(words: Sequence[str]) -> bool:
    """True if all these words are cards of the French deck, and some are unambiguous, unlike ``d4``, or all suits of
    several ranks are there."""
    kinds = [_SEPARATORS.sub(" ", word.lower()) for word in words]
    codes = [french(kind) for kind in kinds]
    if not kinds or not all(codes):
        return False
    ranks = {code[:-1] for code in codes}
    is_whole = len(ranks) > 1 and set(codes) == {f"{rank}{suit}" for rank in ranks for suit in _SUIT_NAMES}
    return is_whole or any(" " in kind or code[0] in "tjqka1" for kind, code in zip(kinds, codes, strict=True))


def is_deck(words: Sequence[str]) -> bool:
    """True if these words are playing cards, jokers among them, or all are ranks such as ``jack`` or ``king_a``."""
    names = [word for word in words if "joker" not in word.lower()]
    return are_cards(names) or (bool(names) and all(map(_is_rank, names)))


def is_card(word: str) -> bool:
    """True if a word can be read as a playing card, or as its rank alone."""
    return bool(french(_SEPARATORS.sub(" ", word.lower()))) or _is_rank(word)


def _is_rank(word: str) -> bool:
    first, *_ = _SEPARATORS.split(word.lower())
    return first in _RANKS or first in _RANK_NAMES


def card_name(kind: str) -> str:
    """The name of a card such as ``ks``; empty if it is not in the French deck."""
    match = _FRENCH.fullmatch(french(kind))
    return f"{_RANK_NAMES.get(match[1], match[1])} of {_SUIT_NAMES[match[2]]}" if match else ""


def draw_card(piece: Piece) -> tuple[Shape, ...]:
    """A playing card: its back, a card of the French deck, a coloured card, or one with words on it."""
    if piece.is_hidden:
        return _back()
    if piece.image:
        instead = draw_card(replace(piece, image=""))
        return _face(), Image(2 - WIDTH / 2, 2 - HEIGHT / 2, WIDTH - 4, HEIGHT - 4, piece.image, instead)
    if not piece.is_word and (playing_card := _playing_card(piece.kind)):
        return playing_card
    if piece.colour and piece.seat < 0:
        return _coloured_card(piece)
    return _titled_card(piece)


def _playing_card(kind: str) -> tuple[Shape, ...]:
    """A card of the French deck, or only its rank; nothing for other words."""
    match = _FRENCH.fullmatch(french(kind))
    if match:
        return _french_card(_RANKS.get(match[1], match[1].upper()), match[2])
    words = kind.split()
    if kind in ("j", "q", "k", "a"):
        return _french_card(kind.upper(), "")
    if words and words[0] in _RANKS:
        suit = {"a": "s", "b": "h"}.get(words[-1], "") if len(words) > 1 else ""
        return _french_card(_RANKS[words[0]], suit)
    return ()


def _face() -> Rect:
    return Rect(-WIDTH / 2, -HEIGHT / 2, WIDTH, HEIGHT, "card", "edge", 1, 5)


def _back() -> tuple[Shape, ...]:
    inner = Rect(4 - WIDTH / 2, 4 - HEIGHT / 2, WIDTH - 8, HEIGHT - 8, "", "card-back-line", 1.2, 3)
    diamonds = " ".join(f"M 0 {y} L 14 {y + 13} L 0 {y + 26} L -14 {y + 13} Z" for y in (-26, -13, 0))
    pattern = Path(diamonds, "", "card-back-line", 0.9)
    return Rect(-WIDTH / 2, -HEIGHT / 2, WIDTH, HEIGHT, "card-back", "edge", 1, 5), inner, pattern


def _french_card(rank: str, suit: str) -> tuple[Shape, ...]:
    ink = "card-red" if suit in ("h", "d") else "card-black"
    corner = Text(-WIDTH / 2 + 9, -HEIGHT / 2 + 11, rank, fit_size(rank, 16, 15), ink, bold=True)
    shapes: tuple[Shape, ...] = (_face(), corner)
    if not suit:
        return *shapes, Text(0, 6, rank, 34, ink, bold=True)
    sign = Path(_SUITS[suit], ink)
    small = Group((sign,), -WIDTH / 2 + 9, -HEIGHT / 2 + 26, scale=0.5)
    return *shapes, small, Group((sign,), 5, 9, scale=1.25)


def _coloured_card(piece: Piece) -> tuple[Shape, ...]:
    word = piece.kind or piece.name
    inner = Rect(4 - WIDTH / 2, 4 - HEIGHT / 2, WIDTH - 8, HEIGHT - 8, piece.colour, "", 1, 5)
    ink = "outline" if piece.colour in ("yellow", "white") else "on-piece"
    return _face(), inner, *_text_lines(words := word.split(), WIDTH - 14, ink, bold=len(words))


def _titled_card(piece: Piece) -> tuple[Shape, ...]:
    words = piece.kind.split() or [piece.name]
    lines = [words[0]] if len(words) == 1 else [words[0], " ".join(words[1:])]
    if any(fit_size(line, WIDTH - 6, READABLE) < READABLE for line in lines):
        lines = _wrap_title(" ".join(words))
    shapes: list[Shape] = [_face()]
    if piece.colour:
        shapes.append(Rect(3 - WIDTH / 2, 3 - HEIGHT / 2, WIDTH - 6, 7, piece.colour, "", 1, 3))
    return *shapes, *_text_lines(lines, WIDTH - 6, "card-black", bold=1)


def _wrap_title(text: str) -> list[str]:
    """The lines of a long text; what does not fit on the card is only in its label."""
    lines = wrap(text, min(max(_SHORT_LINE, *map(len, text.split())), _LONG_LINE))
    return lines if len(lines) <= _MOST_LINES else [*lines[: _MOST_LINES - 1], "…"]


def _text_lines(lines: Sequence[str], room: float, ink: str, *, bold: int) -> list[Shape]:
    """Centred lines of text, the first ``bold`` of them bold."""
    size = 26.0 if len(lines) == 1 else 15.0
    pitch = 15
    if len(lines) > _FEW_LINES:
        size, pitch = min(fit_size(text, room, size) for text in lines), 11
    return [
        Text(0, (n - (len(lines) - 1) / 2) * pitch, text, fit_size(text, room, size), ink, bold=n < bold)
        for n, text in enumerate(lines)
    ]


def draw_die(piece: Piece) -> tuple[Shape, ...]:
    """A die, in a box of 40."""
    if piece.is_hidden:
        return Rect(-15, -15, 30, 30, "card-back", "edge", 1.2, 5), Text(0, 0, "?", 18, "on-piece")
    body = Rect(-15, -15, 30, 30, "card", "outline", 1.3, 5)
    if piece.kind.isdecimal() and 1 <= int(piece.kind) <= 6:
        return body, *_pips(int(piece.kind), 8, 2.8, 0, 0)
    return body, Text(0, 0, piece.kind, fit_size(piece.kind, 26, 16), "card-black", bold=True)


def _pips(count: int, reach: float, radius: float, x: float, y: float) -> list[Shape]:
    return [Circle(x + dx * reach, y + dy * reach, radius, "card-black") for dx, dy in _PIPS.get(count, ())]


def draw_domino(piece: Piece) -> tuple[Shape, ...]:
    """An upright domino, in a box of 26 by 50."""
    if piece.is_hidden:
        return (Rect(-13, -25, 26, 50, "card-back", "edge", 1.2, 4),)
    low, _, high = piece.kind.partition("-")
    body = Rect(-13, -25, 26, 50, "tile", "outline", 1.3, 4)
    middle = line(-9, 0, 9, 0, "outline", 1)
    return body, middle, *_pips(int(low), 6.5, 2.1, 0, -12.5), *_pips(int(high), 6.5, 2.1, 0, 12.5)


def draw_lying_domino(piece: Piece) -> tuple[Shape, ...]:
    """A domino of a line, its first half at the left; in a box of 50 by 26."""
    return (Group(draw_domino(piece), turn=-90.0),)


def is_domino(kind: str) -> bool:
    """True for ``2-5``."""
    low, dash, high = kind.partition("-")
    return bool(dash) and low.isdecimal() and high.isdecimal()


def draw_tile(piece: Piece) -> tuple[Shape, ...]:
    """A tile of mah-jong, in a box of 30 by 42: bamboos, circles, characters, winds and dragons."""
    if piece.is_hidden:
        return (Rect(-15, -21, 30, 42, "felt", "outline", 1.2, 4),)
    body = Rect(-15, -21, 30, 42, "tile", "outline", 1.2, 4)
    suit, number = piece.kind[:1], piece.kind[1:]
    if not number.isdecimal():
        ink = {"red": "card-red", "green": "green", "white": "blue"}.get(piece.kind, "card-black")
        return body, Text(0, 0, piece.kind, fit_size(piece.kind, 22, 17), ink, bold=True)
    ink = {"b": "green", "d": "blue", "c": "card-red"}.get(suit, "card-black")
    signs: tuple[Shape, ...]
    match suit:
        case "b":
            signs = (Rect(-2, 2, 4, 15, "green", "", 1, 2), line(-4, 9, 4, 9, "green", 1.5))
        case "d":
            signs = (Circle(0, 9, 7, "", "blue", 2), Circle(0, 9, 2.5, "card-red"))
        case _:
            signs = (Polygon(((-6, 4), (6, 4), (0, 16)), "card-red"),)
    return body, Text(0, -8, number, 17, ink, bold=True), *signs
