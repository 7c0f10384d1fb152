"""The reference reasoner: stratified Datalog in plain Python.

It is slow, short, and meant to be obviously right: the oracle of all other backends, and what is left when none of
them can take a rule sheet. `ludens.gdl.reasoner.program` evaluates the rules; here is the game on top of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, Protocol

from ludens.core import JointMove, Role
from ludens.gdl.chance.outcomes import RandomFact
from ludens.gdl.game import GdlGame, GdlMove, GdlState
from ludens.gdl.logic.strata import Signature
from ludens.gdl.reasoner.program import Budget, BudgetError, Program
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, arguments, signature, sort_key
from ludens.gdl.write import kif

__all__ = ["Budget", "BudgetError", "ReferenceGame", "ReferenceState"]

MAX_KNOWN_MOVES = 20_000
"""How many moves a game keeps."""


class Reasoner(Protocol):
    """Rules that are ready to be evaluated. Layers hold what has been derived: for all states, a state, its moves."""

    static: Any
    """The layer of what is the same in all states."""

    def state_layer(self, facts: frozenset[Term]) -> Any:
        """The layer of the state in which exactly these fluents are true."""

    def move_layer(self, below: Any, does: Sequence[Term]) -> Any:
        """The layer of a joint move on top of a state's."""

    def ask(self, layer: Any, sign: Signature) -> Collection[Term]:
        """All facts of a relation that can be derived in a layer. Raises `BudgetError`."""

    def all_facts(self, layer: Any, sign: Signature) -> set[Term] | None:
        """All facts of a relation in a layer; None if it is not derived there, or only on demand."""

    def refuse_large_terms(self, facts: Iterable[Term]) -> None:
        """Raise `BudgetError` for a fluent that is too large."""


class ReferenceGame(GdlGame):
    """A GDL game computed by the reference reasoner."""

    backend = "reference"
    make_reasoner: Callable[[RuleSheet, str, Budget], Reasoner] = Program
    default_budget = Budget()

    def __init__(self, sheet: RuleSheet, name: str = "game", budget: Budget | None = None) -> None:
        super().__init__(sheet, name)
        self.program = self.make_reasoner(sheet, name, budget or self.default_budget)
        self._known_moves: dict[Term, tuple[tuple[object, ...], GdlMove]] = {}
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

    def moves(self, terms: Collection[Term]) -> tuple[GdlMove, ...]:
        """The moves of terms, sorted. States have most moves in common, so those of the last states are kept."""
        known = self._known_moves
        if len(known) > MAX_KNOWN_MOVES:
            known = self._known_moves = {}
        found = []
        for term in terms:
            move = known.get(term)
            if move is None:
                move = known[term] = (sort_key(term), GdlMove(term))
            found.append(move)
        return tuple(move for _, move in sorted(found, key=itemgetter(0)))

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
    def _layer(self) -> Any:
        return self.game.program.state_layer(self.facts)

    def relation(self, sign: Signature) -> set[Term] | None:
        """All facts of a relation in this state; None if it depends on moves or can only be derived on demand."""
        return self.game.program.all_facts(self._layer, sign)

    def _ask(self, relation: str, arity: int) -> Collection[Term]:
        return self.game.program.ask(self._layer, (relation, arity))

    @cached_property
    def is_terminal(self) -> bool:
        """True if ``terminal`` holds, or the match ends by repetition."""
        return self.is_repeated or bool(self._ask("terminal", 0))

    @cached_property
    def _legal(self) -> Mapping[Role, Sequence[GdlMove]]:
        if self.is_terminal:
            return {}
        found = defaultdict(list)
        for fact in self._ask("legal", 2):
            role, move = arguments(fact)
            found[kif(role)].append(move)
        return {role: self.game.moves(moves) for role, moves in found.items()}

    def goal_values(self, role: Role) -> Sequence[int]:
        """Every value that the rules give the role here."""
        pairs = (arguments(fact) for fact in self._ask("goal", 2))
        return sorted(int(kif(value)) for who, value in pairs if kif(who) == role and _is_number(value))

    def play(self, joint_move: JointMove) -> ReferenceState:
        """The state after a joint move. Raises `IllegalMoveError`."""
        program = self.game.program
        moves = {role: self.resolve_move(role, joint_move) for role in self.game.role_terms}
        does: list[Term] = [("does", term, moves[role].done.term) for role, term in self.game.role_terms.items()]
        layer = program.move_layer(self._layer, does)
        after = self.game.state(arguments(fact)[0] for fact in program.ask(layer, ("next", 1)))
        after._note_past(self)
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
