"""Proofs that something never happens, by induction over the circuit with clingo's solver.

To prove that a literal is false in every state that play can reach, the solver is asked for a state in which it is
true. Such a state is mostly one that play cannot reach: control of both roles, say. So there are *candidates* for
invariants: groups of fluents of which at most one, or exactly one, is true, and cubes, which are literals of fluents
that never hold all at once. They are guessed from states that random play reached. The solver names the candidates that
it needed; each of these is proved in turn, assuming candidates in the state before, until all that were needed are
proved. A counterexample to a candidate teaches a new cube, if no sampled state is like it, or refutes the candidate.

Only gates that a question needs are given to the solver, so that the turn order of a large game costs little. Each
phase of the turn order (`ludens.compiler.circuit.turns`) has a copy of the circuit, candidates and a solver of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import clingo
import numpy as np
from numpy.typing import NDArray

from ludens.compiler.batch.facts.effort import Effort
from ludens.compiler.batch.facts.sampling import Sample
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import FALSE, INPUT, TRUE
from ludens.compiler.circuit.induction import OPTIONS, MutexGroup, gate_bodies
from ludens.compiler.circuit.invariants import possible_groups
from ludens.compiler.circuit.signals import bits_of
from ludens.compiler.circuit.translate import Translation
from ludens.core import OutOfTimeError
from ludens.gdl.terms import signature

MOST_SAMPLES = 8192
"""Sampled states of a phase with which cubes are compared."""
LARGEST_CUBE = 6
MOST_NEEDED = 40
"""Candidates of a proof of which it is tried whether the proof goes without."""
_PULSE = 0.02
"""Seconds after which the solver is asked how long it still takes."""
VARIANTS = 4
"""How often it is tried to learn something new from one counterexample."""
MOST_LESSONS = 8
"""Counterexamples that teach something before a candidate is given up all the same."""


@dataclass(frozen=True, slots=True)
class Cube:
    """Fluents, by number, with the values that they never have all at once."""

    literals: tuple[tuple[int, bool], ...]


Candidate: TypeAlias = MutexGroup | Cube


@dataclass(frozen=True, slots=True)
class _Refuted:
    """A counterexample: fluents of a state, and those of its literals from which the violation follows."""

    fluents: dict[int, bool]
    reason: dict[int, bool]


class Phase:
    """A phase of the turn order: a copy of the circuit in which it is known, and a solver that gets its gates."""

    def __init__(self, circuit: Circuit, known: dict[int, int]) -> None:
        self.circuit = circuit
        self.copy = Translation(circuit, known)
        self.candidates: dict[Candidate, None] = {}
        self._control = clingo.Control(list(OPTIONS))
        self._atoms: dict[int, int] = {}
        self._fluents: dict[int, int] = {}
        """The solver's atoms for fluents, by their number, as far as it knows them."""
        self._switches: dict[Candidate, int] = {}
        """Atoms that make the solver assume a candidate."""
        self._violations: dict[Candidate, int] = {}
        """The solver's literals for candidates about the following phase that are violated there."""
        self._legality = 0
        self._loops: dict[int, int] = {}
        for loop in circuit.loops:
            for place, update in zip(loop.inputs, loop.updates, strict=True):
                self._loops[self.copy.literal(place) >> 1] = self.copy.literal(update)
        with self._control.backend() as backend:
            true = backend.add_atom()
            backend.add_rule([true], [])
            self._atoms[0] = -true

    # Gates

    def fluent(self, number: int) -> int:
        """The copy's literal for a fluent."""
        return self.copy.literal(self.circuit.fluent_inputs[number])

    def next(self, number: int) -> int:
        """The copy's literal for a fluent after the joint move."""
        return self.copy.literal(self.circuit.next[number])

    @property
    def terminal(self) -> int:
        """The copy's literal for the end."""
        return self.copy.literal(self.circuit.terminal)

    # The solver

    def _encode(self, backend: clingo.Backend, wanted: int) -> int:
        """The solver's literal for one of the copy, with all gates that it needs."""
        gates, atoms = self.copy.gates, self._atoms
        stack, settled = [wanted >> 1], []
        while stack:
            node = stack[-1]
            if node in atoms:
                stack.pop()
            elif gates.left[node] == INPUT:
                stack.pop()
                atoms[node] = self._free(backend)
                if node in self._loops:
                    settled.append(node)
            elif missing := [literal >> 1 for literal in gates.reads(node) if literal >> 1 not in atoms]:
                stack += missing
            else:
                stack.pop()
                atoms[node] = backend.add_atom()
                for body in gate_bodies(gates, node, self._known):
                    backend.add_rule([atoms[node]], body)
        for node in settled:
            # The value of a loop is the least that its updates leave as it is; that it is one of these is assumed.
            update = self._encode(backend, self._loops[node])
            backend.add_rule([], [atoms[node], -update])
            backend.add_rule([], [-atoms[node], update])
        return self._known(wanted)

    def _known(self, literal: int) -> int:
        atom = self._atoms[literal >> 1]
        return -atom if literal & 1 else atom

    @staticmethod
    def _free(backend: clingo.Backend) -> int:
        atom = backend.add_atom()
        backend.add_rule([atom], [], choice=True)
        return atom

    def _fluent_atom(self, backend: clingo.Backend, number: int) -> int:
        self._fluents[number] = found = self._encode(backend, self.fluent(number))
        return found

    def _violated(self, backend: clingo.Backend, candidate: Candidate, read: Callable[[int], int]) -> int:
        atom = backend.add_atom()
        if isinstance(candidate, Cube):
            literals = [read(n) if value else -read(n) for n, value in candidate.literals]
            backend.add_rule([atom], literals)
            return atom
        backend.add_weight_rule([atom], 2, [(read(n), 1) for n in candidate.members])
        return atom

    def _switch(self, candidate: Candidate) -> int:
        if candidate not in self._switches:
            with self._control.backend() as backend:
                violated = self._violated(backend, candidate, lambda n: self._fluent_atom(backend, n))
                self._switches[candidate] = switch = self._free(backend)
                backend.add_rule([], [switch, violated])
        return self._switches[candidate]

    def _legal(self) -> int:
        """An atom that makes the solver assume that the match goes on and each role does one legal move."""
        if not self._legality:
            with self._control.backend() as backend:
                switch = self._free(backend)
                backend.add_rule([], [switch, self._encode(backend, self.terminal)])
                for moves in self.circuit.moves:
                    does = [self._encode(backend, self.copy.literal(literal)) for _, literal, _ in moves]
                    for atom, (_, _, legal) in zip(does, moves, strict=True):
                        backend.add_rule([], [switch, atom, -self._encode(backend, self.copy.literal(legal))])
                    backend.add_rule([], [switch, *(-atom for atom in does)])
                    several = backend.add_atom()
                    backend.add_weight_rule([several], 2, [(atom, 1) for atom in does])
                    backend.add_rule([], [switch, several])
            self._legality = switch
        return self._legality

    def violation_after(self, candidate: Candidate) -> int:
        """The solver's literal for a candidate that is violated after a joint move."""
        if candidate not in self._violations:
            with self._control.backend() as backend:
                self._violations[candidate] = self._violated(
                    backend, candidate, lambda n: self._encode(backend, self.next(n))
                )
        return self._violations[candidate]

    def goal(self, literal: int) -> int:
        """The solver's literal for one of the copy."""
        with self._control.backend() as backend:
            found = self._encode(backend, literal)
            self._name_fluents()
        return found

    def _name_fluents(self) -> None:
        """Take note of all fluents that the solver knows."""
        for number, literal in enumerate(self.circuit.fluent_inputs):
            copied = self.copy.literal_of[literal >> 1]
            if copied > TRUE and copied >> 1 in self._atoms and number not in self._fluents:
                self._fluents[number] = self._known(copied ^ (literal & 1))

    def refute(self, goal: int, effort: Effort, *, by_step: bool) -> _Refuted | set[Candidate]:
        """A counterexample to "the goal is never true", or the candidates from which that follows.

        With ``by_step`` it need only hold where the match goes on and every role makes a legal move; that is tried
        without, first, since legal moves are most of a circuit. Raises `OutOfTimeError`.
        """
        found = self._ask(goal, effort, ())
        if by_step and isinstance(found, _Refuted):
            found = self._ask(goal, effort, (self._legal(),))
        return found

    def _ask(self, goal: int, effort: Effort, more: Sequence[int]) -> _Refuted | set[Candidate]:
        switches = {self._switch(candidate): candidate for candidate in self.candidates if self._is_near(candidate)}
        model: dict[int, bool] = {}
        self._name_fluents()
        moves = self._move_atoms()
        wanted = sorted({*map(abs, self._fluents.values()), *moves})

        def keep(found: clingo.Model) -> None:
            model.update((atom, found.is_true(atom)) for atom in wanted)

        core = self._solve([goal, *more, *switches], effort, keep)
        if core is not None:
            used = [literal for literal in core if literal in switches]
            used.sort(key=lambda literal: -_doubt(switches[literal]))
            needed = self._fewest([goal, *more], used, effort)
            return {switches[literal] for literal in needed}
        fluents = {n: model[abs(atom)] != (atom < 0) for n, atom in self._fluents.items()}
        done = [atom if model[atom] else -atom for atom in moves]
        return _Refuted(fluents, self._reason(goal, fluents, done, effort))

    def _fewest(self, assumptions: list[int], switches: list[int], effort: Effort) -> list[int]:
        """Switches without which assumptions would not contradict each other: what is not needed need not be proved."""
        kept = switches
        for switch in switches[:MOST_NEEDED]:
            rest = [other for other in kept if other != switch]
            core = self._solve([*assumptions, *rest], effort, None) if switch in kept else None
            if core is not None:
                kept = [other for other in rest if other in core]
        return kept

    def _move_atoms(self) -> list[int]:
        """The solver's atoms for moves, as far as it knows them."""
        does = [self.copy.literal_of[literal >> 1] for moves in self.circuit.moves for _, literal, _ in moves]
        return [self._atoms[literal >> 1] for literal in does if literal > TRUE and literal >> 1 in self._atoms]

    def _is_near(self, candidate: Candidate) -> bool:
        """Whether the solver knows a fluent of a candidate, so that assuming it may matter."""
        if candidate in self._switches:
            return True
        numbers = candidate.members if isinstance(candidate, MutexGroup) else [n for n, _ in candidate.literals]
        return not numbers or any(n in self._fluents for n in numbers)

    def _reason(self, goal: int, fluents: dict[int, bool], done: list[int], effort: Effort) -> dict[int, bool]:
        """The fluents from which a goal follows, given what is done and what is not."""
        given = {(atom if fluents[n] else -atom): n for n, atom in self._fluents.items()}
        core = self._solve([-goal, *given, *done], effort, None)
        if core is None:  # the values of loops are free
            return fluents
        return {given[literal]: fluents[given[literal]] for literal in core if literal in given}

    def _solve(
        self, assumptions: list[int], effort: Effort, on_model: Callable[[clingo.Model], None] | None
    ) -> list[int] | None:
        """The assumptions that contradict each other; None if they do not. Raises `OutOfTimeError`."""
        if effort.is_spent:
            raise OutOfTimeError
        with self._control.solve(assumptions=assumptions, on_model=on_model, async_=True) as handle:
            while not handle.wait(_PULSE):
                if effort.is_spent:
                    handle.cancel()
                    raise OutOfTimeError
            result = handle.get()
            if result.satisfiable:
                return None
            return handle.core() if result.unsatisfiable else []


