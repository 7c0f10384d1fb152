"""Stage 1b, for rules that would be too large otherwise: grounds only what is used.

A relation such as ``(attacked ?by ?square ?if_this_moved)`` has instances for all combinations of its arguments, of
which the rules ask for few. Its rules get a further condition, a *demand*, which holds for the arguments that some
other rule is about to ask for (magic sets). Demands leave out negated conditions, so they hold too often rather than
too seldom; the circuit then takes them as true, and they cost nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ludens.gdl.keywords import KEYWORDS
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.relation_graph import STATIC, RelationGraph
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, Variable, arguments, signature, variables

DEMAND = "demand "
"""The prefix of demands: they only prevent rules from being grounded, and count as true afterwards."""
Pattern = tuple[int, ...]
"""The arguments that are bound in a call of a relation."""


SMALL_ARITY = 4
"""Static relations with at most so many arguments are not restricted."""


def restrict(clauses: Sequence[Clause]) -> list[Clause]:
    """The same rules with demands, as far as a match needs them."""
    return list(_Restriction(clauses).clauses())


class _Restriction:
    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.given: list[Clause] = []
        """Facts, and rules of relations that are needed completely."""
        self.rules: dict[Signature, list[Clause]] = defaultdict(list)
        """Rules of relations that are derived on demand."""
        phases = RelationGraph(clauses).phases
        self.derived = {signature(clause.head) for clause in clauses if clause.positive or clause.negative}
        for clause in clauses:
            sign = signature(clause.head)
            is_small = phases[sign] == STATIC and sign[1] <= SMALL_ARITY
            if sign in self.derived and not is_small and KEYWORDS.get(sign[0]) != sign[1]:
                self.rules[sign].append(clause)
            else:
                self.given.append(clause)
        self.names: dict[tuple[Signature, Pattern], str] = {}
        self.open: list[tuple[Signature, Pattern]] = []

    def clauses(self) -> Iterator[Clause]:
        for clause in self.given:
            yield from self.restrict_clause(clause, None)
        while self.open:
            sign, pattern = self.open.pop()
            for clause in self.rules[sign]:
                yield from self.restrict_clause(clause, self.demand(clause.head, pattern))

    def demand(self, atom: Term, pattern: Pattern) -> Term:
        """The demand for an atom; a new one is queued."""
        key = (signature(atom), pattern)
        if key not in self.names:
            self.names[key] = f"{DEMAND}{len(self.names)}"
            self.open.append(key)
        known = tuple(arguments(atom)[position] for position in pattern)
        return (self.names[key], *known) if known else self.names[key]

    def restrict_clause(self, clause: Clause, guard: Term | None) -> Iterator[Clause]:
        """The clause with its guard, and the demands that it makes."""
        before: list[Term] = [] if guard is None else [guard]
        bound = {variable for atom in before for variable in variables(atom)}
        left = list(clause.positive)
        while left:
            atom = min(left, key=lambda other: self.cost(other, bound))
            left.remove(atom)
            yield from self.demand_rules(clause, atom, before, bound)
            before.append(atom)
            bound.update(variables(atom))
        for atom in clause.negative:
            yield from self.demand_rules(clause, atom, before, bound)
        yield replace(clause, positive=tuple(before))

    def demand_rules(
        self, clause: Clause, atom: Term, before: Iterable[Term], bound: set[Variable]
    ) -> Iterator[Clause]:
        """The rules that demand the instances of a literal."""
        if signature(atom) in self.rules:
            pattern = tuple(n for n, part in enumerate(arguments(atom)) if bound.issuperset(variables(part)))
            distinct = tuple(
                pair for pair in clause.distinct if bound.issuperset((*variables(pair[0]), *variables(pair[1])))
            )
            yield Clause(self.demand(atom, pattern), tuple(before), (), distinct, clause.span)

    def cost(self, atom: Term, bound: set[Variable]) -> tuple[bool, bool, int]:
        """Ask first for what is known, then for what is given rather than derived and leaves the fewest unknown."""
        unknown = set(variables(atom)) - bound
        return bool(unknown), signature(atom) in self.derived, len(unknown)
