"""A subgame as a game of its own, for games in which actions in one subgame do not restrict another.

The rules of the subgame are extracted from those of the whole game: its fluents and the clock's, its part of every
move, its end. Its goals are set elsewhere (`ludens.players.decomposition.separation`), since only goals of the whole
are given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ludens.analysis.gates.supports import Bits, bits_of, members
from ludens.analysis.subgames.local_rules import LocalPhase, LocalRules
from ludens.analysis.subgames.parts import Component, Decomposition
from ludens.compiler.circuit.circuit import Circuit, Goal, Loop
from ludens.compiler.circuit.gates import FALSE, TRUE, Gates
from ludens.compiler.circuit.translate import Translation
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import Move, State
from ludens.gdl.game import GdlMove
from ludens.gdl.terms import Term

Place = tuple[int, int, int]
"""A phase, a role, and one of its actions in a subgame."""


@dataclass(frozen=True)
class Standalone:
    """The rules of a subgame without its goals."""

    whole: CircuitRules
    component: Component
    numbers: tuple[int, ...]
    """The numbers, in the whole game, of its fluents, the clock's last."""
    circuit: Circuit
    """Without goals. Terminal when the whole would be, if nothing happened elsewhere, or when nothing can change."""
    actions: Mapping[tuple[int, Move], Bits]
    """For each role and move here the role's equivalent moves in the whole game, by number."""
    literals: Translation
    """Translates literals of the whole game's circuit, with other subgames in their initial positions."""

    def with_goals(self, goals: Sequence[Goal]) -> CircuitRules:
        """The subgame as a game with these goals, which are literals of `circuit`."""
        circuit = replace(self.circuit, goals=tuple(goals), loops=self._loops())
        return self.whole.with_circuit(circuit, f"a subgame of {self.whole.name}")

    def _loops(self) -> tuple[Loop, ...]:
        return (*self.circuit.loops, *self.literals.loops())

    def state(self, game: CircuitRules, state: State) -> State:
        """The subgame's part of a state of the whole game."""
        return game.state_of(self.whole.bits_of(state)[list(self.numbers)])


