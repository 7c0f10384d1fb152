"""Questions about one step of a game, answered by clingo's solver: can a hypothesis that holds now fail?

The gates become rules, one for each, so that the solver sees the circuit as it is. A node that is assumed to equal
another is read as that other one everywhere, and the hypothesis becomes a constraint (where it is assumed) or a
violation to look for (where it is to be proved). If there is no violation, all hypotheses are right: the
first wrong one in the order of the gates would have been computed from right values.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import clingo

from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import INPUT, NONE, Gates
from ludens.core import OutOfTimeError

OPTIONS = ("--warn=none", "--eq=0", "--sat-prepro=0", "--sign-def=rnd", "--seed=1")
"""No preprocessing, which would take longer than the questions; random signs, so that counterexamples differ."""

CHUNK = 200
"""Violations per chunk."""


CONFLICTS = 1000
"""How long the solver may search before a chunk counts as too hard."""


class TooHardError(Exception):
    """The solver found neither a counterexample nor a proof."""


@dataclass(frozen=True, slots=True)
class MutexGroup:
    """Fluents, by number, of which at most one is true."""

    members: tuple[int, ...]
    is_exact: bool
    """Whether one of them always is."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """Hypotheses about the states of a phase."""

    equal: Mapping[int, int]
    """Nodes that equal a literal of an earlier node."""
    groups: Sequence[MutexGroup]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A state in which all hypotheses hold, and a joint move in it."""

    fluents: list[bool]
    moves: list[list[bool]]
    """For each role, for each of its moves, whether it is done."""


class Frame:
    """The gates of a phase at one moment, as atoms of the solver."""

    def __init__(self, backend: clingo.Backend, circuit: Circuit, equal: Mapping[int, int], true: int) -> None:
        self.backend = backend
        self.circuit = circuit
        self.equal = equal
        self.atoms: dict[int, int] = {0: -true}

    def plain(self, literal: int) -> int:
        """The solver's literal for a literal, computed as the circuit says."""
        atom = self.atoms[literal >> 1]
        return -atom if literal & 1 else atom

    def read(self, literal: int) -> int:
        """The solver's literal for a literal, or for the one it is assumed to equal."""
        other = self.equal.get(literal >> 1)
        return self.plain(literal) if other is None else self.plain(other ^ (literal & 1))

    def free(self) -> int:
        """A new atom that may be true or false."""
        atom = self.backend.add_atom()
        self.backend.add_rule([atom], [], choice=True)
        return atom

    def define(self, node: int) -> None:
        """Define the atom of a node from those that it reads."""
        gates = self.circuit.gates
        if gates.left[node] == INPUT:
            self.atoms[node] = self.free()
            return
        atom = self.atoms[node] = self.backend.add_atom()
        for body in gate_bodies(gates, node, self.read):
            self.backend.add_rule([atom], body)

    def unequal(self, node: int) -> int:
        """The solver's literal for a violated hypothesis about a node."""
        a, b = self.atoms[node], self.plain(self.equal[node])
        if self.equal[node] <= 1:
            return -a if self.equal[node] else a
        atom = self.backend.add_atom()
        self.backend.add_rule([atom], [a, -b])
        self.backend.add_rule([atom], [-a, b])
        return atom

    def assume_equal(self, node: int) -> None:
        """Assume a hypothesis about a node."""
        a, b = self.atoms[node], self.plain(self.equal[node])
        self.backend.add_rule([], [a, -b])
        self.backend.add_rule([], [-a, b])

    def play_on(self) -> list[list[int]]:
        """Assume that the match goes on and each role makes one legal move; the atoms of each role's moves."""
        backend, found = self.backend, []
        backend.add_rule([], [self.read(self.circuit.terminal)])
        for moves in self.circuit.moves:
            done = [self.atoms[literal >> 1] for _, literal, _ in moves]
            for _, literal, legal in moves:
                backend.add_rule([], [self.atoms[literal >> 1], -self.read(legal)])
            backend.add_rule([], [-atom for atom in done])
            several = backend.add_atom()
            backend.add_weight_rule([several], 2, [(atom, 1) for atom in done])
            backend.add_rule([], [several])
            found.append(done)
        return found

    def violation_literal(self, group: MutexGroup) -> int:
        """The solver's literal for a violated group."""
        members = [self.read(self.circuit.fluent_inputs[n]) for n in group.members]
        atom = self.backend.add_atom()
        self.backend.add_weight_rule([atom], 2, [(member, 1) for member in members])
        if group.is_exact:
            self.backend.add_rule([atom], [-member for member in members])
        return atom


