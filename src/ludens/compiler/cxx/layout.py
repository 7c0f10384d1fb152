"""Stage 5: numbers for names, terms, the facts of a state, and moves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ludens.compiler.cxx.flatten import column
from ludens.compiler.cxx.prepare import Prepared
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, Variable, arguments, is_ground, sort_key, substitute

MAX_BITS = 1 << 14
"""The maximum number of numbered facts of one form; larger forms are lists."""
MAX_STATE_BITS = 1 << 17
"""The maximum number of numbered facts in all."""
MAX_MOVES = 1 << 30
"""The maximum number of numbered moves of all roles; forms beyond it are interned terms."""
OPEN = 1 << 31
"""Marks facts and moves that are interned terms; also in the generated code."""
FORM_FUNCTOR = 1 << 30
"""Functors from here on stand for forms of facts and moves; also in the generated code."""


@dataclass(frozen=True, slots=True)
class FactForm:
    """A form of the facts of a state: a flat relation of ``true``."""

    sign: Signature
    number: int
    """Its number among all forms of facts."""
    word: int | None
    """The first word of its bits; None if its facts are a list."""
    size: int
    """How many bits it has."""
    open: int
    """Its number among the forms stored as lists."""


@dataclass(frozen=True, slots=True)
class MoveForm:
    """A form of moves: a flat relation of ``legal`` and ``does``, whose first column is the role."""

    sign: Signature
    """In ``legal``."""
    number: int
    first: int | None
    """The number of its first move within a role; None if its moves are interned terms, with the role as last part."""
    size: int


@dataclass
class Layout:
    """The numbers of a game."""

    prepared: Prepared
    names: dict[str, int] = field(default_factory=dict)
    compounds: dict[Term, int] = field(default_factory=dict)
    """The ground compound terms that the rules mention, parts before wholes."""
    facts: dict[Signature, FactForm] = field(default_factory=dict)
    moves: dict[Signature, MoveForm] = field(default_factory=dict)
    """By signature in ``does``."""
    words: int = 1
    move_count: int = 1
    """How many numbers each role has for its moves; those of the second role follow those of the first."""

    @property
    def size(self) -> int:
        """How many terms have numbers that are known when the code is generated."""
        return len(self.names) + len(self.compounds)

    def id(self, term: Term) -> int:
        """The number of a ground term of the rules."""
        if isinstance(term, str):
            return self.names[term]
        return len(self.names) + self.compounds[term]

    def columns(self, sign: Signature) -> tuple[tuple[int, ...] | None, ...]:
        """The numbers of the terms in each column, ascending; None if unknown."""
        return tuple(
            None if domain is None else tuple(sorted(map(self.id, domain))) for domain in self.prepared.domains[sign]
        )

    def sizes(self, sign: Signature) -> tuple[int | None, ...]:
        """How many terms each column can have."""
        return tuple(None if domain is None else len(domain) for domain in self.prepared.domains[sign])


def make_layout(prepared: Prepared) -> Layout:
    """Number everything."""
    layout = Layout(prepared)
    terms = list(_terms(prepared))
    names: set[str] = set()
    for term in terms:
        names.update(_names(term))
    layout.names = {name: number for number, name in enumerate(sorted(names, key=sort_key))}
    for term in terms:
        _collect(term, layout.compounds)
    _number_facts(prepared, layout)
    _number_moves(prepared, layout)
    return layout


def _number_facts(prepared: Prepared, layout: Layout) -> None:
    word, lists = 0, 0
    for number, sign in enumerate(prepared.of("true")):
        bits = _product(layout.sizes(sign))
        if bits is not None and bits <= MAX_BITS and word * 64 + bits <= MAX_STATE_BITS:
            layout.facts[sign] = FactForm(sign, number, word, bits, 0)
            word += (bits + 63) // 64
        else:
            layout.facts[sign] = FactForm(sign, number, None, 0, lists)
            lists += 1
    layout.words = max(1, word)


def _number_moves(prepared: Prepared, layout: Layout) -> None:
    first = 0
    for number, sign in enumerate(prepared.of("legal")):
        does = "does" + prepared.predicates[sign].suffix, sign[1]
        size = _product(layout.sizes(sign)[1:])
        if size is not None and (first + size) * len(prepared.roles) <= MAX_MOVES:
            layout.moves[does] = MoveForm(sign, number, first, size)
            first += size
        else:
            layout.moves[does] = MoveForm(sign, number, None, 0)
    layout.move_count = max(1, first)


def _product(sizes: Iterable[int | None]) -> int | None:
    known = list(sizes)
    return None if None in known else math.prod(size for size in known if size is not None)


def _terms(prepared: Prepared) -> Iterator[Term]:
    """Every argument of every atom, and the templates."""
    yield from prepared.roles
    for _, variable in prepared.sources.values():
        yield variable
    for facts in (prepared.initial, *prepared.tables.values()):
        for fact in facts:
            yield from arguments(fact)
    for clause in prepared.clauses:
        for atom in (clause.head, *clause.positive, *clause.negative):
            yield from arguments(atom)
        for pair in clause.distinct:
            yield from pair
    for predicate in prepared.predicates.values():
        yield from predicate.template
    for domains in prepared.domains.values():
        for domain in domains:
            yield from sorted(domain or (), key=repr)


def _names(term: Term) -> Iterator[str]:
    if isinstance(term, str):
        yield term
    elif isinstance(term, tuple):
        for part in term:
            yield from _names(part)


def _collect(term: Term, numbers: dict[Term, int]) -> None:
    """Number the ground compound terms in a term, parts first."""
    if isinstance(term, tuple):
        for part in term[1:]:
            _collect(part, numbers)
        if is_ground(term):
            numbers.setdefault(term, len(numbers))


def fill(template: Term, row: tuple[Term, ...]) -> Term:
    """A template with its columns replaced."""
    values: dict[Variable, Term] = {column(number): term for number, term in enumerate(row)}
    return substitute(template, values)


def fact_row(layout: Layout, fact: Term) -> tuple[int, ...]:
    """The numbers of a flat fact's columns."""
    return tuple(layout.id(term) for term in arguments(fact))
