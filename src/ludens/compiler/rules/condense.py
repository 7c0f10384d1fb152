"""Stage 1: split rule bodies so that no rule joins more variables than it must.

A rule with many local variables has a ground instance for every combination of their values. Eliminating a variable
means to move the literals that contain it into an auxiliary rule whose head has only the variables that are still
needed outside (bucket elimination). Equal auxiliary rules are shared.

Negated literals need their variables bound. Where that is done by a literal which stays outside, the auxiliary rule
gets a *demand* in its place, with just the variables it needs; since the literal itself is asked for outside, the
circuit may take demands as true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from ludens.compiler.rules.restrict import DEMAND
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.relation_graph import STATIC, RelationGraph
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, Variable, signature, substitute, variables

AUXILIARY = "aux "
"""The prefix of auxiliary relations; the blank distinguishes them from the rule sheet's own."""

_GUARD = f"{DEMAND}c"

LONG = 7
"""Clauses with as many variables are worth splitting although it saves no ground instances."""


@dataclass(frozen=True, slots=True)
class _Bucket:
    """The literals that contain a variable, with the guards they need to be safe."""

    clause: Clause
    """The auxiliary rule, its head still to be named."""
    variables: frozenset[Variable]
    guards: tuple[_Guard, ...]
    """The guards that bind variables of negated literals."""
    kept: tuple[Variable, ...]
    """Variables that the rest of the rule needs."""
    rest: Clause
    """The rule without the bucket's literals."""


@dataclass(frozen=True, slots=True)
class _Guard:
    """A literal that stays in the rest of the rule; an auxiliary rule needs only some of its variables."""

    atom: Term
    kept: tuple[Variable, ...]


class Condenser:
    """Condenses clauses; equal auxiliary rules are shared."""

    def __init__(self) -> None:
        self._shared: dict[Clause, str] = {}

    def condense(self, clauses: Iterable[Clause]) -> Iterator[Clause]:
        """The same rules with fewer variables each, auxiliary rules before those that use them."""
        clauses = list(clauses)
        phases = RelationGraph(clauses).phases
        static = {sign for sign, phase in phases.items() if phase == STATIC}
        for clause in clauses:
            yield from self._condense_one(clause, static)

    def prejoin(self, clauses: Iterable[Clause]) -> Iterator[Clause]:
        """The same rules, those with many variables split so that what few of them decide is derived only once.

        It does not lower the number of ground instances, but what each of them joins, and so the gates.
        """
        for clause in clauses:
            part = _find_prejoin(clause) if len(_clause_variables(clause)) >= LONG else None
            if part is None:
                yield clause
            else:
                guards: list[Term] = []
                yield from self._guards(clause, part.guards, guards)
                heads: list[Term] = []
                moved = replace(part.clause, positive=(*part.clause.positive, *guards))
                yield from self._auxiliary(moved, part.kept, heads, AUXILIARY)
                yield replace(part.rest, positive=(*part.rest.positive, *heads))

    def _condense_one(self, clause: Clause, static: Set[Signature]) -> Iterator[Clause]:
        while (bucket := _best_bucket(clause, static)) is not None:
            guards: list[Term] = []
            yield from self._guards(clause, bucket.guards, guards)
            moved = replace(bucket.clause, positive=(*bucket.clause.positive, *guards))
            heads: list[Term] = []
            yield from self._auxiliary(moved, bucket.kept, heads, AUXILIARY)
            clause = replace(bucket.rest, positive=(*bucket.rest.positive, *heads))
        yield clause

    def _guards(self, clause: Clause, guards: Iterable[_Guard], heads: list[Term]) -> Iterator[Clause]:
        for guard in guards:
            moved = replace(clause, positive=(guard.atom,), negative=(), distinct=())
            yield from self._auxiliary(moved, guard.kept, heads, _GUARD)

    def _auxiliary(self, clause: Clause, kept: Sequence[Variable], heads: list[Term], kind: str) -> Iterator[Clause]:
        """Add the head of an auxiliary rule to ``heads``; the rule itself comes out if there was none like it.

        Rules that differ in the names of their variables only are equal.
        """
        form = _canonical(replace(clause, head=(kind, *kept)))
        name = self._shared.get(form)
        is_new = name is None
        if name is None:
            name = self._shared[form] = f"{kind}{len(self._shared)}"
        heads.append((name, *kept) if kept else name)
        if is_new:
            yield replace(clause, head=heads[-1])


