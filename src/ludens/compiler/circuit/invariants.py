"""Invariants of all reachable states, and a smaller circuit for these states.

Hypotheses come from random playouts: fluents of which at most one is true, nodes that always equal one another or
constant, fluents that only grow or only shrink. They are proved by induction: they hold in the initial state, and if
all hold in a state that is not terminal, they hold after every joint move (`ludens.compiler.circuit.induction`). A
counterexample refutes some of them, and so does whatever can be reached from it; what is left when none can be found is
proved. What holds is different in each phase of the turn order: after white's move there is no new line of black's.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import FALSE, INPUT, TRUE
from ludens.compiler.circuit.induction import (
    CONFLICTS,
    Counterexample,
    Hypotheses,
    MutexGroup,
    Question,
    TooHardError,
    needed,
    outputs,
)
from ludens.compiler.circuit.signals import Partition, Signals, Words, pack, reached_from, read
from ludens.compiler.circuit.turns import specialise
from ludens.core import OutOfTimeError
from ludens.gdl.terms import Term

WIDTH = 8
"""Words of lanes in which a counterexample is played on."""
STEPS = 6
"""Joint moves for which it is."""


@dataclass(frozen=True)
class Improvement:
    """A circuit for each phase that is right in all states that play can reach, and what was proved for it."""

    phases: tuple[Circuit, ...]
    groups: tuple[tuple[Term, ...], ...]
    """Fluents of which at most one is true in any state."""
    growing: tuple[Term, ...]
    """Fluents that stay true once they are."""
    shrinking: tuple[Term, ...]
    """Fluents that stay false once they are."""
    shrinking_moves: int
    """Moves, of all roles, that stay illegal once they are, the turn order left aside."""
    equal: int
    """Nodes that turned out to be constant or equal to another, all phases together."""


class _Phase:
    """A phase of the turn order, and the hypotheses about it."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.signals = Signals(circuit)
        loops = reached_from(circuit, [literal >> 1 for loop in circuit.loops for literal in loop.inputs])
        fluents = [literal for literal in circuit.fluent_inputs if literal > 1]
        does = [2 * node for node in self.signals.moves]
        # What depends on a loop is left alone: inside it, values that are not yet the fixpoint are read.
        nodes = [0, *(node for node in needed(circuit, [*outputs(circuit), *fluents, *does]) if not loops[node])]
        self.states = Partition([node for node in nodes if not self.signals.follows_moves[node]])
        self.steps = Partition(nodes)
        self.groups = _Groups(circuit.fluents)
        self.growing = np.ones(len(circuit.fluents), np.bool_)
        self.shrinking = np.ones(len(circuit.fluents), np.bool_)

    def lasting(self, equal: Mapping[int, int]) -> set[int]:
        """Gates and fluents that matter only where play continues, if nodes are read as what they equal."""
        circuit = self.circuit
        ending = {0}
        updates = [literal for loop in circuit.loops for literal in loop.updates]
        stack = [literal >> 1 for literal in (circuit.terminal, *(goal.literal for goal in circuit.goals), *updates)]
        while stack:
            node = stack.pop()
            if node not in ending:
                ending.add(node)
                if node in equal:
                    stack.append(equal[node] >> 1)
                elif circuit.gates.left[node] != INPUT:
                    stack += (literal >> 1 for literal in circuit.gates.reads(node))
        return set(self.steps.nodes.tolist()).difference(ending, self.signals.moves)

    def hypotheses(self) -> Hypotheses:
        """The hypotheses about states."""
        return Hypotheses(self.states.representatives(), self.groups.remaining())

    def observe_states(self, fluents: Words, lanes: Words) -> Words:
        """Observe states in some lanes; returns the values of nodes in them."""
        values = self.signals.states(fluents)
        self.states.refine(values, lanes)
        self.groups.refine(fluents, lanes)
        return values

    def observe_step(self, values: Words, lanes: Words) -> Words:
        """Observe joint moves in some lanes; returns the next fluents."""
        self.steps.refine(values, lanes)
        before = read(values, self.circuit.fluent_inputs)
        after = read(values, self.circuit.next)
        self.growing &= ~(before & ~after & lanes).any(axis=1)
        self.shrinking &= ~(~before & after & lanes).any(axis=1)
        return after


