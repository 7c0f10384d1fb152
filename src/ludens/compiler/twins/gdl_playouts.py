"""Twins of games in Python (`ludens.tabletop.twin`), compiled: playouts of many tables at once in machine code."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.backends import make_game
from ludens.compiler.twins.starts import Goals, expected_goals, starts, table_to_act
from ludens.core import Game, GameError, Move, NativePlayouts, Role, State
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame, PackedBits
from ludens.core.block import LANES
from ludens.gdl.read import read_rules
from ludens.tabletop.errors import RuleError
from ludens.tabletop.rule_game import RuleGame
from ludens.tabletop.state import TabletopState
from ludens.tabletop.table import Table
from ludens.tabletop.twin import Twin

Values = NDArray[np.float64]
_KEPT = 64
"""Rule sheets of twins that are kept, with their compilers."""


@lru_cache(maxsize=_KEPT)
def _lazy_game(rules: str, name: str) -> Game:
    return make_game(read_rules(rules, name=name), name)


def compiled_twin(twin: Twin, name: str, seconds: float = math.inf) -> BatchGame | None:
    """The twin on lanes; None if it is not there within so many seconds. Raises `GameError` if the compiler gave up."""
    game = _lazy_game(twin.rules, f"the twin of {name}").compiled(seconds)
    if isinstance(game, BatchGame):
        return game
    if math.isinf(seconds):
        raise GameError(f"the twin of {name} cannot be compiled to gates")
    return None


class _Lanes:
    """What lanes begin with, and where their values belong."""

    def __init__(self) -> None:
        self.places: list[int] = []
        self.rows: list[PackedBits] = []
        self.tables: list[Table] = []
        self.moves: list[tuple[int, int] | None] = []
        """The first move, as the numbers of its role and itself; None for a random one."""

    def add(self, place: int, row: PackedBits, table: Table, move: tuple[int, int] | None = None) -> None:
        """One more lane."""
        self.places.append(place)
        self.rows.append(row)
        self.tables.append(table)
        self.moves.append(move)

    def part(self, first: int, end: int) -> _Lanes:
        """Some of the lanes."""
        some = _Lanes()
        some.places, some.rows = self.places[first:end], self.rows[first:end]
        some.tables, some.moves = self.tables[first:end], self.moves[first:end]
        return some


class TwinPlayouts(NativePlayouts):
    """Tables become lanes of the twin, which are played out at random."""

    width = LANES

    def __init__(self, game: RuleGame, twin: Twin, compiled: BatchGame, seed: int) -> None:
        super().__init__(Random(seed))
        self._game = game
        self._twin = twin
        self._converter = Converter(game, twin, compiled)
        self._batch = Batch(compiled, LANES, seed=seed)
        self._goals = Goals(game)
        compiled.prepare_batches()
        self._batch.playouts(0, keep_last=self._reads_last)

    @property
    def _reads_last(self) -> bool:
        return self._twin.points is not None or self._twin.prospects is not None

    def play_out(self, states: Sequence[State], each: int, most: int) -> Values:
        """Convert each state once, and play it out on so many lanes."""
        found = np.zeros((len(states) * each, len(self._game.roles)))
        lanes = _Lanes()
        for number, state in enumerate(states):
            assert isinstance(state, TabletopState)
            begun = starts(self._game, state, each, self._converter.row, self.rng)
            for lane in range(each):
                table, row = begun[lane % len(begun)]
                if row is None:
                    found[number * each + lane] = self._goals.of_table(table)
                else:
                    lanes.add(number * each + lane, row, table)
        self._play(lanes, found, most)
        return found.reshape(len(states), each, -1)

    def play_out_moves(
        self, states: Sequence[State], role: Role, moves: Sequence[Move], each: int, most: int
    ) -> Values:
        """Lanes make the moves. Where the page would refuse a move, its player makes another."""
        rows = [self._converter.row(state.table) for state in states if isinstance(state, TabletopState)]
        if any(row is None for row in rows):
            return super().play_out_moves(states, role, moves, each, most)
        lanes = _Lanes()
        for number, (state, row) in enumerate(zip(states, rows, strict=True)):
            assert isinstance(state, TabletopState)
            assert row is not None
            known = self._converter.move_numbers(state.table, row)
            for place, move in enumerate(moves):
                for lane in range(each):
                    at = (place * len(states) + number) * each + lane
                    lanes.add(at, row, state.table, known.get((role, move)))
        found = np.zeros((len(moves) * len(states) * each, len(self._game.roles)))
        self._play(lanes, found, most)
        return found.reshape(len(moves), len(states), each, -1)

    def _play(self, lanes: _Lanes, found: Values, most: int) -> None:
        """Play out lanes block by block, and write their values to their places."""
        if self._twin.prospects is not None:
            most = min(most, self._game.rule.horizon)
        for first in range(0, len(lanes.places), LANES):
            block = lanes.part(first, first + LANES)
            found[block.places] = self._play_block(block, most)

    def _play_block(self, lanes: _Lanes, most: int) -> Values:
        """Play out up to a block of lanes; it is filled up with the first states again."""
        count, tables = len(lanes.places), lanes.tables
        fill = np.resize(np.arange(count), LANES)
        self._batch.set_states(np.array(lanes.rows)[fill])
        if any(move is not None for move in lanes.moves):
            joint = self._batch.random_moves()
            for lane, number in enumerate(fill):
                if (move := lanes.moves[number]) is not None:
                    joint[lane, move[0]] = move[1]
            self._batch.advance(joint)
        played = self._batch.playouts(most, keep_last=self._reads_last)
        self.turns += played.moves * count // LANES
        values: Values = played.goals[:count].astype(np.float64)
        ended = played.ended[:count]
        values[~ended] = np.nan
        if played.last is not None:
            flags = self._converter.watched_flags(played.last[:count])
            self._evaluate(values, flags, tables, ended)
        return values

    def _evaluate(
        self, values: Values, flags: NDArray[np.bool_], tables: Sequence[Table], ended: NDArray[np.bool_]
    ) -> None:
        """Value playouts by their last facts, those with the same first table together."""
        groups: dict[int, list[int]] = {}
        for lane, table in enumerate(tables):
            groups.setdefault(id(table), []).append(lane)
        for lanes in groups.values():
            own, table = np.array(lanes), tables[lanes[0]]
            over, cut = own[ended[own]], own[~ended[own]]
            if self._twin.points is not None and len(over):
                points = self._game.call(self._twin.points, table, flags[over], at=table)
                values[over] = self._goals.of_points(points)
            if self._twin.prospects is not None and len(cut):
                leads = self._game.call(self._twin.prospects, table, flags[cut], at=table)
                values[cut] = expected_goals(leads)


class Converter:
    """Tables as states of the compiled twin."""

    def __init__(self, game: RuleGame, twin: Twin, compiled: BatchGame) -> None:
        self._game = game
        self._twin = twin
        self._compiled = compiled
        self._numbers: Mapping[str, int] = {text: number for number, text in enumerate(compiled.fluent_texts)}
        missing = [text for text in twin.watched if text not in self._numbers]
        if missing:
            raise RuleError(f"{game.name}: its twin has no fact {missing[0]}, which is watched")
        self._single = Batch(compiled, 1, seed=0)
        self._watched = np.array([self._numbers[text] for text in twin.watched], np.intp)

    def facts(self, table: Table) -> frozenset[str] | None:
        """What is true in the twin, by the page; None if the twin does not cover the table."""
        scratch = table_to_act(self._game, table)
        found = self._game.call(self._twin.facts, scratch, at=scratch)
        return None if found is None else frozenset(found)

    def row(self, table: Table) -> PackedBits | None:
        """The state for a table, packed; None if the twin does not cover it, or has no such facts, as in a sampled
        world that cannot come up."""
        facts = self.facts(table)
        if facts is None or self.unknown(facts):
            return None
        bits = np.zeros(8 * self._compiled.packed_width, np.uint8)
        bits[[self._numbers[fact] for fact in facts]] = 1
        return np.packbits(bits, bitorder="little")

    def unknown(self, facts: Collection[str]) -> str:
        """A fact that the twin does not have; empty if it has all."""
        return next((fact for fact in facts if fact not in self._numbers), "")

    def move_numbers(self, table: Table, row: PackedBits) -> Mapping[tuple[Role, Move], tuple[int, int]]:
        """The legal moves of the twin as the numbers of their roles and themselves, by those of the page."""
        self._single.set_states(row[None])
        scratch = table_to_act(self._game, table)
        found: dict[tuple[Role, Move], tuple[int, int]] = {}
        for number, role in enumerate(self._compiled.roles):
            for move in np.flatnonzero(self._single.legal(role)[0]).tolist():
                text = str(self._compiled.move_texts[number][move])
                meaning = self._game.call(self._twin.moves, scratch, role, text, at=scratch)
                if meaning is not None:
                    found[meaning] = number, move
        return found

    def watched_flags(self, packed: PackedBits) -> NDArray[np.bool_]:
        """Which of the watched facts hold (states, facts)."""
        flags: NDArray[np.bool_] = (packed[:, self._watched >> 3] >> (self._watched & 7).astype(np.uint8) & 1).astype(
            np.bool_
        )
        return flags
