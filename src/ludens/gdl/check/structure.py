"""Checks of the shape of a game: what must be there, and where keywords may stand."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

from ludens.core import BEST_GOAL
from ludens.gdl.check.codes import problem
from ludens.gdl.check.context import Atom, Check, Context
from ludens.gdl.check.walk import conditions
from ludens.gdl.keywords import KEYWORDS
from ludens.gdl.rules import And, Distinct, Holds, Not, Or
from ludens.gdl.source import Problem
from ludens.gdl.terms import Term, Variable, arguments, functor, is_ground, signature, unify, variables
from ludens.gdl.write import kif

_REQUIRED = {
    "role": ("GDL201", "no role is named", "add a fact such as (role white)"),
    "legal": ("GDL202", "no rule says which moves are legal", "add rules for (legal role move)"),
    "goal": ("GDL203", "no rule gives a goal value", "add rules for (goal role value)"),
    "terminal": ("GDL204", "no rule says when the game is over", "add rules for terminal"),
    "init": ("GDL205", "nothing holds in the initial state", "add facts such as (init (control white))"),
    "next": ("GDL206", "nothing holds after a move", "add rules for (next fluent)"),
}
_LIKENESS = 0.7
"""How alike two names are of which one may be a slip of the other."""
_MAY_STAND_UNUSED = {*KEYWORDS, "percept", "random"}


def required_relations(context: Context) -> Iterator[Problem]:
    """A game has roles, moves, goals and an end."""
    defined = {atom.name for atom in context.heads}
    for name, (code, message, hint) in _REQUIRED.items():
        if name not in defined:
            yield problem(code, message, hint=hint)


def roles_take_part(context: Context) -> Iterator[Problem]:
    """Each role has rules for its moves and, unless it is chance, for its goal."""
    for name, code, lack in (("legal", "GDL207", "legal move"), ("goal", "GDL208", "goal value")):
        first_arguments = {arguments(atom.term)[0] for atom in context.heads_of(name, 2)}
        for role, span in context.roles.items():
            is_chance = role == "random" and name == "goal"
            if first_arguments and not is_chance and all(unify(role, who) is None for who in first_arguments):
                yield problem(code, f"no rule gives role {kif(role)} a {lack}", span)


def goal_values(context: Context) -> Iterator[Problem]:
    """Goal values are integers from 0 to 100."""
    for atom in context.heads_of("goal", 2):
        value = arguments(atom.term)[1]
        if not isinstance(value, Variable) and not _is_goal_value(value):
            message = f"a goal value is an integer from 0 to 100, not {kif(value)}"
            yield problem("GDL209", message, context.place(functor(value), atom.span))


def _is_goal_value(term: Term) -> bool:
    return isinstance(term, str) and term.isascii() and term.isdecimal() and len(term) <= 9 and int(term) <= BEST_GOAL


def role_only_facts(context: Context) -> Iterator[Problem]:
    """Roles are facts, so that everybody knows them before the game begins."""
    for atom in context.heads:
        if atom.name == "role" and atom.rule.body:
            hint = "name each role in a fact of its own"
            yield problem("GDL220", "roles cannot be derived by rules", atom.span, hint)


def not_for_the_rules_to_say(context: Context) -> Iterator[Problem]:
    """The state and the moves come from the match."""
    instead = {"true": "init or next", "does": "legal"}
    for atom in context.heads:
        if atom.name in instead:
            message = f"{atom.name!r} cannot be stated or derived: it comes from the match"
            yield problem("GDL221", message, atom.span, f"did you mean {instead[atom.name]}?")


def never_in_bodies(context: Context) -> Iterator[Problem]:
    """Some keywords are answers only, never conditions."""
    for atom in context.bodies:
        if atom.name in ("init", "next", "base", "input"):
            message = f"{atom.name!r} cannot be a condition"
            hint = "did you mean true?" if atom.name in ("init", "next") else ""
            yield problem("GDL222", message, atom.span, hint)


def undefined_relations(context: Context) -> Iterator[Problem]:
    """What a condition asks for can hold."""
    defined = {_identity(atom) for atom in context.heads}
    names = {atom.name for atom in context.heads}
    reported = set()
    for atom in context.bodies:
        if _identity(atom) in defined or atom.name in KEYWORDS or _identity(atom) in reported:
            continue
        reported.add(_identity(atom))
        how = _form(atom) if atom.name in names else ""
        message = f"no rule or fact defines relation {atom.name!r}{how}, so it never holds"
        alike = {other.name for other in context.heads if len(arguments(other.term)) == len(arguments(atom.term))}
        hint = did_you_mean(atom.name, alike) or "is the name misspelled, or a 'true' missing?"
        if atom.name not in names and signature(atom.term) in _fluents(context):
            hint = f"did you mean (true {kif(atom.term)})?"
        yield problem("GDL230", message, atom.span, hint)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint if a name is almost a known one; empty if it is not."""
    near = difflib.get_close_matches(name, sorted(set(known) - {name}), 1, _LIKENESS)
    return f"did you mean {near[0]}?" if near else ""


