"""Queries on any relation of the rules, for people who examine a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ludens.core import GameError
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.keywords import KEYWORDS
from ludens.gdl.logic.relation_graph import STATE
from ludens.gdl.reasoner.program import Budget, Program
from ludens.gdl.rules import Condition, Holds, Rule, atoms
from ludens.gdl.terms import Term, Variable, arguments, signature, sort_key, substitute, variables
from ludens.gdl.write import kif

_ANSWER = "answer "
"""The relation that collects the answers; the blank keeps it apart from the rule sheet's own."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to a query."""

    atom: Term
    """The query, as a relation of the rules."""
    unknowns: tuple[Variable, ...]
    """In the order in which they first appear."""
    values: tuple[tuple[Term, ...], ...]
    """The values of the unknowns for each way in which the atom holds, sorted."""

    def instances(self) -> Iterable[Term]:
        """The atom with each answer substituted."""
        for row in self.values:
            yield substitute(self.atom, dict(zip(self.unknowns, row, strict=True)))


def ask(state: GdlState, atom: Term) -> Answers:
    """All ways in which a relation, or a fluent called by its name, holds in a state.

    Raises `GameError` if the rules know neither, or the relation depends on the moves.
    """
    rules = state.game.sheet.rules
    known = {signature(rule.head) for rule in rules}
    known |= {signature(holds.atom) for rule in rules for condition in rule.body for holds, _ in atoms(condition)}
    if isinstance(atom, Variable):
        raise GameError("a query names a relation, such as (legal ?role ?move) or cell(1,X,Y)")
    name, arity = signature(atom)
    asked: Term = atom if (name, arity) in known or KEYWORDS.get(name) == arity else ("true", atom)
    if asked != atom and not _is_fluent(state, atom):
        raise GameError(f"{state.game.name} has no relation and no fluent {name!r} with {arity} arguments")
    unknowns = tuple(dict.fromkeys(variables(asked)))
    answer: Term = (_ANSWER, *unknowns)
    sheet = replace(state.game.sheet, rules=(*rules, Rule(answer, (Holds(asked),))))
    program = Program(sheet, state.game.name, Budget())
    layer = program.layer(program.static, STATE, ("true", 1), (("true", fact) for fact in state.facts))
    facts = program.all_facts(layer, signature(answer))
    if facts is None:
        raise GameError(f"{kif(asked)} depends on the moves, or names too many facts; ask with more arguments known")
    rows = sorted((arguments(fact) for fact in facts), key=lambda row: [sort_key(term) for term in row])
    return Answers(asked, unknowns, tuple(rows))


def _is_fluent(state: GdlState, fluent: Term) -> bool:
    """Whether the rules mention such a fluent."""
    rules = state.game.sheet.rules
    mentioned = {
        signature(argument)
        for rule in rules
        for atom in (rule.head, *(holds.atom for condition in rule.body for holds, _ in atoms(condition)))
        if signature(atom) in (("true", 1), ("next", 1), ("init", 1), ("base", 1))
        for argument in arguments(atom)
        if not isinstance(argument, Variable)
    }
    return signature(fluent) in mentioned or any(signature(fact) == signature(fluent) for fact in state.facts)


class Conditions:
    """Bodies of conditions, as of rules, that can be asked of many states of a game. Raises `GameError` if the rules do
    not allow them."""

    def __init__(self, game: GdlGame, bodies: Sequence[Sequence[Condition]]) -> None:
        self._rules = []
        for number, body in enumerate(bodies):
            positive = (holds.atom for condition in body for holds, negated in atoms(condition) if not negated)
            unknowns = dict.fromkeys(variable for atom in positive for variable in variables(atom))
            self._rules.append(Rule((f"{_ANSWER}{number}", *unknowns), tuple(body)))
        self._program = Program(replace(game.sheet, rules=(*game.sheet.rules, *self._rules)), game.name, Budget())

    def solutions(self, state: GdlState) -> list[list[Mapping[Variable, Term]]]:
        """For each body the values of its variables with which it holds in a state, sorted.

        What depends on more than the state counts as false.
        """
        program = self._program
        layer = program.layer(program.static, STATE, ("true", 1), (("true", fact) for fact in state.facts))
        found: list[list[Mapping[Variable, Term]]] = []
        for rule in self._rules:
            facts = program.all_facts(layer, signature(rule.head)) or ()
            rows = sorted(map(arguments, facts), key=lambda row: [sort_key(term) for term in row])
            names = [name for name in arguments(rule.head) if isinstance(name, Variable)]
            found.append([dict(zip(names, row, strict=True)) for row in rows])
        return found


def solutions(state: GdlState, bodies: Sequence[Sequence[Condition]]) -> list[list[Mapping[Variable, Term]]]:
    """For each body of conditions, as of a rule, the values of its variables with which it holds in a state, sorted.

    What depends on more than the state counts as false. Raises `GameError` if the rules do not allow such
    conditions.
    """
    return Conditions(state.game, bodies).solutions(state)
