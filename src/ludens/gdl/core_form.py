"""Chance and percepts written in plain GDL, for backends that know nothing else.

Every random variable becomes a role of its own for each role that may use it, whose legal moves are the events with
their weights; backends draw its moves by weight. A legal move with random variables is wrapped, so that no rule takes
it for something that was done; what was done follows from it and from the draws. A percept becomes a fluent that is
true in the next state. Names that this needs have spaces in them, which no rule sheet can have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from ludens.core import GameError
from ludens.gdl.clauses import clauses
from ludens.gdl.dialect import Dialect, dialect_of
from ludens.gdl.program import Budget, Program
from ludens.gdl.random_variables import RandomVariables, replaced
from ludens.gdl.relation_graph import STATIC, RelationGraph
from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule, RuleSheet
from ludens.gdl.terms import Term, Variable, arguments, is_ground, rename, signature, sort_key, unify, variables
from ludens.gdl.write import kif

SOURCE = "chance for"
"""``(chance for role variable)`` is the role that draws a random variable for a role."""
EVENT = "event with weight"
"""``(event with weight event weight)`` is its move."""
NOTHING = "nothing is drawn"
"""Its move where no event can happen."""
OPEN = "left to chance"
"""``(left to chance move)`` is a legal move with random variables in it."""
TOLD = "is told"
"""``(is told role percept)`` is the fluent of a percept."""

_DONE = "done with chance"
_WEIGHT = "random weight"
_PLAIN = "legal without chance"
_PLAYER = "role of a player"
_NAMED = "source of chance"


def core_form(sheet: RuleSheet, sources: Mapping[str, tuple[Term, Term]] | None = None) -> RuleSheet:
    """The same game in plain GDL; the rule sheet itself if it is in plain GDL already, apart from a role ``random``.

    The roles that draw are found among those with legal moves. With ``sources`` they are roles by the rules, too, and
    have these names instead of compound terms.
    """
    rules = sheet.rules
    if Dialect.STOCHASTIC in dialect_of(sheet):
        rules = tuple(dict.fromkeys(_Rewriter(sheet, sources).rules()))
    if any(signature(rule.head) == ("sees", 2) for rule in rules):
        role, percept = Variable("role"), Variable("percept")
        rules += (Rule(("next", (TOLD, role, percept)), (Holds(("sees", role, percept)),)),)
    return sheet if rules is sheet.rules else replace(sheet, rules=rules)


def list_sources(sheet: RuleSheet) -> dict[str, tuple[Term, Term]]:
    """Names for all roles that draw, with the role and the random variable that each draws for.

    Raises `GameError` where only the course of a match tells which random variables there are.
    """
    if Dialect.STOCHASTIC not in dialect_of(sheet):
        return {}
    program = Program(replace(sheet, rules=(*sheet.rules, *_source_rules(sheet))), sheet.source.name, Budget())
    found = sorted(program.ask(program.static, (SOURCE, 2)), key=sort_key)
    return {kif(source): _pair(source) for source in found}


def _pair(term: Term) -> tuple[Term, Term]:
    left, right = arguments(term)
    return left, right


def _source_rules(sheet: RuleSheet) -> Iterator[Rule]:
    """The roles that draw as a relation of what never changes."""
    graph = RelationGraph(list(clauses(sheet.rules, sheet.source)))
    names = RandomVariables.of(sheet)
    for rule in sheet.rules:
        role, move = arguments(rule.head) if signature(rule.head) == ("legal", 2) else ("", "")
        for variable in names.within(move):
            known = () if is_ground(variable) else tuple(_static(rule.body, graph))
            bound = {name for condition in known for name in variables(condition.atom)}
            if not bound.issuperset(variables(variable)):
                raise GameError(f"the random variables {kif(variable)} cannot be listed before the match")
            yield Rule((SOURCE, role, variable), (Holds(("role", role)), *known), rule.span)


class _Rewriter:
    def __init__(self, sheet: RuleSheet, sources: Mapping[str, tuple[Term, Term]] | None) -> None:
        self._sheet = sheet
        self._sources = sources
        self._names = RandomVariables.of(sheet)
        moves = [arguments(rule.head)[1] for rule in sheet.rules if signature(rule.head) == ("legal", 2)]
        self._drawn = [self._resolved(move)[0] for move in moves if self._names.within(move)]
        """What moves with random variables become, with unknowns in their places."""

    def rules(self) -> Iterator[Rule]:
        for rule in self._sheet.rules:
            body = tuple(_mapped(condition, self._atom) for condition in rule.body)
            if signature(rule.head) == ("legal", 2):
                yield from self._legal(replace(rule, body=body))
            elif signature(rule.head) != ("input", 2):
                yield replace(rule, head=self._atom(rule.head), body=body)
            if signature(rule.head) == ("role", 1):
                yield replace(rule, body=body)
        for name, (role, variable) in (self._sources or {}).items():
            yield Rule(("role", name))
            yield Rule((_NAMED, role, variable, name))

    def _atom(self, atom: Term) -> Term:
        """An atom of the rules, asking for what was done in the end where that makes a difference."""
        if signature(atom) == ("random", 3):
            return (_WEIGHT, *arguments(atom))
        if signature(atom) == ("role", 1):
            return (_PLAYER, *arguments(atom))
        if signature(atom) == ("does", 2):
            role, move = arguments(atom)
            if any(unify(rename(move, "'"), drawn) is not None for drawn in self._drawn):
                return (_DONE, role, move)
        return atom

    def _legal(self, rule: Rule) -> Iterator[Rule]:
        role, move = arguments(rule.head)
        if not self._names.within(move):
            plain = rule.head
            if isinstance(move, Variable):
                # The variable could stand for a wrapped move, too.
                plain = (_PLAIN, role, move)
                yield replace(rule, head=plain)
                yield Rule(rule.head, (Holds(plain),), rule.span)
            else:
                yield rule
            made = (Holds(("does", role, move)),) + ((Holds(plain),) if plain is not rule.head else ())
            yield Rule((_DONE, role, move), made, rule.span)
            return
        wrapped = (OPEN, move)
        yield replace(rule, head=("legal", role, wrapped))
        done, events = self._resolved(move)
        draws: list[Holds] = []
        for n, (variable, event) in enumerate(events.items()):
            source, naming = self._source(role, variable, n)
            draws += [*naming, Holds(("does", source, (EVENT, event, Variable(f"weight {n}"))))]
        yield Rule((_DONE, role, done), (Holds(("does", role, wrapped)), *draws), rule.span)
        for variable in events:
            event, weight = Variable("event"), Variable("weight")
            offered = Holds((_WEIGHT, variable, weight, event))
            source, naming = self._source(role, variable, 0)
            head = ("legal", source, (EVENT, event, weight))
            yield Rule(head, (Holds((_PLAYER, role)), *naming, offered, Distinct(weight, "0")), rule.span)
            # So that there is a role that draws even if nothing ever can be drawn, which is for backends to tell.
            yield Rule(("legal", source, NOTHING), (Holds(("legal", role, wrapped)), *naming), rule.span)

    def _source(self, role: Term, variable: Term, number: int) -> tuple[Term, tuple[Holds, ...]]:
        """The role that draws a random variable, and what tells its name."""
        if self._sources is None:
            return (SOURCE, role, variable), ()
        name = Variable(f"source {number}")
        return name, (Holds((_NAMED, role, variable, name)),)

    def _resolved(self, move: Term) -> tuple[Term, dict[Term, Term]]:
        """A move with an unknown event for each of its random variables, and these events."""
        events: dict[Term, Term] = {
            variable: Variable(f"event {n}") for n, variable in enumerate(self._names.within(move))
        }
        return replaced(move, events), events


def _static(body: tuple[Condition, ...], graph: RelationGraph) -> Iterator[Holds]:
    for condition in body:
        if isinstance(condition, Holds) and graph.phases.get(signature(condition.atom), STATIC) == STATIC:
            yield condition


def _mapped(condition: Condition, change: Callable[[Term], Term]) -> Condition:
    match condition:
        case Holds(atom):
            return replace(condition, atom=change(atom))
        case Not(inner):
            return replace(condition, condition=_mapped(inner, change))
        case Or(inner_ones) | And(inner_ones):
            return replace(condition, conditions=tuple(_mapped(inner, change) for inner in inner_ones))
    return condition
