"""Drop dominated options: those that are never better than another one.

The paper removes the turn-move sequences T1 of one move if for each of them there is one among those T2 of another
move, with the same turns, that evaluates at least as well. But when the other role chooses within T2, the good sequence
may not be the one that is played: docs/decomposition.md shows a game in which that changes the value. Here an option is
dropped only if the other one is at least as good whatever the other role does: for each own option there is one as
good, and for each option of the other role there was one as bad.
"""

from __future__ import annotations

from itertools import product
from math import prod

from ludens.players.decomposition.product import Product

MOST_ENDS = 100_000
"""Limit of combinations of concept values; with more, nothing is dropped."""
MOST_PAIRS = 300_000
"""Limit of compared pairs of classes; after that, nothing more is dropped."""


class EndTable:
    """The goals of each role for every combination of concept values in the subgames."""

    def __init__(self, game: Product) -> None:
        self.values = [
            list(dict.fromkeys(game.subgames.tick_values)),
            *(list(dict.fromkeys(quotient.values)) for quotient in game.quotients),
        ]
        """The possible concept values of the clock and each subgame."""
        self.known = prod(map(len, self.values)) <= MOST_ENDS
        """False if there are too many combinations."""
        ends = game.subgames.ends
        self.goals: dict[tuple[int, ...], tuple[int, ...] | None] = {}
        """Goals by concept values; None where the game goes on."""
        if self.known:
            roles = len(game.roles)
            for values in product(*self.values):
                over = ends.is_terminal(values)
                self.goals[values] = ends.goal_values(roles, values) if over else None

    def total(self) -> int | None:
        """The constant sum of two roles' goals at every end; None if unknown or not constant."""
        sums = {sum(goals) for goals in self.goals.values() if goals is not None}
        return sums.pop() if self.known and len(sums) == 1 else None

    def last_tick(self, game: Product) -> int | None:
        """The first tick at which the game is always over; None if there is none."""
        if not self.known:
            return None
        going = {values[0] for values, goals in self.goals.items() if goals is None}
        return next((tick for tick, value in enumerate(game.subgames.tick_values) if value not in going), None)


class Dominance:
    """Compares classes of one subgame for one role in constant-sum games."""

    def __init__(self, game: Product, ends: EndTable, part: int, role: int) -> None:
        self._role = role
        self._values = game.quotients[part].values
        self._options = [
            (game.chooser[phase] == role, game.targets[phase][part], game.idle_classes[phase][part])
            for phase in range(len(game.targets))
        ]
        self._better = self._better_values(ends, part + 1)
        self._known: dict[tuple[int, int], bool] = {}

    def _better_values(self, ends: EndTable, place: int) -> set[tuple[int, int]]:
        """Pairs of concept values of the subgame of which the second is at least as good, whatever holds elsewhere."""
        found = set()
        others = [values for n, values in enumerate(ends.values) if n != place]
        rests = list(product(*others))
        for one, other in product(ends.values[place], repeat=2):
            pairs = ((ends.goals[_insert(rest, place, one)], ends.goals[_insert(rest, place, other)]) for rest in rests)
            if all(b is None if a is None else b is not None and b[self._role] >= a[self._role] for a, b in pairs):
                found.add((one, other))
        return found

    def is_as_good(self, worse: int, better: int) -> bool:
        """Whether the second class is at least as good as the first for the role, and lasts as long."""
        if worse == better:
            return True
        found = self._known.get((worse, better))
        if found is None:
            found = len(self._known) < MOST_PAIRS and self._compare(worse, better)
            self._known[worse, better] = found
        return found

    def _compare(self, worse: int, better: int) -> bool:
        if (self._values[worse], self._values[better]) not in self._better:
            return False
        for own, targets, idle in self._options:
            ones, others = targets[worse], targets[better]
            if bool(ones) != bool(others):
                return False
            if idle[worse] != worse or idle[better] != better:
                return False  # autonomous changes are not compared
            if own:
                if not all(any(self.is_as_good(a, b) for b in others) for a in ones):
                    return False
            elif not all(any(self.is_as_good(a, b) for a in ones) for b in others):
                return False
        return True


def _insert(rest: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*rest[:place], value, *rest[place:])


def drop_dominated(game: Product, ends: EndTable) -> tuple[int, int]:
    """Drop dominated options of a free game without cycles; returns how many there were and how many are left."""
    before = after = 0
    for part in range(len(game.quotients)):
        comparisons = {role: Dominance(game, ends, part, role) for role in range(len(game.roles))}
        new = []
        for phase, role in enumerate(game.chooser):
            targets = game.targets[phase][part]
            before += sum(map(len, targets))
            new.append(targets if role is None else [_undominated(own, comparisons[role]) for own in targets])
            after += sum(map(len, new[-1]))
        for phase, kept in enumerate(new):
            game.targets[phase][part] = kept
    return before, after


def _undominated(options: list[int], comparison: Dominance) -> list[int]:
    kept: list[int] = []
    for option in options:
        if any(comparison.is_as_good(option, other) for other in kept):
            continue
        kept = [other for other in kept if not comparison.is_as_good(other, option)]
        kept.append(option)
    return kept
