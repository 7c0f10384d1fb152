"""Game trees, equilibria, policies: against values that are known."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

import ludens
from ludens.core import Clock, Deadline, GameError, PlayerError
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.players.equilibrium.policy import information_text, policy_of, read_policy, set_text
from ludens.players.equilibrium.response import measure
from ludens.players.equilibrium.sampling import SamplingSolver, estimate_size
from ludens.players.equilibrium.solver import Solver, uniform
from ludens.players.equilibrium.tree import CHANCE, END, GameTree, TooLargeTreeError, build_tree
from ludens.players.minimax.matrix import solve_matrix
from ludens.players.registry import make_player
from ludens.tabletop.game import TabletopGame
from tests.players.search.test_joint import MATRICES, matrix_rules
from tests.tabletop.rules import Race

KUHN = 50 - 100 / 72
"""The value of Kuhn poker for the first: -1/18 chips, 25 points to the chip, from 50."""


def solved(name: str, iterations: int) -> Solver:
    solver = Solver(build_tree(ludens.load(name, wait=True), 1_000_000))
    solver.run(iterations)
    return solver


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker@tabletop"])
def test_kuhn_poker_has_twelve_information_sets_and_its_known_value(name: str) -> None:
    solver = solved(name, 2_000)

    found = solver.assess()

    assert len(solver.tree.sets) == 12
    assert found.values[0] == pytest.approx(KUHN, abs=1e-4)
    assert found.exploitability < 1e-5


def test_the_tree_of_leduc_poker_has_the_published_number_of_information_sets() -> None:
    solver = solved("leduc_poker", 1_000)

    assert len(solver.tree.sets) == 936
    assert solver.assess().exploitability < 0.02
    assert solver.assess().values.sum() == pytest.approx(100)


@pytest.mark.parametrize("name", MATRICES)
def test_simultaneous_choices_are_one_information_set_each(name: str) -> None:
    game = ReferenceGame(read_rules(matrix_rules(MATRICES[name])))
    solver = Solver(build_tree(game, 1_000))
    solver.run(4_000)

    assert len(solver.tree.sets) == 2
    value = solve_matrix(np.array(MATRICES[name], np.float64)).value
    assert solver.assess().values[0] == pytest.approx(value, abs=0.01)
    assert solver.assess().exploitability < 0.01


def test_both_backends_build_the_same_tree() -> None:
    compiled = build_tree(ludens.load("kuhn_poker", backend="circuit"), 10_000)
    plain = build_tree(ludens.load("kuhn_poker", backend="reference"), 10_000)

    assert len(compiled.nodes) == len(plain.nodes)
    assert len(compiled.sets) == len(plain.sets)
    assert sorted(compiled.moves) == sorted(plain.moves)
    assert Solver(compiled).assess().values == pytest.approx(Solver(plain).assess().values)


def test_every_node_is_chance_an_end_or_in_one_information_set() -> None:
    tree = build_tree(ludens.load("leduc_poker", wait=True), 100_000)

    deciding = tree.nodes["set"] >= 0
    assert set(tree.nodes["set"][~deciding].tolist()) == {CHANCE, END}
    assert sorted(tree.members.tolist()) == np.flatnonzero(deciding).tolist()
    inner = tree.nodes["count"] > 0
    assert (inner == (tree.nodes["set"] != END)).all()
    for node in np.flatnonzero(tree.nodes["set"] == CHANCE).tolist():
        first, count = int(tree.nodes["first"][node]), int(tree.nodes["count"][node])
        assert tree.chance[first : first + count].sum() == pytest.approx(1)


def test_a_best_response_to_random_play_is_found_by_brute_force() -> None:
    tree = build_tree(ludens.load("kuhn_poker", wait=True), 1_000)
    solver = Solver(tree)
    strategy = uniform(tree)
    own = [n for n in range(len(tree.sets)) if tree.sets["role"][n] == 0]
    best = 0.0
    for bits in range(2 ** len(own)):
        pure = strategy.copy()
        for place, number in enumerate(own):
            first = int(tree.sets["action"][number])
            pure[first : first + 2] = [1, 0] if bits >> place & 1 else [0, 1]
        best = max(best, float(solver.assess(pure).values[0]))

    assert solver.assess(strategy).responses[0] == pytest.approx(best)


def test_a_tree_that_is_too_large_is_given_up_and_its_size_estimated() -> None:
    game = ludens.load("leduc_poker", wait=True)

    with pytest.raises(TooLargeTreeError, match="more than 500 histories"):
        build_tree(game, 500)
    assert 2_000 < estimate_size(game, 1.0).histories < 50_000


def test_races_have_no_equilibrium() -> None:
    with pytest.raises(GameError, match="race"):
        build_tree(TabletopGame(Race()), 100_000)


def test_a_policy_survives_a_file_and_plays(tmp_path: Path) -> None:
    solver = solved("kuhn_poker", 500)
    file = tmp_path / "kuhn.json"
    policy_of(solver).write(file)
    game = solver.tree.game

    policy = read_policy(file)
    player = make_player(f"equilibrium:{file}")
    player.start(game, "first", 1, Clock(1, 1))
    rng, seen = Random(5), set()
    for _ in range(30):
        state = game.initial_state()
        state = state.sample({role: state.legal_moves(role)[0] for role in game.roles}, rng)
        decision = player.choose(state.view("first"), Deadline(1))
        assert policy.shares(state.view("first")) is not None
        assert "by the policy" in decision.thinking.note
        seen.add(decision.move)

    assert seen == {"bet", "check"}
    assert policy.exploitability is not None
    assert policy.exploitability < 0.01


def test_a_policy_in_memory_and_one_in_a_file_agree(tmp_path: Path) -> None:
    solver = solved("leduc_poker", 50)
    policy, tree, strategy = policy_of(solver), solver.tree, solver.strategy
    game, rng = tree.game, Random(2)
    for _ in range(20):
        state = game.initial_state()
        while not state.is_terminal:
            for role in game.roles:
                if len(state.legal_moves(role)) > 1:
                    view = state.view(role)
                    number = tree.set_of(view)
                    assert number is not None
                    first = int(tree.sets["action"][number])
                    shares = policy.shares(view)
                    assert shares == dict(zip(tree.moves[number], strategy[first:].tolist(), strict=False))
            joint = {role: rng.choice(list(state.legal_moves(role))) for role in game.roles}
            state = state.sample(joint, rng)


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"kind": "ludens policy"}', '{"kind": "ludens policy", "game": 1, "rules": 2, "sets": []}'],
)
def test_a_file_that_is_no_policy_is_refused(content: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content)

    with pytest.raises(PlayerError, match=r"bad\.json"):
        read_policy(file)


def test_probabilities_that_are_none_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    policy_of(solved("kuhn_poker", 1)).write(file)
    content = json.loads(file.read_text())
    text = next(iter(content["sets"]["first"]))
    content["sets"]["first"][text] = {"bet": -1.0, "check": 2.0}
    file.write_text(json.dumps(content))

    with pytest.raises(PlayerError, match="negative"):
        read_policy(file)


def test_a_policy_for_another_game_does_not_play(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.json"
    policy_of(solved("kuhn_poker", 1)).write(file)

    with pytest.raises(PlayerError, match="kuhn_poker"):
        make_player(f"equilibrium:{file}").check(ludens.load("leduc_poker", wait=True))


def test_without_a_file_small_games_are_solved_at_the_start() -> None:
    game = ludens.load("kuhn_poker", wait=True)

    found = measure(build_tree(game, 1_000), "equilibrium", 1.0, 1, 1, lambda done: None)

    assert found.is_declared
    assert found.assessment.exploitability < 0.01
    assert found.worst(3) == [] or found.worst(3)[0].gain < 0.05


def test_a_bad_player_is_shown_where_it_is_bad() -> None:
    game = ReferenceGame(read_rules(matrix_rules(MATRICES["dominated"])))

    found = measure(build_tree(game, 1_000), "legal", 1.0, 3, 1, lambda done: None)

    assert not found.is_declared
    assert found.assessment.values.tolist() == [60, 40]  # the first move of each
    assert found.assessment.exploitability == pytest.approx(0)


@pytest.mark.slow
def test_sampling_approaches_the_value_of_kuhn_poker() -> None:
    game = ludens.load("kuhn_poker", wait=True)
    solver = SamplingSolver(game, seed=1)
    while solver.iterations < 3_000:
        solver.run(0.1)
    policy = solver.policy()
    tree = build_tree(game, 1_000)
    strategy = np.concatenate(
        [
            [policy.sets[game.roles[int(tree.sets["role"][n])]][text][move] for move in tree.moves[n]]
            for n, text in enumerate(_texts(tree))
        ]
    )

    assert Solver(tree).assess(strategy).exploitability < 3


def _texts(tree: GameTree) -> list[str]:
    return [set_text(tree, number, {}) for number in range(len(tree.sets))]


def test_information_is_written_the_same_in_every_order() -> None:
    one = ("me", frozenset({("b", 2), ("a", 1)}))
    other = ("me", frozenset({("a", 1), ("b", 2)}))

    assert information_text(one) == information_text(other) == "(me {(a 1) (b 2)})"


@pytest.mark.parametrize("name", ["leduc_poker", "monty_hall", "rock_paper_scissors"])
def test_threads_find_the_same_strategy(name: str) -> None:
    tree = build_tree(ludens.load(name, wait=True), 100_000)
    alone, together = Solver(tree, threads=1), Solver(tree, threads=3)
    for solver in (alone, together):
        solver.run(20)
        solver.run(13)
    assert np.array_equal(alone.strategy, together.strategy)
    assert not np.array_equal(alone.strategy, uniform(tree))
