"""Syntactic check of impartiality, after the paper (definition 5), made sound.

The paper swaps two roles in control fluents and ``does`` of the rules for ``legal`` and ``next``, and checks whether
the rules stay the same up to order and the names of variables. That is not enough. A rule may use a helper that
distinguishes roles, such as ``(mark_of xplayer x)``; so here the swap is made in all rules that ``legal`` and ``next``
depend on. And a rule may store the role's name, as ``(next (cell ?x ?y ?role))`` after ``(does ?role (drop ?x))`` does;
so a variable that stands for the role that moves must not occur in anything but the turn.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from ludens.analysis.budget import Pulse, no_pulse
from ludens.analysis.syntactic.call_graph import CallGraphs
from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.logic.strata import Signature
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, Variable, arguments, is_ground, signature, sort_key, variables

Canonical = tuple[object, ...]


def has_corresponding_rules(sheet: RuleSheet, pulse: Pulse = no_pulse) -> bool:
    """Whether swapping any two roles leaves the rules for moves and their effects as they are.

    Sound, but not complete: False means that nothing is known.
    """
    split = list(clauses(sheet.rules, sheet.source))
    roles = [
        arguments(clause.head)[0]
        for clause in split
        if signature(clause.head) == ("role", 1) and is_ground(clause.head)
    ]
    if len(roles) < 2 or not all(isinstance(role, str) for role in roles):
        return False
    needed = _relevant_rules(split)
    control = control_fluents(split, CallGraphs(split, pulse))
    if any(_leaves_role_name(clause, control) for clause in needed):
        return False
    rules = Counter(map(_canonical, needed))
    for one, other in combinations(roles, 2):
        swap = {one: other, other: one}
        if Counter(_canonical(_swap_roles(clause, swap)) for clause in needed) != rules:
            return False
    return True


def control_fluents(split: Sequence[Clause], graphs: CallGraphs) -> set[Signature]:
    """The fluents that change independently of moves, by the call graphs of the same rules."""
    found: dict[Signature, bool] = {}
    for clause in split:
        if signature(clause.head) == ("next", 1) and not isinstance(arguments(clause.head)[0], Variable):
            sign = signature(arguments(clause.head)[0])
            if found.get(sign, True):
                graph = graphs.walk((*clause.positive, *clause.negative))
                found[sign] = not any(signature(atom) == ("legal", 2) for atom in graph)
    return {sign for sign, alone in found.items() if alone}


def _leaves_role_name(clause: Clause, control: set[Signature]) -> bool:
    """Whether a variable that stands for a role is used for anything but the turn."""
    atoms = (clause.head, *clause.positive, *clause.negative)
    roles: set[Variable] = set()
    others: set[Variable] = set()
    for atom in atoms:
        if signature(atom) in {("does", 2), ("legal", 2)}:
            roles.update(variables(arguments(atom)[0]))
            others.update(variables(arguments(atom)[1]))
        elif signature(atom) in {("true", 1), ("next", 1)}:
            fluent = arguments(atom)[0]
            is_control = not isinstance(fluent, Variable) and signature(fluent) in control
            (roles if is_control else others).update(variables(fluent))
    return bool(roles & others)


def _relevant_rules(split: Sequence[Clause]) -> list[Clause]:
    """The rules that moves and their effects depend on."""
    by_relation: dict[Signature, list[Clause]] = defaultdict(list)
    for clause in split:
        by_relation[signature(clause.head)].append(clause)
    waiting: list[Signature] = [("legal", 2), ("next", 1)]
    seen = {*waiting, ("role", 1)}
    found = []
    while waiting:
        for clause in by_relation[waiting.pop()]:
            found.append(clause)
            for atom in (*clause.positive, *clause.negative):
                if signature(atom) not in seen:
                    seen.add(signature(atom))
                    waiting.append(signature(atom))
    return found


def _swap_roles(clause: Clause, swap: dict[Term, Term]) -> Clause:
    def term(old: Term) -> Term:
        if isinstance(old, tuple):
            return (old[0], *map(term, old[1:]))
        return swap.get(old, old)

    return Clause(
        term(clause.head),
        tuple(map(term, clause.positive)),
        tuple(map(term, clause.negative)),
        tuple((term(left), term(right)) for left, right in clause.distinct),
        clause.span,
    )


def _canonical(clause: Clause) -> Canonical:
    """A form that is equal for clauses that differ only in the order of literals and, mostly, names of variables."""
    literals = [
        *((0, atom) for atom in clause.positive),
        *((1, atom) for atom in clause.negative),
        *((2, ("distinct", *sorted(pair, key=_outline))) for pair in clause.distinct),
    ]
    literals.sort(key=lambda literal: (literal[0], _outline(literal[1])))
    numbers: dict[Variable, int] = {}

    def term(old: Term) -> object:
        if isinstance(old, Variable):
            return ("variable", numbers.setdefault(old, len(numbers)))
        return (old[0], *map(term, old[1:])) if isinstance(old, tuple) else old

    head = term(clause.head)
    return (head, *((sign, term(atom)) for sign, atom in literals))


def _outline(term: Term) -> tuple[object, ...]:
    """A key for sorting that does not depend on the names of variables."""
    if isinstance(term, Variable):
        return (0,)
    if isinstance(term, tuple):
        return (2, term[0], len(term), *(part for argument in term[1:] for part in _flatten(_outline(argument))))
    return (1, *_flatten(sort_key(term)))


def _flatten(key: Iterable[object]) -> list[str]:
    return [str(part) for part in key]
