"""What lies at a place, handed to a rule whose reads are tracked: looking at an element is noted, counting is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, SupportsIndex

from ludens.tabletop.material.equipment import Dice, Element, Place

Read = Place | Dice | tuple[Place, Element]
"""What a rule looked at: a secret place, dice, or an element at a place."""


class Watched(tuple[Element, ...]):
    """Elements at a place. How many there are everybody knows, so ``len`` and truth are not noted."""

    place: Place
    reads: set[Read]

    @classmethod
    def at(cls, place: Place, lying: tuple[Element, ...], reads: set[Read]) -> Watched:
        """The elements at a place; those that are looked at are added to the reads."""
        found = cls(lying)
        found.place, found.reads = place, reads
        return found

    def _note(self, elements: Iterable[Element]) -> None:
        self.reads.update((self.place, element) for element in elements)

    def _note_all(self) -> None:
        self._note(super().__iter__())

    def __iter__(self) -> Iterator[Element]:
        for element in super().__iter__():
            self.reads.add((self.place, element))
            yield element

    def __reversed__(self) -> Iterator[Element]:
        for number in range(len(self) - 1, -1, -1):
            yield self[number]

    def __getitem__(self, key: SupportsIndex | slice) -> Any:
        found = super().__getitem__(key)
        self._note(found if isinstance(found, tuple) else (found,))
        return found

    def __contains__(self, element: object) -> bool:
        if isinstance(element, Element):
            self._note((element,))
        return super().__contains__(element)

    def __add__(self, other: tuple[Any, ...]) -> tuple[Any, ...]:
        self._note_all()
        return super().__add__(other)

    def __eq__(self, other: object) -> bool:
        self._note_all()
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        self._note_all()
        return super().__ne__(other)

    def __hash__(self) -> int:
        self._note_all()
        return super().__hash__()

    def index(self, element: object, start: SupportsIndex = 0, stop: SupportsIndex = 1 << 30) -> int:
        """Where an element lies in the order."""
        self._note_all()
        return super().index(element, start, stop)

    def count(self, element: object) -> int:
        """How often an element lies there."""
        self._note_all()
        return super().count(element)

    def __reduce__(self) -> tuple[object, ...]:
        return tuple, (list(super().__iter__()),)