def _fluents(context: Context) -> set[tuple[str, int]]:
    """The fluents that rules make true."""
    heads = [atom for name in ("init", "next") for atom in context.heads_of(name, 1)]
    return {signature(term) for atom in heads if not isinstance(term := arguments(atom.term)[0], Variable)}


def unused_relations(context: Context) -> Iterator[Problem]:
    """What is defined is used."""
    used = {_identity(atom) for atom in context.bodies}
    reported = set()
    for atom in context.heads:
        if atom.name not in _MAY_STAND_UNUSED and _identity(atom) not in used and _identity(atom) not in reported:
            reported.add(_identity(atom))
            yield problem("GDL231", f"relation {atom.name!r} is defined, but no condition uses it", atom.span)


def _identity(atom: Atom) -> Term:
    """The identity of a relation: name and number of arguments, and for ``p`` and ``(p)`` the parentheses."""
    count = len(arguments(atom.term))
    return (atom.name, str(count)) if count else atom.term


def _form(atom: Atom) -> str:
    count = len(arguments(atom.term))
    if count:
        return f" with {count} argument{'s' if count > 1 else ''}"
    return " with empty parentheses" if isinstance(atom.term, tuple) else " without parentheses"


def impossible_fluents(context: Context) -> Iterator[Problem]:
    """What a condition asks of the state can become true."""
    produced = [arguments(atom.term)[0] for name in ("init", "next") for atom in context.heads_of(name, 1)]
    message = "no rule for init or next makes {} true"
    yield from _never_produced(context, produced, ("true", 1), "GDL232", message)


def impossible_moves(context: Context) -> Iterator[Problem]:
    """What a condition asks of the moves can be legal."""
    produced = [arguments(atom.term)[1] for atom in context.heads_of("legal", 2)]
    if any(context.chance.matches(move) for move in produced):
        return
    yield from _never_produced(context, produced, ("does", 2), "GDL233", "no rule makes the move {} legal")


def _never_produced(
    context: Context, produced: list[Term], asked: tuple[str, int], code: str, message: str
) -> Iterator[Problem]:
    if any(isinstance(term, Variable) for term in produced):
        return
    known = {signature(term) for term in produced}
    reported = set()
    for atom in context.bodies:
        if atom.signature != asked:
            continue
        term = arguments(atom.term)[-1]
        if not isinstance(term, Variable) and signature(term) not in known and signature(term) not in reported:
            reported.add(signature(term))
            alike = {name for name, size in known if size == signature(term)[1]}
            hint = did_you_mean(functor(term), alike) or "is the name misspelled, or the number of arguments wrong?"
            yield problem(code, message.format(kif(term)), atom.span, hint)


def odd_connectives(context: Context) -> Iterator[Problem]:
    """Conditions are built as the specification says: ``not`` before relations, flat ``or``, no ``and``."""
    for rule in context.rules:
        for nested in conditions(rule.body):
            match nested.condition:
                case Not(inner) if not isinstance(inner, Holds):
                    message = "'not' stands before something else than a relation; other systems may reject it"
                    hint = "negate relations only"
                    if isinstance(inner, Distinct):
                        hint = "it asks for two equal terms: write one of them in both places"
                    yield problem("GDL240", message, nested.condition.span, hint)
                case And():
                    hint = "conditions of a body all hold anyway; elsewhere, use a relation of its own"
                    yield problem("GDL241", "GDL has no 'and'; others may reject it", nested.condition.span, hint)
                case Or() if isinstance(nested.parent, Or):
                    hint = "list all alternatives in one 'or'"
                    yield problem("GDL242", "an 'or' stands directly in another", nested.condition.span, hint)


def rules_that_never_apply(context: Context) -> Iterator[Problem]:
    """The conditions of a rule do not contradict each other."""
    for rule, branches in context.clauses:
        if not branches:
            message = "this rule can never apply: a 'distinct' or 'or' in it always fails"
            yield problem("GDL243", message, rule.span)


def variables_in_facts(context: Context) -> Iterator[Problem]:
    """Facts are ground."""
    for atom in context.heads:
        if not atom.rule.body and not is_ground(atom.term):
            variable = next(variables(atom.term))
            message = f"a fact cannot have a variable, but this one has ?{variable.name}"
            place = context.place_of_variable(variable, atom.span)
            yield problem("GDL211", message, place, "make it a rule with a condition that binds the variable")


CHECKS: tuple[Check, ...] = (
    required_relations,
    roles_take_part,
    goal_values,
    variables_in_facts,
    role_only_facts,
    not_for_the_rules_to_say,
    never_in_bodies,
    undefined_relations,
    unused_relations,
    impossible_fluents,
    impossible_moves,
    odd_connectives,
    rules_that_never_apply,
)
