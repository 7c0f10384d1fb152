"""Random playouts on one table: no texts of moves, no copies, no evidence."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ludens.tabletop.actions.basic import Action
from ludens.tabletop.actions.randomness import draw_and_do
from ludens.tabletop.rule_game import RuleGame
from ludens.tabletop.table import ACTOR, RESULT, Table
from ludens.tabletop.turns import Stage

Done = tuple[str, Action, str]
"""A player, its action, and the stage that follows."""


def play_on(game: RuleGame, table: Table, rng: Random, most: int) -> None:
    """Play at random on a table, in place, until the play is over or ``most`` turns were played."""
    for _ in range(most):
        if table.play_state[RESULT] is not None:
            return
        done = _draw_turn(game, table, rng)
        if not done:
            return
        game.advance(table, done, lambda action: draw_and_do(action, table, rng))


def _draw_turn(game: RuleGame, table: Table, rng: Random) -> list[Done]:
    """The actions of a random turn."""
    stage = game.stage(table)
    found: list[Done] = []
    for player in stage.players:
        actions = _actions(game, table, stage, player)
        if actions:
            action, goes_to = actions[int(rng.random() * len(actions))]
            found.append((player, action, goes_to))
    if stage.is_race and len(found) > 1:
        rng.shuffle(found)
        return [max(found, key=lambda one: game.priority(table, one[0], one[1]))]
    return found


def _actions(game: RuleGame, table: Table, stage: Stage, player: str) -> Sequence[tuple[Action, str]]:
    table.play_state[ACTOR] = player
    return [
        (action, action.goes_to or arc.goes_to)
        for arc in stage.arcs
        if arc.player == player
        for action in game.list_actions(arc.method, table, stage)
    ]
