"""Stage 0: separates what holds for all values of an argument from what depends on it.

``(clear ?from ?to ?ignored)`` may hold for every ignored square because all squares between are blank, or for one that
is the only obstacle. Where a rule uses an argument in no other way than to say that it is a square, it moves to a
relation without that argument, ``clear always``, and all rules that ask for ``clear`` ask for one or the other. What
they derive is separated in turn, so a few instances for each value of the argument remain instead of all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from ludens.compiler.rules.domains import Domains
from ludens.gdl.keywords import KEYWORDS
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.relation_graph import STATIC, RelationGraph
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, Variable, arguments, functor, signature, substitute, variables

ALWAYS = " always"
"""The suffix of relations that hold for all values of the arguments left out."""

MAX_ALTERNATIVES = 16
"""The most clauses that one clause may become."""

_ANY = Variable(" any")
Guard = frozenset[Term]
"""Atoms about `_ANY`: the values for which a relation holds always."""


@dataclass(frozen=True, slots=True)
class _Separation:
    """The arguments of a relation that some of its rules leave open, each with the values it may have."""

    guards: tuple[tuple[int, Guard], ...]

    def always(self, atom: Term) -> Term:
        """The atom without those arguments."""
        left_out = {position for position, _ in self.guards}
        rest = tuple(part for position, part in enumerate(arguments(atom)) if position not in left_out)
        name = functor(atom) + ALWAYS
        return (name, *rest) if rest else name

    def conditions(self, atom: Term) -> list[Term]:
        """The conditions that restrict the arguments left out to their values."""
        parts = arguments(atom)
        return [
            substitute(condition, {_ANY: parts[position]})
            for position, guard in self.guards
            for condition in sorted(guard, key=repr)
        ]


@dataclass(frozen=True, slots=True)
class _Alternative:
    """The replacement of a literal of a separated relation in one of the resulting clauses."""

    positive: tuple[Term, ...] = ()
    negative: tuple[Term, ...] = ()


def separate(clauses: Sequence[Clause]) -> list[Clause]:
    """The same rules, with relations separated where rules leave arguments open; the same list if none do."""
    return _Separator(clauses).clauses()


class _Separator:
    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.given = clauses
        self.graph = RelationGraph(clauses)
        self.domains = Domains(clauses)
        self.by_head: dict[Signature, list[Clause]] = defaultdict(list)
        self.users: dict[Signature, list[int]] = defaultdict(list)
        self.alternatives: Counter[int] = Counter()
        """How many clauses each clause becomes, by its number."""
        for number, clause in enumerate(clauses):
            self.by_head[signature(clause.head)].append(clause)
            self.alternatives[number] = 1
            for atom in (*clause.positive, *clause.negative):
                self.users[signature(atom)].append(number)
        self.separations: dict[Signature, _Separation] = {}

    def clauses(self) -> list[Clause]:
        for sign in sorted(self.by_head, key=lambda sign: self.graph.groups[sign]):
            if self.graph.phases[sign] != STATIC and KEYWORDS.get(sign[0]) != sign[1]:
                self.consider(sign)
        if not self.separations:
            return list(self.given)
        return [part for clause in self.given for part in self.parts(clause)]

    def consider(self, sign: Signature) -> None:
        """Separate a relation if some of its clauses leave arguments open, and its users do not become too many."""
        open_in = [self.open_arguments(other) for clause in self.by_head[sign] for other in self.expand(clause)]
        open_in = [found for found in open_in if found]
        if not open_in:
            return
        common = set.intersection(*map(set, open_in)) or max(open_in, key=len)
        separation = _Separation(tuple(sorted(common, key=lambda item: item[0])))
        factor = 1 + sum(len(guard) for _, guard in separation.guards)
        wanted = Counter(self.users[sign])
        if all(self.alternatives[number] * factor**times <= MAX_ALTERNATIVES for number, times in wanted.items()):
            self.separations[sign] = separation
            for number, times in wanted.items():
                self.alternatives[number] *= 2**times

    def open_arguments(self, clause: Clause) -> set[tuple[int, Guard]]:
        """The arguments of the head that only unary conditions on what never changes mention, with those conditions."""
        head = arguments(clause.head)
        uses = Counter(variables(clause.head))
        guards: dict[Variable, set[Term]] = {
            part: set() for part in head if isinstance(part, Variable) and uses[part] == 1
        }
        for atom in clause.positive:
            mentioned = set(variables(atom))
            for variable in mentioned & guards.keys():
                if len(mentioned) == 1 and self.graph.phases.get(signature(atom), STATIC) == STATIC:
                    guards[variable].add(substitute(atom, {variable: _ANY}))
                else:
                    del guards[variable]
        for atom in (*clause.negative, *(side for pair in clause.distinct for side in pair)):
            for variable in variables(atom):
                guards.pop(variable, None)
        return {
            (position, frozenset(guards[part]))
            for position, part in enumerate(head)
            if isinstance(part, Variable) and guards.get(part)
        }

    def parts(self, clause: Clause) -> Iterator[Clause]:
        """The clauses that replace a clause."""
        separation = self.separations.get(signature(clause.head))
        for other in self.expand(clause):
            if separation is not None and self.open_arguments(other).issuperset(separation.guards):
                conditions = set(separation.conditions(other.head))
                positive = tuple(atom for atom in other.positive if atom not in conditions)
                yield replace(other, head=separation.always(other.head), positive=positive)
            else:
                yield other

    def expand(self, clause: Clause) -> Iterator[Clause]:
        """The clause with each literal of a separated relation replaced in all possible ways."""
        choices = [self.positive_choices(atom) for atom in clause.positive]
        choices += [self.negative_choices(clause, atom) for atom in clause.negative]
        for chosen in product(*choices):
            positive = dict.fromkeys(atom for alternative in chosen for atom in alternative.positive)
            negative = dict.fromkeys(atom for alternative in chosen for atom in alternative.negative)
            yield replace(clause, positive=tuple(positive), negative=tuple(negative))

    def positive_choices(self, atom: Term) -> list[_Alternative]:
        as_is = _Alternative(positive=(atom,))
        separation = self.separations.get(signature(atom))
        if separation is None:
            return [as_is]
        return [as_is, _Alternative(positive=(separation.always(atom), *separation.conditions(atom)))]

    def negative_choices(self, clause: Clause, atom: Term) -> list[_Alternative]:
        """Neither holds always nor for these arguments; or these are none of those for which it may hold always."""
        separation = self.separations.get(signature(atom))
        if separation is None:
            return [_Alternative(negative=(atom,))]
        found = [_Alternative(negative=(separation.always(atom), atom))]
        found += [
            _Alternative(negative=(condition, atom))
            for condition in separation.conditions(atom)
            if not self.is_implied(clause, condition)
        ]
        return found

    def is_implied(self, clause: Clause, condition: Term) -> bool:
        """True if a unary condition holds for all values that its variable can have in the clause."""
        if condition in clause.positive:
            return True
        facts = {fact.head for fact in self.by_head[signature(condition)] if not fact.positive and not fact.negative}
        for variable in variables(condition):
            values = self.domains.of_variables(clause)[variable]
            return all(isinstance(v, str) and substitute(condition, {variable: v}) in facts for v in values)
        return condition in facts
