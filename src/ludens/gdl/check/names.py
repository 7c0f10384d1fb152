"""Checks of names: keywords, numbers of arguments, and names that mean two things."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from ludens.gdl.check.codes import problem
from ludens.gdl.check.context import Argument, Check, Context
from ludens.gdl.check.walk import subterms
from ludens.gdl.keywords import KEYWORDS
from ludens.gdl.read import detect_syntax
from ludens.gdl.source import Problem, Span
from ludens.gdl.terms import Term, functor, signature

_FORMS = {
    "role": "(role name)",
    "init": "(init fluent)",
    "true": "(true fluent)",
    "does": "(does role move)",
    "next": "(next fluent)",
    "legal": "(legal role move)",
    "goal": "(goal role value)",
    "terminal": "terminal",
    "base": "(base fluent)",
    "input": "(input role move)",
    "sees": "(sees role percept)",
}

_KIF_WORD = re.compile(r";[^\n]*|(?P<variable>\?[^\s();]+)")
_INFIX_WORD = re.compile(
    r"%[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)*'|(?P<variable>\?[\w+*/^$!@-]+|\b[A-Z_]\w*)|\w+", re.DOTALL
)


def keyword_arity(context: Context) -> Iterator[Problem]:
    """Keywords take the number of arguments that the language gives them."""
    for atom in context.atoms:
        name, count = atom.signature
        expected = KEYWORDS.get(name, count)
        if count != expected:
            takes = f"takes {_arguments(expected)}" if expected else "takes no arguments"
            message = f"{name!r} {takes}, but has {count} here"
            yield problem("GDL101", message, atom.span, f"write {_FORMS[name]}")


def relation_arities(context: Context) -> Iterator[Problem]:
    """A relation has the same number of arguments everywhere."""
    uses = ((*atom.signature, atom.span) for atom in context.atoms if atom.name not in KEYWORDS)
    yield from _differing_arities(context, uses, "GDL102", "relation")


def function_arities(context: Context) -> Iterator[Problem]:
    """A function has the same number of arguments everywhere."""
    uses = (
        (*signature(part), argument.span) for argument, part in _functions(context) if functor(part) not in KEYWORDS
    )
    yield from _differing_arities(context, uses, "GDL103", "function")


def _differing_arities(
    context: Context, uses: Iterable[tuple[str, int, Span]], code: str, kind: str
) -> Iterator[Problem]:
    seen: dict[str, dict[int, Span]] = defaultdict(dict)
    for name, count, span in uses:
        if count in seen[name]:
            continue
        seen[name][count] = span
        if len(seen[name]) > 1:
            first, place = next(iter(seen[name].items()))
            there = f"{first} in line {context.line(place)}"
            message = f"{kind} {name!r} has {_arguments(count)} here, but {there}"
            hint = "they count as different things; use two names if that is meant"
            yield problem(code, message, context.place(name, span), hint)


def relation_and_function(context: Context) -> Iterator[Problem]:
    """A name is not both a relation and a function."""
    relations = {atom.name: atom.span for atom in reversed(context.atoms)}
    reported = set()
    for argument, part in _functions(context):
        name = functor(part)
        if name in relations and name not in KEYWORDS and name not in reported:
            reported.add(name)
            message = f"{name!r} is a function here, but a relation in line {context.line(relations[name])}"
            hint = "(true (p ...)) asks for a fluent, (p ...) for a relation: is a 'true' missing, or too much?"
            yield problem("GDL104", message, context.place(name, argument.span), hint)


def keyword_as_function(context: Context) -> Iterator[Problem]:
    """Keywords are relations, never functions, except as what a role sees."""
    for argument, part in _functions(context):
        name = functor(part)
        if name in KEYWORDS and not _is_percept(argument, part):
            message = f"keyword {name!r} stands inside a term, where it is an ordinary function"
            hint = "keywords are relations: take it out of the term around it, or choose another name"
            yield problem("GDL105", message, context.place(name, argument.span), hint)


def keyword_as_constant(context: Context) -> Iterator[Problem]:
    """Keywords make confusing names for objects."""
    reported = set()
    for argument in context.arguments:
        for part in subterms(argument.term):
            if isinstance(part, str) and part in KEYWORDS and part not in reported:
                if _is_percept(argument, part):
                    continue
                reported.add(part)
                message = f"keyword {part!r} is the name of an object here"
                yield problem("GDL106", message, context.place(part, argument.span), "choose another name")


def variable_spelling(context: Context) -> Iterator[Problem]:
    """A variable is spelled in one way within a rule."""
    text = context.sheet.source.text
    word = _KIF_WORD if detect_syntax(text) == "kif" else _INFIX_WORD
    for rule in context.rules:
        spelling: dict[str, str] = {}
        for match in word.finditer(text, rule.span.start, rule.span.end):
            variable = match["variable"]
            if variable is None:
                continue
            known = spelling.setdefault(variable.lower(), variable)
            if known != variable:
                spelling[variable.lower()] = variable
                message = f"variable {variable} was spelled {known} before; case does not matter"
                hint = "other systems compare with case: use one spelling, or two names"
                yield problem("GDL107", message, Span(*match.span("variable")), hint)


def unknown_role(context: Context) -> Iterator[Problem]:
    """Who moves, sees or wins is a role."""
    reported = set()
    for argument in context.arguments:
        name = argument.term
        if argument.number != 1 or argument.relation not in ("legal", "does", "goal", "input", "sees"):
            continue
        if isinstance(name, str) and context.roles and name not in context.roles and name not in reported:
            reported.add(name)
            known = ", ".join(str(role) for role in context.roles if isinstance(role, str))
            message = f"{name!r} is not a role"
            yield problem("GDL108", message, context.place(name, argument.span), f"the roles are: {known}")


def _functions(context: Context) -> Iterator[tuple[Argument, Term]]:
    for argument in context.arguments:
        for part in subterms(argument.term):
            if isinstance(part, tuple):
                yield argument, part


def _is_percept(argument: Argument, part: Term) -> bool:
    """True for ``(does ?other ?move)`` in ``(sees ?role (does ?other ?move))``, as GDL-II games write."""
    return argument.relation == "sees" and argument.number == 2 and part is argument.term


def _arguments(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"


CHECKS: tuple[Check, ...] = (
    keyword_arity,
    relation_arities,
    function_arities,
    relation_and_function,
    keyword_as_function,
    keyword_as_constant,
    variable_spelling,
    unknown_role,
)
