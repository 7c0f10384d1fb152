"""Stage 2: all instances of the rules that some reachable state could need, found by clingo's grounder.

``true`` and ``does`` become choices over everything that ``init``, ``next`` and ``legal`` can derive, so the ground
rules hold for every reachable state, and many that are not. Facts and what follows from them are simplified away.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import clingo

from ludens.core import GameError
from ludens.gdl.clauses import Clause
from ludens.gdl.terms import Term, Variable, arguments, functor, signature

Atom = int
"""The number of a ground atom."""
Body = tuple[int, ...]
"""A conjunction: atoms that must hold, and negative numbers of those that must not."""

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
"""What the names of demands begin with, which `ludens.compiler.restrict` puts into rules; see there."""


class TooLargeError(GameError):
    """The rules have too many ground instances."""


@dataclass(frozen=True, slots=True)
class GroundBudget:
    """How much grounding may cost."""

    seconds: float = 60.0
    rules: int = 5_000_000


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
    assumed: set[Atom] = field(default_factory=set)
    """Demands: they only keep rules from being grounded, and count as true."""
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
        sign = signature(term)
        if sign[0].startswith(DEMAND):
            return self._demand(term)
        name = _OPEN.get(sign) or _ASKED.get(sign) or f"r{self._number(sign[0])}_{self._kind(term)}"
        parts = arguments(term)
        return f"{name}({','.join(map(self.term, parts))})" if parts else name

    def _demand(self, term: Term) -> str:
        name, parts = functor(term).replace(DEMAND, "demand"), arguments(term)
        self.demands.add((name, len(parts)))
        return f"{name}({','.join(map(self.term, parts))})" if parts else name

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
    for name, arity in (*_OPEN, *_ASKED, *sorted(names.demands)):
        yield f"#show {name}/{arity}."


class _Observer:
    """Receives what clingo grounds."""

    def __init__(self, budget: GroundBudget) -> None:
        self.budget = budget
        self.due = time.monotonic() + budget.seconds
        self.count = 0
        self.program = GroundProgram()
        self.choices: set[int] = set()
        self.shown: list[tuple[clingo.Symbol, int]] = []

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.count += 1
        if self.count > self.budget.rules:
            raise TooLargeError(f"the rules have more than {self.budget.rules:,} ground instances")
        if not self.count & 0x3FF and time.monotonic() > self.due:
            raise TooLargeError(f"grounding took more than {self.budget.seconds:g} s")
        if choice:
            self.choices.update(head)
        elif head:
            self.program.rules.setdefault(head[0], []).append(tuple(body))

    def output_atom(self, symbol: clingo.Symbol, atom: int) -> None:
        self.shown.append((symbol, atom))


def ground(clauses: Iterable[Clause], budget: GroundBudget | None = None) -> GroundProgram:
    """All ground rules. Raises `TooLargeError` if there are more than the budget allows."""
    started = time.monotonic()
    names = _Names()
    text = "\n".join(translate(clauses, names))
    messages: list[str] = []
    control = clingo.Control(["-Wnone"], logger=lambda _, message: messages.append(message))
    observer = _Observer(budget or GroundBudget())
    control.register_observer(observer)  # type: ignore[arg-type]  # clingo wants a subclass, but takes any object
    control.add("base", [], text)
    try:
        control.ground([("base", [])])
    except RuntimeError:
        reason = " ".join(" ".join(messages).split())
        raise GameError(f"the rules cannot be grounded: {reason}") from None
    program = observer.program
    for symbol, atom in observer.shown:
        _file(program, names, symbol, atom, is_choice=atom in observer.choices)
    program.seconds = time.monotonic() - started
    return program


def _file(program: GroundProgram, names: _Names, symbol: clingo.Symbol, atom: int, *, is_choice: bool) -> None:
    if symbol.name.startswith("demand"):
        program.assumed.add(atom)
        return
    parts = [names.read(argument) for argument in symbol.arguments]
    if symbol.name == "true" and is_choice:
        program.fluents[atom] = parts[0]
    elif symbol.name == "does" and is_choice:
        program.moves[atom] = (parts[0], parts[1])
    else:
        argument = parts[0] if len(parts) == 1 else tuple(parts)
        program.named[symbol.name, argument] = atom
