"""Rules in the form that reasoners and compilers work on: one head, and literals that must all hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule
from ludens.gdl.source import GdlError, Level, Problem, Source, Span
from ludens.gdl.syntax.expressions import MAX_DEPTH
from ludens.gdl.terms import Substitution, Term, Variable, depth, expanded_size, substitute, unify, variables

MAX_BRANCHES = 4096
"""How many clauses one rule may become when its alternatives are multiplied out."""

MAX_EXPANDED_SIZE = 10_000
"""How many symbols may replace a variable that ``(not (distinct …))`` makes equal to something."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A head that holds if all ``positive`` atoms hold, no ``negative`` one does, and all ``distinct`` pairs differ."""

    head: Term
    positive: tuple[Term, ...]
    negative: tuple[Term, ...]
    distinct: tuple[tuple[Term, Term], ...]
    span: Span
    """The rule that the clause comes from."""

    def bound_variables(self) -> set[Variable]:
        """The variables that the positive literals give a value to."""
        return {variable for atom in self.positive for variable in variables(atom)}


def clauses(rules: Iterable[Rule], source: Source) -> Iterator[Clause]:
    """Multiply out ``or`` and resolve ``(not (distinct …))``; a rule becomes one clause or more, or none."""
    for rule in rules:
        for branch in _branches(rule.body, rule, source):
            clause = _clause(rule, branch, source)
            if clause is not None:
                yield clause


_Literal = tuple[Holds | Distinct, bool]
"""An atom or a distinct, and whether it is negated."""


def _branches(body: Iterable[Condition], rule: Rule, source: Source) -> list[list[_Literal]]:
    branches: list[list[_Literal]] = [[]]
    for condition in body:
        alternatives = _alternatives(condition, rule, source, negated=False)
        branches = _multiply(branches, alternatives, rule, source)
    return branches


def _alternatives(condition: Condition, rule: Rule, source: Source, *, negated: bool) -> list[list[_Literal]]:
    """The disjunctive normal form of a condition, or of its negation."""
    match condition:
        case Holds() | Distinct():
            return [[(condition, negated)]]
        case Not(inner):
            return _alternatives(inner, rule, source, negated=not negated)
        case Or(conditions) | And(conditions):
            parts = [_alternatives(inner, rule, source, negated=negated) for inner in conditions]
            if isinstance(condition, Or) != negated:
                branches = [branch for part in parts for branch in part]
                if len(branches) > MAX_BRANCHES:
                    raise _too_many_branches(rule, source)
                return branches
            branches = [[]]
            for part in parts:
                branches = _multiply(branches, part, rule, source)
            return branches


def _multiply(
    left: list[list[_Literal]], right: list[list[_Literal]], rule: Rule, source: Source
) -> list[list[_Literal]]:
    if len(left) * len(right) > MAX_BRANCHES:
        raise _too_many_branches(rule, source)
    return [a + b for a in left for b in right]


def _too_many_branches(rule: Rule, source: Source) -> GdlError:
    message = f"the alternatives of this rule multiply out to more than {MAX_BRANCHES} clauses"
    hint = "move some of them into a relation of their own"
    return GdlError([Problem("GDL320", Level.ERROR, message, rule.span, hint)], source)


def _clause(rule: Rule, branch: list[_Literal], source: Source) -> Clause | None:
    """The clause of one branch; None if it can never hold."""
    equal = _equalities(branch)
    if equal is None:
        return None
    too_deep = len(equal) + sum(map(depth, equal.values())) > MAX_DEPTH
    if too_deep or _largest(equal) > MAX_EXPANDED_SIZE:
        message = "what (not (distinct …)) makes equal in this rule becomes too large"
        raise GdlError([Problem("GDL321", Level.ERROR, message, rule.span)], source)
    distinct = []
    for literal, negated in branch:
        if isinstance(literal, Distinct) and not negated:
            left, right = substitute(literal.left, equal), substitute(literal.right, equal)
            if left == right:
                return None
            if unify(left, right) is not None:
                distinct.append((left, right))
    return Clause(
        head=substitute(rule.head, equal),
        positive=_unique(branch, equal, negated=False),
        negative=_unique(branch, equal, negated=True),
        distinct=tuple(dict.fromkeys(distinct)),
        span=rule.span,
    )


def _equalities(branch: list[_Literal]) -> dict[Variable, Term] | None:
    """What the negated ``distinct`` of a branch make equal; None if they contradict each other."""
    equal: dict[Variable, Term] | None = {}
    for literal, negated in branch:
        if isinstance(literal, Distinct) and negated and equal is not None:
            equal = unify(literal.left, literal.right, equal)
    return equal


def _largest(equal: Substitution) -> int:
    known: dict[Variable, int] = {}
    return max((expanded_size(variable, equal, known) for variable in equal), default=0)


def _unique(branch: list[_Literal], equal: Substitution, *, negated: bool) -> tuple[Term, ...]:
    atoms = (
        substitute(literal.atom, equal) for literal, sign in branch if isinstance(literal, Holds) and sign is negated
    )
    return tuple(dict.fromkeys(atoms))
