"""Engines of pages in C++ (`twin.hpp`): playouts from many tables, and the comparison with the page turn by turn."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.native.bitcode import Library
from ludens.compiler.twins.starts import Goals, expected_goals, starts, table_to_act
from ludens.core import JointMove, Move, NativePlayouts, Role, State
from ludens.tabletop import EngineTwin, TabletopGame, TabletopState
from ludens.tabletop.actions.randomness import SEPARATOR
from ludens.tabletop.errors import RuleError
from ludens.tabletop.rule_game import RuleGame
from ludens.tabletop.table import Table

GOING, GOALS, POINTS, LEADS = range(4)
"""How playouts end, as `twin.hpp` numbers it."""
NONE = -1
_WIDTH = 32
"""Playouts from one state that cost about as much as a step of a search in Python."""
_TRIES = 20_000
"""How often an engine draws chance before its outcomes are taken to differ from the page's."""
_KEPT = 64
"""Positions of a match from which playouts are checked."""
_LONG = 100_000
"""No playout has so many turns."""
Row = NDArray[np.int16]
Values = NDArray[np.float64]
_POINTER, _INTEGER, _WORD = ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint64


class _Code:
    """The functions of an engine in machine code."""

    def __init__(self, package: str, engine: str) -> None:
        library = Library(files(package).joinpath("source", f"{engine}.bc").read_bytes())
        self.size = int(library.function("ludens_twin_size", _INTEGER)())
        self.most_moves = int(library.function("ludens_twin_most_moves", _INTEGER)())
        self.players = int(library.function("ludens_twin_most_players", _INTEGER)())
        self.moves = library.function("ludens_twin_moves", _INTEGER, _POINTER, _POINTER, _INTEGER, _POINTER)
        self.play = library.function("ludens_twin_play", _INTEGER, *[_POINTER] * 3, _WORD, _POINTER)
        self.play_out = library.function(
            "ludens_twin_play_out", _INTEGER, *[_POINTER] * 3, *[_INTEGER] * 3, _WORD, *[_POINTER] * 2
        )


@cache
def _code(package: str, engine: str) -> _Code:
    return _Code(package, engine)


class Engine:
    """The engine of one game, on rows of numbers."""

    def __init__(self, game: RuleGame, twin: EngineTwin) -> None:
        self._code = _code(twin.package, twin.engine)
        self._game = game
        self._twin = twin
        self._set = np.array(twin.settings, np.int32)
        if len(game.roles) > self._code.players:
            raise RuleError(f"the engine of {game.name} has at most {self._code.players} players")

    def row(self, table: Table) -> Row | None:
        """A table as the engine has it; None if it does not cover it."""
        scratch = table_to_act(self._game, table)
        numbers = self._game.call(self._twin.position, scratch, at=scratch)
        if numbers is None:
            return None
        if len(numbers) != self._code.size:
            raise RuleError(f"a position of {self._game.name} has {len(numbers)} numbers, its engine {self._code.size}")
        return np.array(numbers, np.int16)

    def moves(self, row: Row, player: int) -> list[int]:
        """The moves of a player; none if it may not act."""
        moves = np.empty(self._code.most_moves, np.int32)
        count = self._code.moves(self._set.ctypes.data, row.ctypes.data, player, moves.ctypes.data)
        found: list[int] = moves[:count].tolist()
        return found

    def texts(self, table: Table, row: Row, role: Role) -> list[tuple[Move, int]]:
        """The moves of a role as the page writes them, with their numbers."""
        scratch = table_to_act(self._game, table)
        numbers = self.moves(row, self._game.roles.index(role))
        return [(self._game.call(self._twin.move, scratch, role, number, at=scratch), number) for number in numbers]

    def chosen(self, moves: Mapping[Role, int]) -> NDArray[np.int32]:
        """The moves of all players, as engines read them."""
        found = np.full(self._code.players, NONE, np.int32)
        for role, move in moves.items():
            found[self._game.roles.index(role)] = move
        return found

    def play(self, row: Row, chosen: NDArray[np.int32], seed: int) -> tuple[Row, int, list[float]]:
        """The row after a turn, how the play ended, and the numbers of all players if it did."""
        after, values = row.copy(), np.zeros(self._code.players)
        end = self._code.play(self._set.ctypes.data, after.ctypes.data, chosen.ctypes.data, seed, values.ctypes.data)
        return after, int(end), values[: len(self._game.roles)].tolist()

    def play_out(
        self, rows: NDArray[np.int16], first: NDArray[np.int32] | None, each: int, most: int, seed: int
    ) -> tuple[int, Values, NDArray[np.uint8]]:
        """Play out every row so many times; the number of turns, and for each playout the numbers of all players and
        how it ended."""
        lanes = len(rows) * each
        values, ends = np.zeros((lanes, len(self._game.roles))), np.zeros(lanes, np.uint8)
        turns = self._code.play_out(
            self._set.ctypes.data, rows.ctypes.data, None if first is None else first.ctypes.data, len(rows), each,
            most, seed, values.ctypes.data, ends.ctypes.data,
        )  # fmt: skip
        return int(turns), values, ends


