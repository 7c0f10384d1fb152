"""Which relations depend on which: their phases, and the groups that depend on each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ludens.gdl.clauses import Clause
from ludens.gdl.keywords import KEYWORDS
from ludens.gdl.strata import Signature, components
from ludens.gdl.terms import Term, Variable, signature

STATIC, STATE, MOVE = 0, 1, 2
"""The phase of a relation: depends on nothing that changes, on the state (``true``), or on the moves (``does``)."""


class RelationGraph:
    """The dependencies between the relations of a rule sheet."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._needs: dict[Signature, set[Signature]] = defaultdict(set)
        self._negated: set[tuple[Signature, Signature]] = set()
        self.numbers: dict[Signature, int] = {("true", 1): 0, ("does", 2): 1, ("init", 1): 2}
        """The place of each relation in a layer."""
        for clause in clauses:
            head = signature(clause.head)
            for atom in (clause.head, *clause.positive, *clause.negative):
                self.numbers.setdefault(signature(atom), len(self.numbers))
            self._needs[head].update(signature(atom) for atom in (*clause.positive, *clause.negative))
            self._negated.update((head, signature(atom)) for atom in clause.negative)
        self.phases: dict[Signature, int] = {("true", 1): STATE, ("does", 2): MOVE}
        """The phase of each relation: the latest of the phases of all it is derived from."""
        self.groups: dict[Signature, int] = {}
        """Relations with the same number depend on each other."""
        self._members: list[frozenset[Signature]] = []
        for members in components(self.numbers, lambda sign: sorted(self._needs[sign])):
            self._add_group(frozenset(members))
        self._from_phase = {
            phase: [number for sign, number in self.numbers.items() if self.phases[sign] >= phase]
            for phase in (STATIC, STATE, MOVE)
        }

    def _add_group(self, members: frozenset[Signature]) -> None:
        needed = {other for sign in members for other in self._needs[sign]}
        phase = max((self.phases.get(other, STATIC) for other in needed | members), default=STATIC)
        for sign in members:
            self.groups[sign] = len(self._members)
            self.phases[sign] = phase
        self._members.append(members)

    def group(self, sign: Signature) -> frozenset[Signature]:
        """The relation and those that it depends on and that depend on it."""
        return self._members[self.groups[sign]]

    def can_be_on_demand(self, sign: Signature) -> bool:
        """True unless the relation is asked for as a whole, or is negated within its own group."""
        members = self.group(sign)
        asked = any(KEYWORDS.get(name) == arity for name, arity in members)
        return not asked and not any((a, b) in self._negated for a in members for b in members)

    def numbers_from(self, phase: int) -> list[int]:
        """The numbers of the relations of a phase and later ones."""
        return self._from_phase[phase]

    def reachable(self, sign: Signature) -> set[Signature]:
        """The relation and all that it is derived from."""
        found, queue = {sign}, [sign]
        while queue:
            for other in self._needs[queue.pop()] - found:
                found.add(other)
                queue.append(other)
        return found

    def clauses_of(self, clauses: Iterable[Clause]) -> dict[Signature, list[Clause]]:
        """The clauses of each relation."""
        found: dict[Signature, list[Clause]] = {sign: [] for sign in self.numbers}
        for clause in clauses:
            found[signature(clause.head)].append(clause)
        return found


def grows(clause: Clause) -> bool:
    """True if the head puts some variable deeper than every condition has it, so that terms can grow without end."""
    deepest: dict[Variable, int] = {}
    for atom in clause.positive:
        for variable, level in _levels(atom, 0):
            deepest[variable] = max(deepest.get(variable, 0), level)
    return any(level > deepest.get(variable, level) for variable, level in _levels(clause.head, 0))


def _levels(term: Term, level: int) -> Iterator[tuple[Variable, int]]:
    """Each variable of a term, and how deep it stands."""
    if isinstance(term, tuple):
        for part in term[1:]:
            yield from _levels(part, level + 1)
    elif isinstance(term, Variable):
        yield term, level
