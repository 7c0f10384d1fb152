"""The common form of both syntaxes: nested expressions with their place in the text."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludens.gdl.source import Level, Problem, Source, Span

MAX_DEPTH = 100
"""How deep expressions may nest. Rule sheets in use stay below 15; the bound keeps hostile ones from the stack."""

MAX_CHARACTERS = 4_000_000
"""How long a rule sheet may be. The longest in public use has 70,000 characters."""


@dataclass(frozen=True, slots=True)
class Word:
    """A name, number or variable; variables begin with a question mark in either syntax."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Group:
    """A list of expressions: a compound term, a rule, or a condition."""

    items: tuple[Expression, ...]
    span: Span


Expression = Word | Group


def nesting(expression: Expression) -> int:
    """How deep groups are nested in an expression; 0 for a word."""
    deepest = 0
    stack = [(expression, 0)]
    while stack:
        part, level = stack.pop()
        if isinstance(part, Group):
            deepest = max(deepest, level + 1)
            stack.extend((item, level + 1) for item in part.items)
    return deepest


@dataclass
class Problems:
    """Collects what is wrong while a text is read, so that one run reports several errors."""

    source: Source
    found: list[Problem] = field(default_factory=list)
    limit: int = 50
    """How many errors are enough to look at, and how many warnings."""

    def error(self, code: str, message: str, span: Span, hint: str) -> None:
        """Report an error with a hint; the text cannot be used."""
        self._add(Problem(code, Level.ERROR, message, span, hint))

    def warning(self, code: str, message: str, span: Span, hint: str = "") -> None:
        """Report a warning; the text can be used."""
        self._add(Problem(code, Level.WARNING, message, span, hint))

    def _add(self, problem: Problem) -> None:
        if sum(other.level is problem.level for other in self.found) < self.limit:
            self.found.append(problem)

    @property
    def errors(self) -> list[Problem]:
        """The errors so far."""
        return [problem for problem in self.found if problem.level is Level.ERROR]

    @property
    def full(self) -> bool:
        """True once there is no point in looking for more errors."""
        return len(self.found) >= self.limit and len(self.errors) >= self.limit
