"""Facts about a compiled game: examples from random play, proofs over the circuit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from threading import RLock

from ludens.compiler.batch.facts.effort import Effort
from ludens.compiler.batch.facts.proofs import Phase, Prover
from ludens.compiler.batch.facts.sampling import BEST_GOAL, LanePlay, Sample
from ludens.compiler.batch.game import CircuitGame
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import FALSE, TRUE, Gates
from ludens.compiler.circuit.induction import needed
from ludens.compiler.circuit.translate import Translation
from ludens.compiler.circuit.turns import turn_order
from ludens.compiler.circuit_rules import Violation
from ludens.core import OutOfTimeError
from ludens.core.facts import Fact, no, unknown, yes
from ludens.gdl.facts import GdlFacts, in_turn, listed

SECONDS = 2.0
"""What the proof of one fact may cost."""
PLAYING = 0.5
"""Seconds of random play; all of these are of processor time."""
BRIEF_PLAYING = 0.2
"""The same for one question that is asked alone."""
MOST_SUMS = 2_000
"""Sums of goals that are told apart."""
BY_INDUCTION = "proved by induction over the circuit"


class CircuitFacts(GdlFacts):
    """The facts about a compiled game."""

    _game: CircuitGame

    def __init__(self, game: CircuitGame) -> None:
        super().__init__(game)
        self._lock = RLock()
        """Threads may share a game."""
        self._evidence: _Evidence | None = None

    @contextmanager
    def _examining(self) -> Iterator[_Evidence]:
        """What facts are decided by; it is large, and dropped when the outermost of those who use it is done."""
        with self._lock:
            is_outermost = self._evidence is None
            if self._evidence is None:
                self._evidence = _Evidence(self._game)
            try:
                yield self._evidence
            finally:
                if is_outermost:
                    self._evidence = None

    def __iter__(self) -> Iterator[tuple[str, Fact]]:
        with self._examining():
            return iter(list(super().__iter__()))

    @cached_property
    def _plain_simultaneous(self) -> Fact | None:
        if (plain := self._textual_simultaneous) is not None:
            return plain
        with self._examining() as evidence:
            if any(evidence.together):
                return None
            count = len(evidence.phases)
        where = f"each of the {count} phases of the turn order leaves" if count > 1 else "the circuit leaves"
        return no(f"proved: {where} one role at most a choice")

    def _examine_simultaneous(self) -> Fact:
        with self._examining() as evidence:
            found = evidence.play.run(Effort(PLAYING), for_together=True).together
            if found is not None:
                turn, roles = found
                return yes(f"{listed([self._game.roles[role] for role in roles])} have a choice {in_turn(turn)}")
            pairs = zip(evidence.phases, evidence.together, strict=True)
            going = [phase.copy.gates.both(literal, phase.terminal ^ 1) for phase, literal in pairs]
            return evidence.unless(going, no(BY_INDUCTION), "that two roles never have a choice in one state")

    def _examine_alternating(self) -> Fact:
        with self._examining() as evidence:
            phases = evidence.phases
            following = [*phases[1:], phases[0]]
            if all(
                FALSE in choices
                for phase, after in zip(phases, following, strict=True)
                for choices in zip(phase.choices, after.choices, strict=True)
            ):
                return yes("proved: the phases of the turn order give choices to different roles in turn")
            again = evidence.sample.again
            if again is not None:
                turn, role = again
                return no(f"{self._game.roles[role]} has a choice {in_turn(turn)} and again in the next turn")
            bad = [_same_twice(phase) for phase in phases]
            return evidence.unless(bad, yes(BY_INDUCTION), "that no role has a choice twice in a row", by_step=True)

    @cached_property
    def zero_sum(self) -> Fact:
        """Proved for the sum that random matches end with."""
        with self._examining() as evidence:
            sums = sorted(evidence.sample.sums)
            if len(sums) > 1:
                return no(f"the goals of random matches add up to {listed([str(one) for one in sums[:2]])}")
            if not sums:
                return unknown("no random match came to its end")
            bad = []
            for phase in evidence.phases:
                right = _sum_is(phase, sums[0])
                if right is None:
                    return unknown(f"there are more than {MOST_SUMS} sums of goals")
                bad.append(phase.copy.gates.both(phase.terminal, right ^ 1))
            proved = yes(f"the goals add up to {sums[0]}: {BY_INDUCTION}")
            return evidence.unless(bad, proved, f"that goals always add up to {sums[0]}")


def prove_never(game: CircuitGame, violation: Violation) -> bool:
    """Whether a literal is proved to be false in every state that play can reach, within `SECONDS`."""
    phases = [Phase(game.circuit, known) for known in turn_order(game.circuit)]
    bad = [violation(turn, phase.copy) for turn, phase in enumerate(phases)]
    try:
        sample = LanePlay(game).run(Effort(BRIEF_PLAYING))
        return Prover(phases, sample).is_never(bad, Effort(SECONDS))
    except OutOfTimeError:
        return False


class _Evidence:
    """What facts about a game are decided by, made as far as it is needed."""

    def __init__(self, game: CircuitGame) -> None:
        self._game = game

    @cached_property
    def phases(self) -> list[_ChoicePhase]:
        """The phases of the turn order."""
        circuit = self._game.circuit
        return [_ChoicePhase(circuit, known) for known in turn_order(circuit)]

    @cached_property
    def together(self) -> list[int]:
        """For each phase the literal that two roles have several legal moves."""
        return [_at_least_two(phase.copy.gates, phase.choices) for phase in self.phases]

    @cached_property
    def play(self) -> LanePlay:
        """Random play as far as it got."""
        return LanePlay(self._game)

    @cached_property
    def sample(self) -> Sample:
        """What random play came across."""
        return self.play.run(Effort(PLAYING))

    @cached_property
    def _prover(self) -> Prover:
        return Prover(self.phases, self.sample)

    def unless(self, bad: Sequence[int], proved: Fact, what: str, *, by_step: bool = False) -> Fact:
        """A fact that holds if a literal of each phase is never true; ``what`` was to be proved."""
        try:
            if self._prover.is_never(bad, Effort(SECONDS), by_step=by_step):
                return proved
        except OutOfTimeError:
            return unknown(f"not decided in {SECONDS:g} s")
        return unknown(f"neither a proof {what} nor an example to the contrary was found")


class _ChoicePhase(Phase):
    """A phase that knows which roles have a choice."""

    @cached_property
    def choices(self) -> list[int]:
        """For each role that somebody plays the literal that it has two legal moves or more."""
        return _choices(self.circuit, self.copy)


def _choices(circuit: Circuit, copy: Translation) -> list[int]:
    return [
        _at_least_two(copy.gates, copy.literals(legal for _, _, legal in moves))
        for moves in circuit.moves[: circuit.players]
    ]


def _at_least_two(gates: Gates, literals: Iterable[int]) -> int:
    one = two = FALSE
    for literal in literals:
        two = gates.either(two, gates.both(one, literal))
        one = gates.either(one, literal)
    return two


def _same_twice(phase: _ChoicePhase) -> int:
    """Whether a role has a choice before and after a joint move."""
    circuit, gates = phase.circuit, phase.copy.gates
    legal = [literal for moves in circuit.moves[: circuit.players] for _, _, literal in moves]
    read = set(needed(circuit, legal))
    following = {
        literal >> 1: phase.next(number) for number, literal in enumerate(circuit.fluent_inputs) if literal >> 1 in read
    }
    after = _choices(circuit, Translation(circuit, following, gates))
    return gates.any_of(gates.both(now, later) for now, later in zip(phase.choices, after, strict=True))


def _sum_is(phase: Phase, total: int) -> int | None:
    """The literal that the goals of all roles add up to a number; None if there are too many sums.

    A role for which there is no goal, or more than one, or one beyond 100, has 0.
    """
    circuit, copy = phase.circuit, phase.copy
    gates = copy.gates
    sums = {0: TRUE}
    for role in range(circuit.players):
        own = [(goal.value, copy.literal(goal.literal)) for goal in circuit.goals if goal.role == role]
        several = _at_least_two(gates, [literal for _, literal in own])
        values: dict[int, list[int]] = defaultdict(list)
        for value, literal in own:
            values[value if value <= BEST_GOAL else 0].append(gates.both(literal, several ^ 1))
        values[0] += [several, gates.any_of(literal for _, literal in own) ^ 1]
        if len(sums) * len(values) > MOST_SUMS:
            return None
        added: dict[int, list[int]] = defaultdict(list)
        for one, so_far in sums.items():
            for value, literals in values.items():
                added[one + value].append(gates.both(so_far, gates.any_of(literals)))
        sums = {one: gates.any_of(literals) for one, literals in added.items()}
    return sums.get(total, FALSE)
