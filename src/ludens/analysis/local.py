"""One subgame alone: all its positions, whoever moves when, and what leads from one to another.

Whose turn it is in a subgame is decided elsewhere, so every position is expanded for every phase of the turn order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ludens.analysis.concepts import Concept
from ludens.analysis.decompose import Component, Decomposition
from ludens.analysis.lanes import Evaluation
from ludens.analysis.phases import Phase
from ludens.analysis.supports import Bits, flags
from ludens.compiler.gates import FALSE, TRUE
from ludens.core import GameError

MOST_POSITIONS = 300_000
"""Positions of a subgame that are listed before it counts as too large."""
MOST_JOINT_ACTIONS = 5_000
"""Combinations of what roles do at once in a subgame."""
ILLEGAL = -1

Rows = NDArray[np.bool_]
Numbers = NDArray[np.int32]


class TooManyPositionsError(GameError):
    """A subgame has too many positions to list them all, or there was no time to."""


@dataclass(frozen=True, slots=True)
class Action:
    """What one role does in a subgame: moves that are alike there."""

    moves: Bits
    """The moves, by their places in the role's list for the phase."""
    conditions: tuple[int, ...]
    """What must hold in the subgame; literals of the phase."""
    is_idle: bool = False
    """True if the moves do not touch the subgame."""


@dataclass
class LocalPhase:
    """What can be done in a subgame in one phase of the turn order."""

    phase: Phase
    actions: tuple[tuple[Action, ...], ...]
    """For each role."""
    joint: tuple[tuple[int, ...], ...] = ()
    """Every combination of actions, by their numbers."""
    next: Numbers = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """The next value of each fluent of the subgame after each combination: literals of the phase."""
    legal: list[list[list[Rows]]] = field(default_factory=list)
    """For each role and action the positions in which it is legal, part by part as positions were found."""
    after: list[list[Numbers]] = field(default_factory=list)
    """For each combination the position that each position becomes, part by part as positions were found."""


