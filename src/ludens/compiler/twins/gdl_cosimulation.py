"""A game in Python and its twin in GDL, turn by turn: legal moves, facts, ends and goals must be the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ludens.compiler.twins.gdl_playouts import Converter, compiled_twin
from ludens.compiler.twins.starts import table_to_act
from ludens.core import GameError, JointMove, Move, Role
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame, PackedBits
from ludens.gdl.game import GdlState
from ludens.gdl.write import kif
from ludens.tabletop import TabletopGame, TabletopState
from ludens.tabletop.actions.randomness import SEPARATOR
from ludens.tabletop.twin import Twin

_OUTCOMES = 5000
"""The most outcomes of chance that are compared."""
_KEPT = 64
"""Positions of a match from which playouts are checked."""
_SHOWN = 4
"""Facts or moves that a message names."""


def gdl_cosimulation(game: TabletopGame, twin: Twin) -> GdlCosimulation:
    """The side-by-side play of a game and its twin. Waits for the compiler. Raises `GameError` if the twin cannot be
    compiled to gates."""
    compiled = compiled_twin(twin, game.name)
    assert compiled is not None  # it has waited
    if len(compiled.roles) != len(game.roles):
        raise GameError(f"the twin of {game.name} has {len(compiled.roles)} roles, not {len(game.roles)}")
    return GdlCosimulation(game, twin, compiled)


class GdlCosimulation:
    """Follows one match after another."""

    def __init__(self, game: TabletopGame, twin: Twin, compiled: BatchGame) -> None:
        self._game = game
        self._twin = twin
        self._compiled = compiled
        self._converter = Converter(game, twin, compiled)
        self._state: GdlState | None = None
        self._rows: list[PackedBits] = []
        self.turns = 0
        """Turns that were compared."""

    def begin(self) -> None:
        """A match begins."""
        self._state = None

    def compare(self, page: TabletopState) -> str:
        """What differs between the page and the twin, which has followed it; empty if nothing does."""
        if page.is_terminal:
            return self._compare_end(page)
        expected = self._converter.facts(page.table)
        if expected is None:
            if self._state is not None:
                return "the twin covers the table before, and not this one"
            return ""
        if unknown := self._converter.unknown(expected):
            return f"the twin has no fact {unknown}"
        row = self._converter.row(page.table)
        assert row is not None
        if self._state is None:
            self._state = self._unpack(row)
        found = _facts(self._state)
        if found != expected:
            return f"the twin has the facts {_some(found - expected)}, and the page {_some(expected - found)}"
        self.turns += 1
        if len(self._rows) < _KEPT:
            self._rows.append(row)
        if self._state.is_terminal:
            return f"the twin is over, with goals {list(self._state.goals.values())}"
        return self._compare_moves(page, self._state)

    def _unpack(self, row: PackedBits) -> GdlState:
        state = self._compiled.unpack(row[None])[0]
        assert isinstance(state, GdlState)
        return state

    def _compare_moves(self, page: TabletopState, twin: GdlState) -> str:
        own = {(role, move) for role in self._game.roles for move in page.legal_moves(role)}
        theirs = set(self._translated(page, twin))
        if theirs - own:
            return f"the twin allows {_some(theirs - own)}"
        for role, move in sorted(own - theirs):
            if page.actions(role)[move][0].has_chance or page.play({role: move}).refused is None:
                return f"the twin does not allow {role}: {move}"
        return ""

    def _translated(self, page: TabletopState, twin: GdlState) -> dict[tuple[Role, Move], tuple[Role, Move]]:
        """The moves of the twin, by those of the page that they stand for."""
        found: dict[tuple[Role, Move], tuple[Role, Move]] = {}
        table = table_to_act(self._game, page.table)
        for role in self._compiled.roles:
            for move in twin.legal_moves(role):
                meaning = self._game.call(self._twin.moves, table, role, str(move), at=table)
                if meaning is not None:
                    found[meaning] = role, move
        return found

    def _compare_end(self, page: TabletopState) -> str:
        twin = self._state
        if twin is None:
            return ""
        if not twin.is_terminal:
            table = page.table.copy()
            return (
                "" if self._game.call(self._twin.ends_apart, table, at=table) else "the page is over, the twin is not"
            )
        goals = list(twin.goals.values())
        if self._twin.points is not None:
            goals = self._goals_by_points(twin)
        if goals != list(page.goals.values()):
            return f"the goals of the twin are {goals}, those of the page {list(page.goals.values())}"
        return ""

    def _goals_by_points(self, twin: GdlState) -> list[int]:
        assert self._twin.points is not None
        flags = self._converter.watched_flags(self._compiled.pack([twin]))
        table = self._began.table
        points = self._game.call(self._twin.points, table, flags, at=table)[0].tolist()
        return list(self._game.goals_of(dict(zip(self._game.roles, points, strict=True))))

    def advance(self, before: TabletopState, joint_move: JointMove, after: TabletopState) -> str:
        """Let the twin follow a turn of the page; what is wrong if it cannot."""
        twin = self._state
        if twin is None or after.refused is not None:
            return ""
        self._began = before
        translated = self._translated(before, twin)
        chosen: dict[Role, Move] = {}
        for role, text in joint_move.items():
            known = {move: (role, move) for one, move in translated if one == role}
            meaning = next((known[move] for move in (text, text.partition(SEPARATOR)[0]) if move in known), None)
            if meaning is None:
                return f"the twin has no move for {role}: {text}"
            twin_role, move = translated[meaning]
            chosen[twin_role] = move
        for role in self._compiled.roles:
            chosen.setdefault(role, twin.legal_moves(role)[0])
        reached = self._successors(twin, chosen)
        if after.is_terminal:
            self._state = next((state for state in reached if state.is_terminal), reached[0])
            return ""
        expected = self._converter.facts(after.table)
        self._state = next((state for state in reached if _facts(state) == expected), None)
        if self._state is None and len(reached) > 1:
            return f"none of {len(reached)} outcomes in the twin is that of the page"
        self._state = self._state or reached[0]
        return ""

    def _successors(self, twin: GdlState, joint_move: Mapping[Role, Move]) -> Sequence[GdlState]:
        """The states that chance may make of a joint move, and of turns of chance alone that follow."""
        found: list[GdlState] = []
        for outcome in twin.chance_outcomes(joint_move, _OUTCOMES):
            state = twin.play(outcome.joint_move)
            assert isinstance(state, GdlState)
            found.append(state)
        return found

    def check_playouts(self) -> str:
        """Play out the positions that came up in machine code; ends and goals must be those of the rules."""
        if not self._rows:
            return ""
        batch = Batch(self._compiled, len(self._rows), seed=1)
        batch.set_states(np.stack(self._rows))
        played = batch.playouts(keep_last=True)
        assert played.last is not None
        batch.set_states(played.last)
        if not np.array_equal(batch.terminal, played.ended):
            return "playouts of the twin end where its rules do not: its tables are not reachable by its rules"
        if (batch.goals[played.ended] != played.goals[played.ended]).any():
            return "playouts of the twin have other goals than its rules"
        return ""


def _facts(state: GdlState) -> frozenset[str]:
    return frozenset(map(kif, state.facts))


def _some(things: frozenset[str] | set[tuple[Role, Move]]) -> str:
    shown = sorted(thing if isinstance(thing, str) else ": ".join(thing) for thing in things)
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return (", ".join(shown[:_SHOWN]) or "nothing more") + more
