"""Turn-move sequences of a subgame, as the paper builds and removes them (subgame search, SGS).

A sequence is who moved, which move, and the values of the local concepts afterwards. They are built backwards from the
leaves: positions without moves, or in which a concept of the end holds, or at the depth limit.
Two moves of a role are compared by the sets of turns and evaluations that they lead to, and one of them is removed by
the paper's condition, to the letter (`Pruning.SEED`), or not at all (`Pruning.NONE`). The condition is not sound: see
docs/decomposition.md, and `dominance` for one that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ludens.analysis.gates.supports import Bits, bits_of, members
from ludens.analysis.subgames.ends import Reading
from ludens.analysis.subgames.local import LocalGame
from ludens.analysis.subgames.positions import Subgames
from ludens.core import GameError

Turns = int
"""Who moved, one digit for each turn, a one before the first: in base of the number of roles."""
Sequences = frozenset[tuple[Turns, int]]
"""Turns, and the number of an evaluation."""


class Pruning(StrEnum):
    """Which sequences are removed."""

    SEED = "seed"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class _GoalConcepts:
    """The concepts, as bits, that one goal value of a role together with the end requires of the subgame."""

    value: int
    concepts: Bits


class SequenceSearch:
    """The sequences of one subgame, with a table of positions."""

    def __init__(self, subgames: Subgames, part: int, pruning: Pruning, reading: Reading = Reading.FIRST) -> None:
        if not subgames.free or subgames.whole.ends is None:
            raise GameError("turn-move sequences need roles that take turns, and moves that act in one subgame")
        self._local = subgames.locals[part]
        self._pruning = pruning
        self._roles = [next(iter(phase.choosers), None) for phase in subgames.whole.phases]
        self._base = max(2, len(subgames.game.roles))
        self._moves = _moves(self._local)
        self._evaluations, self._wanted, self._over = _evaluations(subgames, part, reading)
        self._sets: dict[tuple[int, int], Sequences] = {}
        self._kept: dict[tuple[int, int, int], list[int]] = {}
        self._known: dict[Sequences, Sequences] = {}

    def kept_targets(self, position: int, depth: int, phase: int) -> list[int]:
        """The successors by the moves of a phase's role that are not removed, with ``depth`` turns left."""
        found = self._kept.get((position, depth, phase))
        if found is None:
            self.sequences(position, depth)
            found = self._kept.get((position, depth, phase), [])
        return found

    def sequences(self, position: int, depth: int) -> Sequences:
        """The remaining turns and evaluations of a position, with ``depth`` turns left."""
        found = self._sets.get((position, depth))
        if found is None:
            found = self._build(position, depth)
            found = self._known.setdefault(found, found)  # equal sets are shared, which makes comparing them cheap
            self._sets[position, depth] = found
        return found

    def count(self, position: int, depth: int) -> int:
        """The number of remaining sequences, with moves distinguished."""
        counts: dict[tuple[int, int], int] = {}

        def count_from(now: int, left: int) -> int:
            if (now, left) not in counts:
                total = sum(
                    count_from(child, left - 1)
                    for phase in range(len(self._moves))
                    for child in self.kept_targets(now, left, phase)
                )
                counts[now, left] = total + self._is_leaf(now, left)
            return counts[now, left]

        return count_from(position, depth)

    def _is_leaf(self, position: int, depth: int) -> bool:
        return not depth or self._over[position] or not any(moves[position] for moves in self._moves)

    def _build(self, position: int, depth: int) -> Sequences:
        found: set[tuple[Turns, int]] = set()
        if self._is_leaf(position, depth):
            found.add((1, self._evaluations[position]))
        if depth:
            for phase, moves in enumerate(self._moves):
                role = self._roles[phase]
                if role is None:
                    continue
                children = [(child, self.sequences(child, depth - 1)) for child in moves[position]]
                left = self._prune(children, role) if self._pruning is Pruning.SEED else children
                self._kept[position, depth, phase] = [child for child, _ in left]
                for _, own in left:
                    found.update((self._prepend_turn(turns, role), evaluation) for turns, evaluation in own)
        return frozenset(found)

    def _prepend_turn(self, turns: Turns, role: int) -> Turns:
        """Turns with one more at the beginning."""
        top = 1
        while top * self._base <= turns:
            top *= self._base
        return top * self._base + role * top + turns - top

    def _prune(self, children: Sequence[tuple[int, Sequences]], role: int) -> list[tuple[int, Sequences]]:
        """The moves that remain by the paper's condition."""
        different: dict[Sequences, int] = {}
        for child, own in children:
            different.setdefault(own, child)
        left = list(different)
        for own in list(left):
            if any(other is not own and self._removes(own, other, role) for other in left):
                left.remove(own)
        return [(different[own], own) for own in left]

    def _removes(self, worse: Sequences, better: Sequences, role: int) -> bool:
        """Whether the paper removes the first set because of the second."""
        wanted = self._wanted[role]
        weakly = [self._is_dominated(worse, better, each.concepts) for each in wanted]
        if all(found is not None for found in weakly):
            return True
        return any(
            found and all(other is not None for other, v in zip(weakly, wanted, strict=True) if v.value > each.value)
            for found, each in zip(weakly, wanted, strict=True)
        )

    def _is_dominated(self, worse: Sequences, better: Sequences, concepts: Bits) -> bool | None:
        """None unless the second set has a sequence as good for each of the first; then, whether one is better."""
        by_turns: dict[Turns, set[int]] = {}
        for turns, evaluation in better:
            by_turns.setdefault(turns, set()).add(evaluation & concepts)
        strictly = False
        for turns, evaluation in worse:
            own = evaluation & concepts
            above = [other for other in by_turns.get(turns, ()) if not own & ~other]
            if not above:
                return None
            strictly = strictly or any(other != own for other in above)
        return strictly


