"""Boards with stones in machine code (`source/stones.cpp`): playouts of Go, and the comparison with the page."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from random import Random

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.native.bitcode import Library
from ludens.core import JointMove, Move, NativePlayouts, Role, State
from ludens.tabletop import TabletopGame, TabletopState
from ludens.tabletop.errors import RuleError
from ludens.tabletop.rule_game import RuleGame
from ludens.tabletop.table import ACTOR, Table
from ludens.tabletop.twin import StonesPosition, StonesTwin

PASS = "pass"
_MOST_POINTS = 512
_WIDTH = 8
"""Playouts from one state that cost about as much as a step of a search in Python."""
_POINTER, _INTEGER, _WORD = ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint64


class _Machine:
    def __init__(self) -> None:
        library = Library(files(__package__).joinpath("source", "stones.bc").read_bytes())
        board = [_INTEGER, *[_POINTER] * 3]
        self.legal = library.function("ludens_stones_legal", None, *board, _INTEGER, _POINTER)
        self.place = library.function("ludens_stones_place", _INTEGER, *board, _INTEGER, _INTEGER)
        self.areas = library.function("ludens_stones_areas", None, *board, _POINTER)
        self.play_out = library.function(
            "ludens_stones_play_out", _INTEGER, *board, *[_INTEGER] * 3, _WORD, _INTEGER, *[_POINTER] * 2
        )


@cache
def machine() -> _Machine:
    """The machine code, loaded once."""
    return _Machine()


class Stones:
    """The points of a board, as machine code reads them."""

    def __init__(self, near: Sequence[Sequence[int]]) -> None:
        if len(near) > _MOST_POINTS:
            raise RuleError(f"stones are played on at most {_MOST_POINTS} points in machine code, not {len(near)}")
        self.points = len(near)
        self._starts = np.cumsum([0, *map(len, near)]).astype(np.int32)
        self._near = np.array([other for own in near for other in own], np.int32)

    def _board(self, colours: NDArray[np.int8]) -> tuple[int, int, int, int]:
        return self.points, self._starts.ctypes.data, self._near.ctypes.data, colours.ctypes.data

    def legal(self, colours: NDArray[np.int8], player: int) -> list[int]:
        """The points where a stone has a liberty, after what it captures."""
        found = np.zeros(self.points, np.uint8)
        machine().legal(*self._board(colours), player, found.ctypes.data)
        return np.flatnonzero(found).tolist()

    def place(self, colours: NDArray[np.int8], point: int, player: int) -> int:
        """Place a stone on the board; returns how many it captures."""
        return int(machine().place(*self._board(colours), point, player))

    def areas(self, colours: NDArray[np.int8]) -> tuple[int, int]:
        """The points that each player occupies or alone surrounds."""
        found = np.zeros(2, np.int32)
        machine().areas(*self._board(colours), found.ctypes.data)
        return int(found[0]), int(found[1])

    def play_out(
        self, position: StonesPosition, turns: int, seed: int, count: int
    ) -> tuple[int, NDArray[np.int32], NDArray[np.bool_]]:
        """Play out a board; the number of turns, the areas of both (playouts, 2), and where each placed stones
        (playouts, 2, points)."""
        colours = np.array(position.colours, np.int8)
        found = np.zeros((count, 2), np.int32)
        placed = np.zeros((count, 2, self.points), np.bool_)
        made = machine().play_out(
            *self._board(colours),
            position.player,
            position.passes,
            turns,
            seed,
            count,
            found.ctypes.data,
            placed.ctypes.data,
        )
        return int(made), found, placed


class StonesPlayouts(NativePlayouts):
    """Playouts of sensible players."""

    width = _WIDTH

    def __init__(self, game: RuleGame, twin: StonesTwin, seed: int) -> None:
        super().__init__(Random(seed))
        self._game = game
        self._twin = twin
        self._stones = Stones(twin.near)
        self._points = {twin.move(point): point for point in range(self._stones.points)}
        self.noted_moves = tuple(self._points)
        machine()

    def play_out(self, states: Sequence[State], each: int, most: int) -> NDArray[np.float64]:
        """State by state."""
        found = np.zeros((len(states), each, len(self._game.roles)))
        for number, state in enumerate(states):
            assert isinstance(state, TabletopState)
            if state.is_terminal:
                found[number] = list(state.goals.values())
                continue
            table = state.table.copy()
            found[number] = self._goals(table, position_of(self._game, self._twin, table), each, most)
        return found

    def play_out_moves(
        self, states: Sequence[State], role: Role, moves: Sequence[Move], each: int, most: int
    ) -> NDArray[np.float64]:
        """Stones are placed on the board. Where the page would refuse one, its player places another."""
        found = np.zeros((len(moves), len(states), each, len(self._game.roles)))
        for number, state in enumerate(states):
            assert isinstance(state, TabletopState)
            table = state.table.copy()
            position = position_of(self._game, self._twin, table)
            colours = np.array(position.colours, np.int8)
            legal = set(self._stones.legal(colours, position.player))
            for place, move in enumerate(moves):
                after = self._after(position, colours, legal, move)
                found[place, number] = self._goals(table, after, each, most)
        return found

    def _after(
        self, position: StonesPosition, colours: NDArray[np.int8], legal: set[int], move: Move
    ) -> StonesPosition:
        other, turns = 1 - position.player, position.turns - 1
        if move == PASS:
            return position._replace(player=other, passes=position.passes + 1, turns=turns)
        point = self._points.get(move)
        if point not in legal:
            return position
        board = colours.copy()
        self._stones.place(board, point, position.player)
        return StonesPosition(board.tolist(), other, 0, turns)

    def _goals(self, table: Table, position: StonesPosition, each: int, most: int) -> NDArray[np.float64]:
        """The goals of playouts from a board that a table has led to."""
        turns = 0 if position.passes > 1 else min(most, position.turns)
        made, areas, self.made = self._stones.play_out(position, turns, self.rng.getrandbits(64), each)
        self.turns += made
        return self._game.call(self._twin.goals, table, areas, at=table)


def position_of(game: RuleGame, twin: StonesTwin, table: Table) -> StonesPosition:
    """The board of a table of one's own."""
    table.play_state[ACTOR] = game.stage(table).players[0]
    return game.call(twin.position, table, at=table)


