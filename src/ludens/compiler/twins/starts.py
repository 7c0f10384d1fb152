"""What playouts of all kinds of twins share: the tables that they begin with, and the goals that their points mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL, Role
from ludens.tabletop.light_table import LightTable
from ludens.tabletop.playouts import play_on
from ludens.tabletop.rule import Rule
from ludens.tabletop.rule_game import RuleGame
from ludens.tabletop.state import TabletopState
from ludens.tabletop.table import ACTOR, RESULT, Table

_STARTS = 8
"""Playouts in Python, for one state, up to a table that the twin covers; the lanes are shared out among them."""
_PRELUDE = 1000
"""The most turns of those."""
_Row = TypeVar("_Row")


def starts(
    game: RuleGame, state: TabletopState, each: int, row_of: Callable[[Table], _Row | None], rng: Random
) -> list[tuple[Table, _Row | None]]:
    """Tables that playouts of a state begin with, and their rows in the twin; None for tables at which the play is
    over."""
    row = None if state.is_terminal else row_of(state.table)
    if row is not None or state.is_terminal:
        return [(state.table, row)]
    found: list[tuple[Table, _Row | None]] = []
    for _ in range(min(each, _STARTS)):
        table = LightTable.of(state.table)
        row = None
        for _ in range(_PRELUDE):
            if table.play_state[RESULT] is not None:
                break
            play_on(game, table, rng, 1)
            row = None if table.play_state[RESULT] is not None else row_of(table)
            if row is not None:
                break
        found.append((table, row))
    return found


def table_to_act(game: RuleGame, table: Table) -> Table:
    """A table on which somebody who may act is the current player."""
    scratch = table if table.is_light else table.copy()
    scratch.play_state[ACTOR] = game.stage(scratch).players[0]
    return scratch


class Goals:
    """The goals of playouts, not rounded, as those of the page (`TabletopState.play_out`)."""

    def __init__(self, game: RuleGame) -> None:
        self._game = game
        self._known: dict[tuple[float, ...], Sequence[float]] = {}

    def of_table(self, table: Table) -> Sequence[float]:
        """Those of a play that ended on a table."""
        state = TabletopState(self._game, table)
        exact = self._game.unrounded_goals(state.points) if state.is_terminal else None
        return exact if exact is not None else [float(goal) for goal in state.goals.values()]

    def of_points(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Those for points of all players (playouts, players)."""
        rule = self._game.rule
        if type(rule).goals is not Rule.goals or points.shape[1] < 2:
            rows, places = np.unique(points, axis=0, return_inverse=True)
            return np.array([self._of_row(tuple(row)) for row in rows.tolist()])[places.reshape(-1)]
        if rule.points_range:
            low, high = rule.points_range
            scaled: NDArray[np.float64] = BEST_GOAL * (np.clip(points, low, high) - low) / (high - low)
            return scaled
        one, other = points[:, :, None], points[:, None, :]
        beaten = (one > other).sum(axis=2) + ((one == other).sum(axis=2) - 1) / 2
        by_rank: NDArray[np.float64] = np.round(BEST_GOAL * beaten / (points.shape[1] - 1))
        return by_rank

    def _of_row(self, points: tuple[float, ...]) -> Sequence[float]:
        known = self._known.get(points)
        if known is None:
            named: dict[Role, float] = dict(zip(self._game.roles, points, strict=True))
            known = self._known[points] = self._game.goals_of(named)
        return known


def expected_goals(leads: NDArray[np.float64]) -> NDArray[np.float64]:
    """Those for prospects (playouts, players), as `ludens.tabletop.actions.result.expected_goals`."""
    powers = np.exp(leads - leads.max(axis=1, keepdims=True))
    found: NDArray[np.float64] = BEST_GOAL * powers / powers.sum(axis=1, keepdims=True)
    return found
