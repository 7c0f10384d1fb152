"""Python source for joins: what the reasoner's and the interpreter's have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from ludens.gdl.terms import Term, Variable

Item = TypeVar("Item")
Path = tuple[int, ...]
"""Where a subterm is: the index into the tuple at each level."""


def value_at(name: str, path: Path) -> str:
    """The text of code that reads a part of a term."""
    return name + "".join(f"[{number}]" for number in path)


def tuple_of(parts: Iterable[str]) -> str:
    """The text of a tuple with these parts."""
    return "(" + "".join(part + ", " for part in parts) + ")"


def separate(unbound: Callable[[Item], set[Variable]], work: list[Item]) -> list[list[Item]]:
    """The work in parts that share no unbound variable."""
    parts: list[tuple[list[Item], set[Variable]]] = []
    for literal in work:
        members, shared = [literal], unbound(literal)
        rest = []
        for part in parts:
            if part[1] & shared:
                members, shared = part[0] + members, shared | part[1]
            else:
                rest.append(part)
        parts = [*rest, (members, shared)]
    return [members for members, _ in parts]


class CodeWriter:
    """Collects the lines of functions, and names their variables."""

    def __init__(self) -> None:
        self.names: dict[Variable, str] = {}
        """The Python variable that holds the value of each bound variable."""
        self.functions: list[str] = []
        self.prologue: list[str] = []
        self.lines: list[str] = []
        self.serial = 0

    def build(self, term: Term) -> str:
        """A Python expression for a term whose variables are all bound."""
        if isinstance(term, Variable):
            return self.names[term]
        if isinstance(term, tuple):
            return tuple_of(self.build(part) for part in term)
        return repr(term)

    def fresh(self, prefix: str) -> str:
        """A name that is not yet used."""
        self.serial += 1
        return f"{prefix}{self.serial}"

    def emit(self, indent: int, line: str) -> None:
        """Write a line."""
        self.lines.append("    " * indent + line)
