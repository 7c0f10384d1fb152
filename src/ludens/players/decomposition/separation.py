"""Separate a game into subgames that can be played each by itself, with goals for each.

That is possible if a role's action in one subgame never restricts its action in another (each move is a combination of
actions in the subgames, and every combination exists), and if the goals determine what to aim for in a subgame:

- the whole is over when *all* subgames are, or as soon as the *first* is;
- of every two outcomes of a subgame one is at least as good as the other, whatever the other outcomes;
- there is one role, or two roles with a constant sum of goals.

When all subgames must be over, both roles can secure the goal that belongs to the values of the subgames by playing
well in each, so that is the value of the whole. When the first decides, a role can secure the least of them.

Outcomes are collected in random matches; one that occurs only later counts as average.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, product
from math import prod

import numpy as np

from ludens.analysis.gates.lanes import Evaluation, pack_bits
from ludens.analysis.gates.supports import Bits, members
from ludens.analysis.subgames.concepts import EndFormulas, end_formulas
from ludens.analysis.subgames.local_rules import Rows
from ludens.analysis.subgames.parts import Decomposition
from ludens.analysis.subgames.standalone import Standalone, standalone
from ludens.compiler.circuit.circuit import Goal
from ludens.compiler.circuit.gates import FALSE, TRUE
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import BEST_GOAL, GameError
from ludens.core.batch import Batch

LANES = 512
"""Random matches that are played."""
MOST_ROUNDS = 200
"""The most joint moves of a match."""
MOST_COMBINATIONS = 50_000
"""Limit of examined combinations of concept values."""


class InseparableError(GameError):
    """The subgames cannot be played each by itself; the message says why."""


class Ending(StrEnum):
    """When the whole game is over."""

    ALL = "all subgames must be over"
    FIRST = "the first subgame that is over decides"


@dataclass(frozen=True)
class Part:
    """A subgame that is played by itself."""

    rules: Standalone
    game: CircuitRules
    """The subgame as a game with goals of its own."""


@dataclass(frozen=True)
class Separation:
    """A game as subgames that are played each by itself."""

    parts: tuple[Part, ...]
    ending: Ending


@dataclass
class _Observed:
    """What random matches showed at one tick of the clock."""

    over: list[set[Bits]]
    """For each subgame the concept values where it is over."""
    going: list[set[Bits]]
    """The same where it is not."""


def separate(game: CircuitRules, whole: Decomposition, pulse: Callable[[], None] = lambda: None) -> Separation:
    """The subgames as games of their own. Raises `InseparableError`."""
    if len(game.roles) > 2:
        raise InseparableError("there are more than two roles")
    for moves in whole.moves:
        pulse()
        if not moves.is_product():
            raise InseparableError("a move in one subgame excludes moves in another")
    parts = whole.parts
    ends = end_formulas(
        whole.circuit, whole.supports, [tuple(members(whole.clock.fluents)), *(part.numbers for part in parts)]
    )
    rules = [standalone(game, whole, part) for part in parts]
    pulse()
    seen = _observe_matches(game, rules, ends, pulse)
    ending = _find_ending(ends, seen)
    found = []
    for number, own in enumerate(rules):
        pulse()
        pay = _outcome_values(ends, seen, number, ending, len(game.roles))
        if len(set(pay.values())) > 1:
            found.append(Part(own, own.with_goals(_goals(own, ends, number, pay, len(game.roles)))))
    if not found:
        raise InseparableError("no subgame affects the goals")
    return Separation(tuple(found), ending)


def _observe_matches(
    game: CircuitRules, rules: Sequence[Standalone], ends: EndFormulas, pulse: Callable[[], None]
) -> dict[Bits, _Observed]:
    """Collect concept values of the subgames in random matches, by those of the clock."""
    batch = Batch(game, LANES, seed=0)
    rows = [batch.observation]
    for _ in range(MOST_ROUNDS):
        pulse()
        if batch.terminal.all():
            break
        batch.advance()
        rows.append(batch.observation)
    states = np.unique(np.concatenate(rows), axis=0)
    circuit, count = game.circuit, len(states)
    inputs = {literal >> 1: pack_bits(states[:, n]) for n, literal in enumerate(circuit.fluent_inputs)}
    evaluation = Evaluation(circuit.gates, inputs, count, circuit.loops)
    values = [_concept_values(evaluation, concepts, count) for concepts in ends.concepts]
    over = [_terminal_flags(own, states) for own in rules]
    found: dict[Bits, _Observed] = {}
    for state, tick in enumerate(values[0]):
        here = found.setdefault(tick, _Observed([set() for _ in rules], [set() for _ in rules]))
        for part in range(len(rules)):
            (here.over if over[part][state] else here.going)[part].add(values[1 + part][state])
    return found


def _concept_values(evaluation: Evaluation, concepts: Sequence[Sequence[int]], count: int) -> list[Bits]:
    """For each state the concepts that hold, as bits."""
    values = [0] * count
    for number, concept in enumerate(concepts):
        holds = np.ones(count, np.bool_)
        for literal in concept:
            holds &= evaluation.flags(literal)
        for state in np.flatnonzero(holds).tolist():
            values[state] |= 1 << number
    return values


def _terminal_flags(rules: Standalone, states: Rows) -> Rows:
    circuit = rules.circuit
    inputs = {
        literal >> 1: pack_bits(states[:, n]) for n, literal in zip(rules.numbers, circuit.fluent_inputs, strict=True)
    }
    loops = (*circuit.loops, *rules.literals.loops())
    return Evaluation(circuit.gates, inputs, len(states), loops).flags(circuit.terminal)


def _find_ending(ends: EndFormulas, seen: dict[Bits, _Observed]) -> Ending:
    """When the whole game is over, proved on all combinations of observed concept values."""
    possible = {Ending.ALL, Ending.FIRST}
    for tick, here in seen.items():
        each = [
            [*((value, True) for value in over), *((value, False) for value in going)]
            for over, going in zip(here.over, here.going, strict=True)
        ]
        if prod(map(len, each)) > MOST_COMBINATIONS:
            raise InseparableError("too many combinations of concepts decide when the game is over")
        for combination in product(*each):
            flags = [is_over for _, is_over in combination]
            is_terminal = ends.is_terminal((tick, *(value for value, _ in combination)))
            if is_terminal != all(flags):
                possible.discard(Ending.ALL)
            if is_terminal != any(flags):
                possible.discard(Ending.FIRST)
            if not possible:
                raise InseparableError("the end is neither that of all subgames nor that of the first")
    return Ending.ALL if Ending.ALL in possible else Ending.FIRST


Outcome = tuple[Bits, Bits]
"""The concept values of the clock and of a subgame that is over."""


def _outcome_values(
    ends: EndFormulas, seen: dict[Bits, _Observed], part: int, ending: Ending, roles: int
) -> dict[Outcome, float]:
    """The value of each outcome of a subgame for the first role, averaged over what can hold elsewhere."""
    found: dict[Outcome, float] = {}
    totals: set[int] = set()
    for tick, here in seen.items():
        others = [
            here.over[n] if ending is Ending.ALL or not here.going[n] else here.going[n]
            for n in range(len(here.over))
            if n != part
        ]
        if prod(map(len, others)) * len(here.over[part]) > MOST_COMBINATIONS:
            raise InseparableError("goals depend on too many combinations of concepts")
        rests = list(product(*others))
        worth: dict[Bits, list[int]] = defaultdict(list)
        for value in here.over[part] if rests else ():
            for rest in rests:
                goals = ends.goal_values(roles, (tick, *rest[:part], value, *rest[part:]))
                totals.add(sum(goals))
                worth[value].append(goals[0])
        for one, other in combinations(worth.values(), 2):
            differences = {(a > b) - (a < b) for a, b in zip(one, other, strict=True)}
            if {1, -1} <= differences:
                raise InseparableError("which outcome of a subgame is better depends on other subgames")
        found |= {(tick, value): sum(each) / len(each) for value, each in worth.items()}
    if roles == 2 and len(totals) > 1:
        raise InseparableError("the goals of the roles do not have a constant sum")
    return found


def _goals(rules: Standalone, ends: EndFormulas, part: int, pay: dict[Outcome, float], roles: int) -> list[Goal]:
    """Goals from 0 to 100 by the values of a subgame's outcomes; unobserved outcomes get 50."""
    least, most = min(pay.values()), max(pay.values())
    gates = rules.circuit.gates
    outcomes: dict[int, list[int]] = defaultdict(list)
    for (tick, value), worth in pay.items():
        holds = [_exact_literal(rules, ends.concepts[0], tick), _exact_literal(rules, ends.concepts[1 + part], value)]
        outcomes[round(BEST_GOAL * (worth - least) / (most - least))].append(gates.all_of(holds))
    literals = {goal: gates.any_of(each) for goal, each in outcomes.items()}
    unseen = gates.any_of(literals.values()) ^ 1
    literals[BEST_GOAL // 2] = gates.either(literals.get(BEST_GOAL // 2, FALSE), unseen)
    found = []
    for role in range(roles):
        found += [Goal(role, goal if role == 0 else BEST_GOAL - goal, literal) for goal, literal in literals.items()]
    return found


def _exact_literal(rules: Standalone, concepts: Sequence[Sequence[int]], value: Bits) -> int:
    """The literal that is true if exactly these concepts hold."""
    gates = rules.circuit.gates
    literals = [TRUE]
    for number, concept in enumerate(concepts):
        holds = gates.all_of(rules.literals.literals(concept))
        literals.append(holds if value >> number & 1 else holds ^ 1)
    return gates.all_of(literals)
