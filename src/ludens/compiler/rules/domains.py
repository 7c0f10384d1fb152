"""Which values the arguments of relations and functions can have, as an estimate from above."""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ludens.gdl.logic.clauses import Clause
from ludens.gdl.terms import Term, Variable, arguments, functor, signature

Place = tuple[str, int, int, bool]
"""An argument: name and number of arguments of its relation or function, which argument, and whether of a relation."""

Value = str | tuple[str, int]
"""A constant, or name and number of arguments of compound terms."""

_FEEDS = {("next", 1): ("true", 1), ("init", 1): ("true", 1), ("legal", 2): ("does", 2)}


class Domains:
    """The values that each argument can have; where a compound term stands does not matter for those inside it."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._values: dict[Place, set[Value]] = defaultdict(set)
        facts = [clause for clause in clauses if not clause.positive]
        rules = [clause for clause in clauses if clause.positive]
        for clause in facts:
            self._add_head(clause)
        while sum(self._add_head(clause) for clause in rules):
            pass

    def of_variables(self, clause: Clause) -> dict[Variable, set[Value]]:
        """The values that each variable of a clause can have, by the positive literals."""
        found: dict[Variable, set[Value]] = {}
        for atom in clause.positive:
            for place, part in _places(atom):
                if isinstance(part, Variable):
                    values = self._values[place]
                    found[part] = found[part] & values if part in found else values
        return found

    def of_inner(self, sign: tuple[str, int], position: int) -> set[Value]:
        """The values that an argument of a compound term can have, wherever the term stands."""
        return self._values[*sign, position, False]

    def within_functions(self) -> dict[tuple[str, int], set[tuple[str, int]]]:
        """For each function, by name and number of arguments, those whose terms can be arguments of its terms."""
        found: dict[tuple[str, int], set[tuple[str, int]]] = defaultdict(set)
        for (name, arity, _, is_relation), values in self._values.items():
            if not is_relation:
                found[name, arity].update(value for value in values if isinstance(value, tuple))
        return dict(found)

    def bound(self, clause: Clause) -> int:
        """How many combinations of values the variables of a clause can have."""
        return math.prod(self._count(values, ()) for values in self.of_variables(clause).values())

    def join_bound(self, clauses: Iterable[Clause]) -> int:
        """How many combinations of values the clauses can have together."""
        return sum(map(self.bound, clauses))

    def _count(self, values: set[Value], inside: tuple[Value, ...]) -> int:
        """The number of terms in a set of values."""
        total = 0
        for value in values:
            if isinstance(value, str):
                total += 1
            elif value in inside:
                return sys.maxsize
            else:
                parts = [self._values[*value, position, False] for position in range(value[1])]
                total += math.prod(self._count(part, (*inside, value)) for part in parts)
        return total

    def _add_head(self, clause: Clause) -> bool:
        """Add the values that a clause derives; True if there was a new one."""
        variables = self.of_variables(clause)
        is_new = False
        for place, part in _places(clause.head):
            values = variables.get(part, set()) if isinstance(part, Variable) else {_value(part)}
            feeds = _FEEDS.get(place[:2]) if place[3] else None
            for target in (place,) if feeds is None else (place, (*feeds, place[2], True)):
                known = self._values[target]
                if not values <= known:
                    known |= values
                    is_new = True
        return is_new


def _places(atom: Term) -> Iterator[tuple[Place, Term]]:
    """The arguments of an atom and of all compound terms in it."""
    stack = [(atom, True)]
    while stack:
        term, is_relation = stack.pop()
        sign = signature(term)
        for position, part in enumerate(arguments(term)):
            yield (*sign, position, is_relation), part
            if isinstance(part, tuple):
                stack.append((part, False))


def _value(term: Term) -> Value:
    return signature(term) if isinstance(term, tuple) else functor(term)