def _best_bucket(clause: Clause, static: Set[Signature]) -> _Bucket | None:
    """The bucket that joins the fewest variables, if it joins fewer than the whole rule."""
    everything = _clause_variables(clause)
    local = everything.difference(variables(clause.head))
    best: tuple[tuple[int, int, str], _Bucket] | None = None
    for variable in local:
        bucket = _bucket(clause, variable, static)
        if bucket is not None and len(bucket.variables) < len(everything):
            size = len(bucket.clause.positive) + len(bucket.clause.negative) + len(bucket.clause.distinct)
            key = (len(bucket.variables), size, variable.name)
            if best is None or key < best[0]:
                best = (key, bucket)
    return None if best is None else best[1]


def _bucket(clause: Clause, variable: Variable, static: Set[Signature]) -> _Bucket | None:
    """The literals with a variable, those that can go along, and guards that make the negated ones safe."""
    moved = _part(clause, lambda found: variable in found)
    if not moved.positive:
        return None
    bound, guards = _guards_for(clause, moved)
    moved = _extend(clause, moved, bound, static)
    guards = tuple(guard for guard in guards if not moved.bound_variables().issuperset(guard.kept))
    rest = _remove(clause, moved)
    kept = (bound - {variable}) & _clause_variables(rest)
    return _Bucket(moved, frozenset(bound), guards, tuple(sorted(kept, key=_name)), rest)


def _find_prejoin(clause: Clause) -> _Bucket | None:
    """The largest part of a clause that has at least two variables fewer."""
    everything = _clause_variables(clause)
    best: tuple[tuple[int, str], _Bucket] | None = None
    for variable in everything:
        moved = _part(clause, lambda found, left_out=variable: left_out not in found)  # type: ignore[misc]
        size = len(moved.positive) + len(moved.negative)
        rest = _remove(clause, moved)
        if size < 2 or not moved.positive or not rest.positive:
            continue
        bound, guards = _guards_for(clause, moved)
        if len(bound) <= len(everything) - 2:
            kept = bound & _clause_variables(rest)
            key = (-size, variable.name)
            if best is None or key < best[0]:
                best = (key, _Bucket(moved, frozenset(bound), guards, tuple(sorted(kept, key=_name)), rest))
    return None if best is None else best[1]


def _guards_for(clause: Clause, moved: Clause) -> tuple[set[Variable], tuple[_Guard, ...]]:
    """The variables of a bucket, and guards from the clause for those that only its negated literals have."""
    bound = moved.bound_variables()
    guards = []
    missing = _clause_variables(replace(moved, head="")) - bound
    while missing:
        atom = max(clause.positive, key=lambda atom: len(missing.intersection(variables(atom))))
        kept = (bound | missing).intersection(variables(atom))
        if not kept & missing:
            break
        guards.append(_Guard(atom, tuple(sorted(kept, key=_name))))
        bound |= kept
        missing -= kept
    return bound, tuple(guards)


def _extend(clause: Clause, moved: Clause, bound: Set[Variable], static: Set[Signature]) -> Clause:
    """The bucket with all literals that add no variable and are static or eliminate another variable."""
    inside = _part(clause, lambda found: found <= bound)
    outside = _clause_variables(_remove(clause, inside))

    def belongs(found: Set[Variable], sign: Signature | None) -> bool:
        return found <= bound and (sign is None or sign in static or not found <= outside)

    return replace(
        clause,
        positive=tuple(a for a in clause.positive if a in moved.positive or belongs(set(variables(a)), signature(a))),
        negative=tuple(a for a in clause.negative if a in moved.negative or belongs(set(variables(a)), signature(a))),
        distinct=tuple(p for p in clause.distinct if p in moved.distinct or belongs(set(_pair_variables(p)), None)),
    )


def _part(clause: Clause, is_part: Callable[[Set[Variable]], bool]) -> Clause:
    """The clause with those literals whose variables fulfil a condition."""
    return replace(
        clause,
        positive=tuple(atom for atom in clause.positive if is_part(set(variables(atom)))),
        negative=tuple(atom for atom in clause.negative if is_part(set(variables(atom)))),
        distinct=tuple(pair for pair in clause.distinct if is_part(set(_pair_variables(pair)))),
    )


def _remove(clause: Clause, part: Clause) -> Clause:
    """The clause without the literals of another."""
    return replace(
        clause,
        positive=tuple(atom for atom in clause.positive if atom not in part.positive),
        negative=tuple(atom for atom in clause.negative if atom not in part.negative),
        distinct=tuple(pair for pair in clause.distinct if pair not in part.distinct),
    )


def _name(variable: Variable) -> str:
    return variable.name


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
