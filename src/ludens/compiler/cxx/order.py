"""Stage 3: the order in which the literals of a clause are resolved.

Literals without unknowns are tested first. Then the literal with the fewest expected answers is looped over (the seed's
heuristic, the number of unknowns, breaks ties), and so on. Literals that bind no variable needed later become existence
tests, so that one answer is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, Variable, arguments, signature, variables


class UnboundError(Exception):
    """A variable of a clause has no value when it is needed."""

    def __init__(self, variable: Variable) -> None:
        super().__init__(variable.name)
        self.variable = variable


class Kind(Enum):
    """The kind of a literal."""

    HOLDS = auto()
    FAILS = auto()
    DISTINCT = auto()


@dataclass(frozen=True, slots=True)
class Literal:
    """A condition of a clause; two terms if it is a `Kind.DISTINCT`."""

    kind: Kind
    terms: tuple[Term, ...]

    @property
    def variables(self) -> set[Variable]:
        """The variables in it."""
        return {variable for term in self.terms for variable in variables(term)}


@dataclass(frozen=True, slots=True)
class Check:
    """A literal without unknowns."""

    literal: Literal


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop over the answers of a literal; all later steps are inside the loop."""

    atom: Term


@dataclass(frozen=True, slots=True)
class Exists:
    """Steps for which one success is enough."""

    steps: tuple[Step, ...]


Step = Check | Loop | Exists
Estimate = Callable[[Term, set[Variable]], float]
"""How many answers a literal is expected to have when some variables are known."""


def pattern_of(atom: Term, bound: Iterable[Variable]) -> str:
    """The binding pattern of a literal: ``b`` for each argument that is known, ``f`` for the others."""
    known = set(bound)
    return "".join("b" if known.issuperset(variables(argument)) else "f" for argument in arguments(atom))


@dataclass(frozen=True)
class Orderer:
    """Orders clauses."""

    estimate: Estimate
    test_cost: Callable[[Term], float]
    """The cost of testing a literal without unknowns."""
    required: Mapping[Signature, frozenset[int]]
    """Arguments that must be bound before a relation can be queried, because its rules do not bind them."""

    def order(self, clause: Clause, pattern: str) -> tuple[Step, ...]:
        """The steps of a clause whose head is asked with a pattern. Raises `UnboundError`."""
        literals = [Literal(Kind.HOLDS, (atom,)) for atom in clause.positive]
        literals += [Literal(Kind.FAILS, (atom,)) for atom in clause.negative]
        literals += [Literal(Kind.DISTINCT, pair) for pair in clause.distinct]
        head = list(zip(arguments(clause.head), pattern, strict=True))
        bound = {variable for argument, mode in head if mode == "b" for variable in variables(argument)}
        wanted = {variable for argument, _ in head for variable in variables(argument)} - bound
        missing = wanted.difference(*(literal.variables for literal in literals if literal.kind is Kind.HOLDS))
        for variable in sorted(missing, key=lambda other: other.name):
            raise UnboundError(variable)
        return tuple(self._solve(literals, bound, wanted))

    def _solve(self, literals: Sequence[Literal], bound: set[Variable], wanted: set[Variable]) -> list[Step]:
        steps: list[Step] = []
        rest = list(literals)
        bound = set(bound)
        while rest:
            ready = [literal for literal in rest if literal.variables <= bound]
            if ready:
                steps += [Check(literal) for literal in sorted(ready, key=self._test_key)]
                rest = [literal for literal in rest if literal not in ready]
                continue
            parts = _parts(rest, bound)
            closed = [part for part in parts if wanted.isdisjoint(_unknown(part, bound))]
            if closed and (wanted or len(parts) > 1):
                for part in sorted(closed, key=lambda part: self._part_key(part, bound)):
                    steps.append(Exists(tuple(self._solve(part, bound, set()))))
                rest = [literal for literal in rest if not any(literal in part for part in closed)]
                continue
            best = self._best(rest, bound)
            steps.append(Loop(best.terms[0]))
            bound |= best.variables
            rest.remove(best)
        return steps

    def _best(self, rest: Sequence[Literal], bound: set[Variable]) -> Literal:
        askable = [literal for literal in rest if literal.kind is Kind.HOLDS and self._askable(literal, bound)]
        if not askable:
            raise UnboundError(min(_unknown(rest, bound), key=lambda variable: variable.name))
        return min(askable, key=lambda literal: self._loop_key(literal, bound))

    def _askable(self, literal: Literal, bound: set[Variable]) -> bool:
        atom = literal.terms[0]
        needed = self.required.get(signature(atom), frozenset())
        return all(bound.issuperset(variables(arguments(atom)[position])) for position in needed)

    def _loop_key(self, literal: Literal, bound: set[Variable]) -> tuple[float, int]:
        return self.estimate(literal.terms[0], bound), len(literal.variables - bound)

    def _part_key(self, part: Sequence[Literal], bound: set[Variable]) -> float:
        return min(
            (self.estimate(literal.terms[0], bound) for literal in part if literal.kind is Kind.HOLDS), default=0.0
        ) * len(part)

    def _test_key(self, literal: Literal) -> float:
        return 0.0 if literal.kind is Kind.DISTINCT else self.test_cost(literal.terms[0])


def _unknown(literals: Iterable[Literal], bound: set[Variable]) -> set[Variable]:
    return {variable for literal in literals for variable in literal.variables} - bound


def _parts(literals: Sequence[Literal], bound: set[Variable]) -> list[list[Literal]]:
    """The literals in groups that share no unknown with each other."""
    parts: list[tuple[set[Variable], list[Literal]]] = []
    for literal in literals:
        unknown = literal.variables - bound
        joined = [literal]
        apart = []
        for other, members in parts:
            if other.isdisjoint(unknown):
                apart.append((other, members))
            else:
                unknown = unknown | other
                joined = members + joined
        parts = [*apart, (unknown, joined)]
    return [members for _, members in parts]
