"""Texts that people write: where in them a problem is, and how it is shown."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from ludens.core.errors import GameError


class Span(NamedTuple):
    """A stretch of text: offsets of its first character and of the one behind its last."""

    start: int
    end: int


class Level(StrEnum):
    """How bad a problem is."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Source:
    """A text with a name, which can tell line and column of any offset in it."""

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
    """One thing that is wrong, or at least odd, with a rule sheet."""

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
        lines = [f"{source.name}: {self.level} {self.code}: {self.message}"]
        if self.span is not None:
            line, column = source.locate(self.span.start)
            text = source.line(line)
            width = max(1, min(self.span.end - self.span.start, len(text) - column + 1))
            lines = [f"{source.name}:{line}:{column}: {self.level} {self.code}: {self.message}"]
            lines += _excerpt(text, line, column, width)
        if self.hint:
            lines.append(f"  hint: {self.hint}")
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
    start = max(0, column - 1 - window // 2) if len(text) > window else 0
    shown = text[start : start + window].replace("\t", " ")
    marker = " " * (column - 1 - start) + "^" * max(1, min(width, start + len(shown) - column + 1))
    gutter = f"{line:>5} | "
    return [gutter + shown, " " * (len(gutter) - 2) + "| " + marker]


class GdlError(GameError):
    """A rule sheet that cannot be used, with all the problems found in it."""

    def __init__(self, problems: Iterable[Problem], source: Source) -> None:
        self.problems = tuple(problems)
        self.source = source
        super().__init__("\n".join(problem.render(source) for problem in self.problems))
