"""The messages of the GGP protocol, read from untrusted text and written as ggp-base writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ludens.core import LudensError
from ludens.gdl.source import Source
from ludens.gdl.syntax.expressions import Expression, Group, Problems, Word
from ludens.gdl.syntax.kif import read_kif_expressions

MAX_MESSAGE = 2_000_000
"""Characters of a message. The longest rule sheet in public use has 70,000."""
MAX_ID = 200
"""Characters of the name of a match."""
LONGEST_CLOCK = 604_800.0
"""Seconds; a larger number means "no limit"."""
NIL = "NIL"

_COMMENT = re.compile(r";[^\n]*")
_TOKEN = re.compile(r"[()]|[^\s()]+")
_NUMBER = re.compile(r"\d+(\.\d+)?", re.ASCII)


class MessageError(LudensError):
    """A text is not a message of the protocol."""


@dataclass(frozen=True, slots=True)
class Info:
    """Asks a player who it is and whether it is free."""

    def __str__(self) -> str:
        return "( INFO )"


@dataclass(frozen=True, slots=True)
class Preview:
    """Shows a player the rules before the match, so that it can prepare."""

    rules: tuple[str, ...]
    """The sentences of the rule sheet, in KIF."""
    clock: float
    """Seconds to prepare."""

    def __str__(self) -> str:
        return f"( PREVIEW {_list(self.rules)} {_seconds(self.clock)} )"


@dataclass(frozen=True, slots=True)
class Start:
    """Begins a match for a player."""

    match: str
    role: str
    rules: tuple[str, ...]
    """The sentences of the rule sheet, in KIF."""
    start_clock: float
    """Seconds to get ready."""
    play_clock: float
    """Seconds for each move."""

    def __str__(self) -> str:
        clocks = f"{_seconds(self.start_clock)} {_seconds(self.play_clock)}"
        return f"( START {self.match} {add_blanks(self.role)} {_list(self.rules)} {clocks})"


@dataclass(frozen=True, slots=True)
class Moves:
    """What happened in the last turn, where nothing is hidden: the moves of all roles, in the order of the rules."""

    moves: tuple[str, ...] | None
    """None if nothing happened yet."""

    def __str__(self) -> str:
        return NIL if self.moves is None else _list(self.moves)


@dataclass(frozen=True, slots=True)
class Percepts:
    """What happened in the last turn, as GDL-II servers send it: the role's own move and its percepts."""

    turn: int
    """From 0."""
    move: str | None
    """The own move as it was played; None if there was none yet."""
    percepts: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.move is None and not self.percepts:
            return f"{self.turn} {NIL} {NIL}"
        return f"{self.turn} {NIL if self.move is None else add_blanks(self.move)} {_list(self.percepts)}"


News: TypeAlias = Moves | Percepts


@dataclass(frozen=True, slots=True)
class Play:
    """Reports the last turn, and asks for a move."""

    match: str
    news: News

    def __str__(self) -> str:
        return f"( PLAY {self.match} {self.news} )"


@dataclass(frozen=True, slots=True)
class Stop:
    """Reports the last turn: the match is over."""

    match: str
    news: News

    def __str__(self) -> str:
        return f"( STOP {self.match} {self.news} )"


@dataclass(frozen=True, slots=True)
class Abort:
    """The match ends without a result."""

    match: str

    def __str__(self) -> str:
        return f"( ABORT {self.match} )"


Message: TypeAlias = Info | Preview | Start | Play | Stop | Abort


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """What a player says about itself."""

    name: str = ""
    """Empty if unknown."""
    status: str = "available"
    """``available`` or ``busy``, or another word."""
    species: str = ""
    """``MACHINE`` or ``HUMAN``; empty if unknown."""

    def __str__(self) -> str:
        return f"( ( name {self.name} ) ( status {self.status} ) ( species {self.species} ) )"


def read_message(text: str) -> Message:
    """Parse a message. Raises `MessageError`."""
    if len(text) > MAX_MESSAGE:
        raise MessageError(f"a message of {len(text):,} characters, where {MAX_MESSAGE:,} are allowed")
    found = _expressions(text)
    if len(found) != 1 or not isinstance(found[0], Group) or not found[0].items:
        raise MessageError("a message is one list, such as ( PLAY match NIL )")
    keyword, *parts = found[0].items
    match _word(keyword, "the keyword of a message").upper(), parts:
        case "INFO", _:
            return Info()
        case "PREVIEW", [rules, clock, *_]:
            return Preview(_sentences(rules), _clock(clock))
        case "START", [name, role, rules, start, play, *_]:
            return Start(_match(name), compact(role), _sentences(rules), _clock(start), _clock(play))
        case "PLAY", [name, *told] if told:
            return Play(_match(name), _news(told))
        case "STOP", [name, *told] if told:
            return Stop(_match(name), _news(told))
        case "ABORT", [name, *_]:
            return Abort(_match(name))
        case word, _:
            raise MessageError(f"{word[:40]!r} with {len(parts)} arguments is not a message of the protocol")


