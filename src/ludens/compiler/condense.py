"""Stage 1: split rule bodies so that no rule joins more variables than it must.

A rule with many local variables has a ground instance for every combination of their values. Eliminating a variable
means to move the literals that contain it into an auxiliary rule whose head has only the variables that are still
needed outside (bucket elimination). Equal auxiliary rules are shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ludens.gdl.clauses import Clause
from ludens.gdl.terms import Term, Variable, substitute, variables

AUXILIARY = "aux "
"""What the names of auxiliary relations begin with; the blank keeps them apart from the rule sheet's own."""


@dataclass(frozen=True, slots=True)
class _Bucket:
    """The literals that contain a variable, with what else they need to be safe."""

    clause: Clause
    """The auxiliary rule, its head still to be named."""
    variables: frozenset[Variable]
    kept: tuple[Variable, ...]
    """Variables that the rest of the rule needs."""
    rest: Clause
    """The rule without the bucket's literals."""


@dataclass
class Condenser:
    """Condenses clauses; remembers auxiliary rules so that equal ones are shared."""

    _shared: dict[Clause, str] = field(default_factory=dict)

    def condense(self, clauses: Iterable[Clause]) -> Iterator[Clause]:
        """The same rules with fewer variables each, auxiliary rules before those that use them."""
        for clause in clauses:
            yield from self._condense_one(clause)

    def _condense_one(self, clause: Clause) -> Iterator[Clause]:
        while (bucket := _best_bucket(clause)) is not None:
            name, is_new = self._name(bucket)
            head: Term = (name, *bucket.kept) if bucket.kept else name
            if is_new:
                yield replace(bucket.clause, head=head)
            clause = replace(bucket.rest, positive=(*bucket.rest.positive, head))
        yield clause

    def _name(self, bucket: _Bucket) -> tuple[str, bool]:
        """The name of an auxiliary rule, and whether it is new; rules that differ in variable names only are equal."""
        form = _canonical(replace(bucket.clause, head=("", *bucket.kept)))
        name = self._shared.get(form)
        if name is not None:
            return name, False
        name = f"{AUXILIARY}{len(self._shared)}"
        self._shared[form] = name
        return name, True


def _best_bucket(clause: Clause) -> _Bucket | None:
    """The bucket that joins the fewest variables, if it joins fewer than the whole rule."""
    everything = _clause_variables(clause)
    local = everything.difference(variables(clause.head))
    best: tuple[tuple[int, int, str], _Bucket] | None = None
    for variable in local:
        bucket = _bucket(clause, variable)
        if bucket is not None and len(bucket.variables) < len(everything):
            size = len(bucket.clause.positive) + len(bucket.clause.negative) + len(bucket.clause.distinct)
            key = (len(bucket.variables), size, variable.name)
            if best is None or key < best[0]:
                best = (key, bucket)
    return None if best is None else best[1]


def _bucket(clause: Clause, variable: Variable) -> _Bucket | None:
    """The literals with a variable; positive literals are added until the negated ones are safe."""
    positive = [atom for atom in clause.positive if variable in variables(atom)]
    negative = [atom for atom in clause.negative if variable in variables(atom)]
    distinct = [pair for pair in clause.distinct if variable in _pair_variables(pair)]
    if not positive:
        return None
    bound = {other for atom in positive for other in variables(atom)}
    guards: list[Term] = []
    tests = [set(variables(atom)) for atom in negative] + [set(_pair_variables(pair)) for pair in distinct]
    for needed in tests:
        for missing in sorted(needed - bound, key=lambda other: other.name):
            if missing in bound:
                continue
            candidates = [atom for atom in clause.positive if missing in variables(atom)]
            if not candidates:
                return None
            guard = min(candidates, key=lambda atom: len(set(variables(atom)) - bound))
            guards.append(guard)
            bound.update(variables(guard))
    rest = replace(
        clause,
        positive=tuple(atom for atom in clause.positive if atom not in positive),
        negative=tuple(atom for atom in clause.negative if atom not in negative),
        distinct=tuple(pair for pair in clause.distinct if pair not in distinct),
    )
    outside = _clause_variables(rest)
    kept = tuple(sorted((bound - {variable}) & outside, key=lambda other: other.name))
    moved = replace(clause, positive=(*positive, *guards), negative=tuple(negative), distinct=tuple(distinct))
    return _Bucket(moved, frozenset(bound), kept, rest)


def _clause_variables(clause: Clause) -> set[Variable]:
    found = set(variables(clause.head))
    for atom in (*clause.positive, *clause.negative):
        found.update(variables(atom))
    for pair in clause.distinct:
        found.update(_pair_variables(pair))
    return found


def _pair_variables(pair: tuple[Term, Term]) -> Iterator[Variable]:
    yield from variables(pair[0])
    yield from variables(pair[1])


def _canonical(clause: Clause) -> Clause:
    """The clause with its variables numbered in the order in which they occur, and without its place."""
    order: dict[Variable, Term] = {}
    for term in (clause.head, *clause.positive, *clause.negative, *(side for pair in clause.distinct for side in pair)):
        for variable in variables(term):
            order.setdefault(variable, Variable(f"{len(order)} "))
    return Clause(
        substitute(clause.head, order),
        tuple(substitute(atom, order) for atom in clause.positive),
        tuple(substitute(atom, order) for atom in clause.negative),
        tuple((substitute(left, order), substitute(right, order)) for left, right in clause.distinct),
        clause.span._replace(start=0, end=0),
    )
