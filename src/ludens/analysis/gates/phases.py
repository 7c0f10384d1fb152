"""Phases of the turn order: the circuit with the clock's fluents as constants.

By the definitions of Zhao, Schiffel and Thielscher ("Decomposition of Multi-Player Games", definition 1), on ground
instances: a fluent is an *effect* of a move if the move makes its next value another function of the state than moves
that have nothing to do with it; the *preconditions* of a move are the fluents that its legality and its effects
depend on. Moves without effects and preconditions are noops. The fluents that determine the turn are constants in each
phase, so they are never preconditions.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ludens.analysis.budget import Pulse, TooEntangledError, no_pulse, watch
from ludens.analysis.gates.clock import GameClock
from ludens.analysis.gates.supports import Bits, Supports, circuit_supports, members
from ludens.compiler.circuit.circuit import Circuit, Goal
from ludens.compiler.circuit.gates import FALSE, TRUE, Gates
from ludens.compiler.circuit.translate import Translation
from ludens.compiler.circuit.turns import specialise

MOST_GATES = 2_000_000
"""The most gates of the circuits of all phases."""

MOST_PHASES = 8
"""The most phases by which goals and the end are split."""


@dataclass
class Phase:
    """One phase of the turn order, in which the clock's fluents are known."""

    circuit: Circuit
    """The circuit with the clock's fluents known; impossible moves are never made, an only move always."""
    legal: tuple[tuple[int, ...], ...]
    """For each role the literals, in `gates`, that make its moves legal."""
    possible: tuple[tuple[int, ...], ...]
    """For each role the numbers of the moves that may be legal."""
    choosers: tuple[int, ...]
    """The roles with more than one of them."""
    gates: Gates = field(default_factory=Gates)
    """Where effects are computed; the fluents are its inputs."""
    inputs: tuple[int, ...] = ()
    """The fluents' literals there."""
    default: tuple[int, ...] = ()
    """The next value of each fluent after moves that do not affect it."""
    supports: Supports = field(init=False)
    """What literals of `gates` depend on."""

    def __post_init__(self) -> None:
        moves = {does >> 1: FALSE for own in self.circuit.moves for _, does, _ in own if does > TRUE}
        self._translation = Translation(self.circuit, moves)
        self.gates = self._translation.gates
        self.inputs = self._translation.literals(self.circuit.fluent_inputs)
        self.legal = tuple(self._translation.literals(own) for own in self.legal)
        self.default = self._translation.literals(self.circuit.next)
        loops = self._translation.loops()
        inputs = {literal >> 1: 1 << n for n, literal in enumerate(self.inputs) if literal > TRUE}
        self.supports = Supports(self.gates, inputs, loops)
        self.loops = loops
        """Recursion inside a state, in `gates`."""
        self._readers = self._find_readers() if len(self.choosers) > 1 else {}
        self._fluents_of: dict[int, list[int]] = defaultdict(list)
        for n, literal in enumerate(self.circuit.next):
            self._fluents_of[literal >> 1].append(n)

    def _find_readers(self) -> dict[int, list[int]]:
        """For nodes that depend on moves, the gates that read them, as far as the next state needs them."""
        gates = self.circuit.gates
        supports = circuit_supports(self.circuit)
        fluents = (1 << len(self.circuit.fluents)) - 1
        for loop in self.circuit.loops:
            if any(supports.of(literal) & ~fluents for literal in loop.updates):
                raise TooEntangledError("moves are part of a recursion")
        readers: dict[int, list[int]] = defaultdict(list)
        seen: set[int] = set()
        stack = [literal >> 1 for literal in self.circuit.next]
        while stack:
            node = stack.pop()
            if node in seen or not supports.of(2 * node) & ~fluents or gates.left[node] < 0:
                continue
            seen.add(node)
            for literal in gates.reads(node):
                readers[literal >> 1].append(node)
                stack.append(literal >> 1)
        return readers

    def effects(self, moves: Sequence[tuple[int, int]]) -> dict[int, int]:
        """The next values, as literals of `gates`, of all fluents that differ from the default after these moves, each
        a role and a number; roles that are not named make moves without effect on them."""
        old, new = self.circuit.gates, self._translation
        changed: dict[int, int] = {}
        queue: list[int] = []
        for role, number in moves:
            does = self.circuit.moves[role][number][1]
            if does > TRUE:
                changed[does >> 1] = TRUE
                queue += self._readers.get(does >> 1, ())
        heapq.heapify(queue)
        while queue:
            node = heapq.heappop(queue)
            if node in changed:
                continue
            reads = [
                changed[literal >> 1] ^ (literal & 1) if literal >> 1 in changed else new.literal(literal)
                for literal in old.reads(node)
            ]
            literal = gate_of(self.gates, reads, xor=old.is_xor[node])
            if literal != new.literal(2 * node):
                changed[node] = literal
                for reader in self._readers.get(node, ()):
                    heapq.heappush(queue, reader)
        found: dict[int, int] = {}
        for node, literal in changed.items():
            for n in self._fluents_of.get(node, ()):
                found[n] = literal ^ (self.circuit.next[n] & 1)
        return found

    def translate(self, literal: int) -> int:
        """The literal of `gates` for one of the circuit, if no move is made."""
        return self._translation.literal(literal)

    def support(self, literal: int) -> Bits:
        """The fluents that a literal of `gates` depends on."""
        return self.supports.of(literal)


