"""One state at a time on generated C++: the backend ``cxx``."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from ludens.compiler.circuit.chance_roles import without_wrapping
from ludens.compiler.cxx.build import find_compiler, shared_library
from ludens.compiler.cxx.native import NOT_DRAWN, NativeGame, Packed
from ludens.compiler.cxx.prepare import Prepared, prepare
from ludens.compiler.cxx.project import CodeOptions, generate
from ludens.compiler.cxx.usage import sample_relations
from ludens.core import GameError, JointMove, Role
from ludens.gdl.chance.core_form import NOTHING, PERCEPT_FLUENT
from ludens.gdl.chance.outcomes import RandomFact
from ludens.gdl.game import GdlGame, GdlMove, GdlState, ResolvedMove
from ludens.gdl.interpreter.game import InterpretedGame
from ludens.gdl.reference import ReferenceState
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, arguments, functor, sort_key
from ludens.gdl.write import kif

_log = logging.getLogger("ludens")


class CxxGame(GdlGame):
    """A GDL game computed by C++ that was generated from its rules.

    With ``wait=False`` the code is compiled in the background, and the interpreter computes until it is ready.
    """

    backend = "cxx"

    def __init__(self, sheet: RuleSheet, name: str = "game", *, wait: bool = True) -> None:
        super().__init__(sheet, name)
        find_compiler()
        self._prepared = prepare(sheet, name)
        self.interpreted = InterpretedGame(sheet, name)
        self._set_roles(self.interpreted.role_terms.values())
        self.sources = self._prepared.sources
        """The roles of the compiled game that draw random variables, with the role and the variable they draw for."""
        self.native_roles = tuple(map(kif, self._prepared.roles))
        """The roles of the compiled game, those included that draw random variables."""
        self._native: NativeGame | None = None
        self.ready = threading.Event()
        """Set when compiling has ended, successfully or not."""
        if wait:
            self._native = native_game(self._prepared)
            self.ready.set()
        else:
            threading.Thread(target=self._compile, name=f"compile {name}", daemon=True).start()

    def _compile(self) -> None:
        try:
            self._native = native_game(self._prepared)
        except GameError as error:
            _log.warning("%s stays on the backend interpreter: %s", self.name, error)
        finally:
            self.ready.set()

    @property
    def native(self) -> NativeGame | None:
        """The compiled game; None until it is ready."""
        return self._native

    def initial_state(self) -> CxxState:
        """The state in which every match begins."""
        native = self._native
        if native is not None:
            return CxxState(self, packed=native.initial())
        return CxxState(self, facts=self.interpreted.initial_state().facts)

    def state(self, facts: Iterable[Term]) -> CxxState:
        """The state in which exactly these fluents are true. Raises `GameError` if no play could make one true."""
        fluents = frozenset(facts)
        packed = None if self._native is None else self._native.pack(sorted(fluents, key=repr))
        return CxxState(self, facts=fluents, packed=packed)

    def declared_fluents(self) -> frozenset[Term]:
        """The fluents that ``base`` names; none if the rules leave it out or it is too large to list."""
        return self.interpreted.declared_fluents()


def native_game(prepared: Prepared) -> NativeGame:
    """Generate, compile and open the code of a game. Raises `GameError`."""
    profile = sample_relations(prepared)
    project = generate(prepared, profile, CodeOptions(queries=False, abi=True))
    path = shared_library(project, prepared.name)
    return NativeGame(path, project.layout, prepared.name)


class CxxState(GdlState):
    """A position as numbers, or as facts while the code is being compiled; each is made from the other when needed."""

    game: CxxGame

    def __init__(self, game: CxxGame, facts: frozenset[Term] | None = None, packed: Packed | None = None) -> None:
        self.game = game
        self._packed = packed
        if facts is not None:
            self.__dict__["facts"] = facts

    @cached_property
    def facts(self) -> frozenset[Term]:  # type: ignore[override]  # decoded on demand
        """The true fluents."""
        return frozenset(fact for fact in self._all_facts if functor(fact) != PERCEPT_FLUENT)

    @property
    def _all_facts(self) -> frozenset[Term]:
        """The fluents of the compiled game, those of percepts included."""
        native = self.game.native
        assert native is not None
        assert self._packed is not None
        return native.unpack(self._packed)

    @cached_property
    def _interpreted(self) -> ReferenceState:
        return self.game.interpreted.state(self.facts)

    def _on(self, native: NativeGame) -> Packed:
        if self._packed is None:
            self._packed = native.pack(sorted(self.facts, key=repr))
        return self._packed

    @cached_property
    def is_terminal(self) -> bool:
        """True if ``terminal`` holds, or the match ends by repetition."""
        native = self.game.native
        if self.is_repeated:
            return True
        return self._interpreted.is_terminal if native is None else native.terminal(self._on(native))

    @cached_property
    def _numbered_moves(self) -> dict[Role, dict[GdlMove, int]]:
        native = self.game.native
        assert native is not None
        by_role: dict[Role, dict[GdlMove, int]] = {}
        if self.is_terminal:
            return by_role
        for role_number, role in enumerate(self.game.native_roles):
            numbers = native.legal(self._on(native), role_number)
            moves = [(without_wrapping(native.move(number)), number) for number in numbers]
            if moves:
                by_role[role] = {GdlMove(term): n for term, n in sorted(moves, key=lambda pair: sort_key(pair[0]))}
        return by_role

    @cached_property
    def _legal(self) -> Mapping[Role, Sequence[GdlMove]]:
        if self.game.native is None:
            if self.is_repeated:
                return {}
            return {role: moves for role in self.game.role_terms if (moves := self._interpreted.legal_moves(role))}
        return {role: tuple(moves) for role, moves in self._numbered_moves.items()}

    def goal_values(self, role: Role) -> Sequence[int]:
        """Every value that the rules give the role here."""
        native = self.game.native
        if native is None:
            return self._interpreted.goal_values(role)
        return native.goals(self._on(native), self.game.native_roles.index(role))

    def play(self, joint_move: JointMove) -> CxxState:
        """The state after a joint move. Raises `IllegalMoveError`."""
        native = self.game.native
        moves = {role: self.resolve_move(role, joint_move) for role in self.game.role_terms}
        percepts: list[tuple[Term, Term]] = []
        if native is None:
            following = self._interpreted.play(joint_move)
            after = CxxState(self.game, facts=following.facts)
            for role, term in self.game.role_terms.items():
                percepts += [(term, self.game.read(percept)) for percept in following.percepts(role)]
        else:
            numbers = [self._move_number(role, moves) for role in self.game.native_roles]
            after = CxxState(self.game, packed=native.successor(self._on(native), numbers))
            if self.game.hidden:
                percepts = [_percept(fact) for fact in after._all_facts if functor(fact) == PERCEPT_FLUENT]
        after._note_past(self)
        if self.game.hidden:
            after._note_arrival(self, moves.values(), percepts)
        return after

    def _move_number(self, role: Role, moves: Mapping[Role, ResolvedMove]) -> int:
        """The number of the move of one of the compiled game's roles in a resolved joint move."""
        numbered = self._numbered_moves.get(role, {})
        if role not in self.game.sources:
            return numbered[moves[role].chosen]
        owner, variable = self.game.sources[role]
        event = moves[kif(owner)].drawn.get(variable)
        drawn = (number for move, number in numbered.items() if event is None or arguments(move.term)[:1] == (event,))
        return next(drawn, NOT_DRAWN)

    def _random_facts(self) -> Iterable[RandomFact]:
        if self.game.native is None:
            yield from self._interpreted._random_facts()
            return
        for role, (_, variable) in self.game.sources.items():
            for move in self._numbered_moves.get(role, {}):
                if move.term != NOTHING:
                    event, weight = arguments(move.term)
                    yield variable, weight, event

    def __eq__(self, other: object) -> bool:
        is_open = not self.game.hidden
        if is_open and isinstance(other, CxxState) and self.game is other.game and self._packed and other._packed:
            return self._packed == other._packed and self.is_repeated == other.is_repeated
        return super().__eq__(other)

    # By facts, which states from before and after compilation share.
    __hash__ = GdlState.__hash__


def _percept(fact: Term) -> tuple[Term, Term]:
    role, percept = arguments(fact)
    return role, percept