class LocalGame:
    """A subgame and all its positions."""

    def __init__(
        self,
        whole: Decomposition,
        component: Component,
        concepts: Sequence[Concept],
        state: Sequence[bool] | Rows | None = None,
        pulse: Callable[[], None] = lambda: None,
    ) -> None:
        self.component = component
        self._whole = whole
        self._place = {n: place for place, n in enumerate(component.numbers)}
        self.phases = [self._local_phase(number) for number in range(len(whole.phases))]
        """What can be done in each phase."""
        values = whole.circuit.initial if state is None else state
        first = np.array([[bool(values[n]) for n in component.numbers]], np.bool_)
        self._numbers: dict[bytes, int] = {np.packbits(first).tobytes(): 0}
        self._rows = [first]
        self._explore(pulse)
        self.rows: Rows = np.concatenate(self._rows)
        """The positions: for each fluent whether it is true."""
        self.transitions: list[list[Numbers]] = [
            [np.concatenate(parts) for parts in phase.after] for phase in self.phases
        ]
        """For each phase and combination of actions the position after each position; `ILLEGAL` where it is not
        possible."""
        self.legal: list[list[list[Rows]]] = [
            [[np.concatenate(parts) for parts in own] for own in phase.legal] for phase in self.phases
        ]
        """For each phase, role and action the positions in which the subgame allows it."""
        self.values = self._concept_values(concepts)
        """For each position the concepts that hold in it, as bits."""

    def __len__(self) -> int:
        return len(self.rows)

    def number(self, bits: Sequence[bool] | Rows) -> int | None:
        """The number of the position that a state of the whole game has; None if it is not known."""
        row = np.array([bool(bits[n]) for n in self.component.numbers], np.bool_)
        return self._numbers.get(np.packbits(row).tobytes())

    def _local_phase(self, number: int) -> LocalPhase:
        whole = self._whole
        phase = whole.phases[number]
        group = whole.partition.find(self.component.numbers[0])
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
            for fluent, place in self._place.items():
                for mask, literal in turn.effects.get(fluent, ()):
                    affected = action_of[turn.role][flags(mask, len(turn.moves))]
                    found.next[np.isin(chosen, affected), place] = literal
        found.after = [[] for _ in found.joint]
        found.legal = [[[] for _ in own] for own in actions]
        return found

    def _next_values(self, number: int, local: LocalPhase) -> Numbers:
        """The next values after each combination, where one role chooses without the effects of its moves."""
        phase, defaults = local.phase, self._whole.defaults[number]
        values = np.tile(np.array([defaults[n] for n in self._place], np.int32), (len(local.joint), 1))
        if len(phase.choosers) > 1:
            for row, combination in enumerate(local.joint):
                done = [
                    (role, self._move(number, role, local.actions[role][action]))
                    for role, action in enumerate(combination)
                    if role in phase.choosers and not local.actions[role][action].is_idle
                ]
                for n, literal in phase.effects(done).items():
                    if n in self._place:
                        values[row, self._place[n]] = literal
        return values

    def _move(self, number: int, role: int, action: Action) -> int:
        moves = next(turn.moves for turn in self._whole.turns if turn.phase == number and turn.role == role)
        return moves[(action.moves & -action.moves).bit_length() - 1]

    def _explore(self, pulse: Callable[[], None]) -> None:
        """List all positions, wave by wave."""
        start = 0
        while start < len(self._numbers):
            wave = np.concatenate(self._rows)[start:] if start else self._rows[0]
            self._rows = [np.concatenate(self._rows)]
            start = len(self._numbers)
            for phase in self.phases:
                self._expand(phase, wave, pulse)
            if len(self._numbers) > MOST_POSITIONS:
                raise TooManyPositionsError(f"a subgame has more than {MOST_POSITIONS:,} positions")

    def _expand(self, local: LocalPhase, wave: Rows, pulse: Callable[[], None]) -> None:
        phase, count = local.phase, len(wave)
        evaluation = Evaluation(phase.gates, self._lanes(phase, wave), count, phase.loops)
        legal = [[_conjunction(evaluation, action.conditions, count) for action in own] for own in local.actions]
        for own, known in zip(legal, local.legal, strict=True):
            for found_here, parts in zip(own, known, strict=True):
                parts.append(np.ones(count, np.bool_) if found_here is None else found_here)
        for combination, values, after in zip(local.joint, local.next, local.after, strict=True):
            pulse()
            possible = np.ones(count, np.bool_)
            for role, action in enumerate(combination):
                allowed = legal[role][action]
                if allowed is not None:
                    possible &= allowed
            found = np.full(count, ILLEGAL, np.int32)
            where = np.flatnonzero(possible)
            if len(where):
                found[where] = self._after(wave[where], values, phase, evaluation, where)
            after.append(found)

    def _after(
        self, rows: Rows, values: Numbers, phase: Phase, evaluation: Evaluation, where: NDArray[np.int64]
    ) -> Numbers:
        """The numbers of the positions after some positions, given the next values of fluents."""
        if (values <= TRUE).all():
            return self._numbered((values == TRUE)[None, :])
        stays = np.array([phase.inputs[n] for n in self._place], np.int32)
        rows = rows.copy()
        rows[:, values == FALSE] = False
        rows[:, values == TRUE] = True
        for place in np.flatnonzero((values > TRUE) & (values != stays)).tolist():
            rows[:, place] = evaluation.flags(int(values[place]))[where]
        return self._numbered(rows)

    def _numbered(self, rows: Rows) -> Numbers:
        packed = np.packbits(rows, axis=1)
        numbers = self._numbers
        found = np.empty(len(rows), np.int32)
        new = []
        for place, key in enumerate(map(bytes, packed)):
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = len(numbers)
                new.append(place)
            found[place] = number
        if new:
            self._rows.append(rows[new])
        return found

    def _lanes(self, phase: Phase, rows: Rows) -> dict[int, int]:
        return {
            phase.inputs[n] >> 1: _packed(rows[:, place]) for n, place in self._place.items() if phase.inputs[n] > TRUE
        }

    def _concept_values(self, concepts: Sequence[Concept]) -> list[Bits]:
        circuit = self._whole.circuit
        inputs = {circuit.fluent_inputs[n] >> 1: _packed(self.rows[:, place]) for n, place in self._place.items()}
        evaluation = Evaluation(circuit.gates, inputs, len(self.rows), circuit.loops)
        values = [0] * len(self.rows)
        for number, concept in enumerate(concepts):
            holds = _conjunction(evaluation, concept, len(self.rows))
            for position in range(len(values)) if holds is None else np.flatnonzero(holds).tolist():
                values[position] |= 1 << number
        return values


def _packed(column: Rows) -> int:
    return int.from_bytes(np.packbits(column, bitorder="little").tobytes(), "little")


def _conjunction(evaluation: Evaluation, literals: Sequence[int], count: int) -> Rows | None:
    """Where all of some literals hold; None for everywhere."""
    if not literals:
        return None
    lanes = evaluation.literal(literals[0])
    for literal in literals[1:]:
        lanes &= evaluation.literal(literal)
    return flags(lanes, count)
