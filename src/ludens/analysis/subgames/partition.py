"""Partition the fluents of a game into the connected components of their dependencies.

As in the paper, fluents belong together if one is a precondition of a move that affects the other, or if one move
affects both. Moves of *parallel* games act in all subgames at once without making them dependent: whatever a move does
in one subgame can be combined with everything that can be done in the others, which is checked move by move.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from math import prod

import numpy as np

from ludens.analysis.budget import Pulse, no_pulse, watch
from ludens.analysis.gates.phases import Phase
from ludens.analysis.gates.supports import Bits, bits_of, flags, members
from ludens.analysis.gates.touches import Turn

MOST_PAIRS = 200_000
"""Limit of compared pairs of components; games with more are not decomposed."""


class Partition:
    """A partition of fluents into groups that can only be joined."""

    def __init__(self, fluents: Bits) -> None:
        self._parent = {n: n for n in members(fluents)}

    def copy(self) -> Partition:
        """A copy, which can be joined by itself."""
        found = Partition(0)
        found._parent = dict(self._parent)
        return found

    def find(self, fluent: int) -> int:
        """The fluent that represents the group."""
        parent = self._parent
        while parent[fluent] != fluent:
            parent[fluent] = parent[parent[fluent]]
            fluent = parent[fluent]
        return fluent

    def join(self, fluents: Iterable[int]) -> bool:
        """Join the groups of fluents; True if that changed anything. Unknown fluents are ignored."""
        roots = sorted({self.find(n) for n in fluents if n in self._parent})
        for root in roots[1:]:
            self._parent[root] = roots[0]
        return len(roots) > 1

    def join_all(self, sets: Iterable[Bits]) -> None:
        """Join each set of fluents."""
        for bits in set(sets):
            self.join(members(bits))

    def keep_finer(self, other: Partition) -> None:
        """Take over another partition of the same fluents if it has more groups."""
        if len(other.groups()) > len(self.groups()):
            self._parent = dict(other._parent)

    def __contains__(self, fluent: int) -> bool:
        return fluent in self._parent

    def groups(self) -> list[tuple[int, ...]]:
        """The groups, in the order of their first fluents."""
        found: dict[int, list[int]] = defaultdict(list)
        for n in sorted(self._parent):
            found[self.find(n)].append(n)
        return [tuple(group) for group in found.values()]


class MovesOf:
    """The moves of one role in one phase, classified by their effects in each group."""

    def __init__(self, turn: Turn, phase: Phase, partition: Partition, pulse: Pulse = no_pulse) -> None:
        self._turn = turn
        self._pulse = pulse
        self.everything = (1 << len(turn.moves)) - 1
        """All moves."""
        self.touched: dict[int, Bits] = defaultdict(int)
        """The moves that touch each group, by the group's representative."""
        self._effects: dict[int, list[int]] = defaultdict(list)
        self._affected: dict[int, Bits] = defaultdict(int)
        for n, effects in turn.effects.items():
            if n in partition:
                group = partition.find(n)
                self._effects[group].append(n)
                for mask, _ in effects:
                    self._affected[group] |= mask
                self.touched[group] |= self._affected[group]
        self.conditions: dict[int, dict[int, tuple[int, ...]]] = defaultdict(dict)
        """For each group the conditions of moves there, by the moves' indices."""
        for place, parts in enumerate(watch(turn.conditions, pulse)):
            for part in parts:
                for n in members(phase.support(part)):
                    if n in partition:  # all fluents of a condition are in one group, so the first suffices
                        group = partition.find(n)
                        self.touched[group] |= 1 << place
                        own = self.conditions[group]
                        own[place] = (*own.get(place, ()), part)
                        break
        self._kinds: dict[int, list[Bits]] = {}

    def affected(self, group: int) -> Bits:
        """The moves that have an effect in a group."""
        return self._affected.get(group, 0)

    def acting(self, group: int) -> Bits:
        """The moves that touch a group, without those that have a condition there but effects elsewhere only."""
        elsewhere = 0
        for other, mask in self._affected.items():
            if other != group:
                elsewhere |= mask
        return self.touched[group] & (self.affected(group) | ~elsewhere)

    def kinds(self, group: int) -> list[Bits]:
        """The moves, grouped by their effect in a group; idle ones first, if there are any."""
        if group not in self._kinds:
            by_condition: dict[tuple[int, ...], Bits] = defaultdict(int)
            for place, parts in self.conditions[group].items():
                by_condition[parts] |= 1 << place
            splits = list(by_condition.values())
            for n in self._effects[group]:
                splits += [mask for mask, _ in self._turn.effects[n]]
            self._kinds[group] = _blocks(self.touched[group], watch(set(splits), self._pulse), self.everything)
        return self._kinds[group]

    def are_independent(self, one: int, other: int) -> bool:
        """Whether every action in one group can be combined with every action in the other, or at least every action in
        one that touches the other can be done without touching it."""
        both = self.touched[one] & self.touched[other]
        if not both:
            return True  # neither restricts the other
        ones, others = self.kinds(one), self.kinds(other)
        return all(a & b for a in watch(ones, self._pulse) for b in others) or (
            all(a & ~self.touched[other] for a in ones if a & both)
            and all(b & ~self.touched[one] for b in others if b & both)
        )

    def shared_moves(self) -> Bits:
        """The moves that touch several groups."""
        once = several = 0
        for mask in self.touched.values():
            several |= once & mask
            once |= mask
        return several

    def is_product(self) -> bool:
        """Whether there is a move for every combination of what can be done in the groups."""
        kinds = [self.kinds(group) for group in sorted(self.touched)]
        found = set()
        for place in watch(range(len(self._turn.moves)), self._pulse):
            found.add(tuple(next(n for n, mask in enumerate(each) if mask >> place & 1) for each in kinds))
        return len(found) == prod(map(len, kinds))

    def exclusive_groups(self) -> list[list[int]]:
        """Pairs of groups that no move touches together, while some move touches each of them and a third."""
        found = []
        for one, other in combinations(sorted(self.touched), 2):
            self._pulse()
            if not self.touched[one] & self.touched[other] and any(
                mask & self.touched[one] and mask & self.touched[other]
                for group, mask in self.touched.items()
                if group not in {one, other}
            ):
                found.append([one, other])
        return found

    def inseparable_groups(self) -> list[list[int]]:
        """Groups that some move touches together, while no other move has the same effect in one of them alone."""
        shared = self.shared_moves()
        alone: dict[int, list[Bits]] = {}
        for group in self.touched:
            others = 0
            for other, mask in self.touched.items():
                if other != group:
                    others |= mask
            alone[group] = [mask for mask in self.kinds(group) if not mask & self.touched[group] & ~others]
        found = []
        for place in watch(members(shared), self._pulse):
            touched = [group for group, mask in self.touched.items() if mask >> place & 1]
            if any(mask >> place & 1 for group in touched for mask in alone[group]):
                found.append(touched)
        return found


