from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import ludens
from ludens.compiler.batch.game import CircuitGame, CircuitState
from ludens.core import GameError
from ludens.players.learning.games import check_learnable
from ludens.players.neural.agents import Random, Searcher, mean_shares, score
from ludens.players.neural.forest import Forest
from ludens.players.neural.positions import Positions, Reals, Rules


@cache
def compiled(name: str) -> CircuitGame:
    game = ludens.load(name, backend="circuit")
    assert isinstance(game, CircuitGame)
    return game


def impartial(found: Positions) -> tuple[Reals, Reals]:
    """Knows nothing: all moves are alike, and everybody gets a half."""
    policy = np.repeat(1 / found.counts, found.counts).astype(np.float32)
    return policy, np.full(found.shares.shape, 0.5, np.float32)


def rooted(game: CircuitGame, *moves: str) -> tuple[Rules, Positions]:
    state = game.initial_state()
    for move in moves:
        choosing = next(role for role in game.roles if move in state.legal_moves(role))
        state = state.play({role: move if role == choosing else state.legal_moves(role)[0] for role in game.roles})
    rules = Rules(game)
    assert isinstance(state, CircuitState)
    return rules, rules.at(np.packbits(state.bits, bitorder="little")[None])


def favourite(game: CircuitGame, *moves: str, waves: int = 1) -> str:
    rules, root = rooted(game, *moves)
    forest = Forest(rules, impartial, root)
    for _ in range(200 // waves):
        forest.grow(waves)
    edges = forest.moves_at(0)
    return game.move_texts[int(root.chooser[0])][int(edges["move"][edges["visits"].argmax()])]


@pytest.mark.parametrize("waves", [1, 8])
def test_a_search_that_knows_nothing_finds_a_win_and_parries_one(waves: int) -> None:
    game = compiled("tic_tac_toe")

    assert favourite(game, "(mark 1 1)", "(mark 3 3)", "(mark 1 2)", "(mark 3 2)", waves=waves) == "(mark 1 3)"
    assert favourite(game, "(mark 1 1)", "(mark 3 3)", "(mark 1 2)", waves=waves) == "(mark 1 3)"


def test_every_tree_gets_its_own_visits() -> None:
    rules = Rules(compiled("connect_four:5,4"))
    forest = Forest(rules, impartial, rules.initial(7))
    forest.add_noise(np.random.default_rng(1), 0.5)
    for _ in range(20):
        forest.grow()

    assert [int(forest.moves_at(root)["visits"].sum()) for root in forest.roots] == [20] * 7
    assert all(forest.moves_at(root)["prior"].sum() == pytest.approx(1) for root in forest.roots)
    assert len({forest.moves_at(root)["prior"].tobytes() for root in forest.roots}) == 7


def test_descents_whose_leaves_are_not_judged_yet_go_different_ways() -> None:
    rules, root = rooted(compiled("tic_tac_toe"))
    forest = Forest(rules, impartial, root)
    forest.grow(9)

    assert forest.moves_at(0)["visits"].tolist() == [1] * 9


def test_visits_and_values_of_a_node_are_those_of_what_lies_below() -> None:
    rules, root = rooted(compiled("breakthrough:4"))
    forest = Forest(rules, impartial, root)
    for _ in range(50):
        forest.grow(4)

    for edge in forest.moves_at(0):
        below = forest.moves_at(int(edge["child"]))
        assert edge["visits"] == 1 + below["visits"].sum()
        # Both roles share one whole, so what is lost by one is won by the other.
        assert edge["total"] == pytest.approx(0.5 + below["visits"].sum() - below["total"].sum(), abs=1e-3)


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "connect_four_3p", pytest.param("eight_puzzle", marks=pytest.mark.slow)]
)
def test_a_search_does_better_than_random_whatever_the_number_of_roles(name: str) -> None:
    rules, rng = Rules(compiled(name)), np.random.default_rng(2)
    searcher = Searcher(rules, impartial, 12, rng, 2)

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
        check_learnable(ludens.load(name))


def test_a_game_that_is_not_compiled_is_refused() -> None:
    with pytest.raises(GameError, match="not compiled to gates"):
        check_learnable(ludens.load("tic_tac_toe", backend="reference"))
