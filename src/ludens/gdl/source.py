"""Source texts: where a problem is, and how it is shown."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from ludens.core.errors import GameError


class Span(NamedTuple):
    """A range of text: offsets of its first character and of the one after its last."""

    start: int
    end: int


class Level(StrEnum):
    """The severity of a problem."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Source:
    """A text with a name, which finds line and column of any offset in it."""

    text: str
    name: str = "<text>"

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        for offset, character in enumerate(self.text):
            if character == "\n":
                starts.append(offset + 1)
        return starts

    def locate(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect.bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, without its end."""
        start = self._line_starts[number - 1]
        end = self._line_starts[number] - 1 if number < len(self._line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a rule sheet: an error or a warning."""

    code: str
    """Stable name of the kind of problem, such as ``GDL101``; docs/gdl-checks.md lists them."""
    level: Level
    message: str
    """What is wrong, in one sentence."""
    span: Span | None = None
    """Where; None if it concerns the rule sheet as a whole."""
    hint: str = ""
    """What to do about it."""

    def render(self, source: Source) -> str:
        """The problem as people see it: position, message, the line underlined, and the hint."""
        place, excerpt = source.name, []
        if self.span is not None:
            line, column = source.locate(self.span.start)
            place = f"{source.name}:{line}:{column}"
            excerpt = _excerpt(source.line(line), line, column, self.span.end - self.span.start)
        lines = [f"{visible(place)}: {self.level} {self.code}: {visible(_shorten(self.message))}", *excerpt]
        if self.hint:
            lines.append(f"  hint: {visible(_shorten(self.hint))}")
        return "\n".join(lines)

    def as_json(self, source: Source) -> dict[str, object]:
        """The problem as a JSON object; line and column are null where it has no place."""
        line, column = source.locate(self.span.start) if self.span else (None, None)
        return {
            "code": self.code,
            "level": str(self.level),
            "line": line,
            "column": column,
            "message": self.message,
            "hint": self.hint,
        }


def _excerpt(text: str, line: int, column: int, width: int, window: int = 100) -> list[str]:
    """The offending line with the offending part underlined; long lines are cut around it."""
    offset = column - 1
    start = max(0, offset - window // 2) if len(text) > window else 0
    shown = text[start : start + window]
    before, wrong, after = (
        visible(part.replace("\t", " "))
        for part in (shown[: offset - start], shown[offset - start :][:width], shown[offset - start :][width:])
    )
    gutter = f"{line:>5} | "
    marker = " " * len(before) + "^" * max(1, len(wrong))
    return [gutter + before + wrong + after, " " * (len(gutter) - 2) + "| " + marker]


def visible(text: str) -> str:
    """The text with control characters escaped, so that a hostile one cannot take over the terminal."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def _shorten(text: str, most: int = 300) -> str:
    return text if len(text) <= most else f"{text[: most // 2]}…{text[-most // 2 :]}"


class GdlError(GameError):
    """A rule sheet that cannot be used, with all the problems found in it."""

    def __init__(self, problems: Iterable[Problem], source: Source) -> None:
        self.problems = tuple(problems)
        self.source = source
        super().__init__("\n".join(problem.render(source) for problem in self.problems))

    def __reduce__(self) -> tuple[type[GdlError], tuple[tuple[Problem, ...], Source]]:
        """Support pickling, for other processes."""
        return GdlError, (self.problems, self.source)