class Prover:
    """Invariants of one game, as far as questions needed them."""

    def __init__(self, phases: Sequence[Phase], sample: Sample) -> None:
        self.phases = phases
        self._random = np.random.default_rng(1)
        circuit = phases[0].circuit
        families = Counter(map(signature, circuit.fluents))
        self._relatives = [families[signature(fluent)] for fluent in circuit.fluents]
        """For each fluent how many there are of its name."""
        self._samples = [self._sampled(circuit, sample, number) for number in range(len(phases))]
        self._proved: dict[tuple[int, Candidate], set[Candidate]] = {}
        """Candidates of a phase that follow from others in the phase before it."""
        self._lessons: Counter[tuple[int, Candidate]] = Counter()
        self._refused: set[tuple[int, Candidate]] = set()
        for phase, states in zip(self.phases, self._samples, strict=True):
            phase.candidates = dict.fromkeys(_groups(circuit, states))

    def _sampled(self, circuit: Circuit, sample: Sample, number: int) -> NDArray[np.bool_]:
        """Sampled states of a phase, a row for each; the initial state is the first of the first phase."""
        most = MOST_SAMPLES // max(1, len(sample.states))
        found = [np.array([circuit.initial] if number == 0 else np.zeros((0, len(circuit.fluents))), np.bool_)]
        for rows, turns in sample.states:
            lanes = np.flatnonzero(turns % len(self.phases) == number)
            if len(lanes) > most:
                lanes = self._random.choice(lanes, most, replace=False)
            found.append(bits_of(rows)[:, lanes].T.astype(np.bool_))
        return np.concatenate(found)

    def is_never(self, bad: Sequence[int], effort: Effort, *, by_step: bool = False) -> bool:
        """Whether it is proved that a literal of each phase's copy is false in every state that play can reach.

        With ``by_step`` that is asked of every joint move in such a state, and literals may depend on moves. Raises
        `OutOfTimeError`.
        """
        goals = [
            (phase, phase.goal(literal)) for phase, literal in zip(self.phases, bad, strict=True) if literal > FALSE
        ]
        while True:
            answer = self._attempt(goals, effort, by_step=by_step)
            if answer is not None:
                return answer

    def _attempt(self, goals: Sequence[tuple[Phase, int]], effort: Effort, *, by_step: bool) -> bool | None:
        """Whether the proof was found; None if the candidates have changed meanwhile."""
        wanted: dict[tuple[int, Candidate], None] = {}
        for phase, goal in goals:
            number = self.phases.index(phase)
            found = phase.refute(goal, effort, by_step=by_step)
            if isinstance(found, _Refuted):
                return None if self._learn(number, found) else False
            wanted.update(dict.fromkeys((number, candidate) for candidate in found))
        waiting = list(wanted)
        while waiting:
            number, candidate = waiting.pop()
            before = (number - 1) % len(self.phases)
            needed = self._proof(number, candidate, before, effort)
            if needed is None:
                return None
            new = [(before, other) for other in needed if (before, other) not in wanted]
            wanted.update(dict.fromkeys(new))
            waiting += new
        return True

    def _proof(self, number: int, candidate: Candidate, before: int, effort: Effort) -> set[Candidate] | None:
        """What a candidate follows from in the phase before; None if something was learnt instead."""
        phase = self.phases[before]
        known = self._proved.get((number, candidate))
        if known is not None and phase.candidates.keys() >= known:
            return known
        found = phase.refute(phase.violation_after(candidate), effort, by_step=True)
        if isinstance(found, _Refuted):
            self._lessons[number, candidate] += 1
            if self._lessons[number, candidate] > MOST_LESSONS or not self._learn(before, found):
                del self.phases[number].candidates[candidate]
                self._refused.add((number, candidate))
            return None
        self._proved[number, candidate] = found
        return found

    def _learn(self, number: int, found: _Refuted) -> bool:
        """Add a cube that excludes a counterexample and no sampled state; tells whether there was one."""
        for literals in (found.reason, found.fluents):
            for variant in range(VARIANTS):
                cube = self._smallest(self._samples[number], literals, is_first=variant == 0)
                if cube is None or len(cube.literals) > LARGEST_CUBE:
                    break
                if (number, cube) not in self._refused and cube not in self.phases[number].candidates:
                    self.phases[number].candidates[cube] = None
                    return True
        return False

    def _smallest(self, states: NDArray[np.bool_], literals: dict[int, bool], *, is_first: bool) -> Cube | None:
        """Some of the literals that hold all at once in no sampled state, as few as greed finds; None if they do."""
        # What is false is left out first: that two fluents are true at once is what rules exclude.
        # So are fluents of which there are many, such as the contents of squares: whose turn it is matters more.
        shuffled = self._random.permutation(list(literals)).tolist()
        numbers = sorted(shuffled, key=lambda n: (literals[n], -self._relatives[n] if is_first else 0))
        differs = states[:, numbers] != np.array([literals[n] for n in numbers], np.bool_)
        excluding = differs.sum(axis=1, dtype=np.int32)
        # Of a phase that no match came to there are no states; then no literals are left, which means "never at all".
        if excluding.min(initial=1) == 0:
            return None
        kept = []
        for place, n in enumerate(numbers):
            without = excluding - differs[:, place]
            if without.min(initial=1) > 0:
                excluding = without
            else:
                kept.append(n)
        return Cube(tuple((n, literals[n]) for n in sorted(kept)))


def _doubt(candidate: Candidate) -> int:
    """How unlikely it is that a candidate can be proved: that one of many fluents is always true often cannot."""
    return len(candidate.literals) if isinstance(candidate, Cube) else 0


def _groups(circuit: Circuit, states: NDArray[np.bool_]) -> list[Candidate]:
    """Groups of fluents of which no sampled state has two, and those of which each has one: two candidates, since a
    proof often needs only the first."""
    found: list[Candidate] = []
    for members in possible_groups(circuit.fluents):
        counts = states[:, list(members)].sum(axis=1)
        if counts.max(initial=0) <= 1:
            found.append(MutexGroup(members, is_exact=False))
            if counts.min(initial=1) == 1:
                found.append(Cube(tuple((n, False) for n in members)))
    return found
