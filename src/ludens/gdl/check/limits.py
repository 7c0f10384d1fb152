"""Bounds that keep hostile rule sheets from the stack and the memory of those who reason with them."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ludens.gdl.check.walk import conditions, parts, subterms
from ludens.gdl.rules import Condition, Distinct, Holds, Rule
from ludens.gdl.syntax.expressions import MAX_DEPTH
from ludens.gdl.terms import Term, depth, variables

MAX_CLAUSES = 20_000
"""How many clauses a rule sheet may have once its alternatives are multiplied out."""

MAX_GROWTH = 10_000
"""How much larger the equalities of one rule may make its terms."""


def nests_too_deep(rule: Rule) -> bool:
    """True if recursive functions could leave Python's stack. The reader refuses such texts already."""
    terms = [rule.head]
    level = list(rule.body)
    levels = 0
    while level and levels <= MAX_DEPTH:
        levels += 1
        for condition in level:
            terms.extend(_terms_of(condition))
        level = [inner for condition in level for inner in parts(condition)]
    return levels > MAX_DEPTH or any(depth(term) > MAX_DEPTH for term in terms)


def _terms_of(condition: Condition) -> tuple[Term, ...]:
    match condition:
        case Holds(atom):
            return (atom,)
        case Distinct(left, right):
            return (left, right)
    return ()


def comparisons_explode(rule: Rule) -> bool:
    """True if comparing the terms of a rule's ``distinct`` could make them deeper or larger than is good.

    ``(not (distinct ...))`` replaces variables by what they must equal. Each compound term is used at most
    once on the way into another. So the product of the numbers of variables in all of them bounds how much a
    term can grow, and the sum of their depths how deep it can get. Real rule sheets have one or two of them.
    """
    equalities: list[Term] = []
    for nested in conditions(rule.body):
        if isinstance(nested.condition, Distinct):
            sides = [nested.condition.left, nested.condition.right]
            if nested.negated:
                equalities += sides
            elif _growth(sides) > MAX_GROWTH:
                return True
    links = len(equalities) // 2
    return _growth(equalities) > MAX_GROWTH or links + sum(map(depth, equalities)) > MAX_DEPTH


def _growth(terms: Iterable[Term]) -> int:
    compounds = (part for term in terms for part in subterms(term) if isinstance(part, tuple))
    return math.prod(1 + sum(1 for _ in variables(compound)) for compound in compounds)
