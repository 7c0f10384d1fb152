"""Lines of GGTP: a command and its arguments, and lists in which names and moves cannot be mistaken for separators."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ludens.core import LudensError
from ludens.gdl.source import visible

BLANKS = " \t"
MOVE = "move"
"""The parameter that a tab ends, not a space, where it is not the last."""
_WORD = re.compile(r"[ \t]+")


class CommandError(LudensError):
    """A command failed; the message is the text after the question mark."""


@dataclass(frozen=True, slots=True)
class Command:
    """One line of the tables of the protocol."""

    name: str
    parameters: tuple[str, ...] = ()
    """The names of the arguments."""
    optional: int = 0
    """The number of optional parameters, the last ones, or the first in ``[[player] table]``."""
    recorded: bool = False
    """True if a play file keeps the command."""
    description: str = ""

    @property
    def usage(self) -> str:
        """The command with its arguments, as the tables of the paper write it."""
        needed = len(self.parameters) - self.optional
        if self.parameters == ("player", "table") and self.optional == 2:
            return f"{self.name} [[player] table]"
        parts = [*self.parameters[:needed], *(f"[{name}]" for name in self.parameters[needed:])]
        return " ".join([self.name, *parts])

    def arguments(self, rest: str) -> tuple[str, ...]:
        """The arguments in the rest of a line. Raises `CommandError` with the usage if their number is wrong."""
        found = split(rest, self.parameters)
        if found is None or len(found) < len(self.parameters) - self.optional:
            needs = f"needs: {self.usage}" if self.parameters else "takes no arguments"
            raise CommandError(f"{self.name} {needs}")
        return found


def split(rest: str, parameters: Sequence[str]) -> tuple[str, ...] | None:
    """Arguments, separated by spaces or tabs; the last keeps its spaces. None if there are more than parameters.

    A move that is not the last argument is ended by a tab, or goes to the end of the line.
    """
    found: list[str] = []
    rest = rest.strip(BLANKS)
    for name in parameters[:-1]:
        if not rest:
            return tuple(found)
        parts = rest.split("\t", 1) if name == MOVE else _WORD.split(rest, maxsplit=1)
        found.append(parts[0].strip(BLANKS))
        rest = parts[1].strip(BLANKS) if len(parts) > 1 else ""
    if rest:
        if not parameters:
            return None
        found.append(rest)
    return tuple(found)


def first_word(line: str) -> tuple[str, str]:
    """The command in a line and the rest; both empty for a blank line or a comment."""
    line = line.strip(BLANKS + "\r\n")
    if not line or line.startswith("#"):
        return "", ""
    parts = _WORD.split(line, maxsplit=1)
    return parts[0], parts[1] if len(parts) > 1 else ""


def word(name: str) -> str:
    """A name as one argument: its blanks become underscores."""
    return re.sub(r"\s", "_", name)


def match_name(text: str, names: Iterable[str]) -> str | None:
    """The name that matches a text, exactly or ignoring case; None if none or several do."""
    known = list(names)
    for same in (str, word, lambda name: word(name).lower()):
        found = [name for name in known if same(name) == same(text)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def escape(text: str, special: str = ",;") -> str:
    """Escape a name or move for a list: separators and backslashes get a backslash, line ends become ``\\n``."""
    marked = "".join(f"\\{character}" if character in special + "\\" else character for character in text)
    return marked.replace("\n", "\\n").replace("\r", "\\r")


def unescape(text: str) -> str:
    """The inverse of `escape`."""
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "r": "\r"}.get(found[1], found[1]), text)


def format_list(items: Iterable[str]) -> str:
    """Format a list in one line."""
    return ", ".join(map(escape, items))


def items(text: str, separator: str = ",") -> list[str]:
    """The items of a list, still escaped."""
    found, start, position = [], 0, 0
    while position < len(text):
        if text[position] == "\\":
            position += 1
        elif text[position] == separator:
            found.append(text[start:position].strip(BLANKS))
            start = position + 1
        position += 1
    last = text[start:].strip(BLANKS)
    return [*found, last] if found or last else []


def sentence(error: LudensError) -> str:
    """The message of an error as a sentence."""
    text = str(error)
    return text if text.endswith((".", "?", "!")) else f"{text}."


def shown(text: str, longest: int = 80) -> str:
    """A text from outside, short and without control characters, to be quoted in an error."""
    return visible(text if len(text) <= longest else text[:longest] + "…")
