"""What lies at a place, handed to a rule whose reads are tracked: looking at an element is noted, counting is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, SupportsIndex

from ludens.tabletop.material.equipment import Dice, Element, Place

Read = Place | Dice | tuple[Place, Element]
"""What a rule looked at: all that lies at a place, dice, or whether one element lies at a place."""


class Watched(tuple[Element, ...]):
    """Elements at a place. How many there are everybody knows, so ``len`` and truth are not noted."""

    place: Place
    reads: set[Read]

    @classmethod
    def at(cls, place: Place, lying: tuple[Element, ...], reads: set[Read]) -> Watched:
        """The elements at a place, which is added to the reads when one of them is looked at."""
        found = cls(lying)
        found.place, found.reads = place, reads
        return found

    def __iter__(self) -> Iterator[Element]:
        self.reads.add(self.place)
        return super().__iter__()

    def __getitem__(self, key: SupportsIndex | slice) -> Any:
        self.reads.add(self.place)
        return super().__getitem__(key)

    def __contains__(self, element: object) -> bool:
        self.reads.add((self.place, element) if isinstance(element, Element) else self.place)
        return super().__contains__(element)

    def __add__(self, other: tuple[Any, ...]) -> tuple[Any, ...]:
        self.reads.add(self.place)
        return super().__add__(other)

    def __eq__(self, other: object) -> bool:
        self.reads.add(self.place)
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        self.reads.add(self.place)
        return super().__ne__(other)

    def __hash__(self) -> int:
        self.reads.add(self.place)
        return super().__hash__()

    def index(self, element: object, start: SupportsIndex = 0, stop: SupportsIndex = 1 << 30) -> int:
        """Where an element lies in the order."""
        self.reads.add(self.place)
        return super().index(element, start, stop)

    def count(self, element: object) -> int:
        """How often an element lies there."""
        self.reads.add(self.place)
        return super().count(element)

    def __reduce__(self) -> tuple[object, ...]:
        return tuple, (list(self),)
