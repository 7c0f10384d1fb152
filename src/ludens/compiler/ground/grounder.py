"""Stage 2: all instances of the rules that some reachable state could need, found by clingo's grounder.

``true`` and ``does`` become choices over everything that ``init``, ``next`` and ``legal`` can derive, so the ground
rules hold for every reachable state, and many that are not. Facts and what follows from them are simplified away.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ludens.compiler.ground.clingo_tape import STRETCH, Grounding, Limits, run_grounder
from ludens.compiler.ground.flat_rules import Atom, Body, FlatRules
from ludens.compiler.ground.limits import run_guarded
from ludens.compiler.ground.tidy import FACT, TidyRules
from ludens.compiler.rules.domains import Domains
from ludens.compiler.rules.growth import growing_terms, place_of, written_nesting
from ludens.compiler.rules.restrict import DEMAND
from ludens.core import GameError
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.reasoner.program import MAX_TERM_DEPTH
from ludens.gdl.source import Source
from ludens.gdl.terms import Term, Variable, arguments, functor, signature

_OPEN = {("true", 1): "true", ("does", 2): "does"}
_ASKED = {
    ("init", 1): "init",
    ("next", 1): "next",
    ("legal", 2): "legal",
    ("goal", 2): "goal",
    ("terminal", 0): "terminal",
}
_LEFT_OUT = {("base", 1), ("input", 2)}


UNGUARDED = 2_000_000
"""Rules with no more instances than this are grounded without a process of their own, which takes a quarter of a second
to start."""
QUICK_JOINS = 30_000_000
"""As long as clingo can try no more combinations of values than this, some 15 million a second."""


class TooLargeError(GameError):
    """The rules have too many ground instances."""

    def __init__(
        self, reason: str, clause: Clause | None = None, source: Source | None = None, *, limit: str = ""
    ) -> None:
        self.reason = reason
        """What the budget was that did not suffice."""
        self.clause = clause
        """The clause with the most instances, if that is known; it can be part of a rule of the rule sheet."""
        self.limit = limit
        """The limit that did not suffice: ``rules``, ``seconds``, ``memory`` or ``depth``, if that is known."""
        self.rule = self.position = None
        if clause is not None and source is not None:
            self.rule = " ".join(source.text[clause.span.start : clause.span.end].split())
            """The text of its rule in the rule sheet."""
            self.position = f"{source.name}:{source.locate(clause.span.start)[0]}"
            """Where that rule is: file and line."""
        blamed = "" if self.rule is None else self._describe_rule(f"the rule at {self.position}", _shorten(self.rule))
        super().__init__(reason + blamed)

    def _describe_rule(self, place: str, rule: str) -> str:
        """What is said about the rule."""
        return f"; {place} has the most instances: {rule}"


class GrowingError(TooLargeError):
    """The rules build larger and larger terms, so that there may be no end of ground instances."""

    def _describe_rule(self, place: str, rule: str) -> str:
        return (
            f", by {place}: {rule}; the backends cxx and reference play it, since they build only what a match needs; "
            "to compile it, let a condition take the values from a list of facts, such as (succ 0 1)"
        )


def _shorten(text: str, most: int = 200) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


@dataclass(frozen=True, slots=True)
class GroundBudget:
    """How much grounding may cost."""

    seconds: float = 60.0
    rules: int = 5_000_000

    memory: int = 4 << 30
    """In bytes; watched where the rules may be large, by grounding in a process of its own."""
    stretch: float = STRETCH
    """How many times as many seconds as it may compute may pass at most, on a busy machine."""

    def within(self, other: GroundBudget) -> GroundBudget:
        """The smaller of both budgets."""
        return GroundBudget(
            min(self.seconds, other.seconds),
            min(self.rules, other.rules),
            min(self.memory, other.memory),
            min(self.stretch, other.stretch),
        )

    def exceeded(self, limit: str) -> str:
        """What to say when a limit, by its name, did not suffice."""
        match limit:
            case "seconds":
                return f"grounding took more than {self.seconds:g} s"
            case "memory":
                return f"grounding needs more than {self.memory / 2**30:.3g} GB of memory"
            case "depth":
                return f"terms nest more than {MAX_TERM_DEPTH} deep"
            case _:
                return f"the rules have more than {self.rules:,} ground instances"


@dataclass
class GroundProgram:
    """Ground rules of a game."""

    rules: Mapping[Atom, list[Body]] = field(default_factory=dict)
    """The bodies that derive each atom; an empty body makes it a fact."""
    fluents: dict[Atom, Term] = field(default_factory=dict)
    """The atoms that a state decides: fluents that some state may have."""
    moves: dict[Atom, tuple[Term, Term]] = field(default_factory=dict)
    """The atoms that a joint move decides: role and move."""
    named: dict[tuple[str, Term], Atom] = field(default_factory=dict)
    """The atoms that are asked for, by relation and argument (a pair for ``legal`` and ``goal``); 0 is a fact."""
    instances: int = 0
    """How many ground rules there were before those of equal atoms were made one."""
    seconds: float = 0.0

    @property
    def size(self) -> int:
        """The number of ground rules."""
        return FlatRules.of(self.rules).size


class Names:
    """Translates terms to clingo's syntax and back; names become numbers, since GDL's can have any characters."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []
        self.demands: set[tuple[str, int]] = set()
        """The demands that occurred: names in clingo's syntax, and numbers of arguments."""

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self._names)
            self._names.append(name)
        return number

    def atom(self, term: Term) -> str:
        """An atom in clingo's syntax."""
        if functor(term).startswith(DEMAND):
            self.demands.add(self.relation(term))
        name, parts = self.relation(term)[0], arguments(term)
        return f"{name}({','.join(map(self.term, parts))})" if parts else name

    def relation(self, term: Term) -> tuple[str, int]:
        """The name of an atom's relation in clingo's syntax, and its number of arguments."""
        sign = signature(term)
        if sign[0].startswith(DEMAND):
            return sign[0].replace(DEMAND, "demand"), sign[1]
        return _OPEN.get(sign) or _ASKED.get(sign) or f"r{self._number(sign[0])}_{self._kind(term)}", sign[1]

    def term(self, term: Term) -> str:
        """A term in clingo's syntax."""
        if isinstance(term, Variable):
            return f"V{self._number(term.name)}"
        if isinstance(term, tuple):
            return f"f{self._number(functor(term))}({','.join(map(self.term, term[1:]))})"
        return str(self._number(term))

    @staticmethod
    def _kind(term: Term) -> str:
        """Keeps ``p`` and ``(p)``, and relations with different numbers of arguments, apart."""
        return f"{len(term)}" if isinstance(term, tuple) else "p"

    def read(self, text: str) -> list[Term]:
        """The arguments of an atom, as clingo writes it; ten times as fast as clingo's own reading."""
        outer: list[list[Term]] = []
        parts: list[Term] = []
        for token in _TOKENS(text, text.find("(") + 1 or len(text), len(text) - 1):
            if token == ")":
                term = tuple(parts)
                parts = outer.pop()
                parts.append(term)
            elif token[-1] == "(":
                outer.append(parts)
                parts = [self._names[int(token[1:-1])]]
            elif token[0] == "f":
                parts.append((self._names[int(token[1:])],))
            else:
                parts.append(self._names[int(token)])
        return parts


