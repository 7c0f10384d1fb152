"""Twins of pages: playouts in machine code go as the page's, and `check_game` finds every difference."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import ludens
from ludens.compiler.twins.making import cosimulation
from ludens.core import Clock, Deadline, random_joint_move
from ludens.players import make_player
from ludens.tabletop import Rule, TabletopGame, TabletopState
from ludens.testing import CheckFailed, check_game
from tests.compiler.twins import pages


def silent(line: str) -> None:
    """Report nothing."""


def follow(game: TabletopGame, seed: int) -> tuple[int, str]:
    """Play a random match on both sides; the turns that were compared, and what differs."""
    twin = cosimulation(game)
    assert twin is not None
    rng = Random(seed)
    state = game.initial_state()
    twin.begin()
    difference = twin.compare(state)
    while not difference and not state.is_terminal:
        joint_move = state.resolve(random_joint_move(state, rng), rng)
        before, state = state, state.play(joint_move)
        difference = twin.advance(before, joint_move, state) or twin.compare(state)
    return twin.turns, difference or twin.check_playouts()


def test_check_game_compares_a_page_with_its_twin() -> None:
    said: list[str] = []
    check_game(TabletopGame(pages.Heap()), matches=3, report=said.append)

    assert ", its twin in " in said[-1]


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (pages.WrongGoals, "the goals of the twin are"),
        (pages.WrongMoves, "differ in turn 1: the twin does not allow Ann: take 2"),
        (pages.WrongFacts, r"differ in turn 1: the twin has the facts \(turns 1\), and the page \(turns 0\)"),
        (pages.LateEnd, "the page is over, the twin is not"),
        (pages.UnknownFact, r"the twin has no fact \(heep 7\)"),
    ],
)
def test_check_game_says_where_a_twin_differs(rule: type[Rule], reason: str) -> None:
    with pytest.raises(CheckFailed, match=reason):
        check_game(TabletopGame(rule()), matches=3, report=silent)


def test_playouts_begin_in_python_where_the_twin_does_not_cover_the_table() -> None:
    game = TabletopGame(pages.LateTwin())
    check_game(game, matches=2, report=silent)
    native = game.native_playouts(1)
    assert native is not None

    goals = native.play_out([game.initial_state()], 400, 100)[0]

    assert set(goals.ravel().tolist()) == {0.0, 100.0}
    assert (goals.sum(axis=1) == 100).all()
    assert 0 < native.turns < 400 * pages.HEAP


def test_playouts_after_moves_are_those_of_the_page() -> None:
    game = TabletopGame(pages.Heap())
    native = game.native_playouts(1)
    assert native is not None
    state = game.initial_state()
    for move in ("take 2", "take 2", "take 1"):
        state = state.play({next(role for role in game.roles if state.legal_moves(role)): move})

    # Two are left, and Bob is to move: taking both wins, taking one leaves the last one to Ann.
    goals = native.play_out_moves([state, state], "Bob", ["take 2", "take 1"], 3, 10)

    assert goals.shape == (2, 2, 3, 2)
    assert (goals[0] == [0, 100]).all()
    assert (goals[1] == [100, 0]).all()


def test_a_playout_that_is_cut_off_has_no_value() -> None:
    game = TabletopGame(pages.Heap())
    native = game.native_playouts(1)
    assert native is not None

    assert np.isnan(native.play_out([game.initial_state()], 4, 1)).all()


def test_a_game_without_a_twin_has_no_native_playouts() -> None:
    assert TabletopGame(pages.Twinless()).native_playouts(1) is None


@pytest.mark.parametrize("name", ["go:5", "phantom_go:5"])
def test_stones_in_machine_code_go_as_the_page(name: str) -> None:
    game = ludens.load(name)
    assert isinstance(game, TabletopGame)
    for seed in range(3):
        turns, difference = follow(game, seed)
        assert not difference
        assert turns


@pytest.mark.parametrize("name", ["tic_tac_toe@tabletop", "gomoku:6@tabletop"])
def test_lines_in_gdl_go_as_the_page(name: str) -> None:
    game = ludens.load(name)
    assert isinstance(game, TabletopGame)
    assert not follow(game, 1)[1]


def test_a_rule_without_lines_of_the_twin_has_none() -> None:
    for name in ("gomoku:6,line=exactly five", "gomoku:16", "gomoku:6,starting_player=White"):
        game = ludens.load(f"{name}@tabletop")
        assert isinstance(game, TabletopGame)
        assert game.twin is None


@pytest.mark.parametrize("spec", ["ismcts:iterations=40", "pimc:worlds=4", "mcts:iterations=40", "flat:playouts=4"])
def test_players_win_by_playouts_of_a_twin(spec: str) -> None:
    game = TabletopGame(pages.Heap())
    state = game.initial_state()
    for move in ("take 2", "take 1", "take 2"):
        state = state.play({next(role for role in game.roles if state.legal_moves(role)): move})
    player = make_player(f"{spec},twin=on")
    player.start(game, "Bob", 1, Clock(60.0, 60.0))

    decision = player.choose(state.view("Bob"), Deadline(60.0))
    player.stop()

    assert decision.move == "take 2"  # the last two


def test_only_twins_that_choose_as_the_page_are_used_by_players() -> None:
    assert ludens.load("go:5").has_twin
    assert ludens.load("kriegspiel").has_twin
    assert not ludens.load("hearts").has_twin  # sensible in Python, random in the twin
    assert not ludens.load("holdem").has_twin  # likewise
    assert ludens.load("dominoes").has_twin
    assert not TabletopGame(pages.Twinless()).has_twin


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kriegspiel", "hearts", "hearts:queen_breaks=on,jack=on", "spades", "bridge", "skat"])
def test_twins_in_gdl_go_as_their_pages(name: str) -> None:
    game = ludens.load(name)
    assert isinstance(game, TabletopGame)
    for seed in range(3):
        assert not follow(game, seed)[1]


def test_playouts_of_stones_are_worth_what_those_of_the_page_are() -> None:
    game = ludens.load("go:4,komi=0.5")
    state = game.initial_state()
    native = game.native_playouts(1)
    assert native is not None
    rng = Random(1)
    by_page = np.array([state.play_out(rng, 1000)[0] for _ in range(400)])

    goals = native.play_out([state], 4000, 1000)[0]

    error = np.hypot(by_page.std() / 20, goals[:, 0].std() / 63)
    assert abs(goals[:, 0].mean() - by_page.mean()) < 4 * error
    assert np.allclose(goals.sum(axis=1), 100)


def test_a_refused_stone_leaves_the_turn_to_its_player() -> None:
    game = ludens.load("phantom_go:3")
    state = game.initial_state().play({"Black": "A1"})
    native = game.native_playouts(1)
    assert native is not None

    refused = native.play_out_moves([state], "White", ["A1"], 200, 0)

    assert isinstance(state, TabletopState)
    assert np.allclose(refused[0, 0, :, 0], refused[0, 0, 0, 0])  # nothing was played: one black stone
    assert refused[0, 0, 0, 0] > 50
