"""The random variables of the stochastic dialect, and which terms can stand for one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from ludens.gdl.logic.strata import Signature
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, Variable, arguments, is_ground, rename, signature, unify


class RandomVariables:
    """Names of random variables, such as ``dice`` or ``(dice ?number)``."""

    def __init__(self, names: Iterable[Term]) -> None:
        self._ground: dict[Signature, set[Term]] = defaultdict(set)
        self._open: dict[Signature, set[Term]] = defaultdict(set)
        for name in names:
            (self._ground if is_ground(name) else self._open)[signature(name)].add(rename(name, "'"))

    @classmethod
    def of(cls, sheet: RuleSheet) -> RandomVariables:
        """The random variables that the rules define."""
        heads = (rule.head for rule in sheet.rules if signature(rule.head) == ("random", 3))
        names = (arguments(head)[0] for head in heads)
        return cls(name for name in names if not isinstance(name, Variable))

    def __bool__(self) -> bool:
        return bool(self._ground or self._open)

    def matches(self, term: Term) -> bool:
        """True if a term is, or can be, a random variable."""
        if isinstance(term, Variable):
            return False
        ground = self._ground.get(signature(term), set())
        if is_ground(term):
            return term in ground or self.matches_open(term)
        return any(unify(term, name) is not None for name in ground) or self.matches_open(term)

    def matches_open(self, term: Term) -> bool:
        """True if a term is, or can be, an instance of a name that has variables of its own."""
        return any(unify(term, name) is not None for name in self._open.get(signature(term), ()))

    def within(self, term: Term) -> tuple[Term, ...]:
        """The random variables in a term, outermost ones only, each once, from left to right."""
        return tuple(dict.fromkeys(self._within(term))) if self else ()

    def _within(self, term: Term) -> Iterator[Term]:
        if self.matches(term):
            yield term
        else:
            for part in arguments(term):
                yield from self._within(part)


def replace_terms(term: Term, values: Mapping[Term, Term]) -> Term:
    """The term with some of the terms in it replaced by others."""
    if term in values:
        return values[term]
    if isinstance(term, tuple):
        return (term[0], *(replace_terms(part, values) for part in term[1:]))
    return term


def is_within(part: Term, term: Term) -> bool:
    """True if a term is, or has in it, another one."""
    return part == term or any(is_within(part, inner) for inner in arguments(term))
