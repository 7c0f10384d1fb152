"""Playouts without bookkeeping and matches state by state agree: the same choices, positions and results."""

from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.tabletop import TabletopGame, TabletopState
from ludens.tabletop.light_table import LightTable
from ludens.tabletop.playouts import play_on
from ludens.tabletop.table import RESULT
from tests.games.tabletop.playthrough import NAMES

TURNS = 50
OPTIONS = ("backgammon:cube=on", "holdem:3,stacks=9-30-50,hands=3,rise=2", "uno:3,challenge=on", "go:9", "uno:4")


def match(game: TabletopGame, rng: Random, most: int) -> TabletopState:
    """A random match through states, drawn as playouts draw."""
    state = game.initial_state()
    for _ in range(most):
        if state.is_terminal:
            break
        stage = game.stage(state.table)
        found = []
        for player in stage.players:
            moves = state.legal_moves(player)
            if moves:
                found.append((player, moves[int(rng.random() * len(moves))]))
        if stage.is_race and len(found) > 1:
            rng.shuffle(found)
            answers = dict(found)
            winner = state.race_winner(answers, ())
            assert winner is not None
            found = [(winner, answers[winner])]
        state = state.sample(dict(found), rng)
    return state


@pytest.mark.parametrize("name", [f"{name}@tabletop" for name in (*NAMES, *OPTIONS)])
def test_a_playout_goes_as_a_match_of_states_with_the_same_draws(name: str) -> None:
    game = ludens.load(name)
    assert isinstance(game, TabletopGame)
    game.has_sensible_playouts = game.has_shortcuts = False  # draw as the match does
    for seed in range(2):
        state = match(game, Random(seed), TURNS)
        table = LightTable.of(game.first)
        play_on(game, table, Random(seed), TURNS)

        assert table.stage == state.table.stage
        assert table.contents == state.table.contents
        assert table.values == state.table.values
        assert table.attributes == state.table.attributes
        assert (table.where, table.owners) == (state.table.where, state.table.owners)
        assert table.revealed == state.table.revealed
        assert table.play_state[RESULT] == state.table.play_state[RESULT]
