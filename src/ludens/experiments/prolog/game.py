"""GDL games on SWI-Prolog: the engine of the first general game players, for comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ludens.core import GameError, JointMove, Role
from ludens.experiments.prolog.swipl import PrologProcess
from ludens.experiments.prolog.translation import prolog_term
from ludens.gdl.chance.dialect import Dialect, dialect_of
from ludens.gdl.game import GdlGame, GdlMove, GdlState
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, sort_key

PATIENCE = 60.0
"""The time limit of a query about one state, in seconds; Prolog is stopped after it."""


@dataclass(frozen=True, slots=True)
class PrologPlayouts:
    """The results of random playouts in Prolog."""

    states: int
    """Joint moves that were made."""
    playouts: int
    """Matches that ended."""
    cpu_seconds: float
    """Processor time of the Prolog process."""
    goal_sums: tuple[float, ...]
    """The sum of the goals of all ended matches, for each role."""


@dataclass(frozen=True, slots=True)
class PrologSimulations:
    """The results of a Monte-Carlo player's simulations in Prolog."""

    states: int
    """Joint moves that were made."""
    cpu_seconds: float
    """Processor time of the Prolog process."""
    ended: tuple[tuple[tuple[GdlMove, ...], tuple[float, ...]], ...]
    """For each simulation that reached the end: the joint move that it began with, and each role's goal."""


class PrologGame(GdlGame):
    """A GDL game computed by SWI-Prolog from a plain translation of the rules."""

    backend = "prolog"

    def __init__(self, sheet: RuleSheet, name: str = "game", *, tabled: bool = True) -> None:
        """Start Prolog. Raises `GameError` if it is missing, or if the rules have random variables.

        Without ``tabled``, the rules are plain Prolog throughout, and some recursive ones do not terminate.
        """
        super().__init__(sheet, name)
        if Dialect.STOCHASTIC in dialect_of(sheet):
            raise GameError(f"{name}: Prolog has no random variables; convert the rules with --to gdl-ii first")
        self._process = PrologProcess(sheet, name, PATIENCE, tabled=tabled)
        self._set_roles(map(_term, self._process.roles))

    def ask(self, question: str, *arguments: Iterable[Term], seconds: float = PATIENCE) -> Any:
        """Prolog's answer to a query whose arguments are lists of terms."""
        lists = ", ".join(f"[{', '.join(map(prolog_term, terms))}]" for terms in arguments)
        return self._process.ask(f"{question}({lists})" if lists else question, seconds)

    def initial_state(self) -> PrologState:
        """The state in which every match begins."""
        return self.state(map(_term, self.ask("initial")))

    def state(self, facts: Iterable[Term]) -> PrologState:
        """The state in which exactly these fluents are true."""
        return PrologState(self, frozenset(facts))

    def declared_fluents(self) -> frozenset[Term]:
        """None: plain Prolog may not terminate on ``base``."""
        return frozenset()

    def playouts(self, state: GdlState, seconds: float) -> PrologPlayouts:
        """Random playouts from a state for some CPU seconds, entirely in Prolog."""
        facts = ", ".join(map(prolog_term, state.facts))
        totals = self._process.ask(f"playouts([{facts}], {seconds:f})", 4 * seconds + PATIENCE)
        states, playouts, spent, sums = totals
        return PrologPlayouts(states, playouts, spent, tuple(map(float, sums)))

    def simulations(self, state: GdlState, seconds: float, portion: int = 1) -> PrologSimulations:
        """Random playouts for some CPU seconds, ``portion`` after each random joint move, entirely in Prolog."""
        facts = ", ".join(map(prolog_term, state.facts))
        states, spent, ends = self._process.ask(
            f"simulations([{facts}], {seconds:f}, {portion})", 4 * seconds + PATIENCE
        )
        ended = [(tuple(GdlMove(_term(move)) for move in moves), tuple(map(float, goals))) for moves, goals in ends]
        return PrologSimulations(states, spent, tuple(ended))

    def close(self) -> None:
        """End the Prolog process; it also ends with the game."""
        self._process.close()


class PrologState(GdlState):
    """A position whose moves and goals Prolog derives on first use."""

    game: PrologGame

    def __init__(self, game: PrologGame, facts: frozenset[Term]) -> None:
        self.game = game
        self.facts = facts

    @cached_property
    def _answer(self) -> tuple[bool, list[Any], list[Any]]:
        terminal, legal, goals = self.game.ask("state", self.facts)
        return terminal, legal, goals

    @property
    def is_terminal(self) -> bool:
        """True if ``terminal`` holds."""
        return self._answer[0]

    @cached_property
    def _legal(self) -> Mapping[Role, Sequence[GdlMove]]:
        if self.is_terminal:
            return {}
        by_role = {}
        for role, moves in zip(self.game.role_terms, self._answer[1], strict=True):
            by_role[role] = tuple(map(GdlMove, sorted(map(_term, moves), key=sort_key)))
        return by_role

    def goal_values(self, role: Role) -> Sequence[int]:
        """Every value that the rules give the role here."""
        values = self._answer[2][list(self.game.role_terms).index(role)]
        return sorted(int(v) for v in values if isinstance(v, str) and v.isascii() and v.isdecimal() and len(v) < 10)

    def play(self, joint_move: JointMove) -> PrologState:
        """The state after a joint move. Raises `IllegalMoveError`."""
        moves = [self.resolve_move(role, joint_move).done.term for role in self.game.role_terms]
        return self.game.state(map(_term, self.game.ask("next", self.facts, moves)))


def _term(value: Any) -> Term:
    """The term that JSON from the driver stands for."""
    return tuple(map(_term, value)) if isinstance(value, list) else str(value)