class Question:
    """Whether one of many violations is possible; asked chunk by chunk."""

    def __init__(self, deadline: float, conflicts: int = CONFLICTS) -> None:
        self._deadline = deadline
        self._control = clingo.Control([*OPTIONS, f"--solve-limit={conflicts}"])
        self._fluents: list[int] = []
        self._moves: list[list[int]] = []
        self._violations: list[int] = []
        self.chunks: list[tuple[int, range]] = []
        """For each chunk, the solver's literal for "one of it is violated", and the numbers of its violations."""

    def ask_step(self, now: Circuit, known: Hypotheses, after: Circuit, wanted: Hypotheses) -> None:
        """Can a hypothesis about the phase after a step fail? Violations are its equal nodes, then its groups."""
        with self._control.backend() as backend:
            true = backend.add_atom()
            backend.add_rule([true], [])
            first = Frame(backend, now, known.equal, true)
            self._assume(first, known)
            second = Frame(backend, after, wanted.equal, true)
            for n, literal in enumerate(after.fluent_inputs):
                if literal > 1:
                    second.atoms[literal >> 1] = first.read(now.next[n])
            roots = [literal for node, other in wanted.equal.items() for literal in (2 * node, other)]
            for node in needed(after, roots):
                if node not in second.atoms:
                    second.define(node)
                if node in wanted.equal:
                    self._violations.append(second.unequal(node))
            self._cut(backend, CHUNK)
            self._violations += map(second.violation_literal, wanted.groups)
            self._cut(backend, 1)

    def ask_now(
        self, circuit: Circuit, known: Hypotheses, wanted: Mapping[int, int], never: Sequence[tuple[int, int]]
    ) -> None:
        """Can nodes assumed equal differ where play continues? Or can both of a pair of literals hold?"""
        with self._control.backend() as backend:
            true = backend.add_atom()
            backend.add_rule([true], [])
            frame = Frame(backend, circuit, {**wanted, **known.equal}, true)
            self._assume(frame, known, violations=wanted)
            for a, b in never:
                atom = backend.add_atom()
                backend.add_rule([atom], [frame.read(a), frame.read(b)])
                self._violations.append(atom)
            self._cut(backend, CHUNK)

    def _assume(self, frame: Frame, known: Hypotheses, violations: Mapping[int, int] | None = None) -> None:
        """A frame in which all hypotheses hold, the game is not over, and each role makes one legal move."""
        backend, circuit = frame.backend, frame.circuit
        inputs = [literal for literal in circuit.fluent_inputs if literal > 1]
        does = [literal for moves in circuit.moves for _, literal, _ in moves]
        for node in needed(circuit, [*outputs(circuit), *inputs, *does, *(2 * node for node in known.equal)]):
            frame.define(node)
            if node in known.equal:
                frame.assume_equal(node)
            elif violations and node in violations:
                self._violations.append(frame.unequal(node))
        for group in known.groups:
            backend.add_rule([], [frame.violation_literal(group)])
        self._moves += frame.play_on()
        self._fluents = [frame.atoms.get(literal >> 1, 0) if literal > 1 else 0 for literal in circuit.fluent_inputs]

    def _cut(self, backend: clingo.Backend, size: int) -> None:
        """Divide the remaining violations into chunks."""
        done = self.chunks[-1][1].stop if self.chunks else 0
        for start in range(done, len(self._violations), size):
            numbers = range(start, min(start + size, len(self._violations)))
            some = backend.add_atom()
            for n in numbers:
                backend.add_rule([some], [self._violations[n]])
            self.chunks.append((some, numbers))

    def counterexample(self, some: int, excused: Sequence[int]) -> Counterexample | None:
        """A state and joint move with a violation in a chunk, but with none of the excused violations, by number.

        Raises `TooHardError` and `OutOfTimeError`.
        """
        if time.monotonic() > self._deadline:
            raise OutOfTimeError
        found: list[Counterexample] = []

        def keep(model: clingo.Model) -> None:
            truth = model.is_true
            found.append(
                Counterexample(
                    [atom != 0 and truth(atom) for atom in self._fluents],
                    [[truth(atom) for atom in done] for done in self._moves],
                )
            )

        assumptions = [some, *(-self._violations[n] for n in excused)]
        with self._control.solve(assumptions=assumptions, on_model=keep, async_=True) as handle:
            if not handle.wait(max(0.0, self._deadline - time.monotonic())):
                handle.cancel()
                raise OutOfTimeError
            if handle.get().unknown:
                raise TooHardError
        return found[0] if found else None


def gate_bodies(gates: Gates, node: int, read: Callable[[int], int]) -> list[list[int]]:
    """The bodies of the solver's rules for a gate; ``read`` gives the solver's literals for those that it reads."""
    a, b = read(gates.left[node]), read(gates.right[node])
    if gates.third[node] == NONE:
        return [[a, -b], [-a, b]] if gates.is_xor[node] else [[a, b]]
    c = read(gates.third[node])
    odd = [[a, b, c], [a, -b, -c], [-a, b, -c], [-a, -b, c]]
    return odd if gates.is_xor[node] else [[a, b], [a, c], [b, c]]


def outputs(circuit: Circuit) -> list[int]:
    """All literals that are read."""
    legal = [literal for moves in circuit.moves for _, _, literal in moves]
    updates = [literal for loop in circuit.loops for literal in loop.updates]
    return [circuit.terminal, *(goal.literal for goal in circuit.goals), *legal, *circuit.next, *updates]


def needed(circuit: Circuit, literals: Sequence[int]) -> list[int]:
    """The nodes that literals are computed from, themselves included, in order."""
    gates = circuit.gates
    found = {0}
    stack = [literal >> 1 for literal in literals]
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            if gates.left[node] != INPUT:
                stack += (literal >> 1 for literal in gates.reads(node))
    return sorted(found - {0})
