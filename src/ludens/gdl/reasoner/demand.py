"""Relations that are derived on demand: only those facts that a join asks for.

Bottom up, a relation such as ``(attacks ?from ?to ?if_this_were_empty)`` is derived for all squares, although the
rules ask only for a few. On demand, a join that is about to look up facts with some arguments known first makes sure
that all such facts have been derived: a *call*. Calls that need each other (recursion) are repeated until none of
them finds anything new; a call of another group of relations is complete when it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ludens.gdl.logic.clauses import Clause
from ludens.gdl.reasoner.joins import Join, Pattern
from ludens.gdl.reasoner.relations import Relation
from ludens.gdl.terms import Term, arguments


@dataclass(eq=False, slots=True)
class _Call:
    """All facts of a relation that have certain values for certain arguments."""

    number: int
    pattern: Pattern
    key: tuple[Term, ...]
    facts: set[Term] = field(default_factory=set)
    """What has been derived for this call."""
    dependents: set[_Call] = field(default_factory=set)
    """Calls of the same group that looked here before it was complete."""
    waiting: bool = False


@dataclass(slots=True)
class _Agenda:
    """Calls of one group of relations that need each other and are not complete yet."""

    group: int
    open: dict[tuple[int, Pattern, tuple[Term, ...]], _Call] = field(default_factory=dict)
    stack: list[_Call] = field(default_factory=list)
    """What is to be derived, last one first."""
    fresh: list[_Call] = field(default_factory=list)
    """Calls that were made for the first time by the one being derived."""
    current: _Call | None = None
    """The call being derived."""

    def put(self, calls: Iterable[_Call]) -> None:
        """Put calls on the stack that are not there already."""
        for call in calls:
            if not call.waiting:
                call.waiting = True
                self.stack.append(call)


class Demand:
    """Answers calls. Relations that depend on each other form a group."""

    def __init__(
        self,
        clauses: Mapping[int, Sequence[Clause]],
        groups: Mapping[int, int],
        compile_join: Callable[[Clause, int], Join],
        take: Callable[[Iterator[Term]], list[Term]],
    ) -> None:
        self._clauses = clauses
        """The clauses of each relation, by its number."""
        self._groups = groups
        self._compile = compile_join
        self._take = take
        """Lists what a join derives; raises when that is too much."""
        self._joins: dict[tuple[int, Pattern], list[Join]] = {}
        self._agendas: list[_Agenda] = []

    def forget_joins(self) -> None:
        """Discard compiled joins: the set of relations on demand has changed."""
        self._joins.clear()

    def __call__(self, relations: Sequence[Relation], number: int, pattern: Pattern, key: tuple[Term, ...]) -> None:
        """Make sure that all facts of a relation with ``key`` at the arguments ``pattern`` have been derived."""
        complete = relations[number].complete
        if (pattern, key) in complete:
            return
        group = self._groups[number]
        agenda = self._agendas[-1] if self._agendas else None
        if agenda is None or agenda.group != group:
            self._fixpoint(relations, group, _Call(number, pattern, key))
            return
        call = agenda.open.get((number, pattern, key))
        if call is None:
            call = _Call(number, pattern, key)
            agenda.open[number, pattern, key] = call
            agenda.fresh.append(call)
        if agenda.current is not None:
            call.dependents.add(agenda.current)

    def _fixpoint(self, relations: Sequence[Relation], group: int, first: _Call) -> None:
        agenda = _Agenda(group)
        agenda.open[first.number, first.pattern, first.key] = first
        agenda.put([first])
        self._agendas.append(agenda)
        try:
            while agenda.stack:
                call = agenda.current = agenda.stack.pop()
                call.waiting = False
                agenda.fresh = []
                found = self._derive(relations, call)
                # What was called for the first time goes on top: those that depend on it are repeated when it is as
                # good as complete, so that each call of a long chain runs twice and not once for every fact.
                agenda.put(call.dependents if found else ())
                agenda.put(agenda.fresh)
        finally:
            self._agendas.pop()
        for call in agenda.open.values():
            relations[call.number].complete.add((call.pattern, call.key))

    def _derive(self, relations: Sequence[Relation], call: _Call) -> bool:
        """Run the joins of a call once; returns whether they found anything new."""
        demand = Relation()
        demand.insert([("?demand", *call.key)])
        found = False
        for join in self._joins_of(call.number, call.pattern):
            derived = [fact for fact in self._take(join(relations, demand)) if fact not in call.facts]
            if derived:
                found = True
                call.facts.update(derived)
                relations[call.number].insert(derived)
        return found

    def _joins_of(self, number: int, pattern: Pattern) -> list[Join]:
        joins = self._joins.get((number, pattern))
        if joins is None:
            joins = []
            for clause in self._clauses[number]:
                known = tuple(arguments(clause.head)[position] for position in pattern)
                asked = replace(clause, positive=(("?demand", *known), *clause.positive))
                joins.append(self._compile(asked, 0))
            self._joins[number, pattern] = joins
        return joins