class _Builder:
    """Builds the circuit of a subgame."""

    def __init__(self, whole: Decomposition, component: Component) -> None:
        self.whole = whole
        self.rules = LocalRules(whole, component)
        self.gates = Gates()
        self.numbers = (*component.numbers, *members(whole.clock.fluents))
        self.inputs = {n: self.gates.new_input() for n in self.numbers}
        self.does: dict[Place, int] = {}
        for number, phase in enumerate(self.rules.phases):
            for role, actions in enumerate(phase.actions):
                for action in range(len(actions)):
                    self.does[number, role, action] = self.gates.new_input()
        circuit = whole.circuit
        known = {
            literal >> 1: self.inputs.get(n, TRUE if circuit.initial[n] else FALSE)
            for n, literal in enumerate(circuit.fluent_inputs)
            if literal > TRUE
        }
        known |= {does >> 1: FALSE for moves in circuit.moves for _, does, _ in moves if does > TRUE}
        self.translation = Translation(circuit, known, self.gates)
        self.translations = [self._of_phase(phase) for phase in self.rules.phases]

    def _of_phase(self, local: LocalPhase) -> Translation:
        phase = local.phase
        known = {
            literal >> 1: self.inputs.get(n, FALSE) ^ (literal & 1)
            for n, literal in enumerate(phase.inputs)
            if literal > TRUE
        }
        return Translation(replace(phase.circuit, gates=phase.gates, loops=phase.loops), known, self.gates)

    @cached_property
    def phase_literals(self) -> list[int]:
        """For each phase the literal that is true in it."""
        clock = self.whole.clock
        return [
            self.gates.all_of([self.inputs[n] ^ (not values >> n & 1) for n in members(clock.read)])
            for values in clock.phases
        ]

    def legal(self, place: Place) -> int:
        """The literal for an action being legal."""
        number, role, action = place
        conditions = self.rules.phases[number].actions[role][action].conditions
        return self.gates.all_of([self.phase_literals[number], *self.translations[number].literals(conditions)])

    def next(self, n: int) -> int:
        """The next value of one of the subgame's fluents."""
        return self.gates.any_of(
            [self.gates.both(now, self._next_in(number, n)) for number, now in enumerate(self.phase_literals)]
        )

    def _next_in(self, number: int, n: int) -> int:
        local = self.rules.phases[number]
        column = local.next[:, self.rules.place[n]].tolist()
        by_value: dict[int, list[int]] = defaultdict(list)
        for row, value in enumerate(column):
            by_value[value].append(row)
        usual = max(by_value, key=lambda value: len(by_value[value]))
        gates, translation = self.gates, self.translations[number]
        found, others = [], []
        for value, rows in by_value.items():
            if value != usual:
                done = gates.any_of([self._combination_literal(number, local.joint[row]) for row in rows])
                others.append(done)
                found.append(gates.both(done, translation.literal(value)))
        rest = gates.both(translation.literal(usual), gates.any_of(others) ^ 1)
        return gates.any_of([*found, rest])

    def _combination_literal(self, number: int, combination: Sequence[int]) -> int:
        """The literal for each role doing its action of a combination; a role's only action needs no literal."""
        actions = self.rules.phases[number].actions
        return self.gates.all_of(
            [self.does[number, role, n] for role, n in enumerate(combination) if len(actions[role]) > 1]
        )

    def terminal_literal(self) -> int:
        """The literal for the whole being over if nothing happened elsewhere, or nothing changing here any more."""
        terminal = self.translation.literal(self.whole.circuit.terminal)
        changing = []
        for number, local in enumerate(self.rules.phases):
            stays = np.array([local.phase.inputs[n] for n in self.rules.place], np.int32)
            for combination, values in zip(local.joint, local.next, strict=True):
                if (values != stays).any():
                    conditions = [
                        literal for role, n in enumerate(combination) for literal in local.actions[role][n].conditions
                    ]
                    changing.append(self.gates.all_of(self.translations[number].literals(conditions)))
        return self.gates.either(terminal, self.gates.any_of(changing) ^ 1)


def standalone(game: CircuitRules, whole: Decomposition, component: Component) -> Standalone:
    """The rules of a subgame alone. Raises `GameError` if too many actions can be combined in it."""
    builder = _Builder(whole, component)
    circuit, gates = whole.circuit, builder.gates
    moves: list[list[tuple[Term, int, int]]] = [[] for _ in circuit.roles]
    actions: dict[tuple[int, Move], Bits] = {}
    for place, does in builder.does.items():
        number, role, action = place
        turn = next(turn for turn in whole.turns if (turn.phase, turn.role) == (number, role))
        numbers = [turn.moves[n] for n in members(builder.rules.phases[number].actions[role][action].moves)]
        term: Term = ("in_phase", str(number), circuit.moves[role][numbers[0]][0])
        moves[role].append((term, does, builder.legal(place)))
        actions[role, GdlMove(term)] = bits_of(numbers)
    clock = builder.translation.literals(circuit.next[n] for n in members(whole.clock.fluents))
    alone = replace(
        circuit,
        gates=gates,
        fluents=tuple(circuit.fluents[n] for n in builder.numbers),
        fluent_inputs=tuple(builder.inputs[n] for n in builder.numbers),
        initial=tuple(circuit.initial[n] for n in builder.numbers),
        next=(*map(builder.next, component.numbers), *clock),
        moves=tuple(map(tuple, moves)),
        terminal=builder.terminal_literal(),
        goals=(),
        loops=tuple(loop for translation in builder.translations for loop in translation.loops()),
    )
    return Standalone(game, component, builder.numbers, alone, actions, builder.translation)
