from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

import numpy as np
import pytest

import ludens
from ludens.core import Deadline, Role, State
from ludens.core.batch_game import BatchGame
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.packed.self_play import SelfPlay
from ludens.players.search.block_search import BlockSearch
from ludens.players.search.roots import best_first
from ludens.players.search.settings import SearchSettings, with_estimates
from ludens.players.search.trial import Rival, share_of_points

PLAIN = SearchSettings(exploration=0.2, rave=0.0, grave=0, mast=False, cutoff=20, lanes=0, leaves=0, memory=16)
AHEAD = replace(PLAIN, lookahead=True)
PIECES = {"pawn": 1.0, "knight": 3.0, "bishop": 3.0, "rook": 5.0, "queen": 9.0}


def load(name: str) -> BatchGame:
    game = ludens.load(name, wait=True)
    assert isinstance(game, BatchGame)
    return game


def mover(state: State) -> Role:
    return next(role for role in state.game.roles if len(state.legal_moves(role)) > 1)


def play(state: State, role: Role, move: str) -> State:
    return state.play({other: move if other == role else state.legal_moves(other)[0] for other in state.game.roles})


def wins(state: State, role: Role) -> set[str]:
    """The moves by which a role wins at once."""
    after = {move: play(state, role, move) for move in state.legal_moves(role)}
    return {move for move, state in after.items() if state.is_terminal and state.goals[role] == 100}


def positions_with_a_win(game: BatchGame, count: int) -> list[tuple[State, Role]]:
    rng = Random(1)
    found: list[tuple[State, Role]] = []
    while len(found) < count:
        state = game.initial_state()
        while not state.is_terminal:
            choosing = [role for role in game.roles if len(state.legal_moves(role)) > 1]
            if choosing and 0 < len(wins(state, choosing[0])) < len(state.legal_moves(choosing[0])):
                found.append((state, choosing[0]))
                break
            state = state.play({role: rng.choice(state.legal_moves(role)) for role in game.roles})
    return found


@pytest.mark.parametrize("name", ["connect_four", "breakthrough:5,5", "mnk:5,5,4"])
def test_a_win_in_one_move_is_proven_by_the_first_leaves(name: str) -> None:
    game = load(name)
    for state, role in positions_with_a_win(game, 3):
        search = BlockSearch(game, game.roles.index(role), AHEAD, 1)
        search.set_root(state)
        search.run(60.0, 16)

        best = best_first(search.root_moves())[0]
        assert best.proven
        assert best.move in wins(state, role)
        assert search.plies_to_end(best.move) == 1


@pytest.mark.parametrize("name", ["connect_four", "mnk:5,5,4"])
def test_moves_that_let_the_other_win_at_once_are_proven_to_lose_once_each_was_tried(name: str) -> None:
    game = load(name)
    rng, seen = Random(3), 0
    while seen < 3:
        state = game.initial_state()
        while not state.is_terminal:
            role = mover(state)
            other = next(each for each in game.roles if each != role)
            after = {move: play(state, role, move) for move in state.legal_moves(role)}
            losing = {move for move, next_ in after.items() if not next_.is_terminal and wins(next_, other)}
            if 0 < len(losing) < len(after) and not wins(state, role):
                seen += 1
                search = BlockSearch(game, game.roles.index(role), AHEAD, 1)
                search.set_root(state)
                search.run(60.0, 2 * len(after) + 32)
                assert losing <= {found.move for found in search.root_moves() if found.high == 0}
                break
            state = play(state, role, rng.choice(state.legal_moves(role)))


def test_look_ahead_proves_the_same_values() -> None:
    game = load("tic_tac_toe")
    rng = Random(2)
    for _ in range(5):
        state = game.initial_state()
        for _ in range(3):
            state = play(state, mover(state), rng.choice(state.legal_moves(mover(state))))
        found = []
        for settings in (PLAIN, AHEAD):
            search = BlockSearch(game, 0, settings, 1)
            search.set_root(state)
            search.run(60.0, 1 << 20)
            assert search.is_settled
            found.append(search._tree.bounds(search._tree.root, 0))
        assert found[0] == found[1]


