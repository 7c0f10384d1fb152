from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

import ludens
from ludens.compiler.batch.game import CircuitGame
from ludens.core import GameError, State
from ludens.players.learning.games import check_learnable
from ludens.players.neural.agents import Random, Searcher, mean_shares, score
from ludens.players.neural.network_search import NetworkSearch
from ludens.players.neural.positions import Choices, Judge, Reals, Rules
from ludens.players.search.roots import best_first


@cache
def compiled(name: str) -> CircuitGame:
    game = ludens.load(name, backend="circuit")
    assert isinstance(game, CircuitGame)
    return game


def judge_for(game: CircuitGame) -> Judge:
    """Knows nothing: all moves are alike, and everybody gets a half."""

    def judge(found: Choices) -> tuple[Reals, Reals]:
        policy = np.repeat(1 / found.counts, found.counts).astype(np.float32)
        return policy, np.full((len(found), len(game.roles)), 0.5, np.float32)

    return judge


def after(game: CircuitGame, *moves: str) -> State:
    state: State = game.initial_state()
    for move in moves:
        choosing = next(role for role in game.roles if move in state.legal_moves(role))
        state = state.play({role: move if role == choosing else state.legal_moves(role)[0] for role in game.roles})
    return state


def searched(state: State, descents: int, *, at_once: int = 1, nodes: int = 100_000) -> NetworkSearch:
    game = state.game
    assert isinstance(game, CircuitGame)
    role = next((n for n, name in enumerate(game.roles) if len(state.legal_moves(name)) > 1), 0)
    search = NetworkSearch(Rules(game), judge_for(game), role, at_once=at_once, nodes=nodes)
    search.set_root(state)
    search.run(math.inf, descents)
    return search


def favourite(*moves: str, at_once: int) -> str:
    return best_first(searched(after(compiled("tic_tac_toe"), *moves), 200, at_once=at_once).root_moves())[0].move


@pytest.mark.parametrize("at_once", [1, 8])
def test_a_search_that_knows_nothing_finds_a_win_and_parries_one(at_once: int) -> None:
    assert favourite("(mark 1 1)", "(mark 3 3)", "(mark 1 2)", "(mark 3 2)", at_once=at_once) == "(mark 1 3)"
    assert favourite("(mark 1 1)", "(mark 3 3)", "(mark 1 2)", at_once=at_once) == "(mark 1 3)"


def test_every_root_gets_its_own_visits_and_noise() -> None:
    game = compiled("connect_four:5,4")
    rules = Rules(game)
    search = NetworkSearch.at_each(rules, judge_for(game), rules.initial(7), 20)
    search.add_noise(np.random.default_rng(1), 0.5)
    for _ in range(20):
        search.descend_each()

    shares = search.shares().reshape(7, 5)
    assert (shares * 20).sum(axis=1) == pytest.approx([20] * 7)
    assert (shares * 20) % 1 == pytest.approx(np.zeros((7, 5)), abs=1e-4)
    assert len({row.tobytes() for row in shares}) > 1
    assert len(set(search.roots.tolist())) == 7


def test_the_trees_of_different_roots_are_those_of_searches_apart() -> None:
    game = compiled("connect_four:5,4")
    rules = Rules(game)
    states = [after(game), after(game, "(drop 1)"), after(game, "(drop 3)"), after(game)]
    together = NetworkSearch.at_each(rules, judge_for(game), rules.at(game.pack(states)), 30)
    for _ in range(30):
        together.descend_each()

    for state, shares in zip(states, together.shares().reshape(4, 5), strict=True):
        visits = np.array([found.visits for found in searched(state, 30).root_moves()])
        assert visits / visits.sum() == pytest.approx(shares)


def test_descents_whose_leaves_are_not_judged_yet_go_different_ways() -> None:
    game = compiled("tic_tac_toe")
    search = searched(after(game), 0, at_once=9)
    search._iterate(9)

    assert [found.visits for found in search.root_moves()] == [1] * 9


def test_moves_of_a_higher_policy_are_visited_more_and_values_are_means() -> None:
    game = compiled("connect_four:5,4")
    middle = game.move_numbers[0]["(drop 3)"]

    def judge(found: Choices) -> tuple[Reals, Reals]:
        policy = np.where(found.moves == middle, 0.9, 0.1 / np.maximum(1, np.repeat(found.counts, found.counts) - 1))
        return policy.astype(np.float32), np.tile(np.array([0.75, 0.25], np.float32), (len(found), 1))

    search = NetworkSearch(Rules(game), judge, 0, at_once=1)
    search.set_root(game.initial_state())
    search.run(math.inf, 8)  # so few that no match ends

    assert search.root_value() == 75
    assert search.root_policy().tolist() == pytest.approx([0.025, 0.025, 0.9, 0.025, 0.025])
    moves = search.root_moves()
    assert max(moves, key=lambda found: found.visits) is moves[2]
    assert moves[2].mean == pytest.approx(75)


def test_a_win_is_proven_and_gets_all_shares() -> None:
    game = compiled("tic_tac_toe")
    state = after(game, "(mark 1 1)", "(mark 3 3)", "(mark 1 2)", "(mark 3 2)")
    search = searched(state, 10_000)
    (best, *_) = best_first(search.root_moves())

    assert search.is_settled
    assert search.iterations < 10_000
    assert (best.move, best.proven, best.mean) == ("(mark 1 3)", True, 100)

    rules = Rules(game)
    several = NetworkSearch.at_each(rules, judge_for(game), rules.at(game.pack([state, after(game)])), 50)
    for _ in range(50):
        several.descend_each()
    assert sorted(several.shares()[: len(search.root_moves())].tolist()) == [0, 0, 0, 0, 1]


def test_a_full_tree_makes_room_and_goes_on() -> None:
    search = searched(after(compiled("connect_four:5,4")), 3_000, nodes=300)
    while search.iterations < 3_000:
        search.run(math.inf, 3_000 - search.iterations)

    assert search.nodes <= 300
    assert sum(found.visits for found in search.root_moves()) == 3_000
    assert len(search.line(best_first(search.root_moves())[0].move)) > 1


def test_the_tree_below_a_move_is_kept() -> None:
    state = after(compiled("connect_four:5,4"))
    search = searched(state, 200)
    nodes = search.nodes
    best = best_first(search.root_moves())[0].move
    search.set_root(after(compiled("connect_four:5,4"), best))

    assert search.nodes == nodes
    assert search.root_value() == 50


def test_choices_at_once_are_refused_in_the_middle_of_a_search() -> None:
    game = compiled("rock_paper_scissors")

    with pytest.raises(GameError, match="simultaneous choices"):
        searched(game.initial_state(), 5)


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "connect_four_3p", pytest.param("eight_puzzle", marks=pytest.mark.slow)]
)
def test_a_search_does_better_than_random_whatever_the_number_of_roles(name: str) -> None:
    game, rng = compiled(name), np.random.default_rng(2)
    rules = Rules(game)
    searcher = Searcher(rules, judge_for(game), 12, rng, 2)

    assert score(*mean_shares(rules, (searcher, Random(rng)), 24, rng)) >= 0.5


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("three_dice", "has chance"),
        ("rock_paper_scissors", "simultaneous choices"),
        ("kriegspiel_tic_tac_toe", "hidden"),
    ],
)
def test_what_networks_cannot_learn_is_refused_in_a_sentence(name: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        check_learnable(ludens.load(name, wait=True))


def test_a_game_that_is_not_compiled_is_refused() -> None:
    with pytest.raises(GameError, match="not compiled to gates"):
        check_learnable(ludens.load("tic_tac_toe", backend="reference"))
