"""Conditions that hold wherever the goal does, because the number of some fluents never changes.

In Sokoban the goal names the places of all boxes, and boxes are neither made nor lost: where the goal holds, no box is
anywhere else. With that condition the relaxed rules show that a box in a corner is lost; without it they do not,
because in them another box may fill both places.
Which numbers stay the same is guessed from random play, so it may guide a search but proves nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.circuit.gates import INPUT
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core.batch import Batch
from ludens.core.block import LANES
from ludens.gdl.terms import arguments, functor
from ludens.players.packed.relaxation import conjuncts

SAMPLE_STEPS = 48
SAMPLED_EVERY = 4
MOST_VALUES = 16
"""Constants in one place of a fluent beyond which combinations of them are not tried."""
MOST_TOGETHER = 3

States = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ConservedNumber:
    """Fluents of which the same number was always true in random play."""

    members: frozenset[int]
    total: int
    demands: tuple[frozenset[int], ...]
    """Disjoint sets of members; where the goal holds, one of each is true."""
    covered: int
    """How many parts of the goal these demands are."""
    one_at_a_time: bool
    """Whether no move made more than one other member true."""

    @property
    def is_exact(self) -> bool:
        """Whether the goal has a place for each."""
        return len(self.demands) == self.total


def conserved_numbers(game: CircuitRules, parts: Sequence[int], seed: int) -> list[ConservedNumber]:
    """The numbers that stayed the same in random play, with what the goal, a conjunction of ``parts``, demands."""
    number_of = {literal: n for n, literal in enumerate(game.circuit.fluent_inputs)}
    needed = [some for some in (_alternatives(game, number_of, part) for part in parts) if some is not None]
    absent = {number_of[part ^ 1] for part in parts if part ^ 1 in number_of}
    if not needed and not absent:
        return []
    found: dict[frozenset[int], ConservedNumber] = {}
    before, after = _sample(game, seed)
    for members, total in _constant_counts(game, np.concatenate([before, after])):
        demands, taken = list[frozenset[int]](), set[int]()
        for alternatives in needed:
            if alternatives <= members and not alternatives & taken:
                taken |= alternatives
                demands.append(frozenset(alternatives))
        covered = len(demands)
        if len(members - absent) == total:
            demands = [frozenset({n}) for n in sorted(members - absent)]
            covered = max(covered, len(members & absent))
        if demands:
            which = sorted(members)
            fresh = (after[:, which] & ~before[:, which]).sum(axis=1)
            key = frozenset(members)
            found.setdefault(key, ConservedNumber(key, total, tuple(demands), covered, bool((fresh <= 1).all())))
    return list(found.values())


def implied_literals(game: CircuitRules, numbers: Iterable[ConservedNumber], parts: Sequence[int]) -> list[int]:
    """Literals that hold wherever all ``parts`` do, by numbers that never change."""
    inputs = game.circuit.fluent_inputs
    found: set[int] = set()
    for number in numbers:
        if number.is_exact:
            found |= {inputs[n] ^ 1 for n in number.members.difference(*number.demands)}
            found |= {inputs[n] for demand in number.demands if len(demand) == 1 for n in demand}
    return sorted(found - set(parts))


def _alternatives(game: CircuitRules, number_of: dict[int, int], part: int) -> set[int] | None:
    """The fluents one of which must be true; None if the part is something else."""
    if part in number_of:
        return {number_of[part]}
    if not part & 1 or game.circuit.gates.left[part >> 1] == INPUT:
        return None
    wanted = [literal ^ 1 for literal in conjuncts(game.circuit, part ^ 1)]
    return {number_of[literal] for literal in wanted} if all(literal in number_of for literal in wanted) else None


def _sample(game: CircuitRules, seed: int) -> tuple[States, States]:
    """Positions of random play (positions, fluents), and the positions one move later; few if the rules get stuck."""
    batch = Batch(game, LANES, seed=seed, restart=True)
    before, after = [batch.observation[:1]], [batch.observation[:1]]
    for step in range(SAMPLE_STEPS):
        if batch.stuck.any():
            break
        is_sampled = step % SAMPLED_EVERY == 0
        earlier = batch.observation if is_sampled else None
        going = ~batch.terminal
        batch.advance()
        if earlier is not None:
            before.append(earlier[going])
            after.append(batch.observation[going])
    return np.concatenate(before), np.concatenate(after)


def _constant_counts(game: CircuitRules, states: States) -> Iterator[tuple[set[int], int]]:
    """Sets of fluents of which the same number was always true, and that number.

    Tried are the fluents with the same name, and those with the same constant, or one of a few, in the same place.
    """
    groups: dict[tuple[str, int, int], dict[object, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number in np.flatnonzero(~(game.counting_fluents & game.changing_fluents)).tolist():
        term = game.circuit.fluents[number]
        words = arguments(term)
        groups[functor(term), len(words), -1][None].append(number)
        for place, word in enumerate(words):
            groups[functor(term), len(words), place][word].append(number)
    for by_word in groups.values():
        if len(by_word) > MOST_VALUES:
            continue
        counts = [(members, states[:, members].sum(axis=1)) for members in by_word.values()]
        for size in range(1, MOST_TOGETHER + 1):
            for some in combinations(counts, size):
                total = np.sum([count for _, count in some], axis=0)
                if (total == total[0]).all():
                    yield {n for members, _ in some for n in members}, int(total[0])
