"""Twins of games in Python (`ludens.tabletop.twin`), compiled: playouts of many tables at once in machine code."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.backends import make_game
from ludens.core import BEST_GOAL, GameError, NativePlayouts, State
from ludens.core.batch import Batch, BatchGame, PackedBits
from ludens.core.block import LANES
from ludens.gdl.read import read_rules
from ludens.tabletop.errors import RuleError
from ludens.tabletop.light_table import LightTable
from ludens.tabletop.playouts import play_on
from ludens.tabletop.rule_game import RuleGame
from ludens.tabletop.state import TabletopState
from ludens.tabletop.table import ACTOR, RESULT, Table
from ludens.tabletop.twin import Twin

Values = NDArray[np.float64]
_KEPT = 64
"""Rule sheets of twins that are kept, with their compilers."""
_STARTS = 8
"""Playouts in Python, for one state, up to a table that the twin covers; the lanes are shared out among them."""
_PRELUDE = 1000
"""The most turns of those."""


@lru_cache(maxsize=_KEPT)
def _lazy_game(rules: str, name: str) -> object:
    return make_game(read_rules(rules, name=name), name)


def compiled_twin(twin: Twin, name: str, seconds: float = math.inf) -> BatchGame | None:
    """The twin on lanes, if it is there within so many seconds. Raises `GameError` if it cannot be compiled to gates."""
    lazy = _lazy_game(twin.rules, f"the twin of {name}")
    game = lazy.compiled(seconds)  # type: ignore[attr-defined]
    if game is lazy:
        if math.isinf(seconds):
            raise GameError(f"the twin of {name} is not compiled")
        return None
    return game if isinstance(game, BatchGame) else None


class TwinPlayouts(NativePlayouts):
    """Tables become lanes of the twin, which are played out at random."""

    width = LANES

    def __init__(self, game: RuleGame, twin: Twin, compiled: BatchGame, seed: int) -> None:
        self._game = game
        self._twin = twin
        self._rng = Random(seed)
        self._converter = Converter(game, twin, compiled)
        self._batch = Batch(compiled, LANES, seed=seed)
        self._goals: dict[tuple[float, ...], Sequence[float]] = {}
        compiled.prepare_batches()
        self._batch.playouts(0, keep_last=self._reads_last)

    @property
    def _reads_last(self) -> bool:
        return self._twin.points is not None or self._twin.prospects is not None

    def play_out(self, states: Sequence[State], each: int, most: int) -> Values:
        """Convert each state once, and play it out on so many lanes."""
        if self._twin.prospects is not None:
            most = min(most, self._game.rule.horizon)
        found = np.zeros((len(states) * each, len(self._game.roles)))
        rows: list[PackedBits] = []
        tables: list[Table] = []
        places: list[int] = []
        for number, state in enumerate(states):
            assert isinstance(state, TabletopState)
            starts = self._starts(state, each)
            for lane in range(each):
                table, row = starts[lane % len(starts)]
                if row is None:
                    found[number * each + lane] = self._ended(table)
                else:
                    places.append(number * each + lane)
                    rows.append(row)
                    tables.append(table)
        for first in range(0, len(rows), LANES):
            own = places[first : first + LANES]
            found[own] = self._play_block(rows[first : first + LANES], tables[first : first + LANES], most)
        return found.reshape(len(states), each, -1)

    def _starts(self, state: TabletopState, each: int) -> list[tuple[Table, PackedBits | None]]:
        """Tables that lanes begin with, and their bits; None for tables at which the play is over."""
        row = self._converter.row(state.table)
        if row is not None or state.is_terminal:
            return [(state.table, row)]
        starts: list[tuple[Table, PackedBits | None]] = []
        for _ in range(min(each, _STARTS)):
            table = LightTable.of(state.table)
            row = None
            for _ in range(_PRELUDE):
                if table.play_state[RESULT] is not None:
                    break
                play_on(self._game, table, self._rng, 1)
                row = None if table.play_state[RESULT] is not None else self._converter.row(table)
                if row is not None:
                    break
            starts.append((table, row))
        return starts

    def _ended(self, table: Table) -> Sequence[float]:
        """The goals of a play that ended before the twin took over."""
        state = TabletopState(self._game, table)
        exact = self._game.unrounded_goals(state.points) if state.is_terminal else None
        return exact if exact is not None else [float(goal) for goal in state.goals.values()]

    def _play_block(self, rows: Sequence[PackedBits], tables: Sequence[Table], most: int) -> Values:
        """Play out up to a block of lanes; it is filled up with the first states again."""
        count = len(rows)
        self._batch.set_states(np.stack([rows[lane % count] for lane in range(LANES)]))
        played = self._batch.playouts(most, keep_last=self._reads_last)
        self.turns += played.moves * count // LANES
        values: Values = played.goals[:count].astype(np.float64)
        ended = played.ended[:count]
        values[~ended] = np.nan
        if played.last is not None:
            flags = self._converter.watched_flags(played.last[:count])
            self._evaluate(values, flags, tables, ended)
        return values

    def _evaluate(self, values: Values, flags: NDArray[np.bool_], tables: Sequence[Table], ended: NDArray[np.bool_]) -> None:
        """Value playouts by their last facts, those with the same first table together."""
        groups: dict[int, list[int]] = {}
        for lane, table in enumerate(tables):
            groups.setdefault(id(table), []).append(lane)
        for lanes in groups.values():
            own, table = np.array(lanes), tables[lanes[0]]
            over, cut = own[ended[own]], own[~ended[own]]
            if self._twin.points is not None and len(over):
                points = self._game.call(self._twin.points, table, flags[over], at=table)
                values[over] = [self._goals_for(tuple(row)) for row in points.tolist()]
            if self._twin.prospects is not None and len(cut):
                leads = self._game.call(self._twin.prospects, table, flags[cut], at=table)
                powers = np.exp(leads - leads.max(axis=1, keepdims=True))
                values[cut] = BEST_GOAL * powers / powers.sum(axis=1, keepdims=True)

    def _goals_for(self, points: tuple[float, ...]) -> Sequence[float]:
        known = self._goals.get(points)
        if known is None:
            named = dict(zip(self._game.roles, points, strict=True))
            exact = self._game.unrounded_goals(named)
            known = self._goals[points] = self._game.goals_of(named) if exact is None else exact
        return known


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
        self._watched = np.array([self._numbers[text] for text in twin.watched], np.intp)

    def facts(self, table: Table) -> frozenset[str] | None:
        """What is true in the twin, by the page; None if the twin does not cover the table."""
        scratch = table if table.is_light else table.copy()
        before = scratch.play_state[ACTOR]
        scratch.play_state[ACTOR] = self._game.stage(scratch).players[0]
        found = self._game.call(self._twin.facts, scratch, at=scratch)
        scratch.play_state[ACTOR] = before
        return None if found is None else frozenset(found)

    def row(self, table: Table) -> PackedBits | None:
        """The state for a table, packed; None if the twin does not cover it."""
        facts = self.facts(table)
        if facts is None:
            return None
        bits = np.zeros(8 * self._compiled.packed_width, np.uint8)
        try:
            bits[[self._numbers[fact] for fact in facts]] = 1
        except KeyError as error:
            raise RuleError(f"{self._game.name}: its twin knows no fact {error.args[0]}") from None
        return np.packbits(bits, bitorder="little")

    def watched_flags(self, packed: PackedBits) -> NDArray[np.bool_]:
        """Which of the watched facts hold (states, facts)."""
        flags: NDArray[np.bool_] = (packed[:, self._watched >> 3] >> (self._watched & 7).astype(np.uint8) & 1).astype(
            np.bool_
        )
        return flags
