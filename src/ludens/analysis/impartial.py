"""Sums of games in which the last move decides: the theory of combinatorial games determines the winner.

Proved here on all positions of the subgames: two roles alternate, nobody can pass, no subgame cycles, the game is over
exactly when the role to move has no move in any subgame, and the goals then depend only on who moved last. If both
roles also have the same moves in every position, the game is *impartial*, and Sprague-Grundy theory applies; otherwise,
if the last move wins, Conway's theory of *partizan* games. If one of these fails, the theory is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ludens.analysis.gates.supports import Bits
from ludens.analysis.subgames.concepts import Formula
from ludens.analysis.subgames.local import ILLEGAL, LocalGame
from ludens.analysis.subgames.positions import Subgames

Edges = list[list[int]]
"""For each position the positions that a move can lead to."""


class Convention(StrEnum):
    """Which role wins."""

    NORMAL = "normal"
    """The role that moves last."""
    MISERE = "misère"
    """The other role."""


@dataclass(frozen=True, slots=True)
class Impartial:
    """A game that is proved to be a sum of impartial games."""

    convention: Convention
    winner: int
    """The winner's goal."""
    loser: int
    """The loser's goal."""
    edges: tuple[Edges, ...]
    """The moves in each subgame."""


@dataclass(frozen=True, slots=True)
class Partizan:
    """A game that is proved to be a sum of games in normal play."""

    winner: int
    """The winner's goal."""
    loser: int
    """The loser's goal."""
    edges: tuple[tuple[Edges, ...], tuple[Edges, ...]]
    """For each role its moves in each subgame."""


def local_edges(local: LocalGame, phase: int) -> list[tuple[int, ...]] | None:
    """For each position of a subgame the positions that the role that chooses in a phase can reach; None if anything
    else changes, such as the subgame while others are played."""
    found: list[set[int]] = [set() for _ in range(len(local))]
    own = local.phases[phase]
    for combination, after in zip(own.joint, local.transitions[phase], strict=True):
        if all(own.actions[role][action].is_idle for role, action in enumerate(combination)):
            if (after != np.arange(len(local))).any():
                return None
            continue
        where = np.flatnonzero(after != ILLEGAL)
        for position, target in zip(where.tolist(), after[where].tolist(), strict=True):
            found[position].add(target)
    return [tuple(sorted(each)) for each in found]


def impartial_edges(local: LocalGame) -> list[tuple[int, ...]] | None:
    """The positions reachable from each position, if they are the same in all phases; else None."""
    edges = local_edges(local, 0)
    if edges is None or any(local_edges(local, phase) != edges for phase in range(1, len(local.phases))):
        return None
    return edges


def find_impartial(subgames: Subgames) -> Impartial | str:
    """The proof that Sprague-Grundy theory applies, or why it does not."""
    edges = _alternating_edges(subgames)
    if isinstance(edges, str):
        return edges
    if edges[0] != edges[1]:
        return "the roles do not have the same moves everywhere"
    if any(topological_order(own) is None for own in edges[0]):
        return "play can cycle"
    found = _last_move(subgames, edges)
    if isinstance(found, str):
        return found
    to_move, moved = found
    convention = Convention.NORMAL if moved > to_move else Convention.MISERE
    return Impartial(convention, max(found), min(found), edges[0])


def find_partizan(subgames: Subgames) -> Partizan | str:
    """The proof that the game is a sum of games in normal play, whoever moves where, or why it is not."""
    edges = _alternating_edges(subgames)
    if isinstance(edges, str):
        return edges
    together = [[[*a, *b] for a, b in zip(one, other, strict=True)] for one, other in zip(*edges, strict=True)]
    if any(topological_order(own) is None for own in together):
        return "play can cycle"
    found = _last_move(subgames, edges)
    if isinstance(found, str):
        return found
    to_move, moved = found
    if moved < to_move:
        return "who moves last loses, and the roles do not have the same moves everywhere"
    return Partizan(moved, to_move, edges)


def _alternating_edges(subgames: Subgames) -> tuple[tuple[Edges, ...], tuple[Edges, ...]] | str:
    """For each role its moves in each subgame, if two roles alternate and cannot pass; otherwise why not."""
    whole = subgames.whole
    choosers = [phase.choosers for phase in whole.phases]
    if len(whole.circuit.roles) != 2 or sorted(choosers) != [(0,), (1,)] or whole.clock.back_to:
        return "two roles do not simply alternate"
    if len(whole.clock.ticks) != 2 or not subgames.free:
        return "moves do not act in one subgame each"
    if any(subgames.passes(phase, chooser[0]) for phase, chooser in enumerate(choosers)):
        return "a role can pass"
    found: list[tuple[Edges, ...]] = []
    for role in range(2):
        own = [local_edges(local, choosers.index((role,))) for local in subgames.locals]
        if any(edges is None for edges in own):
            return "the roles do not have the same moves everywhere"
        found.append(tuple([list(each) for each in edges] for edges in own if edges is not None))
    return found[0], found[1]


