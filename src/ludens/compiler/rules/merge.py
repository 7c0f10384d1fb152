"""Stage 0: joins alternatives that differ in one condition only.

``(or (check rook ?x) (check queen ?x))`` inside a long rule has become two long clauses. A relation that holds if
either condition does makes one clause of them again, and halves its ground instances.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ludens.gdl.logic.clauses import Clause
from ludens.gdl.terms import Term, Variable, variables

EITHER = "either "
"""The prefix of the new relations."""

_Rest = tuple[Term, frozenset[Term], frozenset[Term], frozenset[tuple[Term, Term]], tuple[Variable, ...]]
"""A clause without one condition: head, conditions, and the variables that the one left out shares with them."""


def merge(clauses: Sequence[Clause]) -> list[Clause]:
    """The same rules, with clauses that differ in one positive condition merged."""
    merged = list(clauses)
    names: dict[tuple[frozenset[Term], tuple[Variable, ...]], str] = {}
    while True:
        groups: dict[_Rest, list[tuple[int, Term]]] = defaultdict(list)
        for number, clause in enumerate(merged):
            for rest, atom in _rests(clause):
                groups[rest].append((number, atom))
        largest = max(groups.items(), key=lambda item: len(item[1]), default=None)
        if largest is None or len(largest[1]) < 2:
            return merged
        (*_, kept), members = largest
        alternatives = frozenset(atom for _, atom in members), kept
        is_new = alternatives not in names
        name = names.setdefault(alternatives, f"{EITHER}{len(names)}")
        either: Term = (name, *kept) if kept else name
        first, atom = members[0]
        others = {number for number, _ in members}
        joint = replace(merged[first], positive=tuple(either if a == atom else a for a in merged[first].positive))
        definitions = [Clause(either, (one,), (), (), merged[number].span) for number, one in members] if is_new else []
        merged = [
            part
            for number, clause in enumerate(merged)
            for part in ([*definitions, joint] if number == first else [] if number in others else [clause])
        ]


def _rests(clause: Clause) -> Iterator[tuple[_Rest, Term]]:
    """The clause without each of its conditions in turn, where enough is left to be worth it."""
    if len(clause.positive) + len(clause.negative) < 3:
        return
    for atom in clause.positive:
        rest = replace(clause, positive=tuple(other for other in clause.positive if other != atom))
        terms = [rest.head, *rest.positive, *rest.negative, *(side for pair in rest.distinct for side in pair)]
        outside = {variable for term in terms for variable in variables(term)}
        own = set(variables(atom))
        if own:
            kept = tuple(sorted(own & outside, key=lambda variable: variable.name))
            conditions = frozenset(rest.positive), frozenset(rest.negative), frozenset(rest.distinct)
            yield (rest.head, *conditions, kept), atom
