"""Stage 2: all instances of the rules that some reachable state could need, found by clingo's grounder.

``true`` and ``does`` become choices over everything that ``init``, ``next`` and ``legal`` can derive, so the ground
rules hold for every reachable state, and many that are not. Facts and what follows from them are simplified away.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import clingo

from ludens.compiler.tape import Tape
from ludens.compiler.tidy import FACT, Atom, Body, Tidier
from ludens.core import GameError
from ludens.gdl.clauses import Clause
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


DEMAND = "demand "
"""What the names of demands begin with: they only keep rules from being grounded, and count as true afterwards."""


class TooLargeError(GameError):
    """The rules have too many ground instances."""

    def __init__(self, reason: str, clause: Clause | None = None, source: Source | None = None) -> None:
        self.reason = reason
        """What the budget was that did not suffice."""
        self.clause = clause
        """The clause with the most instances, if that is known; it can be part of a rule of the rule sheet."""
        self.rule = self.position = None
        if clause is not None and source is not None:
            self.rule = " ".join(source.text[clause.span.start : clause.span.end].split())
            """The text of its rule in the rule sheet."""
            self.position = f"{source.name}:{source.locate(clause.span.start)[0]}"
            """Where that rule is: file and line."""
        blamed = "" if self.rule is None else f"; most of them come from the rule at {self.position}: {_cut(self.rule)}"
        super().__init__(reason + blamed)


def _cut(text: str, most: int = 200) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


@dataclass(frozen=True, slots=True)
class GroundBudget:
    """How much grounding may cost."""

    seconds: float = 60.0
    rules: int = 5_000_000

    def within(self, other: GroundBudget) -> GroundBudget:
        """The smaller of both budgets."""
        return GroundBudget(min(self.seconds, other.seconds), min(self.rules, other.rules))


@dataclass
class GroundProgram:
    """Ground rules of a game."""

    rules: dict[Atom, list[Body]] = field(default_factory=dict)
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
        return sum(map(len, self.rules.values()))


class _Names:
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
        if isinstance(term, Variable):
            return f"V{self._number(term.name)}"
        if isinstance(term, tuple):
            return f"f{self._number(functor(term))}({','.join(map(self.term, term[1:]))})"
        return str(self._number(term))

    @staticmethod
    def _kind(term: Term) -> str:
        """Keeps ``p`` and ``(p)``, and relations with different numbers of arguments, apart."""
        return f"{len(term)}" if isinstance(term, tuple) else "p"

    def read(self, symbol: clingo.Symbol) -> Term:
        if symbol.type is clingo.SymbolType.Number:
            return self._names[symbol.number]
        return (self._names[int(symbol.name[1:])], *map(self.read, symbol.arguments))


def translate(clauses: Iterable[Clause], names: _Names) -> Iterable[str]:
    """The clauses as a logic program for clingo."""
    for clause in clauses:
        if signature(clause.head) in _LEFT_OUT:
            continue
        body = [names.atom(atom) for atom in clause.positive]
        body += [f"not {names.atom(atom)}" for atom in clause.negative]
        body += [f"{names.term(left)}!={names.term(right)}" for left, right in clause.distinct]
        yield names.atom(clause.head) + (" :- " + ", ".join(body) if body else "") + "."
    yield "fluent(F) :- init(F). fluent(F) :- next(F). {true(F)} :- fluent(F). {does(R,M)} :- legal(R,M)."


def ground(clauses: Iterable[Clause], budget: GroundBudget | None = None, *, blame: bool = False) -> GroundProgram:
    """All ground rules. Raises `TooLargeError` if there are more than the budget allows.

    With ``blame`` the error has the clause with the most instances, which takes some seconds to find.
    """
    started = time.monotonic()
    budget = budget or GroundBudget()
    names = _Names()
    clauses = list(clauses)
    messages: list[str] = []
    control = clingo.Control(["-Wnone"], logger=lambda _, message: messages.append(message))
    tape = Tape(budget.rules)
    timer = threading.Timer(budget.seconds, tape.stop)
    timer.daemon = True
    try:
        control.add("base", [], "\n".join(translate(clauses, names)))
        tape.attach(control)
        timer.start()
        control.ground([("base", [])])
    except RuntimeError:
        if not tape.is_full:
            reason = " ".join(" ".join(messages).split())
            raise GameError(f"the rules cannot be grounded: {reason}") from None
        reason = f"the rules have more than {budget.rules:,} ground instances"
        if tape.is_stopped:
            reason = f"grounding took more than {budget.seconds:g} s"
        raise TooLargeError(reason, _largest(clauses, names, control, tape) if blame else None) from None
    finally:
        timer.cancel()
    program = _program(names, control, tape)
    program.seconds = time.monotonic() - started
    return program


def _program(names: _Names, control: clingo.Control, tape: Tape) -> GroundProgram:
    """What clingo derived, tidied."""
    program = GroundProgram()
    rules, choices = _read(tape)
    program.instances = sum(map(len, rules.values()))
    demands = [atom.literal for sign in sorted(names.demands) for atom in control.symbolic_atoms.by_signature(*sign)]
    tidier = Tidier(choices, demands)
    program.rules = tidier.tidy(rules)
    for name, arity in (*_OPEN, *_ASKED):
        for atom in control.symbolic_atoms.by_signature(name, arity):
            _file(program, names, atom, tidier, is_choice=atom.literal in choices)
    return program


def _largest(clauses: Sequence[Clause], names: _Names, control: clingo.Control, tape: Tape) -> Clause | None:
    """The clause that has, it seems, the most instances: the one with the most variables of the largest relation."""
    instances = Counter(tape.heads())
    by_relation = Counter[tuple[str, int]]()
    for atom in control.symbolic_atoms:
        by_relation[atom.symbol.name, len(atom.symbol.arguments)] += instances[atom.literal]
    for (name, arity), _ in by_relation.most_common():
        candidates = [clause for clause in clauses if clause.positive and names.relation(clause.head) == (name, arity)]
        if candidates:
            return max(candidates, key=lambda clause: len(clause.bound_variables()))
    return None


def _read(tape: Tape) -> tuple[dict[Atom, list[Body]], set[Atom]]:
    """The rules of a tape, and the atoms that are chosen."""
    words = tape.words()
    rules: dict[Atom, list[Body]] = defaultdict(list)
    choices = set()
    start = 0
    while start < len(words):
        end = start + 2 + words[start + 1]
        if words[start] < 0:
            choices.add(-words[start])
        else:
            rules[words[start]].append(tuple(words[start + 2 : end]))
        start = end
    return rules, choices


def _file(program: GroundProgram, names: _Names, atom: clingo.SymbolicAtom, tidier: Tidier, *, is_choice: bool) -> None:
    """Enter an atom that has a meaning of its own."""
    symbol = atom.symbol
    parts = [names.read(argument) for argument in symbol.arguments]
    if symbol.name == "true" and is_choice:
        program.fluents[atom.literal] = parts[0]
    elif symbol.name == "does" and is_choice:
        program.moves[atom.literal] = (parts[0], parts[1])
    else:
        argument = parts[0] if len(parts) == 1 else tuple(parts)
        program.named[symbol.name, argument] = FACT if atom.is_fact else tidier.of(atom.literal)
