"""Tables of players who are only told what they perceive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import ludens
from ludens.core import Role, State, random_joint_move
from ludens.tabletop import TabletopGame
from ludens.tabletop.actions.randomness import SEPARATOR
from ludens.tabletop.hidden.percept_view import TablePerceptView
from ludens.tabletop.hidden.sampled_tables import Tables
from ludens.tabletop.hidden.view import TableView
from tests.tabletop.rules import HighCard, Suits


def turns(game: TabletopGame, seed: int) -> Iterator[tuple[State, Role, TablePerceptView]]:
    """Every state of a random match, each role in it, and what that role was told so far."""
    rng = Random(seed)
    state: State = game.initial_state()
    views = {role: TablePerceptView(game, role) for role in game.roles}
    while not state.is_terminal:
        yield from ((state, role, view) for role, view in views.items())
        joint_move = state.resolve(random_joint_move(state, rng), rng)
        state = state.play(joint_move)
        for role, view in views.items():
            own = joint_move[role].partition(SEPARATOR)[0] if role in joint_move else None
            views[role] = view.after(own, state.percepts(role), state.legal_moves(role))


def observation(state: State, role: Role) -> Any:
    view = state.view(role)
    assert isinstance(view, TableView)
    return view.observation


def loaded(name: str) -> TabletopGame:
    game = ludens.load(name)
    assert isinstance(game, TabletopGame)
    return game


GAMES = {
    "HighCard": lambda: TabletopGame(HighCard()),
    "Suits": lambda: TabletopGame(Suits()),
    "kuhn_poker": lambda: loaded("kuhn_poker@tabletop"),
    "leduc_poker": lambda: loaded("leduc_poker@tabletop"),
    "holdem": lambda: loaded("holdem:3"),
    "dominoes": lambda: loaded("dominoes:3"),
    "liars_dice": lambda: loaded("liars_dice:3,2"),
    "phantom_go": lambda: loaded("phantom_go:4"),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_table_is_found_for_all_that_was_told_and_shows_what_the_player_sees(name: str) -> None:
    game = GAMES[name]()
    rng = Random(3)
    for seed in range(2):
        for state, role, view in turns(game, seed):
            world = view.sample(rng)
            assert observation(world, role) == observation(state, role)
            assert set(world.legal_moves(role)) == set(state.legal_moves(role))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["uno:3", "chinese_poker", "phantom_go:5"])
def test_a_table_is_found_in_large_games(name: str) -> None:
    rng = Random(3)
    for state, role, view in turns(loaded(name), 1):
        assert observation(view.sample(rng), role) == observation(state, role)


def test_tables_of_one_who_was_told_are_distributed_like_those_of_one_who_sees() -> None:
    """A revealed card is repaired into each world, and what is left stays uniform."""
    game = TabletopGame(HighCard())
    state = game.initial_state()
    dealt = state.play({"Anna": f"{state.legal_moves('Anna')[0]} = c0 c1 c2 c3 c4 c5"})
    after = dealt.play({"Anna": "c5"})
    rng = Random(21)
    counts: Counter[tuple[str, ...]] = Counter()
    for _ in range(400):
        view = TablePerceptView(game, "Bert").after(None, dealt.percepts("Bert")).after(None, after.percepts("Bert"))
        tables = Tables(3, rng)
        tables.observe(view)
        for world in tables.states:
            held = world.table[world.table.hand("Anna")]
            counts[*(card.name for card in held), world.table["deck"][0].name] += 1

    # Six ways to lay c0, c1 and c3; the 99.9 % point of chi-square with 5 degrees of freedom is 20.5.
    assert len(counts) == 6
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 20.5


def test_moves_are_those_of_a_table_that_fits_if_nobody_tells() -> None:
    game = TabletopGame(HighCard())
    state = game.initial_state()
    dealt = state.play({"Anna": f"{state.legal_moves('Anna')[0]} = c0 c1 c2 c3 c4 c5"})

    view = TablePerceptView(game, "Anna").after(state.legal_moves("Anna")[0], dealt.percepts("Anna"))

    assert set(view.legal_moves) == {"c3", "c5"}


def test_players_keep_tables_where_there_are_some() -> None:
    game = TabletopGame(HighCard())
    state = game.initial_state().sample({"Anna": game.initial_state().legal_moves("Anna")[0]}, Random(1))
    worlds = game.worlds("Bert", Random(2))

    worlds.observe(state.view("Bert"))

    assert isinstance(worlds, Tables)
    assert observation(worlds.draw(), "Bert") == observation(state, "Bert")
