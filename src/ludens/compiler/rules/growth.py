"""Terms that can stand inside terms of the same kind: which rules build them, so that grounding can watch them grow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ludens.compiler.rules.domains import Domains
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.strata import Signature, components
from ludens.gdl.terms import Term, arguments, depth, functor, is_ground, signature, variables

_INNER = {("next", 1): 0, ("init", 1): 0, ("legal", 2): 1}
"""Where the terms stand that are fluents and moves to their readers."""


def growing_terms(clauses: Sequence[Clause], domains: Domains) -> dict[int, Term]:
    """For each clause, by its place, that may put a term into a larger one of the same kind: that larger one.

    Only these can make terms grow without end; ``(next (count (s ?x)))`` does if ``?x`` can be an ``s`` already.
    """
    kinds = _nesting_kinds(domains)
    found = {}
    for place, clause in enumerate(clauses if kinds else ()):
        values = domains.of_variables(clause)
        for term in _compound(clause.head):
            inside = {value for part in variables(term) for value in values.get(part, ())}
            if any(isinstance(value, tuple) and kinds.get(value) == kinds.get(signature(term), -1) for value in inside):
                found[place] = term
                break
    return found


def _nesting_kinds(domains: Domains) -> dict[Signature, int]:
    """The functions whose terms can stand in terms of their own, however deep; those with one number in each other."""
    within = domains.within_functions()
    found = {}
    for number, members in enumerate(components(within, lambda sign: sorted(within.get(sign, ())))):
        if len(members) > 1 or members[0] in within.get(members[0], ()):
            found.update(dict.fromkeys(members, number))
    return found


def _compound(atom: Term) -> Iterator[Term]:
    """The compound terms with variables that stand in an atom, the outer ones first."""
    waiting = list(arguments(atom))
    for term in waiting:
        if isinstance(term, tuple) and not is_ground(term):
            yield term
            waiting += arguments(term)


def written_nesting(clauses: Iterable[Clause]) -> int:
    """How deep the terms nest that are written in the clauses."""
    atoms = (atom for clause in clauses for atom in (clause.head, *clause.positive, *clause.negative))
    return max((depth(part) for atom in atoms for part in arguments(atom)), default=0)


def place_of(term: Term, head: Term) -> str:
    """Which argument of which relation, fluent or move of a head a term stands in, in words."""
    inner = _INNER.get(signature(head))
    whole = head if inner is None else arguments(head)[inner]
    for number, part in enumerate(arguments(whole), start=1):
        if _contains(part, term):
            return f"argument {number} of {functor(whole)}"
    return f"the argument of {functor(head)}"


def _contains(whole: Term, part: Term) -> bool:
    return whole is part or any(_contains(inner, part) for inner in arguments(whole))
