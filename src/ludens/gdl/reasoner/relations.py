"""Sets of ground facts with indexes that are built when a join first asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from ludens.gdl.terms import Term

Key: TypeAlias = object
KeyFunction: TypeAlias = Callable[[Term], Key | None]
"""The key under which an index files a fact; None if the index leaves the fact out."""
Index: TypeAlias = dict[Key, list[Term]]


class Relation:
    """The facts of one relation, each a whole term such as ``("true", ("cell", "1", "1", "b"))``."""

    __slots__ = ("_indexes", "complete", "facts")

    def __init__(self) -> None:
        self.facts: set[Term] = set()
        self.complete: set[object] = set()
        """The calls that have been answered, if the relation is derived on demand."""
        self._indexes: dict[int, tuple[KeyFunction, Index]] = {}

    def insert(self, facts: Iterable[Term]) -> list[Term]:
        """Add facts; returns those that are new."""
        known = self.facts
        new = []
        for fact in facts:
            if fact not in known:
                known.add(fact)
                new.append(fact)
        for key_of, index in self._indexes.values():
            _file(new, key_of, index)
        return new

    def index(self, number: int, key_functions: Sequence[KeyFunction]) -> Index:
        """The index that files facts by key function ``number``."""
        built = self._indexes.get(number)
        if built is None:
            built = (key_functions[number], {})
            _file(self.facts, *built)
            self._indexes[number] = built
        return built[1]


def _file(facts: Iterable[Term], key_of: KeyFunction, index: Index) -> None:
    for fact in facts:
        key = key_of(fact)
        if key is not None:
            index.setdefault(key, []).append(fact)
