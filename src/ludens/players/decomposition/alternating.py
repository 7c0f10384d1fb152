"""Global game search for constant-sum games of two roles that take turns: alpha-beta over classes, each key once."""

from __future__ import annotations

from collections.abc import Callable

from ludens.analysis.subgames.local import ILLEGAL
from ludens.players.decomposition.dominance import EndTable
from ludens.players.decomposition.product import Product, ProductKey

LONGEST = 400
"""The longest game, in turns, that is searched depth first."""


def longest_play(game: Product) -> int | None:
    """The most turns that a game can last, by its subgames; None if play can cycle.

    Where a role acts in all subgames at once, turns in which nothing changes anywhere are not counted.
    """
    if any(game.can_pass) or None in game.chooser:
        return None
    total = 0
    for part, quotient in enumerate(game.quotients):
        still = list(range(len(quotient)))
        for idle in game.idle_classes:
            if idle[part] != still and not (game.parallel and set(idle[part]) == {ILLEGAL}):
                return None
        longest = _longest_path(
            [[[t for t in row[part][n] if t != n or game.free] for row in game.targets] for n in range(len(quotient))]
        )
        if longest is None:
            return None
        total += longest
    return total


def _longest_path(targets: list[list[list[int]]]) -> int | None:
    """The longest path through classes, given the successors of each in each phase; None if there are cycles."""
    children = [sorted({target for own in each for target in own}) for each in targets]
    left = [len(own) for own in children]
    parents: list[list[int]] = [[] for _ in children]
    for n, own in enumerate(children):
        for child in own:
            parents[child].append(n)
    order = [n for n, count in enumerate(left) if not count]
    length = [0] * len(children)
    for n in order:
        for parent in parents[n]:
            length[parent] = max(length[parent], length[n] + 1)
            left[parent] -= 1
            if not left[parent]:
                order.append(parent)
    return max(length) if len(order) == len(children) else None


class Alternating:
    """Values of keys for the first role. Only for free constant-sum games without cycles."""

    def __init__(self, game: Product, ends: EndTable, total: int, pulse: Callable[[], None]) -> None:
        self._game = game
        self._total = total
        self._pulse = pulse
        self._bounds: dict[ProductKey, tuple[int, int]] = {}
        if not game.alike:
            game.alike = interchangeable_parts(game, lambda one, other: _are_symmetric(ends, one + 1, other + 1))
        self.nodes = 0
        """Keys visited."""

    def __len__(self) -> int:
        return len(self._bounds)

    def value(self, key: ProductKey) -> int:
        """The first role's goal under perfect play."""
        return self._search(key, -1, self._total + 1)

    def _search(self, key: ProductKey, alpha: int, beta: int) -> int:
        self.nodes += 1
        if not self.nodes & 1023:
            self._pulse()
        game = self._game
        over, goals = game.end(key)
        if over:
            return goals[0]
        key = game.canonical_key(key)
        low, high = self._bounds.get(key, (0, self._total))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low - 1), min(beta, high + 1)
        options = game.options(key)
        if not options:
            return goals[0]  # nobody can move: counts as terminal, as everywhere in ludens
        mine = game.chooser[game.phase_of[key[0]]] != 1
        if len(options) > 2:
            options.sort(key=lambda option: self._estimate(option[1]), reverse=mine)
        best = -1 if mine else self._total + 1
        a, b = alpha, beta
        for _, child in options:
            value = self._search(child, a, b)
            if mine:
                best = max(best, value)
                a = max(a, best)
            else:
                best = min(best, value)
                b = min(b, best)
            if a >= b or best == (high if mine else low):
                break
        if best <= alpha:
            high = best
        elif best >= beta:
            low = best
        else:
            low = high = best
        self._bounds[key] = (low, high)
        return best

    def _estimate(self, key: ProductKey) -> int:
        over, goals = self._game.end(key)
        if over:
            return 2 * goals[0]
        low, high = self._bounds.get(self._game.canonical_key(key), (0, self._total))
        return low + high


def interchangeable_parts(game: Product, are_symmetric: Callable[[int, int], bool]) -> list[list[int]]:
    """Groups of interchangeable subgames, given whether goals and the end are symmetric in two of them."""
    groups: list[list[int]] = []
    for part in range(len(game.quotients)):
        for group in groups:
            if _are_same(game, group[0], part) and are_symmetric(group[0], part):
                group.append(part)
                break
        else:
            groups.append([part])
    return [group for group in groups if len(group) > 1]


def _are_same(game: Product, one: int, other: int) -> bool:
    if game.quotients[one].values != game.quotients[other].values:
        return False
    return all(
        targets[one] == targets[other] and idle[one] == idle[other]
        for targets, idle in zip(game.targets, game.idle_classes, strict=True)
    )


def _are_symmetric(ends: EndTable, one: int, other: int) -> bool:
    """Whether the end table is symmetric in two subgames."""
    for values, goals in ends.goals.items():
        swapped = list(values)
        swapped[one], swapped[other] = values[other], values[one]
        if ends.goals.get(tuple(swapped), ()) != goals:
            return False
    return True
