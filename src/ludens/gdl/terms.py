"""Terms of GDL, as plain values.

A constant is a ``str``, a compound term a tuple of its functor and its arguments, a variable a `Variable`:
``(cell 1 ?y b)`` is ``("cell", "1", Variable("y"), "b")``. Tuples and strings hash and compare in C, which is what
the reasoner spends its time on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable; its name is without the question mark and in lower case."""

    name: str

    def __hash__(self) -> int:
        return hash(self.name)  # planning joins hashes variables all the time


Term: TypeAlias = "str | Variable | tuple[Term, ...]"
Substitution: TypeAlias = Mapping[Variable, Term]


def functor(term: Term) -> str:
    """The name that a constant or compound term begins with."""
    if isinstance(term, tuple):
        name = term[0]
        assert isinstance(name, str)
        return name
    assert isinstance(term, str)
    return term


def arguments(term: Term) -> tuple[Term, ...]:
    """The arguments of a compound term; none for a constant."""
    return term[1:] if isinstance(term, tuple) else ()


def signature(term: Term) -> tuple[str, int]:
    """Name and number of arguments."""
    return functor(term), len(arguments(term))


def variables(term: Term) -> Iterator[Variable]:
    """The variables of a term from left to right, each as often as it occurs."""
    if isinstance(term, Variable):
        yield term
    elif isinstance(term, tuple):
        for part in term[1:]:
            yield from variables(part)


def is_ground(term: Term) -> bool:
    """True if the term has no variable."""
    return next(variables(term), None) is None


def depth(term: Term) -> int:
    """How deep compound terms are nested; 0 for a constant. Does not recurse, so any depth is safe."""
    deepest = 0
    stack: list[tuple[Term, int]] = [(term, 0)]
    while stack:
        part, level = stack.pop()
        deepest = max(deepest, level)
        if isinstance(part, tuple):
            stack.extend((argument, level + 1) for argument in part[1:])
    return deepest


def exceeds(term: Term, max_depth: int, max_size: int) -> bool:
    """True if a term is nested deeper, or has more symbols, than allowed. Stops looking as soon as it knows."""
    size = 0
    stack: list[tuple[Term, int]] = [(term, 0)]
    while stack:
        part, level = stack.pop()
        size += 1
        if level > max_depth or size > max_size:
            return True
        if isinstance(part, tuple):
            stack.extend((argument, level + 1) for argument in part[1:])
    return False


def substitute(term: Term, substitution: Substitution) -> Term:
    """The term with variables replaced, all the way down."""
    term = _resolve(term, substitution)
    if isinstance(term, tuple):
        return (term[0], *(substitute(part, substitution) for part in term[1:]))
    return term


def unify(left: Term, right: Term, substitution: Substitution | None = None) -> dict[Variable, Term] | None:
    """The most general substitution that makes both terms equal, or None if there is none."""
    bound: dict[Variable, Term] = dict(substitution or {})
    pairs = [(left, right)]
    while pairs:
        a, b = (_resolve(side, bound) for side in pairs.pop())
        if a == b:
            continue
        if isinstance(a, Variable) or isinstance(b, Variable):
            variable, value = (a, b) if isinstance(a, Variable) else (b, a)
            assert isinstance(variable, Variable)
            if _occurs(variable, value, bound):
                return None
            bound[variable] = value
        elif isinstance(a, tuple) and isinstance(b, tuple) and signature(a) == signature(b):
            pairs.extend(zip(a[1:], b[1:], strict=True))
        else:
            return None
    return bound


def _resolve(term: Term, bound: Substitution) -> Term:
    while isinstance(term, Variable) and term in bound:
        term = bound[term]
    return term


def _occurs(variable: Variable, term: Term, bound: Substitution) -> bool:
    """True if the variable is in the term once its variables are replaced; looks at each of them only once."""
    seen: set[Variable] = set()
    stack = [term]
    while stack:
        for other in variables(stack.pop()):
            if other == variable:
                return True
            if other not in seen:
                seen.add(other)
                if other in bound:
                    stack.append(bound[other])
    return False


def expanded_size(term: Term, bound: Substitution, known: dict[Variable, int]) -> int:
    """How many symbols a term has once its variables are replaced; ``known`` remembers those of variables."""
    if isinstance(term, Variable):
        if term not in known:
            known[term] = expanded_size(bound[term], bound, known) if term in bound else 1
        return known[term]
    return 1 + sum(expanded_size(part, bound, known) for part in arguments(term))


def rename(term: Term, suffix: str) -> Term:
    """The term with ``suffix`` added to the names of its variables, to keep two rules' variables apart."""
    if isinstance(term, Variable):
        return Variable(term.name + suffix)
    if isinstance(term, tuple):
        return (term[0], *(rename(part, suffix) for part in term[1:]))
    return term


def sort_key(term: Term) -> tuple[object, ...]:
    """Orders ground terms as people would: numbers by value and before names, compound terms last."""
    if term.__class__ is str:
        return _name_key(term)
    assert isinstance(term, tuple)
    return (2, len(term), *[_name_key(part) if part.__class__ is str else sort_key(part) for part in term])


@lru_cache(maxsize=10_000)
def _name_key(name: str) -> tuple[object, ...]:
    if name.isdecimal() and name.isascii():
        digits = name.lstrip("0")  # compared as text, since Python refuses to convert very long numbers
        return (0, len(digits), digits, name)
    return (1, 0, name)
