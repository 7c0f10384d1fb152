"""What all backends of GDL games share: states as sets of facts, moves as terms with a text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from weakref import WeakValueDictionary

from ludens.core import Game, IllegalMoveError, JointMove, Move, OpenView, Role, State, View, random_joint_move
from ludens.gdl.dialect import Dialect, dialect_of
from ludens.gdl.read import read_rules, read_term
from ludens.gdl.rules import RuleSheet
from ludens.gdl.source import GdlError
from ludens.gdl.terms import Term
from ludens.gdl.write import kif, write_kif


class GdlMove(Move):
    """A move's KIF text that remembers its term."""

    __slots__ = ("term",)
    term: Term

    def __new__(cls, term: Term) -> GdlMove:
        """The move for a ground term."""
        move = super().__new__(cls, kif(term))
        move.term = term
        return move

    def __getnewargs__(self) -> tuple[Term]:  # type: ignore[override]  # str's is made from its text
        return (self.term,)


class GdlGame(Game):
    """A game whose rules are a rule sheet in GDL."""

    backend: str
    """The name of the way it computes: ``reference``, ``circuit`` or ``cxx``."""
    sheet: RuleSheet
    """The rules."""

    def __init__(self, sheet: RuleSheet, name: str) -> None:
        self.sheet = sheet
        self.name = name
        self.rules_text = sheet.source.text
        self.dialect = dialect_of(sheet)
        self.chance = Dialect.STOCHASTIC in self.dialect or any(rule.head == ("role", "random") for rule in sheet.rules)
        self.hidden = Dialect.GDL_II in self.dialect

    @cached_property
    def simultaneous(self) -> bool:
        """True if two roles had a choice at once in a random playout of 40 steps."""
        rng = Random(0)
        state = self.initial_state()
        for _ in range(40 if len(self.roles) > 1 else 0):
            if sum(len(state.legal_moves(role)) > 1 for role in self.roles) > 1:
                return True
            joint_move = random_joint_move(state, rng)
            if len(joint_move) < len(self.roles):
                break
            state = state.play(joint_move)
        return False

    @abstractmethod
    def initial_state(self) -> GdlState:
        """The state in which every match begins."""

    @abstractmethod
    def state(self, facts: Iterable[Term]) -> GdlState:
        """The state in which exactly these fluents are true."""

    @abstractmethod
    def declared_fluents(self) -> frozenset[Term]:
        """The fluents that ``base`` names; none if the rules leave it out or it is too large to list."""

    def __reduce__(self) -> tuple[object, ...]:
        text = self.rules_text or write_kif(self.sheet.rules)
        _games.setdefault((type(self), text, self.name), self)
        return _restored_game, (type(self), text, self.name)

    def read(self, text: str) -> Term:
        """The term that a text in KIF or infix stands for, spelled as in the rule sheet. Raises `GdlError`."""
        return read_term(text, self.sheet.spelling)


_games: WeakValueDictionary[tuple[type[GdlGame], str, str], GdlGame] = WeakValueDictionary()
"""The games that were pickled or restored here, so that states that come back belong to the game they came from."""


def _restored_game(kind: type[GdlGame], text: str, name: str) -> GdlGame:
    key = (kind, text, name)
    game = _games.get(key)
    if game is None:
        game = _games[key] = kind(read_rules(text, name=name), name)
    return game


class GdlState(State):
    """A position of a GDL game: the set of fluents that are true."""

    game: GdlGame
    facts: frozenset[Term]
    """The true fluents, such as ``("cell", "1", "1", "b")``."""

    @property
    @abstractmethod
    def _legal(self) -> Mapping[Role, Sequence[GdlMove]]:
        """The legal moves of every role, sorted; empty if the game is over."""

    def legal_moves(self, role: Role) -> Sequence[GdlMove]:
        """All moves that the role may make here, sorted; empty if the game is over."""
        return self._legal.get(role, ())

    @abstractmethod
    def play(self, joint_move: JointMove) -> GdlState:
        """The state after a joint move. Raises `IllegalMoveError`."""

    @abstractmethod
    def goal_values(self, role: Role) -> Sequence[int]:
        """Every value that the rules give the role here; well-formed rules give exactly one in terminal states."""

    @property
    def goals(self) -> Mapping[Role, int]:
        """The goal value of each role; 0 where the rules give none, several, or one that is not from 0 to 100."""
        values = {role: self.goal_values(role) for role in self.game.roles}
        return {role: found[0] if len(found) == 1 and found[0] <= 100 else 0 for role, found in values.items()}

    def view(self, role: Role) -> View:
        """Everything, since GDL-I hides nothing."""
        return OpenView(self, role)

    def move(self, role: Role, joint_move: JointMove) -> GdlMove:
        """The role's legal move in a joint move, found by text in either syntax. Raises `IllegalMoveError`."""
        text = joint_move.get(role)
        legal = self.legal_moves(role)
        if text is None:
            raise IllegalMoveError(f"the joint move has no move for role {role!r}")
        found = next((move for move in legal if move == text), None)
        if found is None:
            try:
                term = self.game.read(text)
            except GdlError:
                term = ""
            found = next((move for move in legal if move.term == term), None)
        if found is None:
            raise IllegalMoveError(f"{text!r} is not a legal move of {role} here ({len(legal)} others are)")
        return found

    def __reduce__(self) -> tuple[object, ...]:
        return _restored_state, (self.game, self.facts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GdlState) and self.game is other.game and self.facts == other.facts

    def __hash__(self) -> int:
        return hash(self.facts)

    def __str__(self) -> str:
        return "\n".join(sorted(map(kif, self.facts)))


def _restored_state(game: GdlGame, facts: frozenset[Term]) -> GdlState:
    return game.state(facts)
