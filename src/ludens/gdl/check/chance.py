"""Checks of chance and hidden information: ``random`` of the stochastic dialect, ``sees`` of GDL-II."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from collections.abc import Iterator

from ludens.gdl.chance.dialect import Dialect
from ludens.gdl.chance.outcomes import WEIGHTS, is_weight
from ludens.gdl.chance.random_variables import RandomVariables
from ludens.gdl.check.codes import problem
from ludens.gdl.check.context import Argument, Check, Context
from ludens.gdl.check.walk import subterms
from ludens.gdl.source import Problem, Span
from ludens.gdl.terms import Term, Variable, arguments, functor, is_ground, signature
from ludens.gdl.write import kif

_LIKENESS = 0.6
"""How alike two names are, from 0 to 1, if one may be meant by the other."""


def random_arity(context: Context) -> Iterator[Problem]:
    """The relation ``random`` takes a variable, a weight and an event."""
    stochastic = Dialect.STOCHASTIC in context.dialect
    for atom in context.atoms:
        name, count = atom.signature
        if name == "random" and count != 3:
            if stochastic:
                message = f"'random' takes 3 arguments, but has {count} here"
                yield problem("GDL501", message, atom.span, "write (random variable weight event)")
            else:
                message = f"'random' with {count} arguments is an ordinary relation, not chance"
                yield problem("GDL502", message, atom.span, "chance is (random variable weight event)")


def random_needs_a_name(context: Context) -> Iterator[Problem]:
    """A random variable has a name of its own, not one that other rules talk about."""
    for atom in context.heads_of("random", 3):
        name = arguments(atom.term)[0]
        if isinstance(name, Variable):
            message = f"?{name.name} cannot name a random variable: its name must stand here"
            hint = f"put it into a term: (random (die ?{name.name}) weight event)"
            yield problem("GDL503", message, context.place_of_variable(name, atom.span), hint)


def random_weights(context: Context) -> Iterator[Problem]:
    """Weights are integers that are not negative."""
    for atom in context.heads_of("random", 3):
        weight = arguments(atom.term)[1]
        if not isinstance(weight, Variable) and not is_weight(weight):
            message = f"a weight is {WEIGHTS}, not {kif(weight)}"
            yield problem("GDL504", message, context.place(functor(weight), atom.span))


def random_only_in_moves(context: Context) -> Iterator[Problem]:
    """Random variables stand only where they are defined, and in the move part of ``legal`` (seed 003)."""
    for argument in context.arguments if context.chance else ():
        if argument.relation == "legal" and argument.number == 2:
            continue
        for part in subterms(argument.term):
            if not _is_definition(argument, part) and context.chance.matches(part):
                message = f"random variable {kif(part)} can only stand in the move part of 'legal'"
                hint = "other rules see what it turned out to be, in the moves that were done"
                yield problem("GDL505", message, context.place(functor(part), argument.span), hint)


def _is_definition(argument: Argument, part: Term) -> bool:
    return argument.in_head and argument.relation == "random" and argument.number == 1 and part is argument.term


def one_weight_for_an_event(context: Context) -> Iterator[Problem]:
    """An event of a random variable has one weight."""
    weights: dict[tuple[Term, Term], Term] = {}
    for atom in context.heads_of("random", 3):
        name, weight, event = arguments(atom.term)
        if atom.rule.body or not is_ground(atom.term):
            continue
        known = weights.setdefault((name, event), weight)
        if known != weight:
            message = f"event {kif(event)} of random variable {kif(name)} has weight {kif(known)} already"
            yield problem("GDL506", message, atom.span)


def some_event_can_happen(context: Context) -> Iterator[Problem]:
    """The weights of a random variable do not add up to nothing."""
    weights: dict[Term, set[Term]] = defaultdict(set)
    places: dict[Term, Span] = {}
    for atom in context.heads_of("random", 3):
        name, weight, _ = arguments(atom.term)
        weights[name].add(weight)
        places.setdefault(name, atom.span)
    for name, found in weights.items():
        if found == {"0"} and is_ground(name) and not context.chance.matches_open(name):
            yield problem("GDL507", f"every event of random variable {kif(name)} has weight 0", places[name])


def random_is_used(context: Context) -> Iterator[Problem]:
    """Some legal move has the random variable in it."""
    drawn = RandomVariables(
        part
        for atom in context.heads_of("legal", 2)
        for part in subterms(arguments(atom.term)[1])
        if not isinstance(part, Variable)
    )
    reported = set()
    for atom in context.heads_of("random", 3):
        name = arguments(atom.term)[0]
        if not isinstance(name, Variable) and not drawn.matches(name) and name not in reported:
            reported.add(name)
            yield problem("GDL509", f"no legal move has the random variable {kif(name)} in it", atom.span)


def no_name_is_almost_random(context: Context) -> Iterator[Problem]:
    """No legal move has a name in it that stands nowhere else and is almost that of a random variable."""
    variables = {
        signature(name): name
        for atom in context.heads_of("random", 3)
        if not isinstance(name := arguments(atom.term)[0], Variable)
    }
    if not variables:
        return
    uses: Counter[tuple[str, int]] = Counter()
    for argument in context.arguments:
        is_move = argument.relation == "legal" and argument.number == 2
        if not is_move:
            uses.update({signature(part) for part in subterms(argument.term) if not isinstance(part, Variable)})
    reported = set()
    for atom in context.heads_of("legal", 2):
        move = arguments(atom.term)[1]
        for part in () if isinstance(move, Variable) else subterms(move):
            if isinstance(part, Variable) or part is move or signature(part) in variables or uses[signature(part)]:
                continue
            name, size = signature(part)
            near = [other for other, arity in variables if arity == size]
            meant = difflib.get_close_matches(name, near, 1, _LIKENESS)
            if meant and name not in reported:
                reported.add(name)
                message = f"{kif(part)} stands only in moves, and is almost the random variable {meant[0]}"
                yield problem("GDL510", message, context.place(name, atom.span), f"did you mean {meant[0]}?")


def sees_only_in_heads(context: Context) -> Iterator[Problem]:
    """Percepts are conclusions, never conditions."""
    for atom in context.bodies:
        if atom.signature == ("sees", 2):
            message = "'sees' cannot be a condition"
            yield problem("GDL520", message, atom.span, "ask for what the percept depends on")


CHECKS: tuple[Check, ...] = (
    random_arity,
    random_needs_a_name,
    random_weights,
    random_only_in_moves,
    one_weight_for_an_event,
    some_event_can_happen,
    random_is_used,
    no_name_is_almost_random,
    sees_only_in_heads,
)
