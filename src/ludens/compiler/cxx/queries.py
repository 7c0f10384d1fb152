"""Stage 4: every relation with every binding pattern that the top-level queries reach, found breadth first."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ludens.compiler.cxx.flatten import column
from ludens.compiler.cxx.order import Check, Exists, Kind, Loop, Orderer, Step, UnboundError, pattern_of
from ludens.compiler.cxx.prepare import Prepared, compile_error
from ludens.compiler.cxx.usage import Profile, relation_key
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.relation_graph import MOVE
from ludens.gdl.logic.strata import Signature, components
from ludens.gdl.source import GdlError, Level, Problem
from ludens.gdl.terms import Term, Variable, arguments, signature, variables

UNKNOWN_ROWS = 50.0
"""The assumed number of facts of an unmeasured relation."""
LARGE_COLUMN = 1e3
"""The estimated number of values of an unknown argument in a relation that can only be derived on demand."""
MAX_QUERIES = 20_000
"""The maximum number of queries of a rule sheet."""


@dataclass(frozen=True, order=True)
class Query:
    """A flat relation with a binding pattern: ``b`` for a known argument, ``f`` for an unknown one."""

    sign: Signature
    pattern: str

    @property
    def key(self) -> str:
        """The query's name in a profile."""
        return f"{relation_key(self.sign)} {self.pattern}"

    @property
    def unknowns(self) -> int:
        """The number of unknown arguments."""
        return self.pattern.count("f")


@dataclass
class PlannedClause:
    """A clause with its steps in order."""

    clause: Clause
    steps: tuple[Step, ...]


@dataclass
class PlannedQuery:
    """A query with the plans of its clauses."""

    query: Query
    clauses: list[PlannedClause]
    phase: int
    group: int | None = None
    """The number of the recursive group it belongs to."""
    memo: bool = False
    """Whether answers are memoised, for the state, or for the joint move if recursive and dependent on it."""
    inline: bool = False
    """Whether the caller's code is inlined instead of called back."""
    callers: int = 0
    """The number of call sites."""

    @property
    def repeats(self) -> bool:
        """True if it may yield the same answer twice."""
        if not self.query.unknowns:
            return False
        return len(self.clauses) > 1 or any(_has_local_loop(planned) for planned in self.clauses)


@dataclass
class QueryPlan:
    """All queries of the code."""

    queries: dict[Query, PlannedQuery] = field(default_factory=dict)
    groups: int = 0
    """How many recursive groups there are."""


def plan_queries(prepared: Prepared, profile: Profile, top: Iterable[Query]) -> QueryPlan:
    """Find and order everything that the top-level queries need.

    Raises `GdlError` if a variable never gets a value, `GameError` if the rules depend on their own negation.
    """
    planner = _Planner(prepared, profile)
    plan = QueryPlan()
    queue = list(top)
    seen = set(queue)
    calls: dict[Query, list[tuple[Query, bool]]] = {}
    for query in queue:  # grows during the iteration: breadth first
        planned = planner.plan(query)
        plan.queries[query] = planned
        calls[query] = [call for clause in planned.clauses for call in planner.calls(clause, query)]
        for other, _ in calls[query]:
            if other not in seen:
                seen.add(other)
                queue.append(other)
        if len(queue) > MAX_QUERIES:
            raise compile_error(prepared.name, f"they need more than {MAX_QUERIES:,} queries")
    for targets in calls.values():
        for other, _ in targets:
            plan.queries[other].callers += 1
    _find_groups(prepared, plan, calls)
    return plan


def _find_groups(prepared: Prepared, plan: QueryPlan, calls: dict[Query, list[tuple[Query, bool]]]) -> None:
    for members in components(plan.queries, lambda query: [other for other, _ in calls[query]]):
        inside = set(members)
        if len(members) == 1 and members[0] not in {other for other, _ in calls[members[0]]}:
            continue
        for query in members:
            if any(negated and other in inside for other, negated in calls[query]):
                raise compile_error(prepared.name, f"relation {query.sign[0]!r} depends on its own negation")
            plan.queries[query].group = plan.groups
            plan.queries[query].memo = True
        plan.groups += 1


