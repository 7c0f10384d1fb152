"""OpenSpiel's algorithms on exported games find what they find on OpenSpiel's own, and what is published."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludens
from ludens.players.equilibrium.policy import policy_of, read_policy
from ludens.players.equilibrium.response import measure
from ludens.players.equilibrium.solver import Solver
from ludens.players.equilibrium.tree import build_tree
from tests.peers import PEERS, optional_module, peer

pyspiel = optional_module("pyspiel")
if pyspiel is None:
    pytest.skip(PEERS["openspiel"].missing, allow_module_level=True)
pytestmark = peer("openspiel")

from open_spiel.python.algorithms import mcts  # noqa: E402

from ludens.adapters.openspiel_export import goal_sum, policy_table, register  # noqa: E402

LIARS_DICE = "liars_dice:dice=1,game=round,faces=3"
CHIP = {"kuhn_poker": 0.25, "leduc_poker": 0.03, LIARS_DICE: 0.5}
"""The return for one chip, or for a won round."""


def solve(game: Any, iterations: int) -> Any:
    """OpenSpiel's CFR+ after some iterations; its policy lives as long as it does."""
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return solver


def returns(game: Any, policy: Any) -> list[float]:
    found: list[float] = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    return found


@pytest.mark.parametrize(
    ("ours", "theirs", "scale", "iterations", "sets"),
    [
        ("kuhn_poker", "kuhn_poker", 0.25, 50, 12),
        ("leduc_poker", "leduc_poker", 0.03, 4, 936),
        ("goofspiel:3,descending", "goofspiel(num_cards=3,points_order=descending,imp_info=False)", 0.5, 20, 20),
        ("goofspiel:3", "goofspiel(num_cards=3,points_order=random,imp_info=False)", 0.5, 10, 114),
        ("liars_dice:dice=1,game=round,faces=3", "liars_dice(numdice=1,dice_sides=3)", 0.5, 10, 96),
    ],
)
def test_cfr_plus_finds_the_same_as_in_openspiels_own_game(
    ours: str, theirs: str, scale: float, iterations: int, sets: int
) -> None:
    mine, native = pyspiel.load_game(register(ours)), pyspiel.load_game(theirs)
    if native.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        mine, native = pyspiel.convert_to_turn_based(mine), pyspiel.convert_to_turn_based(native)

    solver, expected = solve(mine, iterations), solve(native, iterations)

    policy, same = solver.average_policy(), expected.average_policy()
    # OpenSpiel's own liar's dice also lists the 96 sets in which calling is the only move; here it is played at once.
    assert len(solver.tabular_average_policy().policy_table()) == sets
    assert returns(mine, policy) == pytest.approx([scale * value for value in returns(native, same)], abs=1e-9)
    assert pyspiel.exploitability(mine, policy) == pytest.approx(scale * pyspiel.exploitability(native, same), abs=1e-9)


def test_information_sets_of_liars_dice_with_one_move_are_not_listed() -> None:
    # A die of three faces, and a set of the six bids, made in rising order: 3 * 2^6 = 192. In half of them the highest
    # bid was made, so that calling is the only move. OpenSpiel asks for it, ludens plays it at once.
    tables = [
        solve(pyspiel.load_game(name), 1).tabular_average_policy().policy_table()
        for name in (register(LIARS_DICE), "liars_dice(numdice=1,dice_sides=3)")
    ]
    mine, native = ([len(moves) for moves in table.values()] for table in tables)

    assert sorted(native) == [1] * 96 + sorted(mine)
    assert min(mine) > 1
    assert len(build_tree(ludens.load(LIARS_DICE, wait=True), 1_000_000).sets) == len(mine)


def test_cfr_plus_finds_the_value_of_kuhn_poker() -> None:
    game = pyspiel.load_game(register("kuhn_poker"))

    solver = solve(game, 300)

    policy = solver.average_policy()
    assert returns(game, policy)[0] / CHIP["kuhn_poker"] == pytest.approx(-1 / 18, abs=2e-4)
    assert pyspiel.exploitability(game, policy) < 2e-4