class _Groups:
    """Groups that no state has contradicted so far; those of one size are checked together."""

    def __init__(self, fluents: Sequence[Term]) -> None:
        by_size: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for members in possible_groups(fluents):
            by_size[len(members)].append(members)
        self._members = [np.array(groups, np.intp) for groups in by_size.values()]
        self._is_exact = [np.ones(len(groups), np.bool_) for groups in by_size.values()]

    def refine(self, fluents: Words, lanes: Words) -> None:
        """Drop or weaken the groups that are wrong in some lanes."""
        for n, (members, is_exact) in enumerate(zip(self._members, self._is_exact, strict=True)):
            once = np.zeros((len(members), len(lanes)), np.uint64)
            twice = np.zeros_like(once)
            for column in members.T:
                twice |= once & fluents[column]
                once |= fluents[column]
            stay = ~(twice & lanes).any(axis=1)
            self._members[n] = members[stay]
            self._is_exact[n] = (is_exact & ~(~once & lanes).any(axis=1))[stay]

    def drop(self, group: MutexGroup) -> None:
        """Drop a group."""
        for n, members in enumerate(self._members):
            if members.shape[1] == len(group.members):
                stay = (members != np.array(group.members)).any(axis=1)
                self._members[n], self._is_exact[n] = members[stay], self._is_exact[n][stay]

    def remaining(self) -> tuple[MutexGroup, ...]:
        """The groups not refuted."""
        return tuple(
            MutexGroup(tuple(row), exact)
            for members, is_exact in zip(self._members, self._is_exact, strict=True)
            for row, exact in zip(members.tolist(), is_exact.tolist(), strict=True)
        )


def possible_groups(fluents: Sequence[Term]) -> list[tuple[int, ...]]:
    """Fluents that differ in one argument only, such as the contents of a square."""
    found: dict[tuple[Term, ...], list[int]] = defaultdict(list)
    for number, fluent in enumerate(fluents):
        if isinstance(fluent, tuple):
            for place in range(1, len(fluent)):
                found[(str(place), *fluent[:place], *fluent[place + 1 :])].append(number)
    return [tuple(members) for members in found.values() if len(members) > 1]


class _Search:
    """Hypotheses and proofs for all phases."""

    def __init__(self, circuits: Sequence[Circuit], deadline: float, conflicts: int) -> None:
        self.conflicts = conflicts
        self.phases = [_Phase(circuit) for circuit in circuits]
        self.deadline = deadline
        self.random = np.random.default_rng(1)
        self.proved_states = [Hypotheses({}, ()) for _ in circuits]

    def observe_play(self, states: Words) -> None:
        """Observe states that play reached in the first phase, and a round of play from them."""
        initial = np.array(self.phases[0].circuit.initial, np.bool_)
        start = np.repeat(pack(np.repeat(initial[:, None], 64, axis=1)), WIDTH, axis=1)
        everywhere = np.full(WIDTH, 2**64 - 1, np.uint64)
        self.play(0, start, everywhere, 4 * STEPS)
        for first in range(0, states.shape[1], WIDTH):
            part = states[:, first : first + WIDTH]
            self.play(0, part, everywhere[: part.shape[1]], len(self.phases))

    def play(self, number: int, fluents: Words, lanes: Words, steps: int) -> None:
        """Play on at random from states of a phase. Raises `OutOfTimeError`."""
        for step in range(steps + 1):
            if time.monotonic() > self.deadline:  # circuits with loops take seconds for each step
                raise OutOfTimeError
            phase = self.phases[(number + step) % len(self.phases)]
            values = phase.observe_states(fluents, lanes)
            lanes = lanes & ~read(values, [phase.circuit.terminal])[0]
            if step == steps or not lanes.any():
                break
            lanes = phase.signals.move(values, lanes, self.random)
            fluents = phase.observe_step(values, lanes)

    def play_on(self, number: int, found: Counterexample) -> None:
        """Do what a counterexample does, and other things from its state."""
        phase = self.phases[number]
        state = pack(np.repeat(np.array(found.fluents, np.bool_)[:, None], 64, axis=1))
        values = phase.signals.states(state)
        for moves, done in zip(phase.circuit.moves, found.moves, strict=True):
            for (_, literal, _), is_done in zip(moves, done, strict=True):
                values[literal >> 1] = np.uint64(2**64 - 1 if is_done else 0)
        phase.signals.follow(values)
        lane = np.ones(1, np.uint64)
        after = phase.observe_step(values, lane)
        self.play((number + 1) % len(self.phases), after, lane, 1)
        self.play(number, np.repeat(state, WIDTH, axis=1), np.full(WIDTH, 2**64 - 1, np.uint64), STEPS)

    def prove_states(self) -> None:
        """Drop hypotheses about states until the remaining ones are inductive."""
        is_refuted = True
        while is_refuted:
            is_refuted = False
            for number, phase in enumerate(self.phases):
                following = self.phases[(number + 1) % len(self.phases)]
                wanted = following.hypotheses()
                question = Question(self.deadline, self.conflicts)
                question.ask_step(phase.circuit, phase.hypotheses(), following.circuit, wanted)
                is_refuted |= self.refute(number, question, _StateHypotheses(following, wanted))
        self.proved_states = [phase.hypotheses() for phase in self.phases]

    def prove_steps(self, number: int) -> _StepHypotheses:
        """The hypotheses proved for a phase where play continues."""
        phase, known = self.phases[number], self.proved_states[number]
        while True:
            hypotheses = _StepHypotheses(phase, known)
            question = Question(self.deadline, self.conflicts)
            question.ask_now(phase.circuit, known, hypotheses.equal, hypotheses.never())
            if not self.refute(number, question, hypotheses):
                return hypotheses

    def refute(self, number: int, question: Question, hypotheses: _StateHypotheses | _StepHypotheses) -> bool:
        """Look for counterexamples until there are none; returns whether a hypothesis was dropped."""
        wrong: list[int] = []
        for some, numbers in question.chunks:
            is_open = True
            while is_open:
                try:
                    found = question.counterexample(some, wrong)
                except TooHardError:
                    hypotheses.drop(set(numbers).difference(wrong))
                    is_open = False
                else:
                    is_open = found is not None
                    if found is not None:
                        self.play_on(number, found)
                wrong = hypotheses.refuted()
        return bool(wrong)