class _Planner:
    def __init__(self, prepared: Prepared, profile: Profile) -> None:
        self.prepared = prepared
        self.profile = profile
        self.clauses: dict[Signature, list[Clause]] = defaultdict(list)
        for clause in prepared.clauses:
            self.clauses[signature(clause.head)].append(clause)
        self.table_sizes = {
            sign: [float(len({arguments(fact)[n] for fact in facts})) for n in range(sign[1])]
            for sign, facts in prepared.tables.items()
        }
        self.orderer = Orderer(self.estimate, self.test_cost, self._required())

    def plan(self, query: Query) -> PlannedQuery:
        planned = []
        for clause in self.clauses[query.sign]:
            try:
                planned.append(PlannedClause(clause, self.orderer.order(clause, query.pattern)))
            except UnboundError as error:
                message = f"variable ?{error.variable.name} has no value: no positive condition of the rule binds it"
                problem = Problem("GDL210", Level.ERROR, message, clause.span)
                raise GdlError([problem], self.prepared.sheet.source) from None
        return PlannedQuery(query, planned, self.prepared.phases[query.sign])

    def is_derived(self, atom: Term) -> bool:
        """True if a literal is answered by rules, not by a table, the state or the joint move."""
        sign = signature(atom)
        relation = self.prepared.predicates[sign].relation
        return sign not in self.prepared.tables and relation not in ("true", "does")

    def calls(self, planned: PlannedClause, query: Query) -> Iterator[tuple[Query, bool]]:
        """The queries that a clause asks, and whether they are negated."""
        head = zip(arguments(planned.clause.head), query.pattern, strict=True)
        bound = {variable for argument, mode in head if mode == "b" for variable in variables(argument)}
        yield from self._calls(planned.steps, bound)

    def _calls(self, steps: Iterable[Step], bound: set[Variable]) -> Iterator[tuple[Query, bool]]:
        known = set(bound)
        for step in steps:
            match step:
                case Exists(inner):
                    yield from self._calls(inner, known)
                case Check(literal):
                    if literal.kind is not Kind.DISTINCT and self.is_derived(literal.terms[0]):
                        sign = signature(literal.terms[0])
                        yield Query(sign, "b" * sign[1]), literal.kind is Kind.FAILS
                case Loop(atom):
                    if self.is_derived(atom):
                        yield Query(signature(atom), pattern_of(atom, known)), False
                    known |= set(variables(atom))

    def estimate(self, atom: Term, bound: set[Variable]) -> float:
        """How many answers a literal has, by the size of its relation and how its known arguments select."""
        sign = signature(atom)
        if self._is_unlisted(sign):
            # Only the seed's measure is available: the number of unknowns, then of known arguments.
            unknown = self._unknown_arguments(atom, bound)
            return float(LARGE_COLUMN**unknown / (1 + len(self.prepared.predicates[sign].template) - unknown))
        rows, distinct = self._size(sign)
        for argument, different in zip(arguments(atom), distinct, strict=True):
            if bound.issuperset(variables(argument)):
                rows /= max(1.0, different)
        return rows

    def _is_unlisted(self, sign: Signature) -> bool:
        """True if the reference reasoner could not list a relation when states were sampled."""
        return (
            self.profile.states > 0
            and sign not in self.prepared.tables
            and self.prepared.phases[sign] < MOVE
            and relation_key(sign) not in self.profile.relations
        )

    def _unknown_arguments(self, atom: Term, bound: set[Variable]) -> int:
        """How many arguments of the relation, as the rule sheet has it, are not wholly known."""
        free = {
            column(number)
            for number, argument in enumerate(arguments(atom))
            if not bound.issuperset(variables(argument))
        }
        template = self.prepared.predicates[signature(atom)].template
        return sum(not free.isdisjoint(variables(argument)) for argument in template)

    def _size(self, sign: Signature) -> tuple[float, tuple[float, ...]]:
        if sign in self.table_sizes:
            return float(len(self.prepared.tables[sign])), tuple(self.table_sizes[sign])
        domains = self.prepared.domains[sign]
        sizes = tuple(UNKNOWN_ROWS if domain is None else float(len(domain)) for domain in domains)
        relation = self.prepared.predicates[sign].relation
        measured = self.profile.relations.get(relation_key(sign))
        if measured is not None and len(measured.distinct) == sign[1]:
            # A relation that was empty in all samples may still have facts.
            return max(measured.rows, 0.25), tuple(max(1.0, count) for count in measured.distinct)
        if relation == "does":
            return float(len(self.prepared.roles)), sizes
        rows = min(math.prod(sizes), UNKNOWN_ROWS * (1 + sum(size > 1 for size in sizes)))
        return rows, sizes

    def test_cost(self, atom: Term) -> float:
        if not self.is_derived(atom):
            return 1.0
        return 10.0 + len(self.clauses[signature(atom)])

    def _required(self) -> dict[Signature, frozenset[int]]:
        """Arguments that the rules of a relation do not bind, so that callers must."""
        required: dict[Signature, frozenset[int]] = {}
        for sign, clauses in self.clauses.items():
            positions = set()
            for clause in clauses:
                bound = clause.bound_variables()
                positions |= {
                    n for n, part in enumerate(arguments(clause.head)) if not bound.issuperset(variables(part))
                }
            if positions:
                required[sign] = frozenset(positions)
        return required


