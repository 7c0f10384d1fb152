"""Rule sheets as plain Prolog, the way general game players have used Prolog since the first competitions.

A relation becomes a predicate, a rule a clause with its conditions in written order. Only ``not`` and ``distinct``
are delayed until their variables are bound, since Prolog's negation is sound for
ground goals only. The fluents of the state and the joint move are facts of ``gdl_true/1`` and ``gdl_does/2``,
which the driver asserts and retracts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from ludens.gdl.keywords import KEYWORDS
from ludens.gdl.logic.strata import components
from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule, RuleSheet
from ludens.gdl.terms import Term, Variable, arguments, functor, variables

PREFIX = "gdl_"
"""Put before the names of relations, so that none clashes with a built-in predicate of Prolog, such as ``succ/2``."""

_PLAIN = re.compile(r"[a-z][a-zA-Z0-9_]*")
_ASSERTED = ("true", "does")


@dataclass(frozen=True, slots=True)
class _Call:
    """A relation that must hold."""

    atom: Term


@dataclass(frozen=True, slots=True)
class _Fail:
    """A relation that must not hold."""

    atom: Term


@dataclass(frozen=True, slots=True)
class _Compare:
    """Two terms that must be the same, as in ``(not (distinct …))``, or differ."""

    left: Term
    right: Term
    same: bool


@dataclass(frozen=True, slots=True)
class _Group:
    """A conjunction or disjunction of goals."""

    goals: tuple[_Goal, ...]
    all_of: bool


_Goal: TypeAlias = "_Call | _Fail | _Compare | _Group"


def prolog_program(sheet: RuleSheet, *, tabled: bool = False) -> str:
    """The rules as the text of a Prolog program. Relations without a rule become predicates that fail.

    Plain Prolog does not terminate on left recursion or cyclic recursion. With ``tabled``,
    recursive relations are tabled, which is slower, but always terminates; the tables must be dropped with each state.
    """
    predicates: dict[str, list[str]] = defaultdict(list)
    needs: dict[str, set[str]] = defaultdict(set)
    asserted = [_indicator(PREFIX + name, KEYWORDS[name]) for name in _ASSERTED]
    called = [_indicator(PREFIX + name, count) for name, count in KEYWORDS.items()]
    for rule in sheet.rules:
        body = _goal(And(rule.body), negated=False)
        head = _indicator_of(rule.head)
        predicates[head].append(_clause(rule, body))
        needs[head].update(map(_indicator_of, _atoms(body)))
        called += sorted(needs[head])
    undefined = [name for name in dict.fromkeys(called) if name not in predicates and name not in asserted]
    lines = [":- style_check(-singleton).", *(f":- dynamic {name}." for name in (*asserted, *undefined))]
    if tabled:
        lines += [f":- table {name}." for name in _recursive(needs)]
    for clauses in predicates.values():
        lines += ["", *clauses]
    return "\n".join(lines) + "\n"


def _recursive(needs: Mapping[str, set[str]]) -> list[str]:
    """The relations that depend on themselves, directly or indirectly."""
    groups = components(needs, lambda name: sorted(needs[name] & needs.keys()))
    return [name for group in groups for name in group if len(group) > 1 or name in needs[name]]


def prolog_term(term: Term) -> str:
    """A term in Prolog. Constants are atoms, numbers too, since ``01`` and ``1`` are different names in GDL."""
    if isinstance(term, Variable):
        return "V_" + re.sub(r"[^a-z0-9]", lambda match: f"_{ord(match.group()):x}_", term.name)
    if isinstance(term, tuple):
        return f"{_name(functor(term))}({', '.join(map(prolog_term, arguments(term)))})"
    return _name(term)


def _name(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else "'" + "".join(map(_escape, name)) + "'"


def _escape(character: str) -> str:
    if character in "'\\":
        return "\\" + character
    return character if character.isprintable() else f"\\x{ord(character):x}\\"


def _relation(atom: Term) -> str:
    # GDL distinguishes (p) from p; Prolog has no predicates called as p().
    return PREFIX + functor(atom) + ("()" if isinstance(atom, tuple) and len(atom) == 1 else "")


def _indicator_of(atom: Term) -> str:
    return _indicator(_relation(atom), len(arguments(atom)))


def _indicator(name: str, count: int) -> str:
    return f"{_name(name)}/{count}"


def _clause(rule: Rule, body: _Goal) -> str:
    if not rule.body:
        return _call(rule.head) + "."
    return f"{_call(rule.head)} :-\n    {_text(body, set())}."


def _call(atom: Term) -> str:
    text = ", ".join(map(prolog_term, arguments(atom)))
    return _name(_relation(atom)) + (f"({text})" if text else "")


def _text(goal: _Goal, bound: Set[Variable]) -> str:
    """A goal in Prolog, given the bound variables."""
    match goal:
        case _Call(atom):
            return _call(atom)
        case _Fail(atom):
            return "\\+ " + _call(atom)
        case _Compare(left, right, same):
            return " ".join((prolog_term(left), "=" if same else "\\==", prolog_term(right)))
        case _Group(goals, all_of=True):
            return _sequence(goals, bound) or "true"
        case _Group(goals):
            return "( " + (" ; ".join(_text(option, bound) for option in goals) or "fail") + " )"


def _goal(condition: Condition, *, negated: bool) -> _Goal:
    """A condition, or its negation, with ``not`` moved inward to the relations."""
    match condition:
        case Holds(atom):
            return _Fail(atom) if negated else _Call(atom)
        case Distinct(left, right):
            return _Compare(left, right, same=negated)
        case Not(inner):
            return _goal(inner, negated=not negated)
        case Or(conditions) | And(conditions):
            goals = tuple(_goal(inner, negated=negated) for inner in conditions)
            return _Group(goals, all_of=isinstance(condition, And) != negated)


def _sequence(goals: Sequence[_Goal], bound: Set[Variable]) -> str:
    """Goals in written order, delayed ones as soon as their variables are bound."""
    bound = set(bound)
    offered = bound.union(*map(_binds, goals))
    waiting = list(goals)
    texts = []
    while waiting:
        # If all wait for each other, the rule is unsafe, and any order will do.
        goal = next((goal for goal in waiting if _is_ready(goal, bound, offered)), waiting[0])
        waiting.remove(goal)
        texts.append(_text(goal, bound))
        bound |= _binds(goal)
    return ",\n    ".join(texts)


def _binds(goal: _Goal) -> set[Variable]:
    """The variables that are bound after the goal has succeeded."""
    match goal:
        case _Call(atom):
            return set(variables(atom))
        case _Compare(left, right, same=True):
            return {*variables(left), *variables(right)}
        case _Group(goals, all_of=True):
            return set().union(*map(_binds, goals))
        case _Group((first, *others)):
            return _binds(first).intersection(*map(_binds, others))
    return set()


def _is_ready(goal: _Goal, bound: set[Variable], offered: set[Variable]) -> bool:
    """False if the goal must wait for a variable that other goals can bind."""
    awaited = offered - bound
    match goal:
        case _Call():
            return True
        case _Fail(atom):
            return awaited.isdisjoint(variables(atom))
        case _Compare(left, right, same):
            known = [awaited.isdisjoint(variables(side)) for side in (left, right)]
            return any(known) if same else all(known)
        case _Group(goals, all_of=True):
            available = bound.union(*map(_binds, goals))
            return all(_is_ready(inner, available, offered) for inner in goals)
        case _Group(goals):
            return all(_is_ready(option, bound, offered) for option in goals)


def _atoms(goal: _Goal) -> Iterator[Term]:
    match goal:
        case _Call(atom) | _Fail(atom):
            yield atom
        case _Group(goals):
            for inner in goals:
                yield from _atoms(inner)