class _StateHypotheses:
    """The hypotheses about the states of a phase that a question is about, in its order."""

    def __init__(self, phase: _Phase, wanted: Hypotheses) -> None:
        self._phase = phase
        self._equal = sorted(wanted.equal.items())
        self._groups = wanted.groups

    def refuted(self) -> list[int]:
        """The numbers of the refuted ones."""
        together = self._phase.states.are_together
        lost = [not together(node, other >> 1) for node, other in self._equal]
        standing = set(self._phase.groups.remaining())
        return _numbers(lost + [group not in standing for group in self._groups])

    def drop(self, numbers: Iterable[int]) -> None:
        """Drop some of them."""
        for n in numbers:
            if n < len(self._equal):
                self._phase.states.part(self._equal[n][0])
            else:
                self._phase.groups.drop(self._groups[n - len(self._equal)])


class _StepHypotheses:
    """The hypotheses about the steps of a phase that a question is about, in its order."""

    def __init__(self, phase: _Phase, known: Hypotheses) -> None:
        self._phase = phase
        lasting = phase.lasting(known.equal).difference(known.equal)
        self.equal = {node: other for node, other in phase.steps.representatives().items() if node in lasting}
        self._nodes = sorted(self.equal.items())
        self.growing: list[int] = np.flatnonzero(phase.growing).tolist()
        self.shrinking: list[int] = np.flatnonzero(phase.shrinking).tolist()

    def never(self) -> list[tuple[int, int]]:
        """Pairs of literals that would contradict that fluents grow, or shrink."""
        circuit = self._phase.circuit
        pairs = [(circuit.fluent_inputs[n], circuit.next[n] ^ 1) for n in self.growing]
        return pairs + [(circuit.fluent_inputs[n] ^ 1, circuit.next[n]) for n in self.shrinking]

    def refuted(self) -> list[int]:
        """The numbers of the refuted ones."""
        phase = self._phase
        lost = [not phase.steps.are_together(node, other >> 1) for node, other in self._nodes]
        lost += [not phase.growing[n] for n in self.growing]
        return _numbers(lost + [not phase.shrinking[n] for n in self.shrinking])

    def drop(self, numbers: Iterable[int]) -> None:
        """Drop some of them."""
        for n in numbers:
            monotone = n - len(self._nodes)
            if monotone < 0:
                self._phase.steps.part(self._nodes[n][0])
            elif monotone < len(self.growing):
                self._phase.growing[self.growing[monotone]] = False
            else:
                self._phase.shrinking[self.shrinking[monotone - len(self.growing)]] = False


