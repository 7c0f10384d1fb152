"""The actions in one subgame in each phase of the turn order, and their effects."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ludens.analysis.gates.phases import Phase
from ludens.analysis.gates.supports import Bits, flags
from ludens.analysis.subgames.parts import Component, Decomposition
from ludens.core import GameError

MOST_JOINT_ACTIONS = 5_000
"""The most combinations of simultaneous actions in a subgame."""

Rows = NDArray[np.bool_]
Numbers = NDArray[np.int32]


class TooManyPositionsError(GameError):
    """A subgame has too many positions to list, or there was no time for it."""


@dataclass(frozen=True, slots=True)
class Action:
    """What one role does in a subgame: moves that are equivalent there."""

    moves: Bits
    """The moves, by index in the role's list for the phase."""
    conditions: tuple[int, ...]
    """What must hold in the subgame; literals of the phase."""
    is_idle: bool = False
    """True if the moves do not touch the subgame."""


@dataclass
class LocalPhase:
    """The actions in a subgame in one phase of the turn order."""

    phase: Phase
    actions: tuple[tuple[Action, ...], ...]
    """For each role."""
    joint: tuple[tuple[int, ...], ...] = ()
    """Every combination of actions, by number."""
    next: Numbers = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """The next value of each fluent of the subgame after each combination: literals of the phase."""
    legal: list[list[list[Rows]]] = field(default_factory=list)
    """For each role and action the positions in which it is legal, part by part as positions were found."""
    after: list[list[Numbers]] = field(default_factory=list)
    """For each combination the position that each position becomes, part by part as positions were found."""


class LocalRules:
    """The rules of one subgame, extracted from those of the whole game."""

    def __init__(self, whole: Decomposition, component: Component) -> None:
        self._whole = whole
        self._component = component
        self.place = {n: place for place, n in enumerate(component.numbers)}
        """The index of each of the subgame's fluents, by number."""
        self.phases = [self._local_phase(number) for number in range(len(whole.phases))]
        """The actions in each phase."""

    def _local_phase(self, number: int) -> LocalPhase:
        whole = self._whole
        phase = whole.phases[number]
        group = whole.partition.find(self._component.numbers[0])
        actions: list[tuple[Action, ...]] = []
        action_of: list[NDArray[np.int64]] = []
        turns = [turn for turn in whole.turns if turn.phase == number]
        for turn, moves in zip(whole.turns, whole.moves, strict=True):
            if turn.phase != number:
                continue
            touched = moves.touched.get(group, 0)
            own = []
            numbered = np.zeros(len(turn.moves), np.int64)
            for n, mask in enumerate(moves.kinds(group) if touched else [moves.everything]):
                place = (mask & -mask).bit_length() - 1
                own.append(Action(mask, moves.conditions[group].get(place, ()), not mask & touched))
                numbered[flags(mask, len(turn.moves))] = n
            actions.append(tuple(own))
            action_of.append(numbered)
        sizes = [len(own) for own in actions]
        if int(np.prod(sizes)) > MOST_JOINT_ACTIONS:
            raise TooManyPositionsError("too many moves can be combined in a subgame")
        found = LocalPhase(phase, tuple(actions), tuple(product(*map(range, sizes))))
        found.next = self._next_values(number, found)
        if len(phase.choosers) == 1:
            turn = turns[phase.choosers[0]]
            chosen = np.array([combination[turn.role] for combination in found.joint])
            for fluent, place in self.place.items():
                for mask, literal in turn.effects.get(fluent, ()):
                    affected = action_of[turn.role][flags(mask, len(turn.moves))]
                    found.next[np.isin(chosen, affected), place] = literal
        found.after = [[] for _ in found.joint]
        found.legal = [[[] for _ in own] for own in actions]
        return found

    def _next_values(self, number: int, local: LocalPhase) -> Numbers:
        """The next values after each combination; where one role chooses, without the effects of its moves."""
        phase, defaults = local.phase, self._whole.defaults[number]
        values = np.tile(np.array([defaults[n] for n in self.place], np.int32), (len(local.joint), 1))
        if len(phase.choosers) > 1:
            for row, combination in enumerate(local.joint):
                done = [
                    (role, self._move(number, role, local.actions[role][action]))
                    for role, action in enumerate(combination)
                    if role in phase.choosers and not local.actions[role][action].is_idle
                ]
                for n, literal in phase.effects(done).items():
                    if n in self.place:
                        values[row, self.place[n]] = literal
        return values

    def _move(self, number: int, role: int, action: Action) -> int:
        moves = next(turn.moves for turn in self._whole.turns if turn.phase == number and turn.role == role)
        return moves[(action.moves & -action.moves).bit_length() - 1]
