"""Interprets words of rules: owners, kinds and colours of pieces."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ludens.drawing.looks.chessmen import KINDS as CHESSMEN
from ludens.drawing.looks.chessmen import LETTERS
from ludens.drawing.model import Piece
from ludens.drawing.palette import COLOURS, NAMED, PIECE_COLOURS

_PARTS = re.compile(r"[_\s]+|(?<=[^\W\d])-(?=[^\W\d])")
ANYTHING = "*"
"""The key of hints for all contents without their own hint."""
_CAPITALS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CHESS_WORD = re.compile(r"([wb])([kqrbnp])", re.IGNORECASE)
_FIRST_LETTERS = {"w": "white", "b": "black", "r": "red", "g": "green", "y": "yellow"}


_MARKS = frozenset({"x", "o"})
"""Roles named by the mark they write."""


def role_colours(roles: Sequence[str], hints: Mapping[str, str]) -> dict[str, str]:
    """A colour for each role: from the card, from its name, or the next unused one."""
    colours = {role: known_colour(hints.get(role, "")) or _colour_in(role) for role in roles}
    free = [colour for colour in PIECE_COLOURS if colour not in colours.values()]
    return {role: colour or free.pop(0) if free or colour else "grey" for role, colour in colours.items()}


def shown_names(roles: Sequence[str], hints: Mapping[str, str]) -> dict[str, str]:
    """The name of each role as it is drawn: a role that is called by a colour but drawn in another one has the name of
    the other one, if no role has that."""
    names = {}
    for role in roles:
        colour = known_colour(hints.get(role, ""))
        is_other = role.lower() in NAMED and colour not in ("", *(other.lower() for other in roles))
        names[role] = (colour.capitalize() if role[:1].isupper() else colour) if is_other else role
    return names if len(set(names.values())) == len(names) else {role: role for role in roles}


def known_colour(name: str) -> str:
    """The name if it is a colour of the palette, else nothing."""
    return name if name in COLOURS else ""


def _colour_in(word: str) -> str:
    first = max((name for name in NAMED if word.lower().startswith(name)), key=len, default="")
    return next((part for part in _PARTS.split(word.lower()) if part in NAMED), first)


class Namer:
    """Maps words of a game to pieces."""

    def __init__(self, roles: Sequence[str], colours: Mapping[str, str], pieces: Mapping[str, str]) -> None:
        self.roles = tuple(roles)
        self.colours = role_colours(roles, colours)
        self.names = shown_names(roles, colours)
        """The roles as they are drawn."""
        self._shown = {role.lower(): name.lower() for role, name in self.names.items() if role != name}
        self._given_colours = colours
        self._hints = pieces
        self.short_chess = False
        """True if ``wk`` means a white king."""
        self._seats = {role.lower(): n for n, role in enumerate(roles)}
        self._marks = {role.lower()[0]: n for n, role in enumerate(roles) if role.lower()[1:] == "player"}
        """Letters that stand for roles: ``x`` for ``xplayer``."""
        self._initials: dict[str, list[str]] = {}
        """Contents that are the first letters of a role and a kind."""

    def read_initials(self, words: set[str]) -> None:
        """Understand contents as the first letters of roles, with a kind: ``n`` or ``nk`` for north's, if all are."""
        roles = {role[0].lower(): role.lower() for role in reversed(self.roles)}
        lengths, owners = {len(word) for word in words}, {word[0].lower() for word in words if word}
        are_initials = len(owners) > 1 and owners <= set(roles) and lengths in ({1}, {2}) and not words & _MARKS
        if are_initials and all(word.isalpha() for word in words):
            self._initials |= {word.lower(): [roles[word[0].lower()], *word[1:].lower()] for word in words}

    def piece(self, words: Sequence[str], spot: str = "") -> Piece:
        """The piece that the words of a content stand for."""
        text = " ".join(words)
        hint = self._hints.get(text)
        if hint is None and ANYTHING in self._hints:
            hint = f"{self._hints[ANYTHING]} {text}"
        parts = [part for part in _PARTS.split(hint.lower() if hint else _CAPITALS.sub("_", text).lower()) if part]
        if hint is None:
            parts = [word for part in parts for word in self._split(part)]
        if self.short_chess and len(parts) == 1 and hint is None and (chess := _CHESS_WORD.fullmatch(parts[0])):
            parts = [_FIRST_LETTERS[chess[1].lower()], LETTERS[chess[2].lower()]]
        elif hint is None and len(parts) == 1:
            parts = self._initials.get(parts[0], parts)
        seat, colour, kind = -1, "", []
        for part in parts:
            if part in self._seats and seat < 0:
                seat = self._seats[part]
                kind += [part] if part in _MARKS else []
            elif part in NAMED and not colour:
                colour = part
            else:
                kind.append(part)
        if seat < 0 and len(kind) == 1 and kind[0] in self._marks:
            seat = self._marks[kind[0]]
        if seat < 0 and colour in self._seats:
            seat = self._seats[colour]
        colour = (
            colour
            or known_colour(self._given_colours.get(text, ""))
            or (self.colours[self.roles[seat]] if seat >= 0 else "")
        )
        name = " ".join(self._shown.get(part, part) for part in parts)
        return Piece(name or text, " ".join(kind), colour, seat, spot=spot)

    def _split(self, word: str) -> list[str]:
        """A word that begins with a role or colour, and the rest of it: ``white pawn`` for ``whitepawn``."""
        for name in sorted({*self._seats, *NAMED}, key=len, reverse=True):
            if len(name) > 1 and word.startswith(name) and word[len(name) :].isalpha() and word not in self._seats:
                return [name, word[len(name) :]]
        return [word]


def is_chess(kinds: set[str]) -> bool:
    """True if pieces with these kinds are those of chess."""
    return "king" in kinds and len(kinds & set(CHESSMEN)) >= 3