_TOKENS = re.compile(r"\w+\(?|\)").findall
"""Names, those of functions with their parenthesis if they have arguments, and closing parentheses."""


def translate(clauses: Iterable[Clause], names: Names, watched: Mapping[int, Term]) -> Iterable[str]:
    """The clauses as a logic program for clingo, in which the terms of some clauses, by their places, are watched."""
    for place, clause in enumerate(clauses):
        if signature(clause.head) in _LEFT_OUT:
            continue
        body = [names.atom(atom) for atom in clause.positive]
        body += [f"not {names.atom(atom)}" for atom in clause.negative]
        body += [f"{names.term(left)}!={names.term(right)}" for left, right in clause.distinct]
        if place in watched:
            body.append(f"@nests({place},{names.term(watched[place])})=1")
        yield names.atom(clause.head) + (" :- " + ", ".join(body) if body else "") + "."
    yield "fluent(F) :- init(F). fluent(F) :- next(F). {true(F)} :- fluent(F). {does(R,M)} :- legal(R,M)."


def ground(clauses: Iterable[Clause], budget: GroundBudget | None = None, *, blame: bool = False) -> GroundProgram:
    """All ground rules. Raises `TooLargeError` if there are more than the budget allows; a `GrowingError` if the rules
    build terms that contain each other, nested deeper than any that is written: that may never end.

    With ``blame`` the error has the clause with the most instances, which takes some seconds to find.
    """
    started = time.monotonic()
    budget = budget or GroundBudget()
    names = Names()
    clauses = list(clauses)
    domains = Domains(clauses)
    growing = growing_terms(clauses, domains)
    text = "\n".join(translate(clauses, names, growing))
    asked = (*_OPEN, *_ASKED, *sorted(names.demands))
    joins = domains.join_bound(clauses)
    is_small = joins <= max(UNGUARDED, QUICK_JOINS) and min(joins, budget.rules) <= UNGUARDED
    run = run_grounder if is_small else run_guarded
    limits = Limits(budget.seconds, budget.rules, budget.memory, MAX_TERM_DEPTH, budget.stretch)
    found = run(text, asked, limits, blame=blame)
    if found.outcome == "error":
        raise GameError(f"the rules cannot be grounded: {found.message}")
    if found.outcome != "done" and found.nesting > written_nesting(clauses):
        clause = clauses[found.deepest]
        grown = place_of(growing[found.deepest], clause.head)
        raise GrowingError(f"{budget.exceeded(found.outcome)}: {grown} grows", clause)
    if found.outcome != "done":
        culprit = _find_culprit(clauses, names, found) if blame else None
        raise TooLargeError(budget.exceeded(found.outcome), culprit, limit=found.outcome)
    program = _program(names, found)
    program.seconds = time.monotonic() - started
    return program


