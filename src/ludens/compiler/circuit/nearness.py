"""How near a position looks to the best goal: the rules of the goal read as fuzzy logic.

A conjunction is worth the share of its conditions that hold, a disjunction as much as its best alternative. It is 1
where the goal holds, and grows as blocks, tiles or lights come to their places one by one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import FALSE, INPUT, NONE, TRUE

MOST_TERMS = 3_000
"""Goals with more parts take longer to evaluate than their positions take to compute."""


@dataclass(frozen=True, slots=True)
class _Term:
    """The mean of earlier terms, or the highest of them; or a fluent, perhaps inverted."""

    parts: tuple[int, ...] = ()
    mean: bool = True
    fluent: int = -1
    inverted: bool = False


class GoalNearness:
    """The fuzzy value of a literal for many positions."""

    def __init__(self, circuit: Circuit) -> None:
        self._gates = circuit.gates
        self._fluents = {literal >> 1: n for n, literal in enumerate(circuit.fluent_inputs)}
        self._terms: list[_Term] = []
        self._numbers: dict[int, int] = {}

    @classmethod
    def of(cls, circuit: Circuit, goal: int, role: int = 0) -> GoalNearness | None:
        """The nearness to a role's goal value; None if it has too many parts or takes more than fluents."""
        nearness = cls(circuit)
        wanted = [found.literal for found in circuit.goals if (found.role, found.value) == (role, goal)]
        literals = [literal for literal in wanted if literal > TRUE]
        try:
            for literal in literals:
                nearness._number(literal)
        except (_TooMuchError, RecursionError):
            return None
        return nearness if literals else None

    def __call__(self, bits: NDArray[np.uint8]) -> NDArray[np.float64]:
        """The value of each position, 0 to 1, by which fluents are true (positions, fluents)."""
        values: list[NDArray[np.float32]] = []
        for term in self._terms:
            if term.parts:
                parts = np.stack([values[n] for n in term.parts])
                values.append(parts.mean(axis=0) if term.mean else parts.max(axis=0))
            else:
                column = bits[:, term.fluent].astype(np.float32)
                values.append(1 - column if term.inverted else column)
        return values[-1].astype(np.float64)

    def _number(self, literal: int) -> int:
        """The number of the term for a literal."""
        if literal not in self._numbers:
            term = self._term(literal)
            if len(self._terms) >= MOST_TERMS:
                raise _TooMuchError
            self._numbers[literal] = len(self._terms)
            self._terms.append(term)
        return self._numbers[literal]

    def _term(self, literal: int) -> _Term:
        node, inverted = literal >> 1, bool(literal & 1)
        if self._gates.left[node] == INPUT:
            if node not in self._fluents:
                raise _TooMuchError
            return _Term(fluent=self._fluents[node], inverted=inverted)
        if self._gates.is_xor[node] or self._gates.third[node] != NONE:
            raise _TooMuchError
        parts = [part ^ inverted for part in self._conjuncts(node)]
        return _Term(tuple(map(self._number, parts)), mean=not inverted)

    def _conjuncts(self, node: int) -> list[int]:
        """The literals whose conjunction a node is, with conjunctions among them taken apart."""
        found: list[int] = []
        waiting = list(self._gates.reads(node))
        while waiting:
            literal = waiting.pop()
            inside = literal >> 1
            plain = self._gates.left[inside] != INPUT and not self._gates.is_xor[inside]
            if not literal & 1 and plain and self._gates.third[inside] == NONE:
                waiting += self._gates.reads(inside)
            elif literal > TRUE:
                found.append(literal)
            if len(found) > MOST_TERMS:
                raise _TooMuchError
        return sorted(set(found)) or [FALSE]


class _TooMuchError(Exception):
    """The goal cannot be evaluated quickly."""
