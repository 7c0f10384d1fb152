"""Moves as steps on sets of fluents, in games in which two roles alternate.

A step is one way in which a move can be made: fluents that must be true, fluents that must be false, and what becomes
of fluents. A move that reads few fluents has few steps. A position falls into independent parts where no possible step
reads or changes fluents of two of them; that is found without compiling what is left of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludens.analysis.budget import Pulse, TooEntangledError, watch
from ludens.analysis.gates.clock import GameClock, find_clock
from ludens.analysis.gates.lanes import Evaluation
from ludens.analysis.gates.phases import Phase, find_phases
from ludens.analysis.gates.supports import Bits, bits_of, circuit_supports, members
from ludens.analysis.gates.touches import Turn, find_turns
from ludens.compiler.circuit.circuit import Circuit

MOST_READ = 10
"""A move whose legality and effects depend on more fluents than this is not written as steps."""
DIFFERENT_MOVES = "the roles do not have the same moves everywhere"
MOST_STEPS = 4_000
"""The most steps of one role."""


@dataclass(frozen=True, slots=True)
class Step:
    """One way in which a move can be made, as sets of fluents."""

    needs: Bits
    """Must be true."""
    lacks: Bits
    """Must be false."""
    sets: Bits
    """Become true."""
    clears: Bits
    """Become false."""

    @property
    def scope(self) -> Bits:
        """All fluents that it reads or changes."""
        return self.needs | self.lacks | self.sets | self.clears

    def is_legal(self, now: Bits) -> bool:
        """Whether it can be made where these fluents are true."""
        return not self.needs & ~now and not self.lacks & now

    def after(self, now: Bits) -> Bits:
        """The fluents that are true afterwards."""
        return now & ~self.clears | self.sets


@dataclass(frozen=True)
class Alternation:
    """The turn order of a game in which two roles alternate."""

    clock: GameClock
    phases: tuple[Phase, ...]
    movers: tuple[int, ...]
    """The role that moves, by phase."""


@dataclass(frozen=True)
class SharedSteps:
    """The steps of a game in which both roles have the same."""

    steps: tuple[Step, ...]
    moves: tuple[tuple[tuple[int, ...], ...], ...]
    """For each role, for each step, the moves, by number, that make it."""


def find_alternation(circuit: Circuit, pulse: Pulse) -> Alternation | str:
    """The turn order of a game in which two roles alternate with as many moves, or why it is none."""
    supports = circuit_supports(circuit)
    clock = find_clock(circuit, supports, pulse).relevant(circuit, supports)
    if len(circuit.roles) != 2 or len(clock.ticks) != 2 or clock.back_to or len(clock.phases) != 2:
        return "two roles do not simply alternate"
    phases = tuple(find_phases(circuit, clock, pulse))
    choosers = [phase.choosers for phase in phases]
    if sorted(choosers) != [(0,), (1,)]:
        return "two roles do not simply alternate"
    movers = tuple(chooser[0] for chooser in choosers)
    if len({len(phase.possible[mover]) for phase, mover in zip(phases, movers, strict=True)}) > 1:
        return DIFFERENT_MOVES
    return Alternation(clock, phases, movers)


def find_steps(circuit: Circuit, order: Alternation, pulse: Pulse) -> SharedSteps | str:
    """The steps of a game, or why it has none. Raises `TooEntangledError`."""
    clock, phases, movers = order.clock, order.phases, order.movers
    turns, defaults = find_turns(list(phases), pulse)
    moving = bits_of(range(len(circuit.fluents))) & ~clock.fluents
    found: list[dict[Step, list[int]]] = [{}, {}]
    for number, (phase, mover) in enumerate(zip(phases, movers, strict=True)):
        changing = [(n, defaults[number][n]) for n in members(moving) if defaults[number][n] != phase.inputs[n]]
        turn = next(turn for turn in turns if (turn.phase, turn.role) == (number, mover))
        for place in watch(range(len(turn.moves)), pulse):
            for step in _steps(phase, turn, place, changing):
                if not step.sets | step.clears:
                    return "a role can pass"
                found[mover].setdefault(step, []).append(turn.moves[place])
            if len(found[mover]) > MOST_STEPS:
                raise TooEntangledError("moves can be made in too many ways")
    if found[0].keys() != found[1].keys():
        return DIFFERENT_MOVES
    steps = tuple(found[0])
    moves = tuple(tuple(tuple(own[step]) for step in steps) for own in found)
    return SharedSteps(steps, moves)


def _steps(phase: Phase, turn: Turn, place: int, changing: Sequence[tuple[int, int]]) -> list[Step]:
    """The steps of one move: the combinations of values of the fluents that it reads in which it is legal.

    ``changing`` are fluents that change unless a move has another effect on them, with their next values.
    """
    effects = dict(changing)
    for fluent, own in turn.effects.items():
        effects.update((fluent, literal) for mask, literal in own if mask >> place & 1)
    wanted = [*turn.conditions[place], *effects.values()]
    read: Bits = 0
    for literal in wanted:
        read |= phase.support(literal)
    fluents = list(members(read))
    if len(fluents) > MOST_READ:
        raise TooEntangledError("a move depends on too many fluents")
    lanes = 1 << len(fluents)
    inputs = {
        phase.inputs[n] >> 1: sum(1 << lane for lane in range(lanes) if lane >> k & 1) for k, n in enumerate(fluents)
    }
    evaluation = Evaluation(phase.gates, inputs, lanes, phase.loops)
    legal = (1 << lanes) - 1
    for literal in turn.conditions[place]:
        legal &= evaluation.literal(literal)
    after = [(fluent, evaluation.literal(literal)) for fluent, literal in effects.items()]
    found = []
    for lane in members(legal):
        needs = bits_of(n for k, n in enumerate(fluents) if lane >> k & 1)
        sets = bits_of(fluent for fluent, values in after if values >> lane & 1)
        clears = bits_of(fluent for fluent, values in after if not values >> lane & 1)
        lacks = read & ~needs
        found.append(Step(needs, lacks, sets & ~needs, clears & ~lacks))
    return found


def find_parts(steps: Sequence[Step], left: Bits, now: Bits) -> list[tuple[Bits, Bits]]:
    """The independent parts of a position in which no steps but those ``left`` are possible: for each the steps that
    are still possible, and the fluents that they read or change and that can still change."""
    can_hold, can_fail = now, ~now
    possible: list[Step] = []
    numbers: list[int] = []
    waiting = list(members(left))
    while True:
        later = []
        for number in waiting:
            step = steps[number]
            if step.needs & ~can_hold or step.lacks & ~can_fail:
                later.append(number)
                continue
            can_hold |= step.sets
            can_fail |= step.clears
            possible.append(step)
            numbers.append(number)
        if len(later) == len(waiting):
            break
        waiting = later
    changing = can_hold & can_fail
    parts: list[tuple[Bits, Bits]] = []
    for number, step in zip(numbers, possible, strict=True):
        own, scope = 1 << number, step.scope & changing
        apart = []
        for other, reads in parts:
            if reads & scope:
                own |= other
                scope |= reads
            else:
                apart.append((other, reads))
        apart.append((own, scope))
        parts = apart
    return parts
