from __future__ import annotations

from itertools import islice
from random import Random

import numpy as np
import pytest

import ludens
from ludens.core import Clock, Deadline, State
from ludens.core.batch_game import BatchGame
from ludens.players.alphabeta import AlphaBetaPlayer
from ludens.players.evaluation.fit import learn
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.minimax.solve import Solver
from ludens.players.packed.depth_search import DepthSearch
from ludens.players.search.roots import best_first
from ludens.players.space.compiled import CompiledSpace

ENDLESS = 1 << 60


def load(name: str) -> BatchGame:
    game = ludens.load(name, wait=True)
    assert isinstance(game, BatchGame)
    return game


def no_weights(game: BatchGame) -> FluentWeights:
    return FluentWeights.of(np.zeros((8 * game.packed_width + 1, 2)))


def positions(game: BatchGame, count: int, turns: tuple[int, int]) -> list[State]:
    """Positions of random matches after so many turns."""
    rng = Random(3)
    found: list[State] = []
    while len(found) < count:
        state = game.initial_state()
        for _ in range(rng.randint(*turns)):
            after = state.play({role: rng.choice(state.legal_moves(role)) for role in game.roles})
            if after.is_terminal:
                break
            state = after
        found.append(state)
    return found


def chooser(state: State) -> int:
    return next((n for n, role in enumerate(state.game.roles) if len(state.legal_moves(role)) > 1), 0)


def play(state: State, role: int, move: str) -> State:
    names = state.game.roles
    return state.play({name: move if name == names[role] else state.legal_moves(name)[0] for name in names})


@pytest.mark.parametrize(
    ("name", "turns"),
    [("tic_tac_toe", (0, 6)), ("connect_four:4,4", (4, 12)), ("breakthrough:3,5", (4, 12)), ("nim:3,4", (0, 4))],
)
def test_a_search_to_the_end_finds_the_exact_value(name: str, turns: tuple[int, int]) -> None:
    game = load(name)
    for state in positions(game, 4, turns):
        role = chooser(state)
        search = DepthSearch(game, role, no_weights(game), 4, seed=1)
        search.set_root(state)
        search.run(60.0, ENDLESS)
        assert search.is_settled
        best = best_first(search.root_moves())[0]
        name_of_role = game.roles[role]
        after = play(state, role, best.move)
        for position in (state, after):
            value = Solver(position, 60.0).solve().values[name_of_role]
            assert best.mean == pytest.approx(value, abs=0.01)


def test_one_ply_is_the_best_child_by_the_evaluation() -> None:
    game = load("othello")  # where no move wins so much at once that the line goes on
    weights = next(islice(learn(CompiledSpace(game), lambda: True), 1, None))
    for state in positions(game, 5, (2, 10)):
        role = chooser(state)
        search = DepthSearch(game, role, weights, 4, seed=1)
        search.set_root(state)
        while search.depth < 1:
            search.run(1.0, search.iterations + 1)
        best = best_first(search.root_moves())[0]
        children = [play(state, role, move) for move in state.legal_moves(game.roles[role])]
        sums = weights(game.pack(children))
        own = (sums[:, role] - sums[:, 1 - role]) / 2
        # Others may answer with a move that changes much, so the value is no more than the highest estimate.
        assert best.mean <= 100 / (1 + np.exp(-own.max())) + 0.5


def test_what_was_searched_before_a_stop_is_not_lost() -> None:
    game = load("connect_four")
    state = positions(game, 1, (20, 20))[0]
    whole, pieces = (DepthSearch(game, chooser(state), no_weights(game), 16, seed=1) for _ in range(2))
    for search in (whole, pieces):
        search.set_root(state)
    whole.run(60.0, ENDLESS)
    while not pieces.is_settled:
        pieces.run(60.0, 2_000)
    assert best_first(pieces.root_moves())[0].mean == best_first(whole.root_moves())[0].mean
    assert pieces.nodes < 4 * whole.nodes


def test_only_some_moves_are_searched_if_asked() -> None:
    game = load("connect_four")
    search = DepthSearch(game, 0, no_weights(game), 4, seed=1)
    allowed = game.initial_state().legal_moves(game.roles[0])[:2]
    search.set_root(game.initial_state(), only=allowed)
    search.run(60.0, 20_000)
    assert {found.move for found in search.root_moves()} == set(allowed)


def test_a_line_is_legal_and_begins_with_its_move() -> None:
    game = load("breakthrough:6,6")
    search = DepthSearch(game, 0, no_weights(game), 4, seed=1)
    state: State = game.initial_state()
    search.set_root(state)
    search.run(60.0, 50_000)
    best = best_first(search.root_moves())[0].move
    line = search.line(best)
    assert line[0] == best
    assert len(line) > 1
    for move in line:
        assert move in state.legal_moves(game.roles[chooser(state)])
        state = play(state, chooser(state), move)


def test_a_third_repetition_is_worth_a_draw() -> None:
    game = load("chess")
    state = game.initial_state()
    moves = ["(move g 1 f 3)", "(move g 8 f 6)", "(move f 3 g 1)", "(move f 6 g 8)"]
    for number, move in enumerate((*moves, *moves[:3])):
        state = play(state, number % 2, move)
    search = DepthSearch(game, 1, no_weights(game), 4, seed=1)
    search.set_root(state, only=[moves[3]])
    search.run(60.0, 1_000)
    found = search.root_moves()[0]
    assert found.proven
    assert found.mean == 50.0


def test_alphabeta_searches_natively_and_leaves_simultaneous_games_alone() -> None:
    for name, is_native in (("breakthrough:5,6", True), ("rock_paper_scissors", False)):
        game = load(name)
        player = AlphaBetaPlayer()
        player.start(game, game.roles[0], 1, Clock(0.1, 30.0))
        decision = player.choose(game.initial_state().view(game.roles[0]), Deadline(0.3))
        assert decision.move in game.initial_state().legal_moves(game.roles[0])
        assert bool(decision.thinking.extra.get("native")) == is_native


def test_a_search_fails_where_both_roles_choose() -> None:
    game = load("rock_paper_scissors")
    search = DepthSearch(game, 0, no_weights(game), 4, seed=1)
    search.set_root(game.initial_state())
    search.run(1.0, 1_000)
    assert search.failed
    assert search.root_moves()


def test_alphabeta_thinks_in_the_opponents_time() -> None:
    game = load("breakthrough:5,6")
    player = AlphaBetaPlayer()
    player.start(game, "black", 1, Clock(0.1, 20.0))
    assert player._deep is not None
    before = player._deep.nodes

    player.ponder(game.initial_state().view("black"), Deadline(0.3))

    assert player._deep.nodes > before