def read_term(text: str) -> str | None:
    """The term of an answer, in plain KIF; None unless it is exactly one."""
    try:
        found = _expressions(text)
    except MessageError:
        return None
    return compact(found[0]) if len(found) == 1 and _is_term(found[0]) else None


def read_info(text: str) -> PlayerInfo:
    """What a player answered to INFO: a list of pairs, or a bare word such as ``ready``. Raises `MessageError`."""
    found = _expressions(text)
    if len(found) == 1 and isinstance(found[0], Word):
        return PlayerInfo(status=found[0].text.lower())
    pairs = {}
    for part in found[0].items if len(found) == 1 and isinstance(found[0], Group) else ():
        match part:
            case Group(items=(Word(text=key), Word(text=value))):
                pairs[key.lower()] = value
    if not pairs:
        raise MessageError("an answer to INFO is ( ( name N ) ( status S ) ( species S ) ) or a word")
    return PlayerInfo(pairs.get("name", ""), pairs.get("status", "available").lower(), pairs.get("species", ""))


def compact(expression: Expression) -> str:
    """An expression in plain KIF: ``(mark 1 1)``."""
    if isinstance(expression, Word):
        return expression.text
    return "(" + " ".join(map(compact, expression.items)) + ")"


def add_blanks(text: str) -> str:
    """KIF with the blanks of ggp-base: ``( mark 1 1 )``."""
    return " ".join(_TOKEN.findall(text))


def as_word(text: str) -> str:
    """A text as a single word of the protocol."""
    return re.sub(r"[^\w.+-]+", "-", text, flags=re.ASCII).strip("-") or "unnamed"


def _list(texts: Iterable[str]) -> str:
    """A list as ggp-base writes it, whose first parenthesis has no blank after it."""
    return "(" + " ".join(map(add_blanks, texts)) + " )"


def _seconds(clock: float) -> str:
    return str(int(clock)) if clock == int(clock) else repr(clock)


def _expressions(text: str) -> list[Expression]:
    """The expressions of a text; line ends are removed, since the reader of rule sheets uses them as a hint."""
    plain = " ".join(_COMMENT.sub("", text).split())
    source = Source(plain, "<message>")
    problems = Problems(source)
    found = read_kif_expressions(source, problems)
    if problems.errors:
        raise MessageError(problems.errors[0].message)
    return found


def _is_term(expression: Expression) -> bool:
    if isinstance(expression, Word):
        return True
    items = expression.items
    return bool(items) and isinstance(items[0], Word) and all(map(_is_term, items))


def _news(parts: Sequence[Expression]) -> News:
    match parts:
        case [turn, move, percepts, *_]:
            text = _word(turn, "the number of a turn")
            if not (text.isdecimal() and text.isascii() and len(text) < 10):
                raise MessageError(f"{text[:40]!r} is not the number of a turn")
            return Percepts(int(text), None if _is_nil(move) else compact(move), _items(percepts) or ())
        case [moves, *_]:
            return Moves(_items(moves))
    raise MessageError("what happened in the last turn is missing; at the start it is NIL")


def _items(expression: Expression) -> tuple[str, ...] | None:
    if _is_nil(expression):
        return None
    if isinstance(expression, Word):
        raise MessageError(f"expected a list of moves or percepts, or NIL, not {expression.text[:40]!r}")
    if not all(map(_is_term, expression.items)):
        raise MessageError("a move or percept is a name, or (name argument ...)")
    return tuple(map(compact, expression.items))


def _sentences(expression: Expression) -> tuple[str, ...]:
    if isinstance(expression, Word):
        raise MessageError(f"expected a list of rules, not {expression.text[:40]!r}")
    return tuple(map(compact, expression.items))


def _match(expression: Expression) -> str:
    name = _word(expression, "the name of a match")
    if len(name) > MAX_ID:
        raise MessageError(f"the name of a match has {len(name):,} characters, where {MAX_ID} are allowed")
    return name


def _clock(expression: Expression) -> float:
    text = _word(expression, "a clock")
    if not _NUMBER.fullmatch(text):
        raise MessageError(f"{text[:40]!r} is not a number of seconds")
    return min(float(text), LONGEST_CLOCK)


def _word(expression: Expression, what: str) -> str:
    if isinstance(expression, Group):
        raise MessageError(f"{what} is one word, not a list")
    return expression.text


def _is_nil(expression: Expression) -> bool:
    return isinstance(expression, Word) and expression.text.upper() == NIL
