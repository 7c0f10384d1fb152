"""Turns that are plain from the text of the rules: a fluent names the only role that has a choice.

Most rules for several roles are written so. A role has one idle move, the same wherever it has no ``(control role)``;
all its other moves are legal only with ``(true (control role))``. At most one ``control`` is there in the beginning,
and each one is followed by one other at most. Then two roles never have a choice in one state. The fluent may have any
name. Rules that arrange turns in another way are left to proofs over the compiled game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.logic.strata import Signature
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, Variable, arguments, is_ground, signature, substitute


@dataclass(frozen=True, slots=True)
class Turns:
    """A fluent of one argument that is true of one role at most, the only one that may have a choice."""

    functor: str
    always_pass: bool
    """True if the fluent is never true of one role in two states in a row."""

    @property
    def reason(self) -> str:
        """Why no two roles have a choice, in words."""
        return f"only the role that {self.functor} is true of has a choice, and that is one role at most"


def find_turns(sheet: RuleSheet, roles: Sequence[Term]) -> Turns | None:
    """The fluent that gives turns to these roles; None if the text does not show one."""
    split = list(clauses(sheet.rules, sheet.source))
    by_relation: dict[Signature, list[Clause]] = defaultdict(list)
    for clause in split:
        by_relation[signature(clause.head)].append(clause)
    legal = by_relation["legal", 2]
    for name in dict.fromkeys(name for clause in legal for name, _ in _held(clause)):
        if _only_with(name, legal, roles):
            successors = _successors(name, by_relation)
            if successors is not None and all(len(after) <= 1 for after in successors.values()):
                return Turns(name, all(value not in after for value, after in successors.items()))
    return None


def _held(clause: Clause) -> Iterator[tuple[str, Term]]:
    """The fluents of one argument that a clause demands: names and arguments."""
    for atom in clause.positive:
        fluent = arguments(atom)[0] if signature(atom) == ("true", 1) else ""
        if isinstance(fluent, tuple) and len(fluent) == 2:
            yield signature(fluent)[0], fluent[1]


def _only_with(name: str, legal: Sequence[Clause], roles: Sequence[Term]) -> bool:
    """Whether a role without the fluent has one move at most."""
    for role in roles:
        idle: set[Term] = set()
        for clause in legal:
            who, move = arguments(clause.head)
            if who != role and not isinstance(who, Variable):
                continue
            if not any(held == name and argument in (who, role) for held, argument in _held(clause)):
                idle.add(move)
        if len(idle) > 1 or not all(map(is_ground, idle)):
            return False
    return True


def _successors(name: str, by_relation: dict[Signature, list[Clause]]) -> dict[Term, set[Term]] | None:
    """What the fluent may be true of after being true of something, from the beginning on.

    None if it may be true of several things in the beginning, or come from nothing.
    """
    first = _defining("init", name, by_relation)
    after = _defining("next", name, by_relation)
    if first is None or after is None or not all(is_ground(value) for value, _ in first):
        return None
    if not all(any(held == name for held, _ in _held(clause)) for _, clause in after):
        return None
    found: dict[Term, set[Term]] = {}
    waiting = list({value for value, _ in first})
    if len(waiting) > 1:
        return None
    while waiting:
        value = waiting.pop()
        found[value] = set()
        for head, clause in after:
            following = _following(name, head, clause, value, by_relation)
            if following is None:
                return None
            found[value] |= following
        waiting += [other for other in found[value] if other not in found]
    return found


def _defining(relation: str, name: str, by_relation: dict[Signature, list[Clause]]) -> list[tuple[Term, Clause]] | None:
    """The clauses that may make the fluent true, with its argument; None if one of them may make any fluent true."""
    found = []
    for clause in by_relation[relation, 1]:
        fluent = arguments(clause.head)[0]
        if isinstance(fluent, Variable):
            return None
        if signature(fluent) == (name, 1):
            found.append((arguments(fluent)[0], clause))
    return found


def _following(
    name: str, head: Term, clause: Clause, value: Term, by_relation: dict[Signature, list[Clause]]
) -> set[Term] | None:
    """What a clause makes the fluent true of if it was true of a value; None if that cannot be told."""
    demanded = [argument for held, argument in _held(clause) if held == name]
    if any(not isinstance(argument, Variable) and argument != value for argument in demanded):
        return set() if all(map(is_ground, demanded)) else None
    given: dict[Variable, Term] = {argument: value for argument in demanded if isinstance(argument, Variable)}
    head = substitute(head, given)
    positive = [substitute(atom, given) for atom in clause.positive]
    distinct = [(substitute(left, given), substitute(right, given)) for left, right in clause.distinct]
    if is_ground(head):
        return {head} if _may_hold(positive, distinct, by_relation) else set()
    if not isinstance(head, Variable):
        return None
    for atom in positive:
        facts = _facts(signature(atom), by_relation)
        if facts is not None and head in arguments(atom):
            place = arguments(atom).index(head)
            possible = {arguments(fact)[place] for fact in facts}
            return {
                other
                for other in possible
                if _may_hold(
                    [substitute(one, {head: other}) for one in positive],
                    [(substitute(left, {head: other}), substitute(right, {head: other})) for left, right in distinct],
                    by_relation,
                )
            }
    return None


def _may_hold(
    positive: Iterable[Term], distinct: Iterable[tuple[Term, Term]], by_relation: dict[Signature, list[Clause]]
) -> bool:
    """False if conditions contradict what is written down as facts."""
    for atom in positive:
        facts = _facts(signature(atom), by_relation) if is_ground(atom) else None
        if facts is not None and atom not in facts:
            return False
    return all(left != right for left, right in distinct)


def _facts(sign: Signature, by_relation: dict[Signature, list[Clause]]) -> set[Term] | None:
    """All that holds of a relation that only facts define."""
    if sign in (("true", 1), ("does", 2)) or sign not in by_relation:
        return None
    own = by_relation[sign]
    if any(clause.positive or clause.negative or clause.distinct or not is_ground(clause.head) for clause in own):
        return None
    return {clause.head for clause in own}
