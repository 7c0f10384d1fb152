"""Stage 0b: narrows the arguments of relations to the values in use.

Rules like ``(<= (clear ?u ?v ?w) (next ?v ?w) (coordinate ?u))`` leave an argument to whatever is a coordinate, while
those who ask for it know it better. Each such argument gets a *demand* of its own, which holds for the values that
occur where the relation is asked for; so it costs little even for relations with many arguments.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ludens.compiler.rules.restrict import DEMAND
from ludens.gdl.keywords import KEYWORDS
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.relation_graph import STATIC, RelationGraph
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, Variable, arguments, signature, variables

_NARROW = f"{DEMAND}n"


def narrow(clauses: Sequence[Clause]) -> list[Clause]:
    """The same rules, with demands on arguments that are known where a relation is asked for only."""
    return list(_Narrowing(clauses).clauses())


class _Narrowing:
    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.given = clauses
        graph = RelationGraph(clauses)
        self.is_static = {sign: phase == STATIC for sign, phase in graph.phases.items()}
        self.wide: dict[Signature, set[int]] = defaultdict(set)
        """The arguments that get a demand."""
        for clause in clauses:
            sign = signature(clause.head)
            if not self.is_static[sign] and KEYWORDS.get(sign[0]) != sign[1]:
                self.wide[sign].update(self.loose_arguments(clause))
        while self.drop_unknown():
            pass
        self.names = {
            (sign, position): f"{_NARROW}{number}"
            for number, (sign, position) in enumerate(
                (sign, position) for sign, positions in self.wide.items() for position in sorted(positions)
            )
        }

    def loose_arguments(self, clause: Clause) -> Iterator[int]:
        """The arguments of the head whose values come from static relations only."""
        firm = {
            variable
            for atom in clause.positive
            if not self.is_static.get(signature(atom), True)
            for variable in variables(atom)
        }
        for position, part in enumerate(arguments(clause.head)):
            if isinstance(part, Variable) and part not in firm:
                yield position

    def drop_unknown(self) -> bool:
        """Drop demands on arguments that some literal leaves unbound; True if there were any."""
        dropped = False
        for clause in self.given:
            for atom, before in self.demanded_literals(clause):
                known = {variable for other in before for variable in variables(other)} | self.head_variables(clause)
                positions = self.wide[signature(atom)]
                unknown = {n for n in positions if not known.issuperset(variables(arguments(atom)[n]))}
                if unknown:
                    positions -= unknown
                    dropped = True
        return dropped

    def head_variables(self, clause: Clause) -> set[Variable]:
        """The variables that the demands for the head of a clause give a value to."""
        parts = arguments(clause.head)
        return {variable for n in self.wide.get(signature(clause.head), ()) for variable in variables(parts[n])}

    def demanded_literals(self, clause: Clause) -> Iterator[tuple[Term, list[Term]]]:
        """The literals that get demands, and those that are evaluated before each of them."""
        before = [atom for atom in clause.positive if not self.wide.get(signature(atom))]
        for atom in clause.positive:
            if self.wide.get(signature(atom)):
                yield atom, list(before)
                before.append(atom)
        for atom in clause.negative:
            if self.wide.get(signature(atom)):
                yield atom, before

    def clauses(self) -> Iterator[Clause]:
        made: set[tuple[Term, tuple[Term, ...]]] = set()
        for clause in self.given:
            guards = list(self.demands(clause.head))
            yield replace(clause, positive=(*guards, *clause.positive))
            for atom, before in self.demanded_literals(clause):
                for demand in self.demands(atom):
                    body = self.sources(demand, [*guards, *before])
                    if demand not in body and (demand, body) not in made:
                        made.add((demand, body))
                        yield Clause(demand, body, (), (), clause.span)

    def demands(self, atom: Term) -> Iterator[Term]:
        sign = signature(atom)
        for position in sorted(self.wide.get(sign, ())):
            yield (self.names[sign, position], arguments(atom)[position])

    def sources(self, demand: Term, atoms: Sequence[Term]) -> tuple[Term, ...]:
        """For each variable of a demand the atom that gives it its values: one that depends on the state, and small."""
        found = {
            min(
                (atom for atom in atoms if wanted in variables(atom)),
                key=lambda atom: (self.is_static.get(signature(atom), False), len(set(variables(atom)))),
            )
            for wanted in variables(demand)
        }
        return tuple(sorted(found, key=repr))
