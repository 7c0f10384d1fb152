"""Find the tokens that the goal puts in their places, and how many moves each needs on its own.

A lone token moves by the relaxed rules where all else may be as it likes: a box needs as many moves as pushes, however
the man gets around it. A place that it cannot reach then is out of its reach in every position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ludens.compiler.circuit_rules import CircuitRules
from ludens.core.block import LANES, row_array
from ludens.players.one_role.conserved import ConservedNumber
from ludens.players.packed.machine import machine
from ludens.players.packed.relaxation import relax_among
from ludens.players.packed.transport import MOST_TOKENS, Costs, TokenGroup, Tokens

MOST_CANDIDATES = 60
MOST_MEMBERS = 2_000
DEAD = 65_535
"""The cost of a place that is out of reach; `source/relaxation.hpp` has the same."""


def find_tokens(game: CircuitRules, numbers: Iterable[ConservedNumber], parts: Sequence[int]) -> Tokens | None:
    """The groups whose tokens have the longest ways; None if the goal demands more than tokens in their places."""
    usable = [
        number
        for number in (_without_fixed(game, number) for number in numbers if number.one_at_a_time)
        if 0 < len(number.demands) <= number.total <= MOST_TOKENS and len(number.members) <= MOST_MEMBERS
    ]
    sets = [number.members for number in usable]
    minimal = [number for number in usable if not any(members < number.members for members in sets)]
    minimal.sort(key=lambda number: (not number.is_exact, -len(number.demands)))
    rated = []
    for number in minimal[:MOST_CANDIDATES]:
        costs = _costs(game, number)
        if costs is not None:
            rated.append((number.is_exact, float(costs[costs < DEAD].mean()), number, costs))
    rated.sort(key=lambda one: one[:2], reverse=True)
    groups, taken, covered = list[TokenGroup](), set[int](), 0
    for _, _, number, costs in rated:
        if not number.members & taken:
            taken |= number.members
            groups.append(TokenGroup(tuple(sorted(number.members)), costs))
            covered += number.covered
    return Tokens(tuple(groups)) if covered >= len(parts) else None


def _without_fixed(game: CircuitRules, number: ConservedNumber) -> ConservedNumber:
    """The same without tokens that never move, such as a box behind walls, and without the places that they fill."""
    changing = frozenset(np.flatnonzero(game.changing_fluents).tolist())
    fixed = number.members - changing
    if not fixed:
        return number
    initial = np.unpackbits(game.pack([game.initial_state()])[0], bitorder="little")
    standing = {n for n in fixed if initial[n]}
    demands = tuple(demand & changing for demand in number.demands if not demand & standing)
    return replace(number, members=number.members & changing, total=number.total - len(standing), demands=demands)


def _costs(game: CircuitRules, number: ConservedNumber) -> Costs | None:
    """Moves from each member to each demand; None if the rules are too large."""
    members = sorted(number.members)
    relaxed = relax_among(game, members)
    if relaxed is None:
        return None
    structure = relaxed.structure()
    found = np.empty((len(members), len(number.demands)), np.uint16)
    rows = row_array(len(game.fluent_texts))
    for start in range(0, len(members), LANES):
        some = members[start : start + LANES]
        bits = rows.view(np.uint8).reshape(len(rows), -1)
        bits[:] = 0
        for lane, member in enumerate(some):
            bits[member, lane // 8] |= 1 << lane % 8
        for place, demand in enumerate(number.demands):
            steps = []
            for fluent in demand:
                structure.hold(parts=np.array([game.circuit.fluent_inputs[fluent]], np.int32))
                structure.part_count = 1
                machine().measure(structure.reference, rows.ctypes.data, len(some))
                steps.append(structure["distances"][: len(some)].copy())
            found[start : start + len(some), place] = np.min(steps, axis=0)
    return found
