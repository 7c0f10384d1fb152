"""Stages 1 and 2: a rule sheet becomes flat clauses, tables of static facts, and column domains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ludens.compiler.cxx.domains import Domain, column_domains
from ludens.compiler.cxx.flatten import FlatProgram, Place, Predicate, column, flat_name, flatten
from ludens.core import GameError
from ludens.gdl.chance.core_form import core_form, named_sources
from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.logic.relation_graph import MOVE, STATE, STATIC, RelationGraph
from ludens.gdl.logic.strata import Signature, components
from ludens.gdl.reasoner.program import BudgetError
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, arguments, functor, is_ground, signature

TOP_LEVEL: tuple[Signature, ...] = (("terminal", 0), ("goal", 2), ("legal", 2), ("next", 1))
"""The relations queried in a state; ``init`` and ``role`` are evaluated when the code is generated."""

MAX_TABLE = 200_000
"""The maximum number of facts of a static relation that becomes a table."""
MANY_FACTS = 4
"""The minimum number of facts that a relation with rules keeps in a table."""


@dataclass(frozen=True)
class Prepared:
    """A rule sheet, ready to be planned."""

    name: str
    sheet: RuleSheet
    roles: tuple[Term, ...]
    initial: tuple[Term, ...]
    """The flat ``true`` facts of the initial state."""
    clauses: tuple[Clause, ...]
    """The flat clauses of relations that are not static, or too large for a table."""
    tables: dict[Signature, tuple[Term, ...]]
    """The flat facts of static relations."""
    predicates: dict[Signature, Predicate]
    domains: dict[Signature, tuple[Domain, ...]]
    phases: dict[Signature, int]
    """`STATIC`, `STATE` or `MOVE` for each flat relation."""
    reference: ReferenceGame
    sources: dict[str, tuple[Term, Term]]
    """The roles that draw random variables, each with the role and the variable that it draws for."""

    @property
    def named_roles(self) -> tuple[Term, ...]:
        """The roles that the rule sheet names, followed by the chance roles."""
        return self.roles[: len(self.roles) - len(self.sources)]

    def of(self, relation: str) -> list[Signature]:
        """The flat relations of a relation of the rule sheet, in a fixed order."""
        return sorted(sign for sign, predicate in self.predicates.items() if predicate.relation == relation)


def prepare(sheet: RuleSheet, name: str, *, everything: bool = False) -> Prepared:
    """Prepare a rule sheet, in plain GDL; with ``everything``, also relations that no top-level query needs.

    Raises `GameError` if the rules cannot be evaluated query by query.
    """
    sources = named_sources(sheet)
    sheet = core_form(sheet, sources)
    reference = ReferenceGame(sheet, name)
    split = list(clauses(sheet.rules, sheet.source))
    graph = RelationGraph(split)
    wanted = set(graph.numbers) if everything else {s for top in TOP_LEVEL for s in graph.reachable(top)}
    wanted -= {("init", 1), ("base", 1), ("input", 2)} - {s for top in TOP_LEVEL for s in graph.reachable(top)}
    tables = _tables(reference, wanted, graph)
    needed = [_distinguish(c) for c in split if signature(c.head) in wanted and signature(c.head) not in tables]
    initial: list[Term] = [("true", fact) for fact in sorted(reference.initial_state().facts, key=repr)]
    facts = [_plain(fact) for rows in tables.values() for fact in rows]
    flat = flatten(needed, [*facts, *initial], _negated_with_itself(needed))
    flat = _separate_facts(flat)
    true_facts = {fact for fact in flat.facts if flat.predicates[signature(fact)].relation == "true"}
    known = {sign: flat.predicates[sign].relation for sign in flat.predicates}
    rows: dict[Signature, list[Term]] = {}
    for fact in flat.facts:
        if fact not in true_facts:
            rows.setdefault(signature(fact), []).append(fact)
    _complete_forms(flat)
    feeds = {
        sign: (flat_name(flat.predicates[sign], "true" if known[sign] == "next" else "does"), sign[1])
        for sign in known
        if known[sign] in ("next", "legal")
    }
    domains = column_domains(flat.clauses, flat.facts, feeds)
    for sign in flat.predicates:
        domains.setdefault(sign, tuple(frozenset[Term]() for _ in range(sign[1])))
    return Prepared(
        name=name,
        sheet=sheet,
        roles=tuple(reference.role_terms.values()),
        initial=tuple(fact for fact in flat.facts if fact in true_facts),
        clauses=tuple(flat.clauses),
        tables={sign: tuple(facts) for sign, facts in rows.items()},
        predicates=flat.predicates,
        domains=domains,
        phases=_phases(flat),
        sources=sources,
        reference=reference,
    )


def _distinguish(clause: Clause) -> Clause:
    """The clause with ``(p)`` and ``p`` as different relations, although their signatures are equal."""
    return replace(
        clause,
        head=_plain(clause.head),
        positive=tuple(map(_plain, clause.positive)),
        negative=tuple(map(_plain, clause.negative)),
    )


def _plain(atom: Term) -> Term:
    return f"{functor(atom)} ()" if isinstance(atom, tuple) and len(atom) == 1 else atom


def _tables(
    reference: ReferenceGame, wanted: Iterable[Signature], graph: RelationGraph
) -> dict[Signature, tuple[Term, ...]]:
    """The facts of static relations, as far as they can be listed."""
    tables = {}
    for sign in sorted(wanted):
        if graph.phases.get(sign, STATIC) == STATIC and sign not in TOP_LEVEL:
            try:
                facts = reference.program.all_facts(reference.program.static, sign)
            except BudgetError:
                facts = None
            if facts is not None and len(facts) <= MAX_TABLE:
                tables[sign] = tuple(sorted(facts, key=repr))
    return tables


def _negated_with_itself(clauses: Sequence[Clause]) -> frozenset[Place]:
    """Columns of relations that depend on their own negation, as ``(<= (goal r 100) (not (goal r 0)))`` makes it
    look: distinguished by constant, most of them do not."""
    graph = RelationGraph(clauses)
    groups = {
        graph.groups[signature(clause.head)]
        for clause in clauses
        for atom in clause.negative
        if graph.groups[signature(atom)] == graph.groups[signature(clause.head)]
    }
    signs = [sign for sign, group in graph.groups.items() if group in groups]
    return frozenset((sign, position) for sign in signs for position in range(sign[1]))


def _separate_facts(flat: FlatProgram) -> FlatProgram:
    """Move the facts of relations that also have rules into separate tables."""
    grouped: dict[Signature, list[Clause]] = {}
    for clause in flat.clauses:
        is_fact = not (clause.positive or clause.negative or clause.distinct) and is_ground(clause.head)
        if is_fact and arguments(clause.head):
            grouped.setdefault(signature(clause.head), []).append(clause)
    moved: set[Clause] = set()
    added: list[Clause] = []
    facts = list(flat.facts)
    predicates = dict(flat.predicates)
    for (name, arity), rows in grouped.items():
        if len(rows) >= MANY_FACTS:
            moved.update(rows)
            table = f"{name} facts"
            facts += [(table, *arguments(clause.head)) for clause in rows]
            predicates[table, arity] = replace(predicates[name, arity], relation=table, suffix="")
            variables = tuple(column(number) for number in range(arity))
            added.append(replace(rows[0], head=(name, *variables), positive=((table, *variables),)))
    return FlatProgram([*(c for c in flat.clauses if c not in moved), *added], facts, predicates)


def _complete_forms(flat: FlatProgram) -> None:
    """Name every form of fluent and of move under all keywords that share it."""
    for (_, arity), predicate in list(flat.predicates.items()):
        for shared in (("true", "next"), ("legal", "does")):
            if predicate.relation in shared:
                for relation in shared:
                    sign = flat_name(predicate, relation), arity
                    flat.predicates.setdefault(sign, replace(predicate, relation=relation))


def _phases(flat: FlatProgram) -> dict[Signature, int]:
    """The phase of each flat relation, the keywords' own included."""
    needs: dict[Signature, set[Signature]] = {sign: set() for sign in flat.predicates}
    for clause in flat.clauses:
        needs[signature(clause.head)] |= {signature(atom) for atom in (*clause.positive, *clause.negative)}
    phases: dict[Signature, int] = {}
    keywords = {"true": STATE, "does": MOVE}
    for group in components(needs, lambda sign: sorted(needs[sign])):
        group_phases = [keywords.get(flat.predicates[sign].relation, STATIC) for sign in group]
        group_phases += [phases[other] for sign in group for other in needs[sign] if other in phases]
        phases.update(dict.fromkeys(group, max(group_phases)))
    return phases


def compile_error(name: str, reason: str) -> GameError:
    """The error for rules that cannot be compiled query by query."""
    return GameError(f"{name}: the rules cannot be compiled to C++: {reason}; use the backend 'reference'")
