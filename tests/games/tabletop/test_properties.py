"""Properties that hold for every game in Python, tried by Hypothesis from seeds and lengths of its choice."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludens
from ludens.core import State, random_joint_move
from ludens.tabletop import TabletopGame, TabletopState
from ludens.tabletop.actions.parsing import parse_action
from ludens.tabletop.hidden.rearranging import with_faces
from ludens.tabletop.hidden.sampled_tables import OwnTable
from ludens.tabletop.hidden.view import TableView
from tests.games.tabletop.playthrough import NAMES
from tests.thorough import examples

SMALL = {
    "gomoku": "gomoku:6@tabletop",
    "go": "go:4",
    "phantom_go": "phantom_go:4",
    "uno": "uno:3",
    "holdem": "holdem:3",
    "memory": "memory:3,3,4",
    "stratego": "stratego:small",
    "totem": "totem:3,6",
    "estates": "estates:3",
    "liars_dice": "liars_dice:3",
}
"""Sizes that let many positions be tried."""
FEW = examples(15)
SEEDS = st.integers(0, 2**32)
TURNS = st.integers(0, 40)


@cache
def load(name: str) -> TabletopGame:
    game = ludens.load(SMALL.get(name, f"{name}@tabletop"))
    assert isinstance(game, TabletopGame)
    return game


def position(name: str, seed: int, turns: int) -> TabletopState:
    """A position after some random turns, or before the end."""
    rng = Random(seed)
    state: State = load(name).initial_state()
    for _ in range(turns):
        after = state.sample(random_joint_move(state, rng), rng)
        if after.is_terminal:
            break
        state = after
    assert isinstance(state, TabletopState)
    return state


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(seed=SEEDS, turns=TURNS, steps=st.lists(st.booleans(), max_size=30))
def test_doing_and_undoing_returns_to_the_identical_table(name: str, seed: int, turns: int, steps: list[bool]) -> None:
    state = position(name, seed, turns)
    rng = Random(seed)
    table = OwnTable(state, rng)
    history = [table.state]
    for forward in steps:
        if forward and not history[-1].is_terminal:
            table.simulate(random_joint_move(history[-1], rng))
            history.append(table.state)
        elif len(history) > 1:
            table.undo()
            history.pop()
            assert table.state == history[-1]
    for before in reversed(history[:-1]):
        table.undo()
        assert table.state == before


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(seed=SEEDS, turns=TURNS)
def test_the_text_of_every_action_parses_back(name: str, seed: int, turns: int) -> None:
    state = position(name, seed, turns)

    for role in state.game.roles:
        for text, (action, _) in state.actions(role).items():
            assert state.actions(role)[str(text)][0] is action
            assert parse_action(action.describe(), state.table).describe() == action.describe()
    resolved = state.resolve(random_joint_move(state, Random(seed)), Random(seed))
    assert state.play({role: str(move) for role, move in resolved.items()}) == state.play(resolved)


@pytest.mark.parametrize("name", [name for name in NAMES if load(name).hidden])
@FEW
@given(seed=SEEDS, turns=TURNS)
def test_no_hidden_value_reaches_another_players_observation(name: str, seed: int, turns: int) -> None:
    state = position(name, seed, turns)
    rng = Random(seed)
    for role in state.game.roles:
        view = state.view(role)
        assert isinstance(view, TableView)
        unknown = view.sampler.unknown
        permuted = with_faces(state.table, dict(zip(unknown, rng.sample(unknown, len(unknown)), strict=True)))
        pool = [permuted.contents[place.index] for place in view.sampler.unseen]
        rng.shuffle(pool)
        for place, lying in zip(view.sampler.unseen, pool, strict=True):
            permuted.contents[place.index] = lying
        for dice, shown in view.sampler.roll(rng).items():
            permuted.values[dice.index] = shown
        other = TabletopState(state.game, permuted).view(role)
        assert isinstance(other, TableView)
        assert other.observation == view.observation
        assert str(other) == str(view)
        assert sorted(other.legal_moves) == sorted(view.legal_moves)
