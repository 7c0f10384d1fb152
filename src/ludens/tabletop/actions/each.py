"""Each: a list of actions that are made one by one, when somebody looks at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, SupportsIndex, overload

from ludens.tabletop.actions.basic import Action


class Each(Sequence[Action]):
    """One action for each of some things: ``Each(hand, self.play_card)`` instead of ``[self.play_card(card) for …]``.

    A random playout then makes only the action that it draws. Making one must not depend on the others.
    """

    __slots__ = ("_make", "_things")

    def __init__(self, things: Sequence[Any], make: Callable[[Any], Action]) -> None:
        self._things = things
        self._make = make

    def __len__(self) -> int:
        return len(self._things)

    @overload
    def __getitem__(self, number: SupportsIndex) -> Action: ...
    @overload
    def __getitem__(self, number: slice) -> list[Action]: ...
    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self._make(thing) for thing in self._things[number]]
        return self._make(self._things[number])

    def __iter__(self) -> Iterator[Action]:
        return map(self._make, self._things)