def _numbers(marks: Sequence[bool]) -> list[int]:
    return [n for n, is_marked in enumerate(marks) if is_marked]


def improve(circuits: Sequence[Circuit], states: Words, seconds: float, conflicts: int = CONFLICTS) -> Improvement:
    """Simplify the circuits of all phases (`ludens.compiler.circuit.turns`) as far as can be proved in so many seconds.

    ``states`` are fluents of states that play reached in the first phase, a row for each fluent and a bit for each
    state. Hypotheses for which the solver needs more ``conflicts`` are given up. The result is wrong in states that
    play cannot reach, and leaves out fluents that nothing reads.
    """
    search = _Search(circuits, time.monotonic() + seconds, conflicts)
    equal: list[dict[int, int]] = [{} for _ in circuits]
    steps: list[_StepHypotheses] = []
    try:
        search.observe_play(states)
        search.prove_states()
        for number, known in enumerate(search.proved_states):
            equal[number] |= known.equal
        for number in range(len(circuits)):
            steps.append(search.prove_steps(number))
            equal[number] |= steps[-1].equal
    except OutOfTimeError:
        pass
    fluents = circuits[0].fluents
    whole = len(steps) == len(circuits)
    groups = set.intersection(*({group.members for group in known.groups} for known in search.proved_states))
    growing = set.intersection(*(set(step.growing) for step in steps)) if whole else set()
    shrinking = set.intersection(*(set(step.shrinking) for step in steps)) if whole else set()
    return Improvement(
        phases=_drop_unread([_merge(*pair) for pair in zip(circuits, equal, strict=True)]),
        groups=tuple(tuple(fluents[n] for n in members) for members in sorted(groups)),
        growing=tuple(fluents[n] for n in sorted(growing)),
        shrinking=tuple(fluents[n] for n in sorted(shrinking)),
        shrinking_moves=_shrinking_moves(circuits, growing, shrinking),
        equal=sum(map(len, equal)),
    )


def _shrinking_moves(circuits: Sequence[Circuit], growing: Set[int], shrinking: Set[int]) -> int:
    """The number of moves whose legality can only go down in each phase, with fluents that only grow or shrink."""
    found: set[tuple[int, int]] | None = None
    for circuit in circuits:
        gates = circuit.gates
        down = {TRUE, FALSE}
        """Literals that only go down; those whose inversion does only go up."""
        for n, literal in enumerate(circuit.fluent_inputs):
            down |= {literal} if n in shrinking else set()
            down |= {literal ^ 1} if n in growing else set()
        legal = [[literal for _, _, literal in moves] for moves in circuit.moves]
        for node in needed(circuit, [literal for literals in legal for literal in literals]):
            if gates.left[node] != INPUT and not gates.is_xor[node]:
                literals = gates.reads(node)
                down |= {2 * node} if down.issuperset(literals) else set()
                down |= {2 * node + 1} if down.issuperset(literal ^ 1 for literal in literals) else set()
        here = {
            (role, n) for role, literals in enumerate(legal) for n, literal in enumerate(literals) if literal in down
        }
        found = here if found is None else found & here
    return len(found or ())


def _merge(circuit: Circuit, equal: Mapping[int, int]) -> Circuit:
    """The circuit with equal nodes merged; fluents that equal something else are not read any more."""
    merged = specialise(circuit, equal)
    pairs = zip(circuit.fluent_inputs, merged.fluent_inputs, strict=True)
    return replace(merged, fluent_inputs=tuple(FALSE if old >> 1 in equal else new for old, new in pairs))


def _drop_unread(circuits: Sequence[Circuit]) -> tuple[Circuit, ...]:
    """The circuits without the next values of fluents that the following phase does not read."""
    result = list(circuits)
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for number, circuit in enumerate(result):
            following = result[(number + 1) % len(result)]
            is_read = set(needed(following, outputs(following)))
            pairs = zip(circuit.next, following.fluent_inputs, strict=True)
            kept = tuple(literal if place >> 1 in is_read else FALSE for literal, place in pairs)
            if kept != circuit.next:
                result[number] = replace(circuit, next=kept)
                is_smaller = True
    return tuple(result)
