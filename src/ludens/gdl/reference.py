"""The reference reasoner: stratified Datalog in plain Python.

It is slow, short, and meant to be obviously right: the oracle of all other backends, and what is left when none of
them can take a rule sheet. `ludens.gdl.reasoner.program` evaluates the rules; here is the game on top of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from ludens.core import JointMove, Role
from ludens.gdl.chance.outcomes import RandomFact
from ludens.gdl.game import GdlGame, GdlMove, GdlState
from ludens.gdl.logic.relation_graph import MOVE, STATE
from ludens.gdl.logic.strata import Signature
from ludens.gdl.reasoner.program import Budget, BudgetError, Layer, Program
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, arguments, signature, sort_key
from ludens.gdl.write import kif

__all__ = ["Budget", "BudgetError", "ReferenceGame", "ReferenceState"]


class ReferenceGame(GdlGame):
    """A GDL game computed by the reference reasoner."""

    backend = "reference"

    def __init__(self, sheet: RuleSheet, name: str = "game", budget: Budget | None = None) -> None:
        super().__init__(sheet, name)
        self.program = Program(sheet, name, budget or Budget())
        named = [arguments(rule.head)[0] for rule in sheet.rules if signature(rule.head) == ("role", 1)]
        known = {arguments(fact)[0] for fact in self.program.ask(self.program.static, ("role", 1))}
        ordered = [role for role in named if role in known] + sorted(known.difference(named), key=sort_key)
        self._set_roles(ordered)

    def initial_state(self) -> ReferenceState:
        """The state in which every match begins."""
        return self.state(arguments(fact)[0] for fact in self.program.ask(self.program.static, ("init", 1)))

    def state(self, facts: Iterable[Term]) -> ReferenceState:
        """The state in which exactly these fluents are true."""
        return ReferenceState(self, frozenset(facts))

    def declared_fluents(self) -> frozenset[Term]:
        """The fluents that ``base`` names; none if the rules leave it out or it is too large to list."""
        try:
            return frozenset(arguments(fact)[0] for fact in self.program.ask(self.program.static, ("base", 1)))
        except BudgetError:
            return frozenset()


class ReferenceState(GdlState):
    """A position computed by the reference reasoner; what is asked of it is derived once and kept."""

    game: ReferenceGame

    def __init__(self, game: ReferenceGame, facts: frozenset[Term]) -> None:
        game.program.refuse_large_terms(facts)
        self.game = game
        self.facts = facts

    @cached_property
    def _layer(self) -> Layer:
        program = self.game.program
        return program.layer(program.static, STATE, ("true", 1), (("true", fact) for fact in self.facts))

    def relation(self, sign: Signature) -> set[Term] | None:
        """All facts of a relation in this state; None if it depends on moves or can only be derived on demand."""
        return self.game.program.all_facts(self._layer, sign)

    def _ask(self, relation: str, arity: int) -> set[Term]:
        return self.game.program.ask(self._layer, (relation, arity))

    @cached_property
    def is_terminal(self) -> bool:
        """True if ``terminal`` holds."""
        return bool(self._ask("terminal", 0))

    @cached_property
    def _legal(self) -> Mapping[Role, Sequence[GdlMove]]:
        if self.is_terminal:
            return {}
        found = defaultdict(list)
        for fact in self._ask("legal", 2):
            role, move = arguments(fact)
            found[kif(role)].append(move)
        return {role: tuple(map(GdlMove, sorted(moves, key=sort_key))) for role, moves in found.items()}

    def goal_values(self, role: Role) -> Sequence[int]:
        """Every value that the rules give the role here."""
        pairs = (arguments(fact) for fact in self._ask("goal", 2))
        return sorted(int(kif(value)) for who, value in pairs if kif(who) == role and _is_number(value))

    def play(self, joint_move: JointMove) -> ReferenceState:
        """The state after a joint move. Raises `IllegalMoveError`."""
        program = self.game.program
        moves = {role: self.resolve_move(role, joint_move) for role in self.game.role_terms}
        does: list[Term] = [("does", term, moves[role].done.term) for role, term in self.game.role_terms.items()]
        program.ask(self._layer, ("next", 1))  # what depends on no move is shared by all that are tried here
        layer = program.layer(self._layer, MOVE, ("does", 2), does)
        after = self.game.state(arguments(fact)[0] for fact in program.ask(layer, ("next", 1)))
        if self.game.hidden:
            after._note_arrival(self, moves.values(), map(_pair, program.ask(layer, ("sees", 2))))
        return after

    def _random_facts(self) -> Iterable[RandomFact]:
        for fact in self._ask("random", 3):
            variable, weight, event = arguments(fact)
            yield variable, weight, event


def _pair(fact: Term) -> tuple[Term, Term]:
    left, right = arguments(fact)
    return left, right


def _is_number(term: Term) -> bool:
    return isinstance(term, str) and term.isascii() and term.isdecimal() and len(term) < 10
