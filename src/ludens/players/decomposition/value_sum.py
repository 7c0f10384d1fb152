"""Sums of partizan games in normal play: the winner of a sum, by the combinatorial value of each subgame's position.

Values stand for the positions of subgames, so positions with equal values count once, and a value and its negative
cancel. Numbers add, and so do nimbers. What is left is searched, in sums of values (decomposition search, Müller 1999);
by the number avoidance theorem nobody has to move in a number while there is anything else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from operator import xor

from ludens.analysis.budget import Pulse, TooEntangledError, no_pulse
from ludens.analysis.game_values import GameValues, Value
from ludens.analysis.impartial import Partizan

MOST_SUMS = 1_000_000
"""The most sums that are stored."""

_Sum = tuple[Fraction, int, tuple[Value, ...]]
"""A number, a nimber, and the other values, sorted."""


class SumOfValues:
    """The winner of positions of the subgames, and the winning moves; the first role is Left.

    Raises `TooEntangledError` beyond its limits.
    """

    def __init__(self, game: Partizan, pulse: Pulse = no_pulse) -> None:
        self._edges = game.edges
        self._pulse = pulse
        self.values = GameValues(pulse)
        self._value_of = [self.values.of_positions(left, right) for left, right in zip(*game.edges, strict=True)]
        self._wins: dict[tuple[_Sum, int], bool] = {}

    def value_of(self, part: int, position: int) -> Value:
        """The value of a position of a subgame."""
        return self._value_of[part][position]

    def names(self, positions: Sequence[int]) -> list[str]:
        """The names of the values of all subgames."""
        return [self.values.name(self.value_of(part, position)) for part, position in enumerate(positions)]

    def mover_wins(self, positions: Sequence[int], mover: int) -> bool:
        """Whether a role that is to move wins."""
        return self._mover_wins(self._simplify(self._values_at(positions)), mover)

    def winning_moves(self, positions: Sequence[int], mover: int) -> list[tuple[int, int]]:
        """The winning moves: the subgame, and the position there that they lead to."""
        values = self._values_at(positions)
        found = []
        for part, target in self.moves(positions, mover):
            after = [*values[:part], self.value_of(part, target), *values[part + 1 :]]
            if not self._mover_wins(self._simplify(after), 1 - mover):
                found.append((part, target))
        return found

    def moves(self, positions: Sequence[int], mover: int) -> list[tuple[int, int]]:
        """All moves: the subgame, and the position there that they lead to."""
        edges = self._edges[mover]
        return [(part, target) for part, position in enumerate(positions) for target in edges[part][position]]

    def __len__(self) -> int:
        return len(self._wins)

    def _values_at(self, positions: Sequence[int]) -> list[Value]:
        return [self.value_of(part, position) for part, position in enumerate(positions)]

    def _simplify(self, values: Iterable[Value]) -> _Sum:
        """A sum with numbers and nimbers added, and values that cancel removed."""
        number, nimbers, others = Fraction(0), [0], Counter[Value]()
        for value in values:
            if (known := self.values.number(value)) is not None:
                number += known
            elif (nimber := self.values.nimber(value)) is not None:
                nimbers.append(nimber)
            elif others[negative := self.values.negative(value)]:
                others[negative] -= 1
            else:
                others[value] += 1
        return number, reduce(xor, nimbers), tuple(sorted(others.elements()))

    def _mover_wins(self, whole: _Sum, mover: int) -> bool:
        number, nimber, others = whole
        if not others:
            if number:
                return (number > 0) == (mover == 0)
            return nimber != 0
        found = self._wins.get((whole, mover))
        if found is None:
            if len(self._wins) >= MOST_SUMS:
                raise TooEntangledError(f"more than {MOST_SUMS:,} sums of values have to be compared")
            self._pulse()
            found = any(not self._mover_wins(after, 1 - mover) for after in self._options(whole, mover))
            self._wins[whole, mover] = found
        return found

    def _options(self, whole: _Sum, mover: int) -> Iterable[_Sum]:
        """The sums after each move of a role in anything but the number."""
        number, nimber, others = whole
        options = self.values.left if mover == 0 else self.values.right
        for place, value in enumerate(others):
            if place and others[place - 1] == value:
                continue
            rest = (*others[:place], *others[place + 1 :])
            for target in options(value):
                plus, star, left = self._simplify((*rest, target))
                yield number + plus, nimber ^ star, left
        for smaller in range(nimber):
            yield number, smaller, others
