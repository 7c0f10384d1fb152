"""Decompose a game into independent subgames, after Zhao, Schiffel and Thielscher."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, pairwise

from ludens.analysis.budget import Budget, Pulse, TooEntangledError, watch
from ludens.analysis.gates.clock import GameClock, find_clock
from ludens.analysis.gates.phases import Phase, ends_by_phase, find_phases
from ludens.analysis.gates.supports import Bits, Supports, bits_of, circuit_supports, members
from ludens.analysis.gates.touches import Turn, conditions, dependencies, find_turns
from ludens.analysis.subgames.ends import EndRules, ground_ends
from ludens.analysis.subgames.joints import find_joints
from ludens.analysis.subgames.local_rules import TooManyPositionsError
from ludens.analysis.subgames.partition import MovesOf, Partition, join_connected
from ludens.analysis.subgames.parts import Component, Composition, Decomposition, Kind
from ludens.analysis.subgames.positions import Subgames
from ludens.analysis.subgames.series import are_in_series, join_unless_waiting, with_earlier_games
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import TRUE
from ludens.compiler.circuit.translate import Translation
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import GameError, OutOfTimeError
from ludens.gdl.logic.clauses import clauses
from ludens.gdl.terms import Term

LARGE = 8_000
"""In circuits with more gates, irrelevant components are looked for only if there are two others, and neither helpers
that count nor a turn that depends on the moves."""


MOST_MEETINGS = 3
"""The most combinations in which a few groups may meet in rules of goals and the end."""


MOST_PASSED = 3
"""The most partitions that are tried before the fluents of all helpers are joined."""
JOINTS_SECONDS = 3.0
"""The most seconds for subgames that helpers join, after which such a game stays whole."""


def decompose(
    game: CircuitRules, budget: Budget | None = None, settled: Mapping[Term, bool] | None = None
) -> Decomposition:
    """Decompose a compiled game. If the budget is too small, it stays whole, and the note says so.

    ``settled`` are the fluents, with their values, that the game lacks because it is what is left from a position on.

    Raises `TooEntangledError` if not even the dependencies of single gates fit into memory, and `OutOfTimeError` if the
    budget is over before the turn order is known.
    """
    pulse = budget = budget or Budget()
    circuit = game.circuit
    supports = circuit_supports(circuit)
    full = find_clock(circuit, supports, pulse)
    clock = full.relevant(circuit, supports)
    wanted = _end_support(circuit, supports)
    moving = bits_of(range(len(circuit.fluents))) & ~clock.fluents
    partition = Partition(moving)
    phases: list[Phase] = []
    turns: list[Turn] = []
    defaults: list[list[int]] = []
    ends = None
    whole = _Whole(partition, wanted)
    waiting: Partition | None = None
    apart: list[Partition] = []
    try:
        phases = find_phases(circuit, clock, pulse)
        pulse()
        # The cheapest checks first, since most games are in one piece and that is found soon.
        whole.note("only one fluent that moves change decides the goals and the end")
        partition.join_all(watch(conditions(phases), pulse))
        whole.note("the conditions of the legal moves connect all fluents")
        if not _one_piece(partition, circuit, wanted):
            ends = _find_ends(game, settled or {}, budget)
            apart = _join_helpers(partition, [wanted] if ends is None else set(ends.find_joined(clock.fluents)))
            whole.note(
                "the rules of goals and the end could not be grounded within the limits"
                if ends is None
                else "a helper of goals or of the end combines fluents of all parts"
            )
        if _one_piece(partition, circuit, wanted):
            partition.join(members(moving))
        else:
            turns, defaults = find_turns(phases, pulse)
            partition.join_all(watch(dependencies(phases, turns, defaults), pulse))
            whole.note("the fluents depend on each other from one state to the next")
            before = partition.copy()
            if not join_connected(partition, phases, turns, pulse):
                raise TooEntangledError("there are too many components to compare")
            if whole.note("moves act in several parts at once, and not every combination of actions is a move"):
                waiting = before
            _join_resignation(partition, circuit, wanted, [MovesOf(t, phases[t.phase], partition) for t in turns])
            whole.note("all but one part only end the game, like a resignation")
            _join_entangled(partition, ends)
            whole.note("the rules of goals and the end combine the parts in too many ways")
    except (TooEntangledError, OutOfTimeError) as error:
        whole.reason = str(error)
        partition.join(members(moving))
        turns = []
    rows = tuple(_clock_rows(circuit, full, supports))
    components = tuple(_components(game, rows, partition, supports, phases, turns))
    found = Decomposition(
        circuit,
        supports,
        clock,
        tuple(phases),
        tuple(turns),
        tuple(map(tuple, defaults)),
        ends,
        partition,
        components,
        _composition(partition, clock, phases, turns),
        whole.describe(components),
    )
    if waiting is not None:
        found = _find_series(game, found, waiting, pulse) or found
    return _find_joined(game, _by_phase(found), apart, budget)


def all_subgames(game: CircuitRules) -> Subgames:
    """The subgames of a game with all their positions. Raises `GameError` if they cannot be listed."""
    return Subgames(game, decompose(game))


def _by_phase(found: Decomposition) -> Decomposition:
    """The same with goals and the end split by phase."""
    if not found.turns:
        return found
    circuit = ends_by_phase(found.circuit, found.clock, found.phases)
    return replace(found, circuit=circuit, supports=circuit_supports(circuit))


def _join_helpers(partition: Partition, sets: Iterable[Bits]) -> list[Partition]:
    """Join the fluents that helpers of goals and the end combine; returns the first partitions on the way, if those
    that combine the fewest fluents come first: lines on a board before sums over boards."""
    passed: list[Partition] = []
    by_size = sorted(sets, key=int.bit_count)
    for size, same in groupby(by_size, int.bit_count):
        before = partition.copy()
        partition.join_all(same)
        if size > 1 and len(passed) < MOST_PASSED and len(partition.groups()) < len(before.groups()):
            passed.append(before)
    return passed


def _find_joined(
    game: CircuitRules, whole: Decomposition, partitions: Sequence[Partition], budget: Budget
) -> Decomposition:
    """A game in one piece as subgames, if helpers of goals and the end combine these by sums, thresholds, all or any;
    the game as it was if they combine them in other ways, or if a part of the budget is too small to prove it."""
    if not partitions or len(whole.games) > 1 or len(game.circuit.gates) > LARGE:
        return whole
    pulse = Budget(min(JOINTS_SECONDS, budget.left / 4), budget)
    with suppress(TooEntangledError, OutOfTimeError):
        phases = list(whole.phases)
        turns, defaults = find_turns(phases, pulse)
        for partition in partitions:
            found = replace(whole, turns=tuple(turns), defaults=tuple(map(tuple, defaults)), partition=partition)
            partition.join_all(watch(dependencies(phases, turns, defaults), pulse))
            with suppress(TooManyPositionsError):
                joined = _join_parts(game, found, pulse)
                if joined is not None:
                    return joined
    return whole


def _join_parts(game: CircuitRules, whole: Decomposition, pulse: Pulse) -> Decomposition | None:
    """The game by the groups of its partition, after joining those that moves connect; None if goals and the end
    combine them in no known way."""
    circuit, partition, phases, turns = game.circuit, whole.partition, list(whole.phases), list(whole.turns)
    if not join_connected(partition, phases, turns, pulse):
        return None
    wanted = _end_support(circuit, whole.supports)
    _join_resignation(partition, circuit, wanted, [MovesOf(t, phases[t.phase], partition) for t in turns])
    found = _by_phase(
        replace(
            whole,
            circuit=circuit,
            supports=circuit_supports(circuit),
            components=tuple(_components(game, whole.clock_rows, partition, whole.supports, phases, turns)),
            composition=_composition(partition, whole.clock, phases, turns),
            note="",
        )
    )
    if len(found.games) < 2 or found.composition is Composition.MIXED:
        return None  # pins of a row are no subgames, although each can be taken alone
    if any(len(part.numbers) * len(part.moves) > LARGE for part in found.parts):
        return None
    if find_joints(Subgames(game, found, pulse=pulse), pulse) is None:
        return None
    return found


def _find_series(game: CircuitRules, whole: Decomposition, partition: Partition, pulse: Pulse) -> Decomposition | None:
    """The game as subgames of which each begins when another is over; None if it is no such game, or the budget is too
    small to prove it."""
    try:
        join_unless_waiting(partition, whole.phases, whole.turns, pulse)
        components = _components(game, whole.clock_rows, partition, whole.supports, whole.phases, whole.turns)
        found = replace(
            whole, partition=partition, components=tuple(components), composition=Composition.SERIAL, note=""
        )
        found = with_earlier_games(found)
        if len(found.games) > 1 and are_in_series(found, pulse):
            return found
    except GameError:
        pass
    return None


def _find_ends(game: CircuitRules, settled: Mapping[Term, bool], budget: Budget) -> EndRules | None:
    fluents = game.circuit.fluents
    found = ground_ends(list(clauses(game.sheet.rules, game.sheet.source)), (*fluents, *settled), budget)
    if found is None or not settled:
        return found
    return found.assume(dict(enumerate(settled.values(), len(fluents))))


class _Whole:
    """Records why a game stays whole: the first step after which one group is left that goals or the end depend on."""

    def __init__(self, partition: Partition, wanted: Bits) -> None:
        self._partition = partition
        self._wanted = wanted
        self.reason = ""

    def note(self, step: str) -> bool:
        """Record a step if it is the first after which nothing is left to separate; returns whether it is."""
        relevant = sum(bool(bits_of(group) & self._wanted) for group in self._partition.groups())
        if self.reason or relevant > 1:
            return False
        self.reason = step if relevant else "no fluent that moves change decides the goals or the end"
        return True

    def describe(self, components: Sequence[Component]) -> str:
        """The reason as a sentence; nothing if there is none."""
        if not self.reason:
            return ""
        irrelevant = sum(part.kind is Kind.IRRELEVANT and bool(part.moves) for part in components)
        rest = ""
        if irrelevant and any(part.kind is Kind.GAME for part in components):
            others = "another part decides" if irrelevant == 1 else f"{irrelevant} other parts decide"
            rest = f"; {others} neither goals nor the end"
        return f"the game stays whole: {self.reason}{rest}"


def _one_piece(partition: Partition, circuit: Circuit, wanted: Bits) -> bool:
    """Whether the search can stop: one group, or, where searching on takes long, one relevant group."""
    groups = partition.groups()
    if len(circuit.gates) > LARGE:
        groups = [group for group in groups if bits_of(group) & wanted]
    return len(groups) <= 1


def _join_entangled(partition: Partition, ends: EndRules | None) -> None:
    """Join groups that meet in many combinations in rules of goals and the end, like each queen with all others.

    Such rules say nothing about single groups.
    """
    groups = partition.groups()
    if ends is None or len(groups) < 3:
        return
    met = ends.meeting_groups([bits_of(group) for group in groups])
    if len(met) > max(MOST_MEETINGS, len(groups) // 2):
        for meeting in met:
            partition.join([groups[place][0] for place in members(meeting)])


def _join_resignation(partition: Partition, circuit: Circuit, wanted: Bits, moves: Sequence[MovesOf]) -> None:
    """Join fluents that end the game as soon as they are true, such as a resignation: they are not subgames.

    Where the moves that make them true act elsewhere as well, it is no resignation but the last step of a game in
    parallel.
    """
    games = [group for group in partition.groups() if bits_of(group) & wanted]
    over = [
        group
        for group in games
        if len(group) == 1
        and _ends_game(circuit, group[0])
        and not any(own.touched.get(group[0], 0) & own.shared_moves() for own in moves)
    ]
    if len(games) - len(over) == 1:
        partition.join([group[0] for group in games])


def _ends_game(circuit: Circuit, fluent: int) -> bool:
    return Translation(circuit, {circuit.fluent_inputs[fluent] >> 1: TRUE}).literal(circuit.terminal) == TRUE


def _end_support(circuit: Circuit, supports: Supports) -> Bits:
    found = supports.of(circuit.terminal)
    for goal in circuit.goals:
        found |= supports.of(goal.literal)
    return found


def _components(
    game: CircuitRules,
    clock_rows: Iterable[Component],
    partition: Partition,
    supports: Supports,
    phases: Sequence[Phase],
    turns: Sequence[Turn],
) -> Iterable[Component]:
    circuit = game.circuit
    texts = game.move_texts
    # Random variables are roles of the circuit only; in the rules their events are part of other roles' moves.
    drawn = {role for role, chance in enumerate(circuit.chance, circuit.players) if chance.variable is not None}
    touching: dict[int, set[tuple[int, int]]] = {}
    idle = {(role, number) for phase in phases for role, own in enumerate(phase.possible) for number in own}
    if not turns:  # in one piece: only moves that are never a choice are outside
        chosen = {(role, number) for phase in phases for role in phase.choosers for number in phase.possible[role]}
        touching = {partition.find(group[0]): chosen for group in partition.groups()}
        idle -= chosen
    for turn in turns:
        moves = MovesOf(turn, phases[turn.phase], partition)
        for group in moves.touched:
            touched = {(turn.role, turn.moves[place]) for place in members(moves.acting(group))}
            touching.setdefault(group, set()).update(touched)
            idle -= touched
    wanted = _end_support(circuit, supports)

    def component(kind: Kind, numbers: Sequence[int], moves: Iterable[tuple[int, int]]) -> Component:
        kept = ((role, number) for role, number in sorted(moves) if role not in drawn)
        named = tuple((game.move_roles[role], str(texts[role][number])) for role, number in kept)
        return Component(kind, tuple(numbers), tuple(circuit.fluents[n] for n in numbers), named)

    for fluents in partition.groups():
        kind = Kind.GAME if bits_of(fluents) & wanted else Kind.IRRELEVANT
        yield component(kind, fluents, touching.get(partition.find(fluents[0]), ()))
    yield from clock_rows
    if idle:
        yield component(Kind.NOOP, (), idle)


def _clock_rows(circuit: Circuit, clock: GameClock, supports: Supports) -> Iterator[Component]:
    """The components of the clock, which no move touches."""

    def component(kind: Kind, numbers: Sequence[int]) -> Component:
        return Component(kind, tuple(numbers), tuple(circuit.fluents[n] for n in numbers), ())

    constant: list[int] = []
    once: list[int] = []
    for numbers in _clock_parts(circuit, supports, clock):
        bits = bits_of(numbers)
        if all(tick & bits == clock.ticks[0] & bits for tick in clock.ticks):
            constant += numbers
        elif not bits & clock.read and _changes_once(clock, bits):
            once += numbers
        else:
            yield component(Kind.CONTROL if bits & clock.read else Kind.COUNTER, numbers)
    if once:  # there may be thousands of them, and they are of one kind
        yield component(Kind.COUNTER, sorted(once))
    if constant:
        yield component(Kind.IRRELEVANT, constant)


def _changes_once(clock: GameClock, bits: Bits) -> bool:
    """Whether fluents of the clock change at one tick only, and stay so."""
    values = [tick & bits for tick in clock.ticks]
    changes = sum(one != other for one, other in pairwise(values))
    return changes == 1 and values[clock.back_to] == values[-1]


def _clock_parts(circuit: Circuit, supports: Supports, clock: GameClock) -> list[tuple[int, ...]]:
    """The clock's fluents, grouped by mutual dependence."""
    partition = Partition(clock.fluents)
    for n in members(clock.fluents):
        partition.join(members(supports.of(circuit.next[n]) | 1 << n))
    return partition.groups()


def _composition(partition: Partition, clock: GameClock, phases: Sequence[Phase], turns: Sequence[Turn]) -> Composition:
    """How the groups are played together."""
    groups = {partition.find(group[0]) for group in partition.groups()}
    active: dict[int, set[int]] = {}
    together = True
    several = False
    for turn in turns:
        moves = MovesOf(turn, phases[turn.phase], partition)
        several = several or bool(moves.shared_moves())
        masks = [moves.touched.get(group, 0) for group in groups]
        together = together and len(set(masks)) <= 1
        for group in moves.touched:
            active.setdefault(group, set()).add(turn.phase)
    if several:
        return Composition.PARALLEL if together else Composition.MIXED
    is_cyclic = clock.back_to < len(clock.ticks) - 1
    if len(groups) > 1 and not is_cyclic and _disjoint(list(active.values())):
        return Composition.SERIAL
    return Composition.CHOICE


def _disjoint(sets: Sequence[set[int]]) -> bool:
    return sum(map(len, sets)) == len(set().union(*sets))