class EnginePlayouts(NativePlayouts):
    """Tables become rows of the engine, which are played out at random."""

    width = _WIDTH

    def __init__(self, game: RuleGame, twin: EngineTwin, seed: int) -> None:
        super().__init__(Random(seed))
        self._game = game
        self._engine = Engine(game, twin)
        self._goals = Goals(game)

    def play_out(self, states: Sequence[State], each: int, most: int) -> Values:
        """Convert each state once, and play it out."""
        found = np.zeros((len(states), each, len(self._game.roles)))
        whole: list[int] = []
        rows: list[Row] = []
        for number, state in enumerate(states):
            assert isinstance(state, TabletopState)
            begun = starts(self._game, state, each, self._engine.row, self.rng)
            if len(begun) == 1 and begun[0][1] is not None:
                whole.append(number)
                rows.append(begun[0][1])
                continue
            for place, (table, row) in enumerate(begun):
                lanes = found[number, place :: len(begun)]
                lanes[:] = self._goals.of_table(table) if row is None else self._play([row], None, len(lanes), most)
        if rows:
            found[whole] = self._play(rows, None, each, most).reshape(len(rows), each, -1)
        return found

    def play_out_moves(
        self, states: Sequence[State], role: Role, moves: Sequence[Move], each: int, most: int
    ) -> Values:
        """Playouts begin with the moves. Where the page would refuse one, its player makes another."""
        rows: list[Row] = []
        for state in states:
            assert isinstance(state, TabletopState)
            row = self._engine.row(state.table)
            if row is None:
                return super().play_out_moves(states, role, moves, each, most)
            rows.append(row)
        first = []
        for state, row in zip(states, rows, strict=True):
            assert isinstance(state, TabletopState)
            known = dict(self._engine.texts(state.table, row, role))
            first.append([self._engine.chosen({role: known.get(move, NONE)}) for move in moves])
        lanes = [(row, own[place]) for place in range(len(moves)) for row, own in zip(rows, first, strict=True)]
        goals = self._play([row for row, _ in lanes], np.array([move for _, move in lanes]), each, most)
        return goals.reshape(len(moves), len(states), each, -1)

    def _play(self, rows: Sequence[Row], first: NDArray[np.int32] | None, each: int, most: int) -> Values:
        """The goals of playouts of all rows, in one array."""
        if self._game.has_prospects:
            most = min(most, self._game.rule.horizon)
        turns, values, ends = self._engine.play_out(np.stack(rows), first, each, most, self.rng.getrandbits(64))
        self.turns += turns
        values[ends == GOING] = np.nan
        if (ends == POINTS).any():
            values[ends == POINTS] = self._goals.of_points(values[ends == POINTS])
        if (ends == LEADS).any():
            values[ends == LEADS] = expected_goals(values[ends == LEADS])
        return values


