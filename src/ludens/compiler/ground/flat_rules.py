"""Ground rules in arrays, as C reads and writes them."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.passes.library import ADDRESS, COUNT, Ints, allocating_function

Atom = int
"""The number of a ground atom."""
Body = tuple[int, ...]
"""A conjunction: atoms that must hold, and negative numbers of those that must not."""
Places = NDArray[np.int64]

_NONE = -1

_find_components = allocating_function("find_components", COUNT, ADDRESS, COUNT, ADDRESS, COUNT, *[ADDRESS] * 4)


class _Head(ctypes.Structure):
    """What C knows of rules."""

    _fields_ = tuple((name, ctypes.c_void_p) for name in ("words", "bodies", "first", "after"))


class Order(NamedTuple):
    """Atoms after those they need; those that need each other stand together."""

    atoms: Ints
    ends: Places
    """The place after each component."""
    is_loop: NDArray[np.bool_]
    """Of each component, whether its atoms need each other or themselves."""

    def components(self) -> Iterator[tuple[list[Atom], bool]]:
        """The components, and whether they are loops."""
        atoms, start = self.atoms.tolist(), 0
        for end, is_loop in zip(self.ends.tolist(), self.is_loop.tolist(), strict=True):
            yield atoms[start:end], is_loop
            start = end


class FlatRules(Mapping[Atom, list[Body]]):
    """For each derived atom its bodies; an empty body makes it a fact."""

    def __init__(self, heads: Ints, ends: Places, bodies: Places, words: Ints) -> None:
        """For each head the place after its last body, for each body where its words begin."""
        self.heads = heads
        self.atoms = 1 + int(max(heads.max(initial=0), np.abs(words).max(initial=0)))
        """More than the highest number of an atom."""
        self._words, self._bodies = words, bodies
        self._first, self._after = (np.full(self.atoms, _NONE, np.int64) for _ in range(2))
        self._first[heads], self._after[heads] = np.concatenate(([0], ends[:-1])), ends

    @classmethod
    def of(cls, rules: Mapping[Atom, Sequence[Body]]) -> FlatRules:
        """The same rules in arrays."""
        if isinstance(rules, FlatRules):
            return rules
        bodies = list(chain.from_iterable(rules.values()))
        return cls(
            np.fromiter(rules, np.int32, len(rules)),
            np.fromiter(accumulate(map(len, rules.values())), np.int64, len(rules)),
            np.fromiter(accumulate(map(len, bodies), initial=0), np.int64, len(bodies) + 1),
            np.array(array("i", chain.from_iterable(bodies)), np.int32),
        )

    def with_rules(self, others: Mapping[Atom, Sequence[Body]]) -> FlatRules:
        """These rules with others in place of those of some atoms."""
        added = FlatRules.of(others)
        new = added.heads[[atom not in self for atom in others]] if others else added.heads
        found = FlatRules(
            np.concatenate((self.heads, new)),
            np.zeros(len(self.heads) + len(new), np.int64),
            np.concatenate((self._bodies, added._bodies[1:] + self._bodies[-1])),
            np.concatenate((self._words, added._words)),
        )
        found._first[self.heads], found._after[self.heads] = self._first[self.heads], self._after[self.heads]
        shift = len(self._bodies) - 1
        found._first[added.heads] = added._first[added.heads] + shift
        found._after[added.heads] = added._after[added.heads] + shift
        return found

    @property
    def size(self) -> int:
        """The number of bodies."""
        return int((self._after - self._first).sum())

    def head(self) -> _Head:
        """What C knows of the rules, as long as they are there."""
        return _Head(*(part.ctypes.data for part in (self._words, self._bodies, self._first, self._after)))

    def order(self, roots: Ints, marked: Iterable[Atom] = ()) -> tuple[Order, set[Atom]]:
        """The derived atoms that the roots need, and those among them that need one that is marked."""
        roots = roots[roots < self.atoms]
        marks = np.zeros(self.atoms, np.bool_)
        marks[[atom for atom in marked if atom < self.atoms]] = True
        order, ends = np.empty(self.atoms, np.int32), np.empty(self.atoms, np.int64)
        is_loop = np.empty(self.atoms, np.bool_)
        head = self.head()
        places = (part.ctypes.data for part in (marks, order, ends, is_loop))
        count = _find_components(ctypes.addressof(head), self.atoms, roots.ctypes.data, len(roots), *places)
        ends = ends[:count]
        order = order[: ends[-1] if count else 0]
        return Order(order, ends, is_loop[:count]), set(order[marks[order]].tolist())

    def __getitem__(self, atom: Atom) -> list[Body]:
        if atom not in self:
            raise KeyError(atom)
        starts = self._bodies[self._first[atom] : self._after[atom] + 1].tolist()
        words = self._words[starts[0] : starts[-1]].tolist()
        offset = starts[0]
        return [tuple(words[start - offset : end - offset]) for start, end in pairwise(starts)]

    def __contains__(self, atom: object) -> bool:
        return isinstance(atom, int) and 0 <= atom < self.atoms and bool(self._first[atom] != _NONE)

    def __iter__(self) -> Iterator[Atom]:
        return iter(self.heads.tolist())

    def __len__(self) -> int:
        return len(self.heads)
