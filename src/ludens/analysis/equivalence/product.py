"""Two compiled games side by side as one circuit, over the same moves, that ends where they differ.

Fluents of the same name are one fluent as long as both games give it the same next value, gate for gate; the other
fluents of the second game are added beside those of the first. So what the games have in common is computed once, and
where nothing else is left, no play can tell them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ludens.compiler.circuit.circuit import Circuit, Goal
from ludens.compiler.circuit.gates import FALSE, Gates
from ludens.compiler.circuit.translate import Translation
from ludens.core import BEST_GOAL
from ludens.gdl.chance.core_form import PERCEPT_FLUENT
from ludens.gdl.terms import Term, functor

_OTHER = "of_the_other_game"
"""Wraps the names of fluents that only the second game has, or that it computes otherwise."""


@dataclass(frozen=True, slots=True)
class Product:
    """Two games as one circuit, whose first role has the goal 1 in states in which they differ."""

    circuit: Circuit
    """Roles and moves are those of the first game; nothing is drawn by chance, every role chooses."""
    differ: int
    """The literal that is true where both can be told apart."""
    positions_differ: int
    """The literal that is true where they differ in any fluent, perhaps without a consequence."""

    left_fluents: int
    """The first fluents are those of the first game."""

    def asking_for(self, literal: int) -> Circuit:
        """The circuit with the goal for, and the end at, another literal."""
        if literal == self.differ:
            return self.circuit
        gates = self.circuit.gates
        terminal = gates.either(self.circuit.terminal, literal)
        return replace(self.circuit, goals=(Goal(0, 1, literal),), terminal=terminal)

    @property
    def is_same(self) -> bool:
        """True if the rules agree gate for gate, so that nothing can tell the games apart."""
        return self.differ == FALSE


def make_product(left: Circuit, right: Circuit) -> Product | None:
    """Both games in one circuit; None if they have other roles, or draw with other weights."""
    if set(left.roles) != set(right.roles) or left.players != right.players or not _draw_alike(left, right):
        return None
    fluents = {fluent: n for n, fluent in enumerate(left.fluents)}
    shared = {
        m: fluents[fluent]
        for m, fluent in enumerate(right.fluents)
        if fluent in fluents and left.initial[fluents[fluent]] == right.initial[m]
    }
    same_loops = [len(loop.inputs) for loop in left.loops] == [len(loop.inputs) for loop in right.loops]
    while True:
        both = _Both(left, right, shared, same_loops)
        if same_loops and both.loops_differ():
            same_loops = False
            continue
        changed = [m for m, n in shared.items() if both.next[m] != left.next[n]]
        if not changed:
            return both.product()
        for m in changed:
            del shared[m]


def _draw_alike(left: Circuit, right: Circuit) -> bool:
    """Whether chance roles draw the same moves with the same weights."""
    weights = _weights(left), _weights(right)
    return weights[0] == weights[1]


def _weights(circuit: Circuit) -> Mapping[Term, Mapping[Term, int]]:
    players = circuit.players
    drawn = zip(circuit.roles[players:], circuit.moves[players:], circuit.chance, strict=True)
    return {
        role: {move: weight for (move, _, _), weight in zip(moves, chance.weights, strict=True)}
        for role, moves, chance in drawn
    }


class _Both:
    """The gates of both games, with some fluents of the second identified with those of the first."""

    def __init__(
        self,
        left: Circuit,
        right: Circuit,
        shared: Mapping[int, int],
        same_loops: bool,
    ) -> None:
        self.left, self.right, self.shared = left, right, dict(shared)
        self._numbers = [left.roles.index(role) for role in right.roles]
        self._same_loops = same_loops
        self.gates: Gates = left.gates.copy()
        known: dict[int, int] = {}
        for m, literal in enumerate(right.fluent_inputs):
            known[literal >> 1] = left.fluent_inputs[shared[m]] if m in shared else self.gates.new_input()
        self._moves: list[dict[Term, tuple[int, int]]] = [
            {move: (does, legal) for move, does, legal in moves} for moves in left.moves
        ]
        for role, moves in enumerate(right.moves):
            for move, does, _ in moves:
                # a move that only the second game has is never made: where it is legal, the games differ
                known[does >> 1] = self._moves[self._numbers[role]].get(move, (FALSE, FALSE))[0]
        if same_loops:
            for ours, theirs in zip(left.loops, right.loops, strict=True):
                known |= {literal >> 1: own for own, literal in zip(ours.inputs, theirs.inputs, strict=True)}
        self._known = known
        self.copy = Translation(right, known, self.gates)
        self.next = self.copy.literals(right.next)

    def loops_differ(self) -> bool:
        """Whether recursion within a state is not the same after all."""
        pairs = zip(self.left.loops, self.right.loops, strict=True)
        return any(self.copy.literals(theirs.updates) != ours.updates for ours, theirs in pairs)

    def product(self) -> Product:
        """The circuit of both."""
        left, right, gates = self.left, self.right, self.gates
        own = [m for m in range(len(right.fluents)) if m not in self.shared]
        differ = gates.any_of(self._differences())
        stuck = gates.any_of(gates.any_of(legal for _, _, legal in moves) ^ 1 for moves in left.moves)
        inputs = self.copy.literals(right.fluent_inputs)
        positions_differ = gates.any_of([differ, *self._other_fluents(inputs)])
        circuit = replace(
            left,
            gates=gates,
            chance=(),
            fluents=(*left.fluents, *((_OTHER, right.fluents[m]) for m in own)),
            fluent_inputs=(*left.fluent_inputs, *(inputs[m] for m in own)),
            initial=(*left.initial, *(right.initial[m] for m in own)),
            next=(*left.next, *(self.next[m] for m in own)),
            terminal=gates.any_of([left.terminal, differ, stuck]),
            goals=(Goal(0, 1, differ),),
            loops=left.loops if self._same_loops else (*left.loops, *self.copy.loops()),
        )
        return Product(circuit, differ, positions_differ, len(left.fluents))

    def _differences(self) -> Iterator[int]:
        """Literals of what tells the games apart in a state."""
        gates, copy, left, right = self.gates, self.copy, self.left, self.right
        terminal = copy.literal(right.terminal)
        yield gates.differ(left.terminal, terminal)
        goals = [_effective_goals(gates, left.goals), _effective_goals(gates, _translated_goals(right, copy))]
        theirs = {(self._numbers[role], value): literal for (role, value), literal in goals[1].items()}
        for key in sorted(goals[0].keys() | theirs.keys()):
            yield gates.both(left.terminal, gates.differ(goals[0].get(key, FALSE), theirs.get(key, FALSE)))
        for role, moves in enumerate(right.moves):
            legal = {move: copy.literal(literal) for move, _, literal in moves}
            known = self._moves[self._numbers[role]]
            for move in dict.fromkeys((*known, *legal)):
                different = gates.differ(known.get(move, (FALSE, FALSE))[1], legal.get(move, FALSE))
                yield gates.both(left.terminal ^ 1, different)
        faults = [gates.any_of(literal for chance in left.chance for literal in chance.faults)]
        faults.append(gates.any_of(literal for chance in copy.chance() for literal in chance.faults))
        yield gates.both(left.terminal ^ 1, gates.differ(*faults))
        inputs = copy.literals(right.fluent_inputs)
        yield from self._other_fluents(inputs, only_percepts=True)

    def _other_fluents(self, inputs: Sequence[int], *, only_percepts: bool = False) -> Iterator[int]:
        """Literals of fluents, or percepts, that are true in one game only."""
        left, right = self.left, self.right
        places = {fluent: m for m, fluent in enumerate(right.fluents)}
        for fluent, literal in zip(left.fluents, left.fluent_inputs, strict=True):
            if not only_percepts or functor(fluent) == PERCEPT_FLUENT:
                yield self.gates.differ(literal, inputs[places[fluent]] if fluent in places else FALSE)
        known = set(left.fluents)
        for fluent, literal in zip(right.fluents, inputs, strict=True):
            if fluent not in known and (not only_percepts or functor(fluent) == PERCEPT_FLUENT):
                yield literal


def _translated_goals(circuit: Circuit, copy: Translation) -> tuple[Goal, ...]:
    return tuple(replace(goal, literal=copy.literal(goal.literal)) for goal in circuit.goals)


def _effective_goals(gates: Gates, goals: Sequence[Goal]) -> dict[tuple[int, int], int]:
    """When a role has a goal value other than 0, as `State.goals` counts: one value, and one that is possible."""
    found: dict[tuple[int, int], int] = {}
    for goal in goals:
        others = [other.literal for other in goals if other.role == goal.role and other.value != goal.value]
        if 0 < goal.value <= BEST_GOAL:
            alone = gates.both(goal.literal, gates.any_of(others) ^ 1)
            key = goal.role, goal.value
            found[key] = gates.any_of([found.get(key, FALSE), alone])
    return found