def _find_culprit(clauses: Sequence[Clause], names: Names, found: Grounding) -> Clause | None:
    """The clause that has, it seems, the most instances: the one that joins most of the largest relation."""
    domains = Domains(clauses)
    for relation in found.largest:
        candidates = [clause for clause in clauses if clause.positive and names.relation(clause.head) == relation]
        if candidates:
            return max(candidates, key=domains.bound)
    return max(clauses, key=domains.bound, default=None)


def _program(names: Names, found: Grounding) -> GroundProgram:
    """What clingo derived, tidied."""
    program = GroundProgram()
    true = [number for name, _ in names.demands for _, number, _ in found.atoms[name]]
    tidy = TidyRules(np.frombuffer(found.words, np.int32), true)
    choices = tidy.choices
    program.instances = found.rules - len(choices)
    program.rules = tidy.rules
    for relation, _ in (*_OPEN, *_ASKED):
        for text, number, is_fact in found.atoms[relation]:
            atom = number if number in choices else FACT if is_fact else tidy.equal(number)
            _file(program, relation, names.read(text), atom, is_choice=number in choices)
    return program


def _file(program: GroundProgram, relation: str, parts: Sequence[Term], atom: Atom, *, is_choice: bool) -> None:
    """Enter an atom that has a meaning of its own."""
    if relation == "true" and is_choice:
        program.fluents[atom] = parts[0]
    elif relation == "does" and is_choice:
        program.moves[atom] = (parts[0], parts[1])
    else:
        argument = parts[0] if len(parts) == 1 else tuple(parts)
        program.named[relation, argument] = atom
