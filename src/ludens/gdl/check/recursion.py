"""Checks of rules that need themselves: through a negation, or without an end."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence

from ludens.gdl.check.codes import problem
from ludens.gdl.check.context import Check, Context
from ludens.gdl.check.walk import conditions
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.strata import Signature, stratify
from ludens.gdl.rules import Holds, Rule
from ludens.gdl.source import Problem, Span
from ludens.gdl.terms import Term, Variable, arguments, functor, is_ground, signature, variables
from ludens.gdl.write import kif


def unusable_rules(context: Context) -> Iterator[Problem]:
    """Rules can be split into clauses."""
    yield from context.unusable


def cycles_through_negation(context: Context) -> Iterator[Problem]:
    """Nothing depends on its own negation."""
    negations = _negations_on_cycles(context)
    suspects = set(negations)
    # A clause can only be on a cycle if its relation is; to compare all heads with all conditions takes long.
    rules = {
        clause: rule
        for rule, branches in context.clauses
        for clause in branches
        if context.cycles.get(signature(clause.head)) in suspects
    }
    try:
        strata = stratify(list(rules))
    except RecursionError:
        yield problem("GDL321", "the terms of these rules grow too large when they are compared")
        return
    for stratum in strata:
        if stratum.negative_cycle is not None:
            clause, atom = stratum.negative_cycle
            suspects.discard(context.cycles[signature(clause.head)])
            message = f"{kif(clause.head)} depends on its own negation through (not {kif(atom)})"
            hint = "the rules give no answer to whether it holds; break the cycle"
            yield problem("GDL301", message, _place_of(atom, rules[clause]), hint)
    for cycle in suspects:
        name, span = negations[cycle]
        message = f"relation {name!r} depends on its own negation, though never for the same arguments"
        hint = "other systems may reject it; a relation of its own for the negated case avoids that"
        yield problem("GDL302", message, span, hint)


def _negations_on_cycles(context: Context) -> dict[int, tuple[str, Span]]:
    """For each cycle of relations that goes through a negation, the first relation that does, and where."""
    found: dict[int, tuple[str, Span]] = {}
    for rule in context.rules:
        cycle = context.cycles.get(signature(rule.head))
        if cycle is None:
            continue
        for nested in conditions(rule.body):
            match nested.condition:
                case Holds(atom, span) if nested.negated and context.cycles.get(signature(atom)) == cycle:
                    found.setdefault(cycle, (functor(rule.head), span))
    return found


def endless_recursion(context: Context) -> Iterator[Problem]:
    """Recursion keeps to the specification's restriction, which guarantees that it ends."""
    growing = _growing_cycles(context)
    for rule, branches in context.clauses:
        reported = set()
        for clause, literal, culprit in _violations(context, branches):
            place = _place_of(literal, rule)
            if place in reported:
                continue
            reported.add(place)
            growth = _growth(context, clause, literal) or 0
            if growth > 0 and context.cycles[signature(literal)] in growing:
                message = f"this recursion builds ever larger terms from {kif(culprit)} and never ends"
                hint = "bind the variable in a condition outside the recursion"
                yield problem("GDL304", message, place, hint)
            else:
                message = f"{kif(culprit)} in this recursion is an argument neither of the head nor outside of it"
                hint = "other systems may reject it; a condition outside the recursion that has it would do"
                yield problem("GDL303", message, place, hint)


def _violations(context: Context, branches: Sequence[Clause]) -> Iterator[tuple[Clause, Term, Term]]:
    """Recursive literals of clauses, each with an argument that the recursion restriction forbids.

    The specification (2008) allows arguments that are ground, or also arguments of the head, or also
    arguments of a positive literal that is not part of the recursion.
    """
    for clause in branches:
        recursive, others = _split(context, clause)
        allowed = {term for atom in (clause.head, *others) for term in arguments(atom)}
        for atom in recursive:
            culprits = (term for term in arguments(atom) if not is_ground(term) and term not in allowed)
            for culprit in itertools.islice(culprits, 1):
                yield clause, atom, culprit


def _split(context: Context, clause: Clause) -> tuple[list[Term], list[Term]]:
    """The positive literals on a cycle with the head, and the others."""
    cycle = context.cycles.get(signature(clause.head))
    recursive: list[Term] = []
    others: list[Term] = []
    for atom in clause.positive:
        on_cycle = cycle is not None and context.cycles.get(signature(atom)) == cycle
        (recursive if on_cycle else others).append(atom)
    return recursive, others


def _growth(context: Context, clause: Clause, literal: Term) -> int | None:
    """How many levels deeper than a recursive literal the head has a variable of it that nothing else bounds.

    None if there is no such variable.
    """
    _, others = _split(context, clause)
    bounded = {variable for atom in others for variable in variables(atom)}
    before, after = _depths(literal), _depths(clause.head)
    return max((after[name] - before[name] for name in before.keys() & after.keys() - bounded), default=None)


def _depths(term: Term) -> dict[Variable, int]:
    """How deep each variable of a term stands in it, at its deepest."""
    found: dict[Variable, int] = {}
    level: list[Term] = [term]
    number = 0
    while level:
        found.update((part, number) for part in level if isinstance(part, Variable))
        level = [argument for part in level if isinstance(part, tuple) for argument in part[1:]]
        number += 1
    return found


def _growing_cycles(context: Context) -> set[int]:
    """The cycles of relations on which terms get deeper from round to round.

    A rule that nests a variable deeper is harmless if another on the same cycle takes it out again, so what
    counts is the sum around the cycle: Bellman and Ford's search for a cycle of positive length.
    """
    edges: dict[int, list[tuple[Signature, Signature, int]]] = defaultdict(list)
    for clause in itertools.chain.from_iterable(branches for _, branches in context.clauses):
        for literal in _split(context, clause)[0]:
            growth = _growth(context, clause, literal)
            if growth is not None:
                edge = (signature(literal), signature(clause.head), growth)
                edges[context.cycles[signature(literal)]].append(edge)
    return {cycle for cycle, found in edges.items() if _has_positive_cycle(found)}


def _has_positive_cycle(edges: Sequence[tuple[Signature, Signature, int]]) -> bool:
    nodes = {node for start, end, _ in edges for node in (start, end)}
    longest = dict.fromkeys(nodes, 0)
    for _ in range(len(nodes) + 1):
        improved = False
        for start, end, weight in edges:
            if longest[start] + weight > longest[end]:
                longest[end] = longest[start] + weight
                improved = True
        if not improved:
            return False
    return True


def _place_of(atom: Term, rule: Rule) -> Span:
    """Where an atom stands in a rule's body; the whole rule if the clause has changed its variables."""
    for nested in conditions(rule.body):
        if isinstance(nested.condition, Holds) and nested.condition.atom == atom:
            return nested.condition.span
    return rule.span


CHECKS: tuple[Check, ...] = (unusable_rules, cycles_through_negation, endless_recursion)