@pytest.mark.parametrize(("name", "value"), [("kuhn_poker", -1 / 18), ("leduc_poker", -0.0856), (LIARS_DICE, None)])
def test_openspiel_confirms_a_policy_file(name: str, value: float | None, tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    tree = build_tree(ludens.load(name, wait=True), 1_000_000)
    solver = Solver(tree)
    solver.run(3_000)
    policy_of(solver).write(path)
    ours = measure(tree, f"equilibrium:{path}", 1.0, 1, 1, lambda _: None).assessment
    game = pyspiel.load_game(register(name))

    table = policy_table(read_policy(path), game)

    theirs = pyspiel.exploitability(game, table)
    assert theirs == pytest.approx(ours.exploitability / 100, abs=1e-6)
    assert theirs < 1e-4
    first, second = returns(game, pyspiel.TabularPolicy(table))
    assert first == pytest.approx(ours.values[0] / 100 - 0.5, abs=1e-6)
    assert first == pytest.approx(-second)
    if value is None:
        native = pyspiel.load_game("liars_dice(numdice=1,dice_sides=3)")
        expected = solve(native, 300)
        value = returns(native, expected.average_policy())[0]
    assert first / CHIP[name] == pytest.approx(value, abs=1e-3)


def test_a_bad_policy_is_as_bad_in_openspiel(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    tree = build_tree(ludens.load("kuhn_poker", wait=True), 1_000_000)
    solver = Solver(tree)
    policy_of(solver, np.ones(tree.actions) / 2).write(path)
    ours = measure(tree, f"equilibrium:{path}", 1.0, 1, 1, lambda _: None).assessment
    game = pyspiel.load_game(register("kuhn_poker"))

    theirs = pyspiel.exploitability(game, policy_table(read_policy(path), game))

    # Against uniform play, best responses win 1/2 and 5/12 chips.
    assert theirs == pytest.approx(ours.exploitability / 100, abs=1e-6)
    assert theirs / CHIP["kuhn_poker"] == pytest.approx((1 / 2 + 5 / 12) / 2, abs=1e-6)


def test_openspiels_tree_search_wins_tic_tac_toe() -> None:
    game = pyspiel.load_game(register("tic_tac_toe"))
    state = game.new_initial_state()
    for text in ("(mark 1 1)", "(mark 2 1)", "(mark 2 2)", "(mark 3 1)"):
        state.apply_action(action(state, text))
    rng = np.random.RandomState(7)
    # The search in C++ (pyspiel.MCTSBot) crashes on all games in Python, OpenSpiel's own included.
    bot = mcts.MCTSBot(game, 2.0, 100, mcts.RandomRolloutEvaluator(1, rng), solve=True, random_state=rng)

    assert state.action_to_string(bot.step(state)) == "(mark 3 3)"


def action(state: Any, text: str) -> int:
    found: int = next(number for number in state.legal_actions() if state.action_to_string(number) == text)
    return found


@pytest.mark.parametrize(
    ("name", "utility", "lowest", "highest", "total"),
    [
        ("tic_tac_toe", "ZERO_SUM", -0.5, 0.5, 0.0),
        ("leduc_poker", "ZERO_SUM", -0.5, 0.5, 0.0),
        ("liars_dice:dice=1,game=round", "ZERO_SUM", -0.5, 0.5, 0.0),
        ("prisoners_dilemma", "GENERAL_SUM", 0.0, 1.0, None),
        ("eight_puzzle", "GENERAL_SUM", 0.0, 1.0, None),
    ],
)
def test_an_exported_game_declares_its_utility(
    name: str, utility: str, lowest: float, highest: float, total: float | None
) -> None:
    game = pyspiel.load_game(register(name))

    assert game.get_type().utility.name == utility
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (lowest, highest, total)


def test_goals_have_one_sum_only_if_it_is_known() -> None:
    assert goal_sum(ludens.load("kuhn_poker@tabletop")) == 100
    assert goal_sum(ludens.load("rock_paper_scissors", wait=True)) == 100
    assert goal_sum(ludens.load("prisoners_dilemma", wait=True)) is None
    assert goal_sum(ludens.load("lights_out", wait=True)) is None


def test_information_states_are_the_texts_of_policy_files() -> None:
    state = pyspiel.load_game(register("kuhn_poker")).new_initial_state()
    state.apply_action(0)

    assert state.information_state_string(0).startswith("first: noop → (dealt ")
    assert state.information_state_string(1).startswith("second: noop → (dealt ")
    assert state.clone().information_state_string(0) == state.information_state_string(0)
