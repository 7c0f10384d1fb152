"""Depth-limited searches for the experiment: the same MaxN on all moves, on the paper's sequences, and on classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from ludens.analysis.subgames.ends import Reading
from ludens.analysis.subgames.positions import Subgames
from ludens.players.decomposition.dominance import EndTable, drop_dominated
from ludens.players.decomposition.product import Product
from ludens.players.decomposition.sequences import Pruning, SequenceSearch

Key = tuple[int, ...]
"""The tick, and the number of a position or a class for each subgame."""
Goals = tuple[int, ...]


class Tree(Protocol):
    """The game that is searched."""

    def end(self, key: Key) -> tuple[bool, Goals]:
        """Whether the game is over, and the current goal of each role."""

    def chooser(self, key: Key) -> int:
        """The role to move."""

    def children(self, key: Key, depth: int) -> Iterable[Key]:
        """The positions after its moves, with this many turns left."""


class PositionTree:
    """The game on positions of its subgames: all moves, or those of the turn-move sequences that the paper keeps."""

    def __init__(self, subgames: Subgames, pruning: Pruning, reading: Reading = Reading.FIRST) -> None:
        self._subgames = subgames
        self.searches = [SequenceSearch(subgames, part, pruning, reading) for part in range(len(subgames.locals))]
        """Subgame search, for each subgame."""
        self._ends: dict[Key, tuple[bool, Goals]] = {}

    def end(self, key: Key) -> tuple[bool, Goals]:
        """Whether the game is over, and the current goal of each role."""
        locals_ = self._subgames.locals
        values = (
            self._subgames.tick_values[key[0]],
            *(local.values[number] for local, number in zip(locals_, key[1:], strict=True)),
        )
        ending = self._ends.get(values)
        if ending is None:
            ends = self._subgames.ends
            roles = len(self._subgames.game.roles)
            ending = self._ends[values] = (ends.is_terminal(values), ends.goal_values(roles, values))
        return ending

    def chooser(self, key: Key) -> int:
        """The role to move."""
        whole = self._subgames.whole
        return whole.phases[whole.clock.phase(key[0])].choosers[0]

    def children(self, key: Key, depth: int) -> Iterable[Key]:
        """The successors; only subgames with a move change."""
        clock = self._subgames.whole.clock
        later, phase = clock.after(key[0]), clock.phase(key[0])
        for part, search in enumerate(self.searches):
            for child in search.kept_targets(key[1 + part], depth, phase):
                yield (later, *key[1 : 1 + part], child, *key[2 + part :])


class ClassTree:
    """The game on classes of positions, with sound dominance where possible."""

    def __init__(self, subgames: Subgames) -> None:
        self.game = Product(subgames)
        ends = EndTable(self.game)
        if len(self.game.roles) == 2 and ends.total() is not None and ends.last_tick(self.game) is None:
            drop_dominated(self.game, ends)

    def end(self, key: Key) -> tuple[bool, Goals]:
        """Whether the game is over, and the current goal of each role."""
        return self.game.end(key)

    def chooser(self, key: Key) -> int:
        """The role to move."""
        role = self.game.chooser[self.game.phase_of[key[0]]]
        assert role is not None
        return role

    def children(self, key: Key, depth: int) -> Iterable[Key]:
        """The successors of options."""
        return (child for _, child in self.game.options(key))

    def count(self, part: int, depth: int) -> int:
        """The number of remaining turn-move sequences of a subgame, counted on classes."""
        counts: dict[tuple[int, int], int] = {}
        targets = [phase[part] for phase in self.game.targets]

        def count_from(number: int, left: int) -> int:
            if (number, left) not in counts:
                children = [child for target in targets for child in target[number]]
                total = sum(count_from(child, left - 1) for child in children) if left else 0
                counts[number, left] = total or 1
            return counts[number, left]

        return count_from(int(self.game.quotients[part].class_of[0]), depth)


def search_to(tree: Tree, root: Key, depth: int, pulse: Callable[[], None]) -> tuple[Goals, int]:
    """The goals of a search to a depth, and the number of positions visited, each once for each
    number of turns left. At the depth limit, the current goals count."""
    known: dict[tuple[Key, int], Goals] = {}

    def value(key: Key, left: int) -> Goals:
        result = known.get((key, left))
        if result is not None:
            return result
        over, goals = tree.end(key)
        if not over and left:
            if not len(known) & 255:
                pulse()
            role = tree.chooser(key)
            best: Goals | None = None
            for child in tree.children(key, left):
                each = value(child, left - 1)
                if best is None or _better(each, best, role):
                    best = each
            goals = goals if best is None else best
        known[key, left] = goals
        return goals

    return value(root, depth), len(known)


def _better(one: Goals, other: Goals, role: int) -> bool:
    """True if the role gets more, or the same and the others less."""
    return (one[role], -sum(one)) > (other[role], -sum(other))