def _has_local_loop(planned: PlannedClause) -> bool:
    """True if a loop gives values that are not part of the answer, so that answers may come twice."""
    head = arguments(planned.clause.head)
    outputs = {variable for argument in head for variable in variables(argument)}
    return any(isinstance(step, Loop) and not outputs.issuperset(variables(step.atom)) for step in planned.steps)


def choose_memo(plan: QueryPlan, profile: Profile, choice: str) -> None:
    """Decide which queries are memoised: ``on`` for all possible, ``off`` for none, ``auto`` by the profile.

    Never queries that depend on ``does``; recursive queries always, since they terminate only by their tables.
    """
    for query, planned in plan.queries.items():
        if planned.group is None and planned.phase < MOVE and query.sign[0].split(" ")[0] not in _TOP:
            planned.memo = choice == "on" or (choice == "auto" and _pays(planned, profile))


_TOP = ("terminal", "legal", "goal", "next")

TABLE_COST = 4
"""The cost of looking up a memoised answer, in queries and scans started."""


def _pays(planned: PlannedQuery, profile: Profile) -> bool:
    """Whether memoising saves more work than the tables cost."""
    measured = profile.queries.get(planned.query.key)
    if measured is None or not measured.misses:
        return planned.callers > 1 and any(
            isinstance(step, Loop | Exists) for clause in planned.clauses for step in clause.steps
        )
    saved = (measured.calls - measured.misses) * (measured.work / measured.misses)
    return saved > TABLE_COST * (measured.calls + measured.answers + measured.misses)


INLINE_STEPS = 3
"""The maximum number of steps of a query that is inlined into each of its callers."""


def choose_inline(plan: QueryPlan, profile: Profile) -> None:
    """Decide which queries are inlined: short ones with many calls, or with a single call site."""
    for query, planned in plan.queries.items():
        if planned.memo or not query.unknowns or planned.repeats:
            continue
        measured = profile.queries.get(query.key)
        often = measured is not None and measured.calls > profile.states
        steps = sum(1 + len(clause.steps) for clause in planned.clauses)
        planned.inline = planned.callers == 1 or (steps <= INLINE_STEPS and (often or measured is None))
