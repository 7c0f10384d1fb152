"""Which relations depend on which: their phases, and the groups that depend on each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ludens.gdl.keywords import KEYWORDS
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.strata import Signature, components
from ludens.gdl.terms import Term, Variable, arguments, signature, variables

STATIC, STATE, MOVE = 0, 1, 2
"""The phase of a relation: depends on nothing that changes, on the state (``true``), or on the moves (``does``)."""

_RANDOM: Signature = ("random", 3)
"""The weights of random variables, which are asked for as a whole like keywords."""


class RelationGraph:
    """The dependencies between the relations of a rule sheet."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._needs: dict[Signature, set[Signature]] = defaultdict(set)
        self._negated: set[tuple[Signature, Signature]] = set()
        self.numbers: dict[Signature, int] = {("true", 1): 0, ("does", 2): 1, ("init", 1): 2, ("role", 1): 3}
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

    def needs(self, sign: Signature) -> frozenset[Signature]:
        """The relations that the rules of this one mention."""
        return frozenset(self._needs.get(sign, ()))

    def negates(self, sign: Signature, needed: Signature) -> bool:
        """True if a rule of the relation has the other under ``not``."""
        return (sign, needed) in self._negated

    def group(self, sign: Signature) -> frozenset[Signature]:
        """The relation and those that it depends on and that depend on it."""
        return self._members[self.groups[sign]]

    def can_be_on_demand(self, sign: Signature) -> bool:
        """True unless the relation is asked for as a whole, or is negated within its own group."""
        members = self.group(sign)
        asked = any(KEYWORDS.get(name) == arity or (name, arity) == _RANDOM for name, arity in members)
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


def terms_grow(clauses: Sequence[Clause], limit: int) -> bool:
    """True if the rules could build terms nested deeper than ``limit``, or terms that double in size.

    For each argument of each relation, a bound of how deep its terms nest is raised until all clauses agree with it:
    a variable of a head nests at most as deep as any condition lets it.
    """
    bounds: dict[_Place, int] = defaultdict(int)
    outlines = [_outline(clause) for clause in clauses]
    while outlines:
        changed = False
        for outline in outlines:
            inside = outline.variable_bounds(bounds)
            for places, leaves in outline.arguments:
                bound = max((level + inside.get(leaf, 0) for leaf, level in leaves), default=0)
                doubles = sum(inside.get(leaf, 0) > 0 for leaf, level in leaves if level > 0) > 1
                if bound > limit or doubles:
                    return True
                for place in places:
                    if bound > bounds[place]:
                        bounds[place] = bound
                        changed = True
        outlines = [outline for outline in outlines if outline.variables] if changed else []
    return False


_Place = tuple[Signature, int]
"""An argument of a relation."""

_FEEDS: Mapping[Signature, Signature] = {("next", 1): ("true", 1), ("init", 1): ("true", 1), ("legal", 2): ("does", 2)}
"""What holds of the first holds of the second later."""


@dataclass(frozen=True, slots=True)
class _Outline:
    """What `terms_grow` looks at in a clause."""

    arguments: tuple[tuple[tuple[_Place, ...], tuple[tuple[Term, int], ...]], ...]
    """For each argument of the head: where it goes, and its constants and variables with how deep each stands."""
    variables: tuple[tuple[Variable, _Place, int], ...]
    """Where the conditions have the variables of the head, and how deep."""

    def variable_bounds(self, bounds: Mapping[_Place, int]) -> dict[Term, int]:
        """How deep the value of each variable of the head can nest."""
        found: dict[Term, int] = {}
        for variable, place, level in self.variables:
            room = max(0, bounds[place] - level)
            found[variable] = min(found.get(variable, room), room)
        return found


def _outline(clause: Clause) -> _Outline:
    sign = signature(clause.head)
    targets = [target for target in (sign, _FEEDS.get(sign)) if target is not None]
    head = tuple(
        (tuple((target, position) for target in targets), tuple(_leaves(argument, 0)))
        for position, argument in enumerate(arguments(clause.head))
    )
    wanted = set(variables(clause.head))
    found = tuple(
        (leaf, (signature(atom), position), level)
        for atom in (clause.positive if wanted else ())
        for position, argument in enumerate(arguments(atom))
        for leaf, level in _leaves(argument, 0)
        if isinstance(leaf, Variable) and leaf in wanted
    )
    return _Outline(head, found)


def _leaves(term: Term, level: int) -> Iterator[tuple[Term, int]]:
    """The constants and variables of a term, and how deep each stands."""
    if isinstance(term, tuple):
        for part in term[1:]:
            yield from _leaves(part, level + 1)
        if len(term) == 1:
            yield term[0], level
    else:
        yield term, level
