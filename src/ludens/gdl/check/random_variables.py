"""The random variables of the stochastic dialect, and which terms can stand for one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ludens.gdl.strata import Signature
from ludens.gdl.terms import Term, Variable, is_ground, rename, signature, unify


class RandomVariables:
    """Names of random variables, such as ``dice`` or ``(dice ?number)``."""

    def __init__(self, names: Iterable[Term]) -> None:
        self._ground: dict[Signature, set[Term]] = defaultdict(set)
        self._open: dict[Signature, set[Term]] = defaultdict(set)
        for name in names:
            (self._ground if is_ground(name) else self._open)[signature(name)].add(rename(name, "'"))

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
