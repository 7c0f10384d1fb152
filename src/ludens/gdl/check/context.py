"""A rule sheet prepared for checking: relations and arguments with their places, and dependencies."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from ludens.gdl.chance.dialect import dialect_of
from ludens.gdl.chance.random_variables import RandomVariables
from ludens.gdl.check.codes import problem
from ludens.gdl.check.limits import MAX_CLAUSES, comparisons_explode, nests_too_deep
from ludens.gdl.check.walk import conditions
from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.logic.strata import Signature, components
from ludens.gdl.rules import Distinct, Holds, Rule, RuleSheet
from ludens.gdl.source import GdlError, Problem, Span
from ludens.gdl.syntax.expressions import MAX_DEPTH
from ludens.gdl.terms import Term, Variable, arguments, functor, signature


@dataclass(frozen=True, slots=True)
class Atom:
    """One occurrence of a relation."""

    term: Term
    span: Span
    rule: Rule
    in_head: bool

    @property
    def name(self) -> str:
        """The relation's name."""
        return functor(self.term)

    @property
    def signature(self) -> Signature:
        """The relation's name and number of arguments."""
        return signature(self.term)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a relation or of ``distinct``, at one place."""

    term: Term
    span: Span
    """The relation that it stands in."""
    relation: str
    """The name of that relation; ``distinct`` has it too."""
    number: int
    """Which argument it is, from 1."""
    in_head: bool


class Context:
    """The input of all checks. Rules that cannot be analysed are reported once and left out."""

    def __init__(self, sheet: RuleSheet) -> None:
        self.sheet = sheet
        self.rules: list[Rule] = []
        self.clauses: list[tuple[Rule, Sequence[Clause]]] = []
        """The rules with their alternatives multiplied out; rules that can never apply are dropped."""
        self.unusable: list[Problem] = []
        """Problems that prevent rules from being analysed."""
        for rule in sheet.rules:
            if nests_too_deep(rule):
                message = f"this rule is nested more than {MAX_DEPTH} deep"
                self.unusable.append(problem("GDL321", message, rule.span))
            else:
                self.rules.append(rule)
        self._steps: dict[str, dict[Signature, Signature]] = {}
        self.dialect = dialect_of(replace(sheet, rules=tuple(self.rules)))
        self._multiply_out()

    def _multiply_out(self) -> None:
        total = 0
        for rule in self.rules:
            if comparisons_explode(rule):
                message = "the 'distinct' of this rule compare too many or too large terms"
                hint = "move some of them into a relation of their own"
                self.unusable.append(problem("GDL321", message, rule.span, hint))
                continue
            try:
                found = list(clauses([rule], self.sheet.source))
            except GdlError as error:
                self.unusable.extend(error.problems)
                continue
            total += len(found)
            if total > MAX_CLAUSES:
                message = f"the rules up to here multiply out to more than {MAX_CLAUSES:,} clauses"
                hint = "move alternatives into relations of their own"
                self.unusable.append(problem("GDL322", message, rule.span, hint))
                return
            self.clauses.append((rule, found))

    @cached_property
    def atoms(self) -> list[Atom]:
        """Every relation of the rule sheet, heads and bodies, in the order of the rules."""
        found = []
        for rule in self.rules:
            found.append(Atom(rule.head, rule.head_span, rule, in_head=True))
            for nested in conditions(rule.body):
                if isinstance(nested.condition, Holds):
                    found.append(Atom(nested.condition.atom, nested.condition.span, rule, in_head=False))
        return found

    @cached_property
    def heads(self) -> list[Atom]:
        """The relations in heads."""
        return [atom for atom in self.atoms if atom.in_head]

    @cached_property
    def bodies(self) -> list[Atom]:
        """The relations in bodies."""
        return [atom for atom in self.atoms if not atom.in_head]

    def heads_of(self, name: str, arity: int) -> list[Atom]:
        """The heads that define a relation."""
        return self._heads_by_signature.get((name, arity), [])

    @cached_property
    def _heads_by_signature(self) -> dict[Signature, list[Atom]]:
        found: dict[Signature, list[Atom]] = defaultdict(list)
        for atom in self.heads:
            found[atom.signature].append(atom)
        return dict(found)

    @cached_property
    def arguments(self) -> list[Argument]:
        """Every argument of every relation and every ``distinct``."""
        found = []
        for atom in self.atoms:
            for number, term in enumerate(arguments(atom.term), start=1):
                found.append(Argument(term, atom.span, atom.name, number, atom.in_head))
        for rule in self.rules:
            for nested in conditions(rule.body):
                if isinstance(nested.condition, Distinct):
                    for number, term in enumerate((nested.condition.left, nested.condition.right), start=1):
                        found.append(Argument(term, nested.condition.span, "distinct", number, in_head=False))
        return sorted(found, key=lambda argument: argument.span.start)

    @cached_property
    def roles(self) -> dict[Term, Span]:
        """The roles that facts name, and where."""
        found: dict[Term, Span] = {}
        for atom in self.heads_of("role", 1):
            if not atom.rule.body:
                found.setdefault(arguments(atom.term)[0], atom.span)
        return found

    @cached_property
    def chance(self) -> RandomVariables:
        """The random variables that the rules define."""
        return RandomVariables.of(self.sheet)

    @cached_property
    def needs(self) -> dict[Signature, set[Signature]]:
        """For each relation those that its rules mention."""
        found: dict[Signature, set[Signature]] = defaultdict(set)
        for atom in self.bodies:
            found[signature(atom.rule.head)].add(atom.signature)
        return dict(found)

    @cached_property
    def cycles(self) -> dict[Signature, int]:
        """The number of the cycle that each relation lies on, of those relations that need themselves."""
        found = {}
        signatures = sorted({atom.signature for atom in self.atoms})
        parts = components(signatures, lambda sign: sorted(self.needs.get(sign, ())))
        for number, component in enumerate(parts):
            if len(component) > 1 or component[0] in self.needs.get(component[0], ()):
                found.update(dict.fromkeys(component, number))
        return found

    def route(self, start: Signature, target: str) -> list[str] | None:
        """The relations from one to another that it needs, both included; None if it does not need it."""
        steps = self._steps_to(target)
        if start not in steps:
            return None
        route = [start]
        while route[-1][0] != target:
            route.append(steps[route[-1]])
        return [name for name, _ in route]

    def _steps_to(self, target: str) -> dict[Signature, Signature]:
        """From each relation that needs the target, the next one on a shortest way there."""
        known = self._steps.get(target)
        if known is None:
            known = {atom.signature: atom.signature for atom in self.bodies if atom.name == target}
            queue = deque(known)
            while queue:
                needed = queue.popleft()
                for user in self._users.get(needed, ()):
                    if user not in known:
                        known[user] = needed
                        queue.append(user)
            self._steps[target] = known
        return known

    @cached_property
    def _users(self) -> dict[Signature, list[Signature]]:
        found: dict[Signature, list[Signature]] = defaultdict(list)
        for user, needed in self.needs.items():
            for sign in sorted(needed):
                found[sign].append(user)
        return dict(found)

    def place(self, name: str, within: Span) -> Span:
        """Where a name stands inside a stretch of text; the whole stretch if it cannot be found."""
        return self._find(f"(?i:{re.escape(name)})", within) or within

    def place_of_variable(self, variable: Variable, within: Span) -> Span:
        """Where a variable stands inside a stretch of text, in either syntax."""
        name = f"(?i:{re.escape(variable.name)})"
        return self._find(rf"\?{name}", within) or self._find(f"(?=[A-Z_]){name}", within) or within

    def _find(self, pattern: str, within: Span) -> Span | None:
        word = re.compile(rf"(?<![^\s(,&|;~']){pattern}(?![^\s(),&|;.'])")
        found = word.search(self.sheet.source.text, within.start, within.end)
        return Span(*found.span()) if found else None

    def line(self, span: Span) -> int:
        """The line that a span begins in."""
        return self.sheet.source.locate(span.start)[0]


Check: TypeAlias = Callable[[Context], Iterator[Problem]]
