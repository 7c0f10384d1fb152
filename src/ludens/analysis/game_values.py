"""Values of combinatorial games in normal play, after Conway, *On Numbers and Games*, and Berlekamp, Conway and Guy.

A game is written {Left's options | Right's options}; who cannot move loses. Every game has a unique canonical form,
found by removing dominated options and bypassing reversible ones; two games have the same value, and can replace each
other in every sum, if their canonical forms are the same. Numbers, nimbers (*n), switches ({2|-1}), up and down are
named; every other value is written by its options.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ludens.analysis.budget import Pulse, TooEntangledError, no_pulse
from ludens.analysis.impartial import Edges, topological_order

Value = int
"""The number of a canonical form."""
MOST_FORMS = 200_000
"""The most forms that are stored."""
MOST_COMPARISONS = 3_000_000
"""The most comparisons that are stored."""
LONGEST_NAME = 40
"""Of values with longer names only the number of options is given."""

ZERO: Value = 0


class GameValues:
    """Canonical forms, each with a number, and how they compare. Raises `TooEntangledError` if there are too many."""

    def __init__(self, pulse: Pulse = no_pulse) -> None:
        self._pulse = pulse
        self._forms: list[tuple[frozenset[int], frozenset[int]]] = []
        self._number_of: dict[tuple[frozenset[int], frozenset[int]], int] = {}
        self._is_at_most: dict[tuple[int, int], bool] = {}
        self._canonical: dict[int, Value] = {}
        self._negative: dict[Value, Value] = {}
        self._numbers: dict[Value, Fraction | None] = {}
        self._nimbers: dict[Value, int | None] = {}
        self.value((), ())

    def __len__(self) -> int:
        return len(self._forms)

    def left(self, value: Value) -> frozenset[Value]:
        """Left's options."""
        return self._forms[value][0]

    def right(self, value: Value) -> frozenset[Value]:
        """Right's options."""
        return self._forms[value][1]

    def value(self, left: Iterable[Value], right: Iterable[Value]) -> Value:
        """The value of the game with these options, which are canonical forms."""
        form = self._intern(frozenset(left), frozenset(right))
        found = self._canonical.get(form)
        if found is None:
            found = self._canonical[form] = self._simplify(form)
            self._canonical[found] = found
        return found

    def of_positions(self, left: Edges, right: Edges) -> list[Value]:
        """The values of all positions of a subgame, given the positions that each role can reach; it has no cycles."""
        order = topological_order([[*one, *other] for one, other in zip(left, right, strict=True)])
        assert order is not None
        found = [ZERO] * len(left)
        for position in order:
            found[position] = self.value((found[to] for to in left[position]), (found[to] for to in right[position]))
        return found

    def _intern(self, left: frozenset[int], right: frozenset[int]) -> int:
        key = (left, right)
        number = self._number_of.get(key)
        if number is None:
            self._pulse()
            if len(self._forms) >= MOST_FORMS:
                raise TooEntangledError(f"the subgames have more than {MOST_FORMS:,} different values")
            number = self._number_of[key] = len(self._forms)
            self._forms.append(key)
        return number

    def is_at_most(self, one: int, other: int) -> bool:
        """Whether one ≤ other: Right, moving second in other - one, does not win."""
        if one == other:
            return True
        known = self._is_at_most.get((one, other))
        if known is None:
            if len(self._is_at_most) >= MOST_COMPARISONS:
                raise TooEntangledError(f"the values of the subgames need more than {MOST_COMPARISONS:,} comparisons")
            if not len(self._is_at_most) & 1023:
                self._pulse()
            known = not any(self.is_at_most(other, option) for option in self._forms[one][0]) and not any(
                self.is_at_most(option, one) for option in self._forms[other][1]
            )
            self._is_at_most[one, other] = known
        return known

    def _simplify(self, form: int) -> Value:
        """The canonical form of a form whose options are canonical."""
        while True:
            left, right = self._forms[form]
            new_left = self._bypass(left, form, is_left=True)
            new_right = self._bypass(right, form, is_left=False)
            new_left = frozenset(
                one for one in new_left if not any(other != one and self.is_at_most(one, other) for other in new_left)
            )
            new_right = frozenset(
                one for one in new_right if not any(other != one and self.is_at_most(other, one) for other in new_right)
            )
            if (new_left, new_right) == (left, right):
                return form
            form = self._intern(new_left, new_right)

    def _bypass(self, options: frozenset[int], form: int, *, is_left: bool) -> frozenset[int]:
        """The options, with each reversible one replaced by what the reply to it leads to."""
        found: set[int] = set()
        for option in options:
            replies = self._forms[option][1 if is_left else 0]
            reply = next(
                (r for r in replies if (self.is_at_most(r, form) if is_left else self.is_at_most(form, r))), None
            )
            if reply is None:
                found.add(option)
            else:
                found |= self._forms[reply][0 if is_left else 1]
        return frozenset(found)

    def negative(self, value: Value) -> Value:
        """The value with the roles exchanged."""
        found = self._negative.get(value)
        if found is None:
            left, right = self._forms[value]
            found = self.value(map(self.negative, right), map(self.negative, left))
            self._negative[value], self._negative[found] = found, value
        return found

    def number(self, value: Value) -> Fraction | None:
        """The value as a number; None if it is none."""
        if value not in self._numbers:
            self._numbers[value] = self._find_number(value)
        return self._numbers[value]

    def _find_number(self, value: Value) -> Fraction | None:
        left = [self.number(option) for option in self.left(value)]
        right = [self.number(option) for option in self.right(value)]
        if None in left or None in right or len(left) > 1 or len(right) > 1:
            return None
        low = next((each for each in left if each is not None), None)
        high = next((each for each in right if each is not None), None)
        if low is None or high is None:
            if low is None and high is None:
                return Fraction(0)
            return low + 1 if low is not None else high - 1 if high is not None else None
        return (low + high) / 2 if low < high else None

    def nimber(self, value: Value) -> int | None:
        """n if the value is *n, where *0 is 0; None otherwise."""
        if value not in self._nimbers:
            left, right = self._forms[value]
            options = [self.nimber(option) for option in left]
            known = sorted(each for each in options if each is not None)
            is_nimber = left == right and known == list(range(len(left)))
            self._nimbers[value] = len(left) if is_nimber else None
        return self._nimbers[value]

    def name(self, value: Value) -> str:
        """The usual notation: 3, -1/2, *2, up, {2|-1}, ±3 …; long ones by their options' number."""
        number = self.number(value)
        if number is not None:
            return str(number)
        nimber = self.nimber(value)
        if nimber is not None:
            return "*" if nimber == 1 else f"*{nimber}"
        left, right = self._forms[value]
        star = self.value((ZERO,), (ZERO,))
        if (left, right) == (frozenset((ZERO,)), frozenset((star,))):
            return "up"
        if (left, right) == (frozenset((star,)), frozenset((ZERO,))):
            return "down"
        if left == right and len(left) == 1 and (number := self.number(next(iter(left)))) is not None:
            return f"{number}*"
        if len(left) == len(right) == 1 and self.negative(value) == value:
            text = "±" + self._quote(next(iter(left)))
        else:
            text = "{" + "|".join(",".join(sorted(map(self.name, options))) for options in (left, right)) + "}"
        return text if len(text) <= LONGEST_NAME else f"hot, {len(left)} and {len(right)} options"

    def _quote(self, value: Value) -> str:
        text = self.name(value)
        return text if self.number(value) is not None else f"({text})"