def _last_move(subgames: Subgames, edges: Sequence[Sequence[Edges]]) -> tuple[int, int] | str:
    """The goals at the end of the role to move and of the other one, if the game is over exactly when the role to move
    has no move; otherwise why there are none."""
    ends = subgames.ends
    outcomes = []
    for tick, bits in enumerate(subgames.tick_values):
        clock = (bits, ~bits)
        mover = subgames.whole.phases[subgames.whole.clock.phase(tick)].choosers[0]
        pairs = list(zip(subgames.locals, edges[mover], strict=True))
        dead = [_known_concepts(local, own, dead=True) for local, own in pairs]
        live = [_known_concepts(local, own, dead=False) for local, own in pairs]
        anything = [_union(one, other) for one, other in zip(dead, live, strict=True)]
        if _truth(ends.terminal, [clock, *map(_certain, dead)]) is not True:
            return "the game can go on when no moves are left"
        for part, own in enumerate(live):
            if own is not None:
                known = [clock, *map(_certain, anything)]
                # What all positions with moves have in common may be too little; then each is checked separately.
                known[1 + part] = own
                if _truth(ends.terminal, known) is not False:
                    for value in _concepts_with_moves(*pairs[part]):
                        known[1 + part] = (value, ~value)
                        if _truth(ends.terminal, known) is not False:
                            return "the game can end while moves are left"
        goals = _goals(subgames, [clock, *map(_certain, dead)])
        if goals is None:
            return "goals depend on more than who moved last"
        outcomes.append((goals[mover], goals[1 - mover]))
    if len(set(outcomes)) != 1 or outcomes[0][0] == outcomes[0][1]:
        return "goals do not depend on who moved last"
    return outcomes[0]


_Known = tuple[Bits, Bits]
"""Concepts that certainly hold, and concepts that certainly do not."""


def _known_concepts(local: LocalGame, edges: Edges, *, dead: bool) -> _Known | None:
    """What is known of the concepts in positions without moves (``dead``) or with moves; None if there are no such."""
    holds = fails = ~0
    some = False
    for value, targets in zip(local.values, edges, strict=True):
        if bool(targets) != dead:
            holds &= value
            fails &= ~value
            some = True
    return (holds, fails) if some else None


def _concepts_with_moves(local: LocalGame, edges: Edges) -> set[Bits]:
    """The concept values of positions with moves."""
    return {value for value, targets in zip(local.values, edges, strict=True) if targets}


def _union(one: _Known | None, other: _Known | None) -> _Known | None:
    if one is None or other is None:
        return one or other
    return one[0] & other[0], one[1] & other[1]


def _certain(known: _Known | None) -> _Known:
    return known or (0, 0)


def _truth(formula: Formula, known: Sequence[_Known], found: dict[int, bool | None] | None = None) -> bool | None:
    """Whether a formula certainly holds, certainly fails, or neither (three-valued logic).

    ``found`` are the results for formulas below it, by identity, since formulas share them.
    """
    found = {} if found is None else found
    if id(formula) not in found:
        found[id(formula)] = _compute_truth(formula, known, found)
    return found[id(formula)]


def _compute_truth(formula: Formula, known: Sequence[_Known], below: dict[int, bool | None]) -> bool | None:
    unknown = False
    result: bool | None = True
    for part, concept, wanted in formula.concepts:
        holds, fails = known[part]
        if (fails if wanted else holds) >> concept & 1:
            result = False
            break
        unknown = unknown or not (holds if wanted else fails) >> concept & 1
    if result:
        for child in formula.formulas:
            found = _truth(child, known, below)
            if found is False:
                result = False
                break
            unknown = unknown or found is None
    if result and unknown:
        return None
    return result != formula.negated


def _goals(subgames: Subgames, known: Sequence[_Known]) -> tuple[int, int] | None:
    """The goals of each role; None if they are not certain."""
    found: list[set[int]] = [set(), set()]
    for role, value, formula in subgames.ends.goals:
        holds = _truth(formula, known)
        if holds is None:
            return None
        if holds:
            found[role].add(value)
    if any(len(values) != 1 for values in found):
        return None
    return found[0].pop(), found[1].pop()


def topological_order(edges: Edges) -> list[int] | None:
    """Positions ordered so that each comes after all its successors; None if play can cycle."""
    left = [len(targets) for targets in edges]
    parents: Edges = [[] for _ in edges]
    for position, targets in enumerate(edges):
        for target in targets:
            parents[target].append(position)
    order = [position for position, count in enumerate(left) if not count]
    for position in order:
        for parent in parents[position]:
            left[parent] -= 1
            if not left[parent]:
                order.append(parent)
    return order if len(order) == len(edges) else None