class EngineCosimulation:
    """Follows one match after another on rows of an engine."""

    def __init__(self, game: TabletopGame, twin: EngineTwin) -> None:
        self._game = game
        self._twin = twin
        self._engine = Engine(game, twin)
        self._goals = Goals(game)
        self._row: Row | None = None
        self._end: list[Any] = [GOING, []]
        self._rows: list[Row] = []
        self.turns = 0
        """Turns that were compared."""

    def begin(self) -> None:
        """A match begins."""
        self._row, self._end = None, [GOING, []]

    def compare(self, page: TabletopState) -> str:
        """What differs between the page and the engine, which has followed it; empty if nothing does."""
        if page.is_terminal:
            return "" if self._row is None else self._compare_end(page)
        expected = self._engine.row(page.table)
        if expected is None:
            return "" if self._row is None else "the twin covers the table before, and not this one"
        if self._row is None:
            self._row = expected
        elif self._end[0] != GOING:
            return f"the twin is over, with {self._end[1]}"
        if difference := _difference(self._row, expected):
            return difference
        self.turns += 1
        if len(self._rows) < _KEPT:
            self._rows.append(expected)
        return self._compare_moves(page, expected) or self._compare_leads(page, expected)

    def _compare_moves(self, page: TabletopState, row: Row) -> str:
        for role in self._game.roles:
            own, theirs = list(page.legal_moves(role)), [text for text, _ in self._engine.texts(page.table, row, role)]
            if more := sorted(set(theirs) - set(own)):
                return f"the twin allows {role}: {more[0]}"
            if fewer := sorted(set(own) - set(theirs)):
                return f"the twin does not allow {role}: {fewer[0]}"
            if len(own) != len(theirs):
                return f"the twin lists a move of {role} twice"
        return ""

    def _compare_leads(self, page: TabletopState, row: Row) -> str:
        if not self._game.has_prospects:
            return ""
        _, values, ends = self._engine.play_out(row[None], None, 1, 0, 0)
        if ends[0] != LEADS:
            return "the twin has no prospects"
        found, expected = expected_goals(values)[0], self._game.prospects(page.table)
        return (
            ""
            if np.allclose(found, expected)
            else f"the prospects of the twin are {found}, those of the page {expected}"
        )

    def _compare_end(self, page: TabletopState) -> str:
        end, values = self._end
        if end == GOING:
            table = page.table.copy()
            ends_apart = self._game.call(self._twin.ends_apart, table, at=table)
            return "" if ends_apart else "the page is over, the twin is not"
        named = dict(zip(self._game.roles, values, strict=True))
        if end == POINTS and self._game.rule.points_range:  # by which playouts are valued, whoever wins
            points = dict(page.points)
            return "" if named == points else f"the points of the twin are {named}, those of the page {points}"
        goals = list(values) if end == GOALS else list(self._game.goals_of(named))
        if goals != list(page.goals.values()):
            return f"the goals of the twin are {goals}, those of the page {list(page.goals.values())}"
        return ""

    def advance(self, before: TabletopState, joint_move: JointMove, after: TabletopState) -> str:
        """Let the engine follow a turn of the page; what is wrong if it cannot."""
        if self._row is None or after.refused is not None:
            return ""
        chosen: dict[Role, int] = {}
        for role, text in joint_move.items():
            known = dict(self._engine.texts(before.table, self._row, role))
            number = known.get(text, known.get(text.partition(SEPARATOR)[0]))
            if number is None:
                return f"the twin has no move for {role}: {text}"
            chosen[role] = number
        is_drawn = any(SEPARATOR in text for text in joint_move.values())
        return self._follow(self._engine.chosen(chosen), after, is_drawn=is_drawn)

    def _follow(self, chosen: NDArray[np.int32], after: TabletopState, *, is_drawn: bool) -> str:
        """Play a turn until chance falls as on the page."""
        assert self._row is not None
        expected = None if after.is_terminal else self._engine.row(after.table)
        for seed in range(_TRIES if is_drawn else 1):
            found, *self._end = self._engine.play(self._row, chosen, seed)
            if np.array_equal(found, expected) if expected is not None else not self._compare_end(after):
                break
        else:
            settled = self._twin.settled
            if is_drawn and expected is not None:
                if settled is None or settled(found.tolist()) != settled(expected.tolist()):
                    return f"no outcome in the twin is that of the page: {_difference(found, expected)}"
                found = expected
        self._row = found
        return ""

    def check_playouts(self) -> str:
        """Play out the positions that came up: all end, or are evaluated."""
        if not self._rows:
            return ""
        _, values, ends = self._engine.play_out(np.stack(self._rows), None, 1, _LONG, 1)
        if (ends == GOING).any():
            return "playouts of the twin do not end"
        goals = values[ends == GOALS]
        return "" if ((goals >= 0) & (goals <= 100)).all() else "playouts of the twin have goals beyond 0 to 100"


def _difference(found: Row, expected: Row) -> str:
    places = np.flatnonzero(found != expected)
    if not len(places):
        return ""
    first = int(places[0])
    return f"number {first} of the twin's position is {found[first]}, and on the page {expected[first]}"
