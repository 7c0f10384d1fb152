"""Conditions that hold wherever the goal does, because the number of some fluents never changes.

In Sokoban the goal names the places of all boxes, and boxes are neither made nor lost: where the goal holds, no box is
anywhere else. With that condition the relaxed rules show that a box in a corner is lost; without it they do not,
because in them another box may fill both places.
Which numbers stay the same is guessed from random play, so it may guide a search but proves nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.circuit.gates import INPUT
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core.batch import Batch
from ludens.core.block import LANES
from ludens.gdl.terms import arguments, functor
from ludens.players.one_role.relaxation import conjuncts

SAMPLE_STEPS = 48
MOST_VALUES = 24
"""Constants in one place of a fluent beyond which combinations of them are not tried."""
MOST_TOGETHER = 3


def implied_literals(game: CircuitRules, parts: Sequence[int], seed: int) -> list[int]:
    """Literals that hold wherever all ``parts`` do, by counts that stayed the same in random play."""
    circuit = game.circuit
    number_of = {literal: n for n, literal in enumerate(circuit.fluent_inputs)}
    needed = [some for some in (_alternatives(game, number_of, part) for part in parts) if some is not None]
    absent = {number_of[part ^ 1] for part in parts if part ^ 1 in number_of}
    if not needed and not absent:
        return []
    found: set[int] = set()
    for members, total in _constant_counts(game, _sample(game, seed)):
        taken: set[int] = set()
        items = 0
        for alternatives in needed:
            if alternatives <= members and not alternatives & taken:
                taken |= alternatives
                items += 1
        if items == total:
            found |= {circuit.fluent_inputs[n] ^ 1 for n in members - taken}
        if len(members) - len(members & absent) == total:
            found |= {circuit.fluent_inputs[n] for n in members - absent}
    return sorted(found - set(parts))


def _alternatives(game: CircuitRules, number_of: dict[int, int], part: int) -> set[int] | None:
    """The fluents one of which must be true; None if the part is something else."""
    if part in number_of:
        return {number_of[part]}
    if not part & 1 or game.circuit.gates.left[part >> 1] == INPUT:
        return None
    wanted = [literal ^ 1 for literal in conjuncts(game.circuit, part ^ 1)]
    return {number_of[literal] for literal in wanted} if all(literal in number_of for literal in wanted) else None


def _sample(game: CircuitRules, seed: int) -> NDArray[np.bool_]:
    """Positions of random play (positions, fluents); none if the rules do not always allow a move."""
    batch = Batch(game, LANES, seed=seed, restart=True)
    found = [batch.observation[:1]]
    for step in range(SAMPLE_STEPS):
        if batch.stuck.any():
            break
        batch.advance()
        if step % 4 == 3:
            found.append(batch.observation)
    return np.concatenate(found)


def _constant_counts(game: CircuitRules, states: NDArray[np.bool_]) -> Iterator[tuple[set[int], int]]:
    """Sets of fluents of which the same number was always true, and that number.

    Tried are the fluents with the same name, and those with the same constant, or one of a few, in the same place.
    """
    groups: dict[tuple[str, int, int], dict[object, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number in np.flatnonzero(~game.counting_fluents).tolist():
        term = game.circuit.fluents[number]
        words = arguments(term)
        groups[functor(term), len(words), -1][None].append(number)
        for place, word in enumerate(words):
            groups[functor(term), len(words), place][word].append(number)
    for by_word in groups.values():
        if len(by_word) > MOST_VALUES:
            continue
        counts = [(members, states[:, members].sum(axis=1)) for members in by_word.values()]
        changing = [(members, count) for members, count in counts if (count != count[0]).any()]
        yield from ((set(members), int(count[0])) for members, count in counts if (count == count[0]).all())
        for size in range(2, MOST_TOGETHER + 1):
            for some in combinations(changing, size):
                total = np.sum([count for _, count in some], axis=0)
                if (total == total[0]).all():
                    yield {n for members, _ in some for n in members}, int(total[0])
