"""One state at a time on generated C++: the backend ``cxx``."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from ludens.compiler.cxx.build import find_compiler, shared_library
from ludens.compiler.cxx.native import NativeGame, Packed
from ludens.compiler.cxx.prepare import Prepared, prepare
from ludens.compiler.cxx.profile import sample_relations
from ludens.compiler.cxx.project import CodeOptions, generate
from ludens.core import GameError, JointMove, Role
from ludens.gdl.game import GdlGame, GdlMove, GdlState
from ludens.gdl.reference import ReferenceState
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, sort_key

_log = logging.getLogger("ludens")


class CxxGame(GdlGame):
    """A GDL game computed by C++ that was generated from its rules.

    With ``wait=False`` the code is compiled in the background, and the reference reasoner computes until it is ready.
    """

    backend = "cxx"

    def __init__(self, sheet: RuleSheet, name: str = "game", *, wait: bool = True) -> None:
        super().__init__(sheet, name)
        find_compiler()
        self._prepared = prepare(sheet, name)
        self.reference = self._prepared.reference
        self.roles = self.reference.roles
        self._native: NativeGame | None = None
        self.ready = threading.Event()
        """Set when compiling has ended, well or not."""
        if wait:
            self._native = native_game(self._prepared)
            self.ready.set()
        else:
            threading.Thread(target=self._compile, name=f"compile {name}", daemon=True).start()

    def _compile(self) -> None:
        try:
            self._native = native_game(self._prepared)
        except GameError as error:
            _log.warning("%s stays on the backend reference: %s", self.name, error)
        finally:
            self.ready.set()

    @property
    def native(self) -> NativeGame | None:
        """The compiled game; None as long as it is not ready."""
        return self._native

    def initial_state(self) -> CxxState:
        """The state in which every match begins."""
        native = self._native
        if native is not None:
            return CxxState(self, packed=native.initial())
        return CxxState(self, facts=self.reference.initial_state().facts)

    def state(self, facts: Iterable[Term]) -> CxxState:
        """The state in which exactly these fluents are true. Raises `GameError` if no play could make one true."""
        given = frozenset(facts)
        packed = None if self._native is None else self._native.pack(sorted(given, key=repr))
        return CxxState(self, facts=given, packed=packed)

    def declared_fluents(self) -> frozenset[Term]:
        """The fluents that ``base`` names; none if the rules leave it out or it is too large to list."""
        return self.reference.declared_fluents()


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
    def facts(self) -> frozenset[Term]:  # type: ignore[override]  # decoded only when somebody asks
        """The true fluents."""
        native = self.game.native
        assert native is not None
        assert self._packed is not None
        return native.unpack(self._packed)

    @cached_property
    def _reference(self) -> ReferenceState:
        return self.game.reference.state(self.facts)

    def _on(self, native: NativeGame) -> Packed:
        if self._packed is None:
            self._packed = native.pack(sorted(self.facts, key=repr))
        return self._packed

    @cached_property
    def is_terminal(self) -> bool:
        """True if ``terminal`` holds."""
        native = self.game.native
        return self._reference.is_terminal if native is None else native.terminal(self._on(native))

    @cached_property
    def _numbered_moves(self) -> dict[Role, dict[GdlMove, int]]:
        native = self.game.native
        assert native is not None
        found: dict[Role, dict[GdlMove, int]] = {}
        if self.is_terminal:
            return found
        for role_number, role in enumerate(self.game.roles):
            numbers = native.legal(self._on(native), role_number)
            moves = sorted(((native.move(number), number) for number in numbers), key=lambda pair: sort_key(pair[0]))
            if moves:
                found[role] = {GdlMove(term): number for term, number in moves}
        return found

    @cached_property
    def _legal(self) -> Mapping[Role, Sequence[GdlMove]]:
        if self.game.native is None:
            return {role: moves for role in self.game.roles if (moves := self._reference.legal_moves(role))}
        return {role: tuple(moves) for role, moves in self._numbered_moves.items()}

    def goal_values(self, role: Role) -> Sequence[int]:
        """Every value that the rules give the role here."""
        native = self.game.native
        if native is None:
            return self._reference.goal_values(role)
        return native.goals(self._on(native), self.game.roles.index(role))

    def play(self, joint_move: JointMove) -> CxxState:
        """The state after a joint move. Raises `IllegalMoveError`."""
        native = self.game.native
        if native is None:
            return CxxState(self.game, facts=self._reference.play(joint_move).facts)
        numbers = [self._numbered_moves[role][self.move(role, joint_move)] for role in self.game.roles]
        return CxxState(self.game, packed=native.successor(self._on(native), numbers))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CxxState) and self.game is other.game and self._packed and other._packed:
            return self._packed == other._packed
        return super().__eq__(other)

    def __hash__(self) -> int:
        # By facts, which states that were made before and after compilation have in common.
        return hash(self.facts)
