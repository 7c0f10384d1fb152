"""Which rules of a sheet ever fire: every rule gets a mark, a fluent that is true after a turn in which it fired.

The marked sheet is compiled like any other, so millions of states are looked at each second. Rules about the end, such
as goals, are evaluated in final states: there the marked game makes one more turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ludens.gdl.read import read_rules
from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule, RuleSheet, atoms
from ludens.gdl.terms import Term, Variable, arguments, functor, signature
from ludens.gdl.write import kif, write_kif

_OVER, _ENDED, _WAIT, _FIRED = "marked_over", "marked_ended", "marked_wait", "marked_rule"
_NEVER_MARKED = frozenset({"init", "base", "input", "role", "random"})
_BEFORE_END = frozenset({"legal", "next", "sees"})
_ALWAYS_MARKED = _BEFORE_END | {"goal", "terminal"}


@dataclass(frozen=True, slots=True)
class MarkedRule:
    """A rule that is watched."""

    number: int
    rule: Rule
    line: int | None
    """Its line in the sheet."""

    @property
    def mark(self) -> str:
        """The text of the fluent that says that it fired."""
        return f"({_FIRED} {self.number})"

    @property
    def title(self) -> str:
        """The head, and the line."""
        where = f" (line {self.line})" if self.line is not None else ""
        return f"{kif(self.rule.head)}{where}"

    @property
    def text(self) -> str:
        """The whole rule in KIF."""
        return write_kif([self.rule]).strip()


@dataclass(frozen=True, slots=True)
class MarkedSheet:
    """A sheet with marks."""

    sheet: RuleSheet
    rules: tuple[MarkedRule, ...]
    wait: str = field(default=_WAIT)
    """The move that every role makes once the match is over."""


def mark_rules(sheet: RuleSheet) -> MarkedSheet:
    """Mark all rules of a sheet that depend on the position."""
    acting = _depending_on(sheet, "does")
    changing = acting | _depending_on(sheet, "true")
    marked = [
        MarkedRule(number, rule, sheet.source.locate(rule.span.start)[0] if sheet.source.text else None)
        for number, rule in enumerate(sheet.rules)
        if rule.body
        and functor(rule.head) not in _NEVER_MARKED
        and (signature(rule.head) in changing or functor(rule.head) in _ALWAYS_MARKED)
    ]
    role = Variable("marked_role")
    rules = [_without_terminal(rule) for rule in sheet.rules]
    rules += [
        Rule(("next", (_FIRED, str(one.number))), (*_renamed_all(one.rule.body), *_guard(one.rule, acting)))
        for one in marked
    ]
    rules += [
        Rule(("legal", role, _WAIT), (Holds(("role", role)), Holds(_OVER))),
        Rule(("next", _ENDED), (Holds(_OVER),)),
        Rule("terminal", (Holds(("true", _ENDED)),)),
    ]
    # base and input would have to name the new fluents and moves; they only help the reader
    kept = tuple(rule for rule in rules if functor(rule.head) not in ("base", "input"))
    needs = {holds.atom for rule in kept for condition in rule.body for holds, _ in atoms(condition)}
    if any(functor(atom) in ("base", "input") for atom in needs):
        kept = tuple(rules)
    # compilers are sent the text
    return MarkedSheet(read_rules(write_kif(kept), name=f"{sheet.source.name} with marks"), tuple(marked))


def _guard(rule: Rule, acting: frozenset[tuple[str, int]]) -> tuple[Condition, ...]:
    """When a rule counts: about moves before the end, others always; some sheets have goals for the time before."""
    if functor(rule.head) in _BEFORE_END or signature(rule.head) in acting:
        return (Not(Holds(_OVER)),)
    return ()


def _depending_on(sheet: RuleSheet, word: str) -> frozenset[tuple[str, int]]:
    """The relations that depend on ``true`` or ``does``."""
    found: set[tuple[str, int]] = {(word, 1 if word == "true" else 2)}
    users: dict[tuple[str, int], set[tuple[str, int]]] = {}
    for rule in sheet.rules:
        for condition in rule.body:
            for holds, _ in atoms(condition):
                users.setdefault(signature(holds.atom), set()).add(signature(rule.head))
    waiting = list(found)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if user not in found:
                found.add(user)
                waiting.append(user)
    return frozenset(found)


def _without_terminal(rule: Rule) -> Rule:
    head: Term = _OVER if rule.head == "terminal" else rule.head
    return replace(rule, head=head, body=tuple(_renamed_all(rule.body)))


def _renamed_all(body: tuple[Condition, ...]) -> Iterator[Condition]:
    return map(_renamed, body)


def _renamed(condition: Condition) -> Condition:
    match condition:
        case Holds(atom) if atom == "terminal":
            return Holds(_OVER)
        case Not(inner):
            return Not(_renamed(inner))
        case Or(conditions):
            return Or(tuple(map(_renamed, conditions)))
        case And(conditions):
            return And(tuple(map(_renamed, conditions)))
        case Holds() | Distinct():
            return condition


def goal_of(rule: Rule) -> tuple[Term, Term] | None:
    """Role and value of a rule for a goal; None for other rules."""
    if signature(rule.head) != ("goal", 2):
        return None
    role, value = arguments(rule.head)
    return role, value