def gate_of(gates: Gates, reads: Sequence[int], *, xor: bool) -> int:
    """A gate like one of another graph, with these inputs."""
    if len(reads) == 2:
        return gates.differ(*reads) if xor else gates.both(*reads)
    a, b, c = reads
    return gates.parity(a, b, c) if xor else gates.majority(a, b, c)


def find_phases(circuit: Circuit, clock: GameClock, pulse: Pulse = no_pulse) -> list[Phase]:
    """The phases of a game, in the order of `GameClock.phases`. Raises `TooEntangledError`."""
    if len(circuit.gates) * len(clock.phases) > MOST_GATES:
        raise TooEntangledError("the turn order has too many phases")
    return [_phase(circuit, clock, values) for values in watch(clock.phases, pulse)]


def ends_by_phase(circuit: Circuit, clock: GameClock, phases: Sequence[Phase]) -> Circuit:
    """The same circuit with goals and the end as disjunctions over the phases.

    A rule such as "the role to move has no moves" reads the turn once per move; rewritten, it reads it once, and its
    requirement on a subgame is one concept. Other literals do not change.
    """
    if not 1 < len(phases) <= MOST_PHASES or circuit.loops:
        return circuit
    gates = circuit.gates.copy()
    now = [
        gates.all_of([circuit.fluent_inputs[n] ^ (not values >> n & 1) for n in members(clock.read)])
        for values in clock.phases
    ]
    copies = []
    for phase in phases:
        pairs = zip(phase.circuit.fluent_inputs, circuit.fluent_inputs, strict=True)
        known = {inner >> 1: outer ^ (inner & 1) for inner, outer in pairs if inner > TRUE}
        copies.append(Translation(phase.circuit, known, gates))

    def combine(literals: Sequence[int]) -> int:
        each = [copy.literal(literal) for copy, literal in zip(copies, literals, strict=True)]
        if len(set(each)) == 1:
            return each[0]
        return gates.any_of([gates.both(own, literal) for own, literal in zip(now, each, strict=True)])

    terminal = combine([phase.circuit.terminal for phase in phases])
    goals = [
        Goal(goal.role, goal.value, combine([phase.circuit.goals[n].literal for phase in phases]))
        for n, goal in enumerate(circuit.goals)
    ]
    return replace(circuit, gates=gates, terminal=terminal, goals=tuple(goals))


def _phase(circuit: Circuit, clock: GameClock, values: Bits) -> Phase:
    known = {
        circuit.fluent_inputs[n] >> 1: TRUE if values >> n & 1 else FALSE
        for n in members(clock.read)
        if circuit.fluent_inputs[n] > TRUE
    }
    first = specialise(circuit, known)
    possible = tuple(
        tuple(number for number, (_, _, legal) in enumerate(moves) if legal != FALSE) for moves in first.moves
    )
    known = {}
    for own, moves in zip(possible, first.moves, strict=True):
        for number, (_, does, _) in enumerate(moves):
            if does > TRUE and (number not in own or len(own) == 1):
                known[does >> 1] = TRUE if number in own else FALSE
    second = specialise(first, known)
    legal = tuple(tuple(legal for _, _, legal in moves) for moves in second.moves)
    choosers = tuple(role for role, own in enumerate(possible) if len(own) > 1)
    return Phase(second, legal, possible, choosers)