def _blocks(touched: Bits, splits: Iterable[Bits], everything: Bits) -> list[Bits]:
    """Indices grouped by the sets that they are in; untouched ones first, if there are any."""
    count = everything.bit_length()
    labels = flags(touched, count).astype(np.int64)
    for mask in splits:
        if mask != touched:
            labels = np.unique(2 * labels + flags(mask, count), return_inverse=True)[1]
    found: dict[int, list[int]] = {}
    for place, label in enumerate(labels.tolist()):
        found.setdefault(label, []).append(place)
    blocks = [bits_of(places) for places in found.values()]
    return sorted(blocks, key=lambda mask: bool(mask & touched))


def join_connected(partition: Partition, phases: list[Phase], turns: list[Turn], pulse: Pulse = no_pulse) -> bool:
    """Join groups that moves connect, until nothing is left to join; False if there is too much to compare.

    Groups of which each move touches one at most look like a choice between them. Beside a third group on which those
    moves act as well, they may be one group, played in parallel with it: the way that leaves more groups is taken.
    """
    other = partition.copy()
    found = _join_connected(partition, phases, turns, pulse, join_exclusive=False)
    if found is None:
        return False
    if found and _join_connected(other, phases, turns, pulse, join_exclusive=True) is not None:
        partition.keep_finer(other)
    return True


def _join_connected(
    partition: Partition, phases: list[Phase], turns: list[Turn], pulse: Pulse, *, join_exclusive: bool
) -> bool | None:
    """Whether moves joined groups because not every combination of actions is a move; None if there is too much to
    compare."""
    is_entangled = False
    while True:
        changed = False
        for turn in turns:
            pulse()
            found = _join_dependent(partition, MovesOf(turn, phases[turn.phase], partition, pulse))
            if found is None:
                return None
            changed = changed or found
        if not changed:
            for turn in turns:
                moves = MovesOf(turn, phases[turn.phase], partition, pulse)
                if moves.shared_moves() and not moves.is_product():
                    tied = (moves.exclusive_groups() if join_exclusive else []) or moves.inseparable_groups()
                    for groups in tied:
                        changed = partition.join(groups) or changed
            is_entangled = is_entangled or changed
        if not changed:
            return is_entangled


def _join_dependent(partition: Partition, moves: MovesOf) -> bool | None:
    """Join groups where moves in one restrict those in the other; None if there are too many to compare."""
    changed = False
    by_mask: dict[Bits, list[int]] = defaultdict(list)
    for group, mask in moves.touched.items():
        if mask != moves.everything:
            by_mask[mask].append(group)
    for groups in by_mask.values():
        changed = partition.join(groups) or changed
    if changed or not moves.shared_moves():
        return changed
    groups = sorted(moves.touched)
    if len(groups) ** 2 > MOST_PAIRS:
        return None
    for one, other in combinations(groups, 2):
        if partition.find(one) != partition.find(other) and not moves.are_independent(one, other):
            changed = partition.join((one, other)) or changed
    return changed
