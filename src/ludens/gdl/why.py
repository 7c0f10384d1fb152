"""Why a fact holds in a state, as a proof; or why it does not: for each rule the condition that fails.

The reference reasoner derives what holds; here its facts are put together again, rule by rule, for people to read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ludens.core import GameError
from ludens.gdl.game import GdlState
from ludens.gdl.query import ask
from ludens.gdl.reasoner.program import Budget, Program
from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule
from ludens.gdl.source import Source
from ludens.gdl.terms import Term, Variable, is_ground, signature, sort_key, substitute, unify
from ludens.gdl.write import kif, kif_condition

_MOST_STEPS = 100_000
"""Conditions that are tried before an explanation is given up."""
_MOST_RULES = 8
"""Rules that could derive a fact and are explained, if none does."""
_DEEPEST = 60
_FAILING_DEPTH = 4
"""How deep it is explained why conditions fail."""

Bound = Mapping[Variable, Term]


@dataclass(frozen=True, slots=True)
class Reason:
    """A fact or condition, whether it holds, and why."""

    text: str
    """In KIF."""
    holds: bool
    note: str = ""
    """Why, in words, if it is not a rule."""
    line: int | None = None
    """The line of the rule that derives it, or fails to."""
    because: tuple[Reason, ...] = ()
    """The conditions of the rule; of a rule that fails, those that hold and the first that does not."""

    def as_json(self) -> dict[str, Any]:
        """The tree as JSON objects."""
        return {
            "text": self.text,
            "holds": self.holds,
            "note": self.note,
            "line": self.line,
            "because": [reason.as_json() for reason in self.because],
        }

    def lines(self, depth: int = 0) -> Iterator[str]:
        """The tree as text, indented."""
        rule = f" (rule in line {self.line})" if self.line is not None else ""
        yield f"{'  ' * depth}{'yes' if self.holds else 'no '} {self.text}{f': {self.note}' if self.note else ''}{rule}"
        for reason in self.because:
            yield from reason.lines(depth + 1)


def explain(state: GdlState, fact: Term) -> Reason:
    """Explain a fact without variables, or a fluent by its name. Raises `GameError` if the rules know neither, if it
    depends on the moves, or if the explanation would take too long."""
    if not is_ground(fact):
        raise GameError(f"{kif(fact)} has unknowns; name the fact to explain completely, such as (legal white noop)")
    asked = ask(state, fact)  # checks the name, and finds fluents
    return _Explainer(state).explain(asked.atom)


@dataclass(slots=True)
class _Attempt:
    """How far the conditions of a rule hold."""

    bound: Bound
    passed: list[Condition] = field(default_factory=list)
    failed: Condition | None = None


class _TooLongError(GameError):
    """There are too many ways to match conditions."""


class _Explainer:
    """Explains facts of one state."""

    def __init__(self, state: GdlState) -> None:
        sheet = state.game.sheet
        self._state = state
        self._source: Source = sheet.source
        self._rules: dict[tuple[str, int], list[Rule]] = {}
        for rule in sheet.rules:
            self._rules.setdefault(signature(rule.head), []).append(rule)
        self._program = Program(sheet, state.game.name, Budget())
        self._layer = self._program.state_layer(state.facts)
        self._facts: dict[tuple[str, int], list[Term]] = {}
        self._true = frozenset(state.facts)
        self._steps = 0

    def explain(self, atom: Term) -> Reason:
        proof = self._prove(atom, frozenset(), 0)
        return proof if proof is not None else self._refute(atom, 0)

    # What holds

    def _matching(self, atom: Term) -> list[Term]:
        """The facts of a relation that may match."""
        sign = signature(atom)
        if sign == ("true", 1):
            return [("true", fact) for fact in self._true]
        if sign not in self._facts:
            known = self._program.all_facts(self._layer, sign)
            if known is None:  # derived on demand: asked with what is known of its arguments
                return list(ask(self._state, atom).instances())
            self._facts[sign] = sorted(known, key=sort_key)
        return self._facts[sign]

    def _solve(self, condition: Condition, bound: Bound) -> Iterator[Bound]:
        """The ways in which a condition holds."""
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise _TooLongError("the explanation takes too long: too many ways to match these rules")
        match condition:
            case Holds(atom):
                wanted = substitute(atom, bound)
                for fact in self._matching(wanted):
                    self._steps += 1
                    if (found := unify(wanted, fact, bound)) is not None:
                        yield found
            case Distinct(left, right):
                if substitute(left, bound) != substitute(right, bound):
                    yield bound
            case Not(inner):
                if next(self._solve(inner, bound), None) is None:
                    yield bound
            case Or(conditions):
                for one in conditions:
                    yield from self._solve(one, bound)
            case And(conditions):
                yield from self._solve_all(list(conditions), bound)

    def _solve_all(self, conditions: list[Condition], bound: Bound) -> Iterator[Bound]:
        if not conditions:
            yield bound
            return
        for found in self._solve(conditions[0], bound):
            yield from self._solve_all(conditions[1:], found)

    # Proofs

    def _prove(self, atom: Term, above: frozenset[Term], depth: int) -> Reason | None:
        """A proof of a fact that does not use itself; None if there is none."""
        if signature(atom) == ("true", 1):
            if atom[1] in self._true:
                return Reason(kif(atom), True, "in this position")
            return None
        if atom in above or depth > _DEEPEST or not any(unify(atom, fact) is not None for fact in self._matching(atom)):
            return None
        for rule in self._rules.get(signature(atom), ()):
            bound = unify(rule.head, atom)
            if bound is None:
                continue
            for found in self._solve_all(_ordered(rule.body), bound):
                because = self._prove_all(rule.body, found, above | {atom}, depth)
                if because is not None:
                    note = "" if rule.body else "a fact of the rules"
                    return Reason(kif(atom), True, note, self._line(rule), tuple(because))
        return None

    def _prove_all(
        self, body: tuple[Condition, ...], bound: Bound, above: frozenset[Term], depth: int
    ) -> list[Reason] | None:
        because = []
        for condition in body:
            reason = self._prove_condition(condition, bound, above, depth)
            if reason is None:
                return None
            because.append(reason)
        return because

    def _prove_condition(self, condition: Condition, bound: Bound, above: frozenset[Term], depth: int) -> Reason | None:
        match condition:
            case Holds(atom):
                return self._prove(substitute(atom, bound), above, depth + 1)
            case Or(conditions):
                return next(
                    (
                        reason
                        for one in conditions
                        if next(self._solve(one, bound), None) is not None
                        and (reason := self._prove_condition(one, bound, above, depth)) is not None
                    ),
                    None,
                )
            case And(conditions):
                because = self._prove_all(conditions, bound, above, depth)
                return None if because is None else Reason(self._text(condition, bound), True, because=tuple(because))
            case Distinct():
                return Reason(self._text(condition, bound), True, "they differ")
            case Not():
                return Reason(self._text(condition, bound), True, "nothing makes it true")

    # Failures

    def _refute(self, atom: Term, depth: int) -> Reason:
        """Why a fact does not hold: for each rule the conditions that hold, and the first that fails."""
        if signature(atom) == ("true", 1):
            return Reason(kif(atom), False, "not in this position")
        because = []
        for rule in self._rules.get(signature(atom), ()):
            bound = unify(rule.head, atom)
            if bound is not None and len(because) < _MOST_RULES:
                because.append(self._failure(rule, bound, depth))
        if because:
            return Reason(kif(atom), False, "no rule applies", because=tuple(because))
        return Reason(kif(atom), False, "no rule or fact has this form")

    def _failure(self, rule: Rule, bound: Bound, depth: int) -> Reason:
        attempt = self._furthest(_ordered(rule.body), bound)
        passed = [Reason(self._text(condition, attempt.bound), True) for condition in attempt.passed]
        assert attempt.failed is not None
        failed = self._why_not(attempt.failed, attempt.bound, depth)
        head = kif(substitute(rule.head, attempt.bound))
        return Reason(head, False, "", self._line(rule), (*passed, failed))

    def _furthest(self, body: list[Condition], bound: Bound) -> _Attempt:
        """The attempt at a rule in which the most conditions hold, one after the other."""
        best = _Attempt(bound, [], body[0] if body else None)
        stack: list[tuple[int, Bound]] = [(0, bound)]
        while stack:
            number, here = stack.pop()
            if number >= len(best.passed):
                best = _Attempt(here, body[:number], body[number] if number < len(body) else None)
            if number < len(body):
                try:
                    stack += [(number + 1, found) for found in reversed(list(self._solve(body[number], here)))]
                except _TooLongError:
                    self._steps = 0
                    break  # the furthest so far is an answer, too
        return best

    def _why_not(self, condition: Condition, bound: Bound, depth: int) -> Reason:
        text = self._text(condition, bound)
        match condition:
            case Holds(atom):
                wanted = substitute(atom, bound)
                if is_ground(wanted) and depth < _FAILING_DEPTH:
                    return self._refute(wanted, depth + 1)
                return Reason(text, False, "nothing matches" if not is_ground(wanted) else "")
            case Not(Holds(atom)):
                found = next(self._solve(Holds(atom), bound), bound)
                proof = self._prove(substitute(atom, found), frozenset(), 0)
                return Reason(text, False, "it holds", because=(proof,) if proof else ())
            case Or(conditions):
                because = tuple(self._why_not(one, bound, depth + 1) for one in conditions)
                return Reason(text, False, "none of these holds", because=because)
            case Distinct():
                return Reason(text, False, "they are equal")
            case _:
                return Reason(text, False)

    def _text(self, condition: Condition, bound: Bound) -> str:
        return kif_condition(_substituted(condition, bound))

    def _line(self, rule: Rule) -> int | None:
        return self._source.locate(rule.span.start)[0] if self._source.text else None


def _ordered(body: tuple[Condition, ...]) -> list[Condition]:
    """The conditions in an order in which those that only test come after those that bind their variables."""
    return sorted(body, key=lambda condition: isinstance(condition, Not | Distinct))


def _substituted(condition: Condition, bound: Bound) -> Condition:
    match condition:
        case Holds(atom):
            return Holds(substitute(atom, bound))
        case Distinct(left, right):
            return Distinct(substitute(left, bound), substitute(right, bound))
        case Not(inner):
            return Not(_substituted(inner, bound))
        case Or(conditions):
            return Or(tuple(_substituted(one, bound) for one in conditions))
        case And(conditions):
            return And(tuple(_substituted(one, bound) for one in conditions))
