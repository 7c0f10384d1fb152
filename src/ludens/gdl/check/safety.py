"""Checks that every variable gets a value, in each alternative of its rule."""

from __future__ import annotations

from collections.abc import Iterator

from ludens.gdl.check.codes import problem
from ludens.gdl.check.context import Check, Context
from ludens.gdl.check.walk import conditions
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.rules import Distinct, Holds, Rule
from ludens.gdl.source import Problem, Span
from ludens.gdl.terms import Variable, variables


def unbound_variables(context: Context) -> Iterator[Problem]:
    """Each variable of a head, a negation or a ``distinct`` is in a positive condition too."""
    for rule, branches in context.clauses:
        if not rule.body:
            continue
        bound = [clause.bound_variables() for clause in branches]
        free = [variable for clause, known in zip(branches, bound, strict=True) for variable in _free(clause, known)]
        for variable in dict.fromkeys(free):
            elsewhere = any(variable in known for known in bound)
            yield _report(context, rule, variable, elsewhere=elsewhere)


def _free(clause: Clause, bound: set[Variable]) -> list[Variable]:
    needed = [*variables(clause.head)]
    for atom in clause.negative:
        needed += variables(atom)
    for left, right in clause.distinct:
        needed += [*variables(left), *variables(right)]
    return [variable for variable in needed if variable not in bound]


def _report(context: Context, rule: Rule, variable: Variable, *, elsewhere: bool) -> Problem:
    message = f"variable ?{variable.name} has no value: no positive condition of the rule binds it"
    if elsewhere:
        message = f"variable ?{variable.name} has no value in one of the alternatives of this rule"
    hint = "add a condition that says what it can be"
    place = context.place_of_variable(variable, _literal_with(rule, variable))
    return problem("GDL210", message, place, hint)


def _literal_with(rule: Rule, variable: Variable) -> Span:
    if variable in variables(rule.head):
        return rule.head_span
    for nested in conditions(rule.body):
        match nested.condition:
            case Holds(atom, span) if variable in variables(atom):
                return span
            case Distinct(left, right, span) if variable in (*variables(left), *variables(right)):
                return span
    return rule.span


CHECKS: tuple[Check, ...] = (unbound_variables,)
