"""Rules of GDL as they are written: a head, and a body of conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ludens.gdl.repetition import Repetition
from ludens.gdl.source import Problem, Source, Span
from ludens.gdl.terms import Term

NOWHERE = Span(0, 0)
"""The place of rules without source text."""


@dataclass(frozen=True, slots=True)
class Holds:
    """A relation that must hold, such as ``(true (cell 1 1 b))``."""

    atom: Term
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Distinct:
    """Two terms that must differ."""

    left: Term
    right: Term
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """A condition that must fail."""

    condition: Condition
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Or:
    """Conditions of which one must hold."""

    conditions: tuple[Condition, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class And:
    """Conditions that must all hold. GDL has no word for it; some rule sheets write ``and`` inside ``or``."""

    conditions: tuple[Condition, ...]
    span: Span = field(default=NOWHERE, compare=False)


Condition: TypeAlias = "Holds | Distinct | Not | Or | And"


@dataclass(frozen=True, slots=True)
class Rule:
    """A head that holds whenever all conditions of the body do; a fact if the body is empty."""

    head: Term
    body: tuple[Condition, ...] = ()
    span: Span = field(default=NOWHERE, compare=False)
    head_span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class RuleSheet:
    """The rules of one game as read from a text; two are equal if their rules are."""

    rules: tuple[Rule, ...]
    source: Source = field(default=Source(""), compare=False)
    warnings: tuple[Problem, ...] = field(default=(), compare=False)
    """What the reader found odd but could read."""
    spelling: Mapping[str, str] = field(default_factory=dict, compare=False)
    """From a name in lower case to the way this rule sheet spells it."""
    repetition: Repetition | None = None
    """Whether a match also ends by repetition, as the card of a game may say: GDL cannot express it."""


def atoms(condition: Condition) -> Iterator[tuple[Holds, bool]]:
    """Every relation in a condition, from left to right, and whether it stands under an odd number of ``not``."""
    yield from _atoms(condition, negated=False)


def _atoms(condition: Condition, *, negated: bool) -> Iterator[tuple[Holds, bool]]:
    match condition:
        case Holds():
            yield condition, negated
        case Not(inner):
            yield from _atoms(inner, negated=not negated)
        case Or(conditions) | And(conditions):
            for inner in conditions:
                yield from _atoms(inner, negated=negated)
