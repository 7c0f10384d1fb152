"""One subgame alone: all its positions and the transitions between them, for every order of turns.

The turn in a subgame is decided elsewhere, so every position is expanded for every phase of the turn order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ludens.analysis.gates.lanes import Evaluation, pack_bits
from ludens.analysis.gates.phases import Phase
from ludens.analysis.gates.supports import Bits, flags
from ludens.analysis.subgames.concepts import Concept
from ludens.analysis.subgames.local_rules import LocalPhase, LocalRules, Numbers, Rows, TooManyPositionsError
from ludens.analysis.subgames.parts import Component, Decomposition
from ludens.compiler.circuit.gates import FALSE, TRUE

MOST_POSITIONS = 300_000
"""The most positions of a subgame that are listed."""
ILLEGAL = -1


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
        rules = LocalRules(whole, component)
        self._place = rules.place
        self.phases = rules.phases
        """The actions in each phase."""
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
        """The number of the position in a state of the whole game; None if it is not listed."""
        row = np.array([bool(bits[n]) for n in self.component.numbers], np.bool_)
        return self._numbers.get(np.packbits(row).tobytes())

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
                found[where] = self._successors(wave[where], values, phase, evaluation, where)
            after.append(found)

    def _successors(
        self, rows: Rows, values: Numbers, phase: Phase, evaluation: Evaluation, where: NDArray[np.int64]
    ) -> Numbers:
        """The numbers of the positions that follow, given the next values of fluents."""
        if (values <= TRUE).all():
            return self._number_positions((values == TRUE)[None, :])
        stays = np.array([phase.inputs[n] for n in self._place], np.int32)
        rows = rows.copy()
        rows[:, values == FALSE] = False
        rows[:, values == TRUE] = True
        for place in np.flatnonzero((values > TRUE) & (values != stays)).tolist():
            rows[:, place] = evaluation.flags(int(values[place]))[where]
        return self._number_positions(rows)

    def _number_positions(self, rows: Rows) -> Numbers:
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
            phase.inputs[n] >> 1: pack_bits(rows[:, place])
            for n, place in self._place.items()
            if phase.inputs[n] > TRUE
        }

    def _concept_values(self, concepts: Sequence[Concept]) -> list[Bits]:
        circuit = self._whole.circuit
        inputs = {circuit.fluent_inputs[n] >> 1: pack_bits(self.rows[:, place]) for n, place in self._place.items()}
        evaluation = Evaluation(circuit.gates, inputs, len(self.rows), circuit.loops)
        values = [0] * len(self.rows)
        for number, concept in enumerate(concepts):
            holds = _conjunction(evaluation, concept, len(self.rows))
            for position in range(len(values)) if holds is None else np.flatnonzero(holds).tolist():
                values[position] |= 1 << number
        return values


def _conjunction(evaluation: Evaluation, literals: Sequence[int], count: int) -> Rows | None:
    """Where all literals hold; None for everywhere."""
    if not literals:
        return None
    lanes = evaluation.literal(literals[0])
    for literal in literals[1:]:
        lanes &= evaluation.literal(literal)
    return flags(lanes, count)
