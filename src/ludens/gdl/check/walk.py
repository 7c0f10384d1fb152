"""Ways through conditions and terms that do not recurse, so that any depth is safe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludens.gdl.rules import And, Condition, Not, Or
from ludens.gdl.terms import Term


@dataclass(frozen=True, slots=True)
class Nested:
    """One condition, anywhere in a body."""

    condition: Condition
    parent: Condition | None
    """The condition that it stands directly in."""
    negated: bool
    """True if it stands under an odd number of ``not``."""


def conditions(body: Sequence[Condition]) -> Iterator[Nested]:
    """Every condition of a body, outer ones before those inside them."""
    stack = [Nested(condition, None, negated=False) for condition in reversed(body)]
    while stack:
        nested = stack.pop()
        yield nested
        outer = nested.condition
        negated = nested.negated != isinstance(outer, Not)
        stack.extend(Nested(inner, outer, negated) for inner in reversed(parts(outer)))


def parts(condition: Condition) -> tuple[Condition, ...]:
    """The conditions directly inside a condition."""
    match condition:
        case Not(inner):
            return (inner,)
        case Or(inner_ones) | And(inner_ones):
            return inner_ones
    return ()


def subterms(term: Term) -> Iterator[Term]:
    """A term and all terms inside it, from left to right."""
    stack = [term]
    while stack:
        part = stack.pop()
        yield part
        if isinstance(part, tuple):
            stack.extend(reversed(part[1:]))
