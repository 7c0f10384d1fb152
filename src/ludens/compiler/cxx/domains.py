"""Stage 2: the ground terms possible in each column, so that facts can be numbered and states be bit vectors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, Variable, arguments, is_ground, signature

Domain = frozenset[Term] | None
"""The terms of a column; None if unknown."""

_MAX_ROUNDS = 1000
"""Rules that count without a table of numbers would not terminate; their columns become unknown."""


def column_domains(
    clauses: Sequence[Clause], facts: Iterable[Term], feeds: Mapping[Signature, Signature]
) -> dict[Signature, tuple[Domain, ...]]:
    """A superset of the terms in each column of each relation. ``feeds`` maps relations to those that receive their
    facts: ``next`` to ``true``."""
    domains: defaultdict[tuple[Signature, int], set[Term] | None] = defaultdict(set)
    listed: defaultdict[tuple[Signature, int], set[Term]] = defaultdict(set)
    for fact in facts:
        for position, term in enumerate(arguments(fact)):
            listed[signature(fact), position].add(term)
    for place, terms in listed.items():
        _add(domains, feeds, place, terms)
    rounds = 0
    changed = True
    while changed:
        rounds += 1
        changed = False
        for clause in clauses:
            values = _variable_domains(clause, domains)
            for position, term in enumerate(arguments(clause.head)):
                new = values.get(term) if isinstance(term, Variable) else _only(term)
                if rounds > _MAX_ROUNDS and not isinstance(term, str):
                    new = None
                changed |= _add(domains, feeds, (signature(clause.head), position), new)
    signs = {signature(atom) for clause in clauses for atom in (clause.head, *clause.positive, *clause.negative)}
    signs |= {sign for sign, _ in domains} | set(feeds.values())
    return {sign: tuple(_frozen(domains[sign, n]) for n in range(sign[1])) for sign in signs}


def _only(term: Term) -> set[Term] | None:
    return {term} if is_ground(term) else None


def _frozen(terms: set[Term] | None) -> Domain:
    return None if terms is None else frozenset(terms)


def _add(
    domains: defaultdict[tuple[Signature, int], set[Term] | None],
    feeds: Mapping[Signature, Signature],
    place: tuple[Signature, int],
    new: set[Term] | None,
) -> bool:
    """Widen a column and the one it feeds; returns whether either changed."""
    known = domains[place]
    if known is None or (new is not None and new <= known):
        return False
    widened: set[Term] | None = None
    if new is not None:
        widened = set(known)
        widened.update(new)
    domains[place] = widened
    target = feeds.get(place[0])
    if target is not None:
        _add(domains, feeds, (target, place[1]), widened)
    return True


def _variable_domains(
    clause: Clause, domains: Mapping[tuple[Signature, int], set[Term] | None]
) -> dict[Variable, set[Term] | None]:
    values: dict[Variable, set[Term] | None] = {}
    for atom in clause.positive:
        for position, term in enumerate(arguments(atom)):
            if isinstance(term, Variable):
                domain = domains[signature(atom), position]
                known = values.get(term)
                values[term] = domain if known is None else known if domain is None else known & domain
    return values
