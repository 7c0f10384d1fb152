"""Playouts on one table, random or sensible: no texts of moves, no copies, no undoing, no knowledge, no evidence.

Legality and results are those of states; `tests/games/tabletop/test_playouts.py` compares both on every game. Rules are
called directly, and errors are reported once for the whole playout.
"""

from __future__ import annotations

from random import Random

from ludens.tabletop.actions.basic import Action, Sequence_
from ludens.tabletop.actions.randomness import ChanceAction
from ludens.tabletop.actions.result import FinishPlay
from ludens.tabletop.errors import RuleError
from ludens.tabletop.light_table import LightTable
from ludens.tabletop.rule_game import RuleGame
from ludens.tabletop.table import ACTOR, ANNOUNCED, FORGOTTEN, LAST, NEXT, RECENT, REFUSED, RESULT, STAGE
from ludens.tabletop.turns import Stage

Done = tuple[str, Action, str]
"""A player, its action, and the stage that follows."""


def play_on(game: RuleGame, table: LightTable, rng: Random, most: int) -> int:
    """Play at random, or as the rule calls sensible, on a table, in place, until the play is over or ``most`` turns
    were played; returns how many."""
    return game.call(_playout, game, table, rng, most, at=table)


def _playout(game: RuleGame, table: LightTable, rng: Random, most: int) -> int:
    state = table.play_state
    graph = game.graph
    result = game.rule.result
    shortcut = game.rule.shortcut if game.has_shortcuts else None
    sensible = game.rule.sensible_action if game.has_sensible_playouts else None
    for turn in range(most):
        if state[RESULT] is not None:
            return turn
        stage = graph[state[STAGE]]
        arcs = stage.arcs
        state[ACTOR] = player = stage.players[0]
        if shortcut is not None and (skipping := shortcut(table, rng)) is not None:
            done = [(player, skipping, stage.name)]
        elif len(arcs) == 1:
            arc = arcs[0]
            actions = arc.method(table)  # type: ignore[operator]  # the turn graph has bound it
            if not actions:
                return turn
            if sensible is None or len(actions) == 1:
                action = actions[int(rng.random() * len(actions))]
            else:
                action = sensible(table, actions, rng)
            done = [(player, action, action.goes_to or arc.goes_to)]
        else:
            done = _draw_turn(game, table, stage, rng)
            if not done:
                return turn
        table.end_turn()
        state[RECENT] = state[ANNOUNCED] = state[REFUSED] = ()
        following = ""
        for player, action, following in done:
            state[ACTOR] = player
            state[LAST] = action
            _do(action, table, rng)
            following = state[NEXT] or following  # noqa: PLW2901 - an action may lead elsewhere
        state[NEXT] = None
        if state[RESULT] is None:
            finish = result(table)
            if finish is not None:
                if not isinstance(finish, FinishPlay):
                    raise RuleError(
                        f"{type(game.rule).__name__}.result() must return FinishPlay(…) or None, not {finish!r}"
                    )
                finish.do(table)
        state[LAST] = FORGOTTEN
        state[STAGE] = graph[following].name
        table.end_turn()
    return most


def _do(action: Action, table: LightTable, rng: Random) -> None:
    for part in action.parts if isinstance(action, Sequence_) else (action,):
        if part.is_chance:
            assert isinstance(part, ChanceAction)
            part.do_with(table, part.draw(table, rng))
        else:
            part.do(table)


def _draw_turn(game: RuleGame, table: LightTable, stage: Stage, rng: Random) -> list[Done]:
    """The actions of a random turn of several players, or of one with several methods."""
    found: list[Done] = []
    for player in stage.players:
        table.play_state[ACTOR] = player
        lists = [(arc, arc.method(table)) for arc in stage.arcs if arc.player == player]  # type: ignore[operator]
        count = sum(len(actions) for _, actions in lists)
        if not count:
            continue
        if game.has_sensible_playouts and len(lists) == 1:
            arc, actions = lists[0]
            action = game.rule.sensible_action(table, actions, rng)
            found.append((player, action, action.goes_to or arc.goes_to))
            continue
        number = int(rng.random() * count)
        for arc, actions in lists:
            if number < len(actions):
                action = actions[number]
                found.append((player, action, action.goes_to or arc.goes_to))
                break
            number -= len(actions)
    if stage.is_race and len(found) > 1:
        rng.shuffle(found)
        return [max(found, key=lambda one: game.priority(table, one[0], one[1]))]
    return found
