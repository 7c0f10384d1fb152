"""Local concepts: what goals and the end require of each subgame, and how they combine.

After the paper, a local concept is part of a goal or terminal rule that depends on the fluents of one subgame only.
Here it is found in the gates: conjunctions are split by subgame, so each subgame contributes one concept to each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

from ludens.analysis.budget import TooEntangledError
from ludens.analysis.gates.supports import Bits, Supports, bits_of
from ludens.analysis.gates.touches import conjuncts
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import FALSE, INPUT, NONE, TRUE
from ludens.core import BEST_GOAL

Concept: TypeAlias = tuple[int, ...]
"""Literals of the circuit, all about one component, that must all hold."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A conjunction of concepts and of other formulas, perhaps negated."""

    negated: bool = False
    concepts: tuple[tuple[int, int, bool], ...] = ()
    """Component, number of the concept there, and whether it must hold or not hold."""
    formulas: tuple[Formula, ...] = ()

    def holds(self, values: Sequence[Bits], known: dict[int, bool] | None = None) -> bool:
        """Whether the formula holds, given the concepts that hold in each component.

        ``known`` are the results for formulas below it, by identity: formulas share them, as gates do.
        """
        if known is None:
            known = {}
        found = known.get(id(self))
        if found is None:
            found = all(bool(values[part] >> concept & 1) == wanted for part, concept, wanted in self.concepts) and all(
                formula.holds(values, known) for formula in self.formulas
            )
            known[id(self)] = found = found != self.negated
        return found


@dataclass
class EndFormulas:
    """The end and the goals as formulas over local concepts."""

    concepts: list[list[Concept]]
    """For each component its concepts."""
    terminal: Formula = field(default_factory=Formula)
    goals: list[tuple[int, int, Formula]] = field(default_factory=list)
    """Role, value, and when it holds."""

    def is_ended_by_clock(self) -> bool:
        """Whether the end depends on the first component alone, the clock."""
        seen: set[int] = set()
        stack = [self.terminal]
        while stack:
            formula = stack.pop()
            if any(part for part, _, _ in formula.concepts):
                return False
            new = [each for each in formula.formulas if id(each) not in seen]
            seen |= set(map(id, new))
            stack += new
        return True

    def is_terminal(self, values: Sequence[Bits]) -> bool:
        """Whether the game is over, given the concepts that hold in each component."""
        return self.terminal.holds(values)

    def goal_values(self, roles: int, values: Sequence[Bits]) -> tuple[int, ...]:
        """The goals of each role; 0 for a role with no goal, or several, as in `State.goals`."""
        found: list[set[int]] = [set() for _ in range(roles)]
        known: dict[int, bool] = {}
        for role, value, formula in self.goals:
            if formula.holds(values, known):
                found[role].add(value)
        return tuple(next(iter(each)) if len(each) == 1 else 0 for each in found)


class _Extraction:
    def __init__(self, circuit: Circuit, supports: Supports, components: Sequence[Sequence[int]]) -> None:
        self._gates = circuit.gates
        self._supports = supports
        self._masks = [bits_of(numbers) for numbers in components]
        self._numbers: list[dict[Concept, int]] = [{} for _ in components]
        self._known: dict[int, Formula] = {}

    def concepts(self) -> list[list[Concept]]:
        return [list(numbers) for numbers in self._numbers]

    def formula(self, literal: int) -> Formula:
        """The formula of a literal."""
        found = self._known.get(literal)
        if found is None:
            found = self._known[literal] = self._extract(literal)
        return found

    def _component(self, literal: int) -> int | None:
        """The only component that a literal depends on; None if it depends on several."""
        bits = self._supports.of(literal)
        return next((n for n, mask in enumerate(self._masks) if not bits & ~mask), None)

    def _extract(self, literal: int) -> Formula:
        if literal <= TRUE:
            return Formula(negated=literal == FALSE)
        if self._component(literal) is None and literal & 1:
            plain = self.formula(literal ^ 1)
            return Formula(not plain.negated, plain.concepts, plain.formulas)
        node = literal >> 1
        gates = self._gates
        if self._component(literal) is None:
            if gates.left[node] == INPUT:
                raise TooEntangledError("goals or the end connect subgames by recursion")
            if gates.is_xor[node] or gates.third[node] != NONE:
                return self._extract_by_rows(gates.reads(node), xor=gates.is_xor[node])
        parts = conjuncts(gates, literal)
        local: dict[int, list[int]] = defaultdict(list)
        spanning = []
        for part in parts:
            component = self._component(part)
            if component is None:
                spanning.append(part)
            else:
                local[component].append(part)
        concepts = tuple((component, *self._number(component, found)) for component, found in sorted(local.items()))
        return Formula(False, concepts, tuple(map(self.formula, spanning)))

    def _extract_by_rows(self, reads: Sequence[int], *, xor: bool) -> Formula:
        """The formula of a gate that is no conjunction: none of the rows of its table that make it true fails."""
        rows = []
        for signs in product((0, 1), repeat=len(reads)):
            false = sum(signs)
            if (len(reads) - false) % 2 if xor else 2 * false < len(reads):
                parts = (self.formula(literal ^ sign) for literal, sign in zip(reads, signs, strict=True))
                rows.append(Formula(True, (), tuple(parts)))
        return Formula(True, (), tuple(rows))

    def _number(self, component: int, literals: list[int]) -> tuple[int, bool]:
        """The number of a concept, and its sign: a single literal and its negation are one concept."""
        wanted = True
        if len(literals) == 1:
            wanted = not literals[0] & 1
            literals = [literals[0] & ~1]
        numbers = self._numbers[component]
        return numbers.setdefault(tuple(literals), len(numbers)), wanted


def end_formulas(circuit: Circuit, supports: Supports, components: Sequence[Sequence[int]]) -> EndFormulas:
    """The end and the goals over the concepts of components, given by their fluents. Raises `TooEntangledError`."""
    extraction = _Extraction(circuit, supports, components)
    terminal = extraction.formula(circuit.terminal)
    possible = [goal for goal in circuit.goals if goal.value <= BEST_GOAL]
    goals = [(goal.role, goal.value, extraction.formula(goal.literal)) for goal in possible]
    return EndFormulas(extraction.concepts(), terminal, goals)
