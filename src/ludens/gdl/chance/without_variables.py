"""Rules without random variables: what was done follows from what was chosen and what was drawn.

Moves with random variables are wrapped, together with these, so that no rule takes them for something that was done.
Who draws, and how, is for others to add: see `ludens.gdl.chance.core_form` and `ludens.gdl.chance.gdl_ii`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ludens.core import GameError
from ludens.gdl.chance.random_variables import RandomVariables, replace_terms
from ludens.gdl.logic.clauses import clauses
from ludens.gdl.logic.relation_graph import STATIC, RelationGraph
from ludens.gdl.reasoner.program import Budget, Program
from ludens.gdl.rules import And, Condition, Holds, Not, Or, Rule, RuleSheet
from ludens.gdl.terms import Term, Variable, arguments, is_ground, rename, signature, sort_key, unify, variables
from ludens.gdl.write import kif


@dataclass(frozen=True, slots=True)
class Names:
    """The names in the new rules; none of them may occur in the old ones."""

    wrapped: str
    """``(wrapped move variable …)`` is a legal move with random variables in it.

    Without their names, a rule that keeps a die would also take over the moves of one that rolls it.
    """
    drawn: str
    """``(drawn role variable event)``: what a random variable in a role's move turned out to be."""
    done: str
    """``(done role move)``: the move of a role, chance resolved."""
    weight: str
    """What was ``random``: variable, weight and event."""
    player: str
    """What was ``role``, since there may be more roles now."""
    plain: str
    """``(plain role move)``: moves that rules make legal without saying what they look like."""


@dataclass(frozen=True, slots=True)
class OpenMove:
    """The moves that one rule makes legal, with random variables in them."""

    rule: Rule
    """The rule, rewritten."""
    role: Term
    wrapped: Term
    variables: tuple[Term, ...]


class Rewriting:
    """A rule sheet without random variables."""

    def __init__(self, sheet: RuleSheet, names: Names, *, all_done: bool = False) -> None:
        """Rewrite the rules; with ``all_done`` they read the resolved form of every move, even without chance."""
        self._sheet = sheet
        self._names = names
        self._chance = RandomVariables.of(sheet)
        heads = [arguments(rule.head) for rule in sheet.rules if signature(rule.head) == ("legal", 2)]
        drawn = [self._resolve_move(move)[0] for _, move in heads if self._chance.within(move)]
        self._drawn = [Variable("move"), *drawn] if all_done else drawn
        """The resolved forms of moves with random variables, with unknowns in their places."""
        self.rules: list[Rule] = []
        self.open_moves: list[OpenMove] = []
        """The rules for moves that are left to chance."""
        for rule in sheet.rules:
            self.rules += self._rewrite(rule)

    def _rewrite(self, rule: Rule) -> Iterator[Rule]:
        body = tuple(map_atoms(condition, self._rewrite_atom) for condition in rule.body)
        if signature(rule.head) == ("legal", 2):
            yield from self._rewrite_legal(replace(rule, body=body))
        elif signature(rule.head) != ("input", 2):
            yield replace(rule, head=self._rewrite_atom(rule.head), body=body)
        if signature(rule.head) == ("role", 1):
            yield replace(rule, body=body)

    def _rewrite_atom(self, atom: Term) -> Term:
        """An atom of the rules, about the resolved move where that makes a difference."""
        match signature(atom):
            case "random", 3:
                return (self._names.weight, *arguments(atom))
            case "role", 1:
                return (self._names.player, *arguments(atom))
            case "does", 2:
                role, move = arguments(atom)
                if any(unify(rename(move, "'"), drawn) is not None for drawn in self._drawn):
                    return (self._names.done, role, move)
        return atom

    def _rewrite_legal(self, rule: Rule) -> Iterator[Rule]:
        role, move = arguments(rule.head)
        found = self._chance.within(move)
        if found:
            yield from self._rewrite_chance_move(rule, role, move, found)
            return
        made = [Holds(("does", role, move))]
        if isinstance(move, Variable):
            # The variable could stand for a wrapped move, too.
            plain = (self._names.plain, role, move)
            yield replace(rule, head=plain)
            yield Rule(rule.head, (Holds(plain),), rule.span)
            made.append(Holds(plain))
        else:
            yield rule
        yield Rule((self._names.done, role, move), tuple(made), rule.span)

    def _rewrite_chance_move(self, rule: Rule, role: Term, move: Term, found: tuple[Term, ...]) -> Iterator[Rule]:
        # Wrapped with its variables, a move matches only rules that leave exactly these to chance.
        wrapped = (self._names.wrapped, move, *found)
        rewritten = replace(rule, head=("legal", role, wrapped))
        self.open_moves.append(OpenMove(rewritten, role, wrapped, found))
        yield rewritten
        done, events = self._resolve_move(move)
        draws = [Holds((self._names.drawn, role, variable, event)) for variable, event in events.items()]
        yield Rule((self._names.done, role, done), (Holds(("does", role, wrapped)), *draws), rule.span)

    def _resolve_move(self, move: Term) -> tuple[Term, dict[Term, Term]]:
        """A move with an unknown event for each of its random variables, and these events."""
        events: dict[Term, Term] = {
            variable: Variable(f"event{n}") for n, variable in enumerate(self._chance.within(move), start=1)
        }
        return replace_terms(move, events), events


def list_sources(sheet: RuleSheet) -> list[tuple[Term, Term]]:
    """All random variables with the roles that may use them: role and variable, without unknowns.

    Raises `GameError` if the random variables depend on the course of a match.
    """
    rules = tuple(_source_rules(sheet))
    if not rules:
        return []
    program = Program(replace(sheet, rules=(*sheet.rules, *rules)), sheet.source.name, Budget())
    found = sorted(program.ask(program.static, (_SOURCE, 2)), key=sort_key)
    return [(arguments(source)[0], arguments(source)[1]) for source in found]


_SOURCE = "source of chance"


def _source_rules(sheet: RuleSheet) -> Iterator[Rule]:
    """The rules for who may use which random variable, by static relations."""
    names = RandomVariables.of(sheet)
    graph = RelationGraph(list(clauses(sheet.rules, sheet.source)))
    for rule in sheet.rules:
        role, move = arguments(rule.head) if signature(rule.head) == ("legal", 2) else ("", "")
        for variable in names.within(move):
            known = () if is_ground(variable) else tuple(_static_conditions(rule.body, graph))
            bound = {name for condition in known for name in variables(condition.atom)}
            if not bound.issuperset(variables(variable)):
                raise GameError(f"the random variables {kif(variable)} cannot be listed before the match")
            yield Rule((_SOURCE, role, variable), (Holds(("role", role)), *known), rule.span)


def _static_conditions(body: tuple[Condition, ...], graph: RelationGraph) -> Iterator[Holds]:
    for condition in body:
        if isinstance(condition, Holds) and graph.phases.get(signature(condition.atom), STATIC) == STATIC:
            yield condition


def map_atoms(condition: Condition, change: Callable[[Term], Term]) -> Condition:
    """The condition with a function applied to every atom."""
    match condition:
        case Holds(atom):
            return replace(condition, atom=change(atom))
        case Not(inner):
            return replace(condition, condition=map_atoms(inner, change))
        case Or(inner_ones) | And(inner_ones):
            return replace(condition, conditions=tuple(map_atoms(inner, change) for inner in inner_ones))
    return condition