def piece_weights(game: BatchGame) -> FluentWeights:
    """Weights of chess pieces for both sides, by the texts of the fluents."""
    weights = np.zeros((8 * game.packed_width + 1, 2))
    for n, text in enumerate(game.fluent_texts):
        words = text.strip("()").split()
        value = next((PIECES[word] for word in words if word in PIECES), 0.0) / 4
        sign = 1 if "white" in words else -1 if "black" in words else 0
        weights[n] = sign * value, -sign * value
    return FluentWeights.of(weights)


@pytest.mark.slow
def test_a_queen_is_not_given_for_a_pawn() -> None:
    game = load("chess")
    state = game.initial_state()
    for role, move in (("white", "e 2 e 4"), ("black", "e 7 e 5"), ("white", "d 1 h 5"), ("black", "b 8 c 6")):
        state = play(state, role, f"(move {move})")
    search = BlockSearch(game, 0, with_estimates(PLAIN), 1, piece_weights(game))
    search.set_root(state)
    search.run(600.0, 1_000)

    capture = next(found for found in search.root_moves() if found.move == "(move h 5 e 5)")
    assert best_first(search.root_moves())[0].move != capture.move
    assert capture.visits < 100


def test_estimates_are_backed_up_by_minimax() -> None:
    game = load("breakthrough:5,5")
    weights = np.zeros((8 * game.packed_width + 1, 2))
    for n, text in enumerate(game.fluent_texts):
        sign = 1 if "white" in text else -1 if "black" in text else 0
        weights[n] = sign, -sign
    search = BlockSearch(game, 0, with_estimates(PLAIN), 1, FluentWeights.of(weights))
    search.set_root(game.initial_state())
    search.run(60.0, 2_000)
    tree = search._tree
    edges = tree.edges_of(tree.root, 0)
    estimates = tree.structure["estimates"][edges.start : edges.stop]

    assert ((estimates >= 0) & (estimates <= 1)).all()
    assert len(set(estimates.tolist())) > 1  # by minimax below them, where no move changes the number of pieces at once


def test_two_searches_with_the_same_seed_and_number_of_leaves_agree() -> None:
    game = load("breakthrough:5,5")
    reports = []
    for _ in range(2):
        search = BlockSearch(game, 0, AHEAD, 7)
        search.set_root(game.initial_state())
        search.run(60.0, 2_000)
        reports.append(search.root_moves())
    assert reports[0] == reports[1]


def make_plain(game: BatchGame, role: int, seed: int) -> BlockSearch:
    return BlockSearch(game, role, PLAIN, seed)


def test_no_trial_without_time_or_where_roles_choose_at_once() -> None:
    for name, seconds in (("connect_four", 0.0), ("tron", 10.0)):
        game = load(name)
        rival = Rival("plain", partial(make_plain, game))
        assert share_of_points(game, (rival, rival), Deadline(seconds)) is None


@pytest.mark.parametrize("settings", [with_estimates(PLAIN), replace(PLAIN, cutoff=2)], ids=["estimates", "cutoffs"])
def test_a_network_that_is_the_weights_evaluates_as_they_do(settings: SearchSettings) -> None:
    game = load("breakthrough:5,6")
    learner = SelfPlay(game)
    fitted = np.random.default_rng(1).normal(size=learner.bits + 1)
    weights = learner.weights_of(fitted)
    network = learner.linear_network(fitted)

    values = []
    for each in (weights, replace(weights, network=network), replace(weights, network=-network)):
        search = BlockSearch(game, 0, settings, 1, each)
        search.set_root(game.initial_state())
        search.run(60.0, 1)
        values.append(max(move.mean for move in search.root_moves() if move.visits))

    assert values[1] == pytest.approx(values[0], abs=0.01)
    assert values[2] != pytest.approx(values[0], abs=1.0)


def test_a_network_has_a_row_for_every_fluent() -> None:
    game = load("breakthrough:5,6")
    learner = SelfPlay(game)
    fitted = np.arange(learner.bits + 1, dtype=np.float64)
    weights = replace(learner.weights_of(fitted), network=learner.linear_network(fitted))

    network = weights.network_for(game.changing_fluents)

    assert network is not None
    assert np.array_equal(network[:-1, -1][: len(game.fluent_texts)], weights.by_fluent[: len(game.fluent_texts), 0])
    assert learner.weights_of(fitted).network_for(game.changing_fluents) is None
