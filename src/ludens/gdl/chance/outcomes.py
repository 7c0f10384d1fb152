"""Chance in a position of a GDL game: the outcomes of random variables and their probabilities.

Two dialects know chance. In seed 003 a legal move may have random variables in it, whose events have weights that the
relation ``random`` gives; in GDL-II the role ``random`` makes a legal move, all of them being equally likely. Both are
*draws* here: one for each random variable in each role's move, and one for the role ``random``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from ludens.core import GameError
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, sort_key, unify
from ludens.gdl.write import kif

RANDOM_ROLE = "random"
"""The chance role of GDL-II."""
MOST_WEIGHT_DIGITS = 15
WEIGHTS = f"an integer from 0 to {10**MOST_WEIGHT_DIGITS - 1:,}"
"""What a weight may be, in words."""

RandomFact = tuple[Term, Term, Term]
"""Random variable, weight and event, as ``random`` has them."""
Distribution = Mapping[Term, int]
"""The weight of each event that can happen."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw: who it is for, what is drawn, and the events that can happen with their weights."""

    role: str
    variable: Term | None
    """The random variable; None for the move of the role ``random``."""
    events: Distribution

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.events.values())


def distributions(facts: Iterable[RandomFact], sheet: RuleSheet) -> dict[Term, dict[Term, int]]:
    """The weights of all random variables in a state. Raises `GameError`, with the place of the rule, where they are
    not `WEIGHTS` or an event has two."""
    found: dict[Term, dict[Term, int]] = {}
    for variable, weight, event in facts:
        if not isinstance(weight, str) or not is_weight(weight):
            what = f"the weight of {kif(event)} is {WEIGHTS}, not {kif(weight)}"
            raise _error(sheet, (variable, weight, event), what)
        events = found.setdefault(variable, {})
        if events.setdefault(event, int(weight)) != int(weight):
            what = f"event {kif(event)} has two weights in one state, {events[event]} and {weight}"
            raise _error(sheet, (variable, weight, event), what)
    return {
        variable: {event: events[event] for event in sorted(events, key=sort_key) if events[event]}
        for variable, events in found.items()
    }


def is_weight(term: Term) -> bool:
    """True if a term can be a weight."""
    return isinstance(term, str) and term.isascii() and term.isdecimal() and len(term) <= MOST_WEIGHT_DIGITS


def place_of_rule(sheet: RuleSheet, fact: Term) -> str:
    """The place of the last rule from which a fact may follow, as messages begin; empty if there is none."""
    rules = [rule for rule in sheet.rules if unify(rule.head, fact) is not None]
    if not rules or not sheet.source.text:
        return ""
    line, column = sheet.source.locate(rules[-1].span.start)
    return f"{sheet.source.name}:{line}:{column}: "


def _error(sheet: RuleSheet, fact: RandomFact, what: str) -> GameError:
    return GameError(f"{place_of_rule(sheet, ('random', *fact))}random variable {kif(fact[0])}: {what}")


def count_outcomes(draws: Sequence[Draw]) -> int:
    """The number of combinations of events."""
    return math.prod(len(draw.events) for draw in draws)


def all_outcomes(draws: Sequence[Draw]) -> Iterator[tuple[float, tuple[Term, ...]]]:
    """Every combination of events of independent draws, with its probability."""
    total = math.prod(draw.total for draw in draws)
    for chosen in itertools.product(*(draw.events.items() for draw in draws)):
        yield math.prod(weight for _, weight in chosen) / total, tuple(event for event, _ in chosen)


def draw_events(draws: Sequence[Draw], rng: Random) -> tuple[Term, ...]:
    """An event for each draw, at random."""
    return tuple(rng.choices(list(draw.events), list(draw.events.values()))[0] for draw in draws)
