"""Chance and percepts in plain GDL, for backends that support nothing else.

Every random variable becomes a role of its own for each role that may use it, whose legal moves are the events with
their weights; backends draw its moves by weight. A percept becomes a fluent that is true in the next state. Names that
this needs have spaces in them, which no rule sheet can have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ludens.gdl.chance.dialect import Dialect, dialect_of
from ludens.gdl.chance.without_variables import Names, OpenMove, Rewriting, list_sources
from ludens.gdl.rules import Distinct, Holds, Rule, RuleSheet
from ludens.gdl.terms import Term, Variable, signature
from ludens.gdl.write import kif

SOURCE = "chance for"
"""``(chance for role variable)`` is the role that draws a random variable for a role."""
EVENT = "event with weight"
"""``(event with weight event weight)`` is its move."""
NOTHING = "nothing is drawn"
"""Its move where no event can happen."""
OPEN = "left to chance"
"""``(left to chance move variable …)`` is a legal move with random variables in it."""
WEIGHT = "random weight"
"""The relation that was ``random``: variable, weight and event."""
PERCEPT_FLUENT = "is told"
"""``(is told role percept)`` is the fluent of a percept."""

_NAMED = "draws for"
_NAMES = Names(
    wrapped=OPEN,
    drawn="was drawn for",
    done="done with chance",
    weight=WEIGHT,
    player="role of a player",
    plain="legal without chance",
)

Sources = Mapping[str, tuple[Term, Term]]
"""Roles that draw, by name, with the role and the random variable that each draws for."""


def core_form(sheet: RuleSheet, sources: Sources | None = None) -> RuleSheet:
    """The same game in plain GDL; the rule sheet itself if it is in plain GDL already, apart from a role ``random``.

    The roles that draw are found among those with legal moves. With ``sources`` they are roles by the rules, too, and
    have these names instead of compound terms.
    """
    rules = sheet.rules
    if Dialect.STOCHASTIC in dialect_of(sheet):
        rewriting = Rewriting(sheet, _NAMES)
        found = [*rewriting.rules]
        for move in rewriting.open_moves:
            found += _draw_rules(move, sources)
        for name, (role, variable) in (sources or {}).items():
            found += [Rule(("role", name)), Rule((_NAMED, role, variable, name))]
        rules = tuple(dict.fromkeys(found))
    if any(signature(rule.head) == ("sees", 2) for rule in rules):
        role, percept = Variable("role"), Variable("percept")
        rules += (Rule(("next", (PERCEPT_FLUENT, role, percept)), (Holds(("sees", role, percept)),)),)
    return sheet if rules is sheet.rules else replace(sheet, rules=rules)


def named_sources(sheet: RuleSheet) -> dict[str, tuple[Term, Term]]:
    """Names for all roles that draw. Raises `GameError` where they are not known before the match."""
    return {kif((SOURCE, role, variable)): (role, variable) for role, variable in list_sources(sheet)}


def _draw_rules(move: OpenMove, sources: Sources | None) -> Iterator[Rule]:
    """The rules by which the random variables of a move are drawn."""
    event, weight = Variable("event"), Variable("weight")
    for variable in move.variables:
        source: Term = (SOURCE, move.role, variable)
        naming: tuple[Holds, ...] = ()
        if sources is not None:
            source = Variable("source")
            naming = (Holds((_NAMED, move.role, variable, source)),)
        drawing = (EVENT, event, weight)
        offered = Holds((_NAMES.weight, variable, weight, event))
        known = Holds((_NAMES.player, move.role))
        span = move.rule.span
        yield Rule(("legal", source, drawing), (known, *naming, offered, Distinct(weight, "0")), span)
        # Declare the chance role even if nothing can ever be drawn, which backends find out.
        yield Rule(("legal", source, NOTHING), (Holds(("legal", move.role, move.wrapped)), *naming), span)
        done = Holds(("does", source, drawing))
        yield Rule((_NAMES.drawn, move.role, variable, event), (*naming, done), span)
