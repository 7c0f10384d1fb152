"""PGN: the tags and the main line of the first game of a file, and the text of a game."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ludens.core import LudensError
from ludens.gdl.source import visible

MOST_LETTERS = 1_000_000
"""Characters of a file."""
MOST_MOVES = 3_000
UNKNOWN = "*"
"""The result of a game that is not over."""
RESULTS = ("1-0", "0-1", "1/2-1/2", UNKNOWN)
_WIDTH = 80
_TAG = re.compile(r'\[\s*(\w+)\s+"((?:\\.|[^"\\])*)"\s*\]')
_TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<comment>\{[^}]*\}|;[^\n]*)|(?P<escape>^%[^\n]*)|(?P<open>\()|(?P<close>\))
    |(?P<note>\$\d+|[!?]+)|(?P<result>1-0|0-1|1/2-1/2|\*)|(?P<number>\d+\s*\.+|\d+(?=\s))
    |(?P<move>[A-Za-z0][^\s(){};$]*)|(?P<tag>\[)""",
    re.VERBOSE | re.MULTILINE,
)


class PgnError(LudensError):
    """A text is no game in PGN."""


@dataclass(slots=True)
class PgnGame:
    """The main line of a game."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    """In SAN, without comments and variations."""
    result: str = UNKNOWN


def read_pgn(text: str) -> PgnGame:
    """The first game of a file. Raises `PgnError`."""
    if len(text) > MOST_LETTERS:
        raise PgnError(f"a file of {len(text):,} characters, where {MOST_LETTERS:,} are allowed")
    game, at, depth = PgnGame(), 0, 0
    text = text.lstrip("\ufeff")
    while (at := _skip_blanks(text, at)) < len(text) and (tag := _TAG.match(text, at)) is not None:
        game.tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        at = tag.end()
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise PgnError(f"line {_line(text, at)}: {visible(text[at : at + 20])!r} is not PGN")
        kind, at = token.lastgroup, token.end()
        if kind == "open":
            depth += 1
        elif kind == "close":
            if depth == 0:
                raise PgnError(f"line {_line(text, at)}: a variation ends that did not begin")
            depth -= 1
        elif depth:
            continue
        elif kind == "result":
            game.result = token[0]
            break
        elif kind == "tag":
            break  # the next game
        elif kind == "move":
            game.moves.append(token[0])
            if len(game.moves) > MOST_MOVES:
                raise PgnError(f"a game of more than {MOST_MOVES:,} moves")
    if depth:
        raise PgnError("a variation does not end")
    if not game.tags and not game.moves:
        raise PgnError("the file has no game in PGN")
    if game.result == UNKNOWN and game.tags.get("Result") in RESULTS:
        game.result = game.tags["Result"]
    return game


def write_pgn(tags: Mapping[str, str], moves: Sequence[str], result: str) -> str:
    """A game as PGN: tags, then the moves in lines of 80 characters."""
    lines = [f'[{name} "{_escape(value)}"]' for name, value in {**tags, "Result": result}.items()]
    words: list[str] = []
    for number, move in enumerate(moves):
        words += [f"{number // 2 + 1}.", move] if number % 2 == 0 else [move]
    body = textwrap.wrap(" ".join([*words, result]), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", *body, ""])


def _escape(value: str) -> str:
    return "".join(letter for letter in value if letter.isprintable()).replace("\\", "\\\\").replace('"', '\\"')


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