def _moves(local: LocalGame) -> list[list[list[int]]]:
    """For each phase and position the successors by each move of the role that chooses."""
    found = []
    for phase, transitions in zip(local.phases, local.transitions, strict=True):
        own: list[list[int]] = [[] for _ in range(len(local))]
        for combination, after in zip(phase.joint, transitions, strict=True):
            if not all(phase.actions[role][action].is_idle for role, action in enumerate(combination)):
                for position in np.flatnonzero(after >= 0).tolist():
                    own[position].append(int(after[position]))
        found.append(own)
    return found


def _evaluations(
    subgames: Subgames, part: int, reading: Reading
) -> tuple[list[Bits], list[list[_GoalConcepts]], list[bool]]:
    """The values of local concepts in each position, the concepts that goal values of each role require, and where the
    end requires nothing more of the subgame."""
    whole, local = subgames.whole, subgames.locals[part]
    ends = whole.ends
    assert ends is not None
    count = len(local)
    everything = (1 << count) - 1
    lanes = {
        n: bits_of(np.flatnonzero(local.rows[:, place]).tolist()) for place, n in enumerate(local.component.numbers)
    }
    holding = ends.holding_states(lanes, everything)
    mask = [bits_of(local.component.numbers)]
    numbers: dict[int, int] = {}

    def bits(starts: Sequence[int]) -> Bits:
        concepts = ends.concepts(starts, mask, reading).get(0, set())
        return bits_of(numbers.setdefault(concept, len(numbers)) for concept in sorted(concepts))

    end = bits([ends.terminal] if ends.terminal else [])
    wanted: list[list[_GoalConcepts]] = [[] for _ in subgames.game.roles]
    for (role, value), atom in sorted(ends.goals.items(), key=str):
        if atom and role in whole.circuit.roles and isinstance(value, str) and value.isdecimal():
            wanted[whole.circuit.roles.index(role)].append(_GoalConcepts(int(value), bits([atom]) | end))
    evaluations = [0] * count
    for concept, number in numbers.items():
        states = holding.get(abs(concept), 0)
        for position in members(states if concept > 0 else everything ^ states):
            evaluations[position] |= 1 << number
    return evaluations, wanted, [bool(evaluation & end) for evaluation in evaluations]