class StonesCosimulation:
    """Follows one match after another on a board in machine code."""

    def __init__(self, game: TabletopGame, twin: StonesTwin) -> None:
        self._game = game
        self._twin = twin
        self._stones = Stones(twin.near)
        self._colours: NDArray[np.int8] | None = None
        self.turns = 0
        """Turns that were compared."""

    def begin(self) -> None:
        """A match begins."""
        self._colours = None

    def compare(self, page: TabletopState) -> str:
        """What differs between the page and the board, which has followed it; empty if nothing does."""
        position = position_of(self._game, self._twin, page.table.copy())
        if self._colours is None:
            self._colours = np.array(position.colours, np.int8)
        if self._colours.tolist() != list(position.colours):
            return "the stones on the board are others"
        self.turns += 1
        if page.is_terminal != (position.passes >= 2 or position.turns <= 0):
            return "the page is over, the board is not" if page.is_terminal else "the board is over, the page is not"
        return self._compare_end(page) if page.is_terminal else self._compare_moves(page, position)

    def _compare_end(self, page: TabletopState) -> str:
        assert self._colours is not None
        areas = self._stones.areas(self._colours)
        points = self._game.call(self._twin.points, page.table, *areas, at=page.table)
        return "" if dict(points) == dict(page.points) else f"the board has points {points}, the page {page.points}"

    def _compare_moves(self, page: TabletopState, position: StonesPosition) -> str:
        assert self._colours is not None
        player = self._game.roles[position.player]
        table = page.table.copy()
        table.play_state[ACTOR] = player
        own = set(page.legal_moves(player))
        theirs = {self._twin.move(point): point for point in self._stones.legal(self._colours, position.player)}
        for move, point in theirs.items():
            if move not in own and not self._game.call(self._twin.repeats, table, point, at=table):
                return f"the board allows {move}"
        for move in sorted(own - {PASS, *theirs}):
            if page.play({player: move}).refused is None:
                return f"the board does not allow {move}"
        return ""

    def advance(self, before: TabletopState, joint_move: JointMove, after: TabletopState) -> str:
        """Place the stone of a turn of the page."""
        assert self._colours is not None
        (move,) = joint_move.values()
        if after.refused is not None or move == PASS:
            return ""
        position = position_of(self._game, self._twin, before.table.copy())
        point = next((point for point in range(self._stones.points) if self._twin.move(point) == move), None)
        if point is None:
            return f"the board has no move {move}"
        self._stones.place(self._colours, point, position.player)
        return ""

    def check_playouts(self) -> str:
        """Playouts end with as many points as there are, or fewer."""
        empty = StonesPosition([-1] * self._stones.points, 0, 0, 2 * self._stones.points)
        _, areas, _ = self._stones.play_out(empty, empty.turns, 1, _WIDTH)
        return "" if (areas.sum(axis=1) <= self._stones.points).all() else "playouts count too many points"
