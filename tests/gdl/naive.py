"""An oracle for the reasoners: what rules mean, computed as simply as can be, sharing no code with them.

Rules are taken as they are written. The model is built level by level; on each level every rule is tried against all
facts, again and again, until nothing new comes. Rules must be safe and stratified relation by relation, and every
variable must get its value from a relation or an ``or`` of relations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule
from ludens.gdl.terms import Term, Variable

Binding = Mapping[Variable, Term]
Relation = tuple[str, int]


def model(rules: Sequence[Rule], given: Iterable[Term] = ()) -> set[Term]:
    """Everything that holds if the given facts and the rules do."""
    levels = _levels(rules)
    facts = set(given)
    for level in range(max(levels.values(), default=0) + 1):
        active = [rule for rule in rules if levels[_relation(rule.head)] == level]
        while True:
            new = {head for rule in active for head in _consequences(rule, facts)} - facts
            if not new:
                break
            facts |= new
    return facts


def solutions(conditions: Sequence[Condition], facts: set[Term], binding: Binding) -> Iterator[Binding]:
    """Every way to give values to variables such that all conditions hold."""
    if not conditions:
        yield binding
        return
    first = min(conditions, key=lambda condition: _urgency(condition, binding))
    rest = [condition for condition in conditions if condition is not first]
    match first:
        case Holds(atom):
            for fact in facts:
                extended = _match(atom, fact, binding)
                if extended is not None:
                    yield from solutions(rest, facts, extended)
        case And(inner):
            yield from solutions([*inner, *rest], facts, binding)
        case Or(inner):
            for alternative in inner:
                yield from solutions([alternative, *rest], facts, binding)
        case Not(inner):
            if next(solutions([inner], facts, binding), None) is None:
                yield from solutions(rest, facts, binding)
        case Distinct(left, right):
            if _value(left, binding) != _value(right, binding):
                yield from solutions(rest, facts, binding)


def _consequences(rule: Rule, facts: set[Term]) -> Iterator[Term]:
    for binding in solutions(rule.body, facts, {}):
        yield _value(rule.head, binding)


def _urgency(condition: Condition, binding: Binding) -> tuple[int, int]:
    """What binds variables goes first, and what checks them last."""
    match condition:
        case Holds(atom):
            return 0, len(set(_variables(atom)) - set(binding))
        case And():
            return 1, 0
        case Or():
            return 2, 0
        case _:
            return 3, 0


def _match(pattern: Term, fact: Term, binding: Binding) -> Binding | None:
    if isinstance(pattern, Variable):
        if pattern in binding:
            return binding if binding[pattern] == fact else None
        return {**binding, pattern: fact}
    if isinstance(pattern, str) or isinstance(fact, str):
        return binding if pattern == fact else None
    assert isinstance(fact, tuple)
    if len(pattern) != len(fact):
        return None
    found: Binding | None = binding
    for part, value in zip(pattern, fact, strict=True):
        if found is not None:
            found = _match(part, value, found)
    return found


def _value(term: Term, binding: Binding) -> Term:
    if isinstance(term, Variable):
        return binding[term]
    return tuple(_value(part, binding) for part in term) if isinstance(term, tuple) else term


def _variables(term: Term) -> Iterator[Variable]:
    if isinstance(term, Variable):
        yield term
    elif isinstance(term, tuple):
        for part in term:
            yield from _variables(part)


def _relation(atom: Term) -> Relation:
    if isinstance(atom, tuple):
        name = atom[0]
        assert isinstance(name, str)
        return name, len(atom) - 1
    assert isinstance(atom, str)
    return atom, 0


def _levels(rules: Sequence[Rule]) -> dict[Relation, int]:
    """A level for each defined relation: not below what it needs, and above what it negates."""
    levels = {_relation(rule.head): 0 for rule in rules}
    for _ in range(len(levels) + 1):
        before = dict(levels)
        for rule in rules:
            head = _relation(rule.head)
            for atom, negated in (found for condition in rule.body for found in _atoms(condition, negated=False)):
                needed = levels.get(_relation(atom), -1) + negated
                levels[head] = max(levels[head], needed)
        if levels == before:
            return levels
    raise ValueError("the rules are not stratified")


def _atoms(condition: Condition, *, negated: bool) -> Iterator[tuple[Term, bool]]:
    match condition:
        case Holds(atom):
            yield atom, negated
        case Not(inner):
            # Even twice negated, a relation is asked for only when it is complete.
            yield from _atoms(inner, negated=True)
        case And(several) | Or(several):
            for inner in several:
                yield from _atoms(inner, negated=negated)
