"""Game trees, equilibria, policies: against values that are known."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

import ludens
from ludens.compiler.backends import make_game
from ludens.core import Clock, Deadline, Game, GameError, PlayerError
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.players.equilibrium import tree as tree_module
from ludens.players.equilibrium.policy import information_text, policy_of, read_policy, set_text
from ludens.players.equilibrium.response import estimate_by_matches, measure
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
    strategy = uniform(tree.sets)
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
    assert not np.array_equal(alone.strategy, uniform(tree.sets))


APPROACH = """(role red) (role blue) (init (at 0)) (init (step 0)) (less 0 1) (less 1 2) (less 2 3)
(<= walking (true (step ?s)) (less ?s ?t))
(<= (legal red go) walking) (<= (legal red stay) walking) (<= (legal blue noop) walking)
(<= (legal ?role (take ?n)) (role ?role) (true (step 3)) (way ?n)) (way 1) (way 2)
(<= (next (step ?t)) (true (step ?s)) (less ?s ?t))
(<= (next (at ?t)) (does red go) (true (at ?s)) (less ?s ?t))
(<= (next (at ?s)) (does red stay) (true (at ?s)))
(<= (next (end ?g ?h)) (true (at ?s)) (does red (take ?x)) (does blue (take ?y)) (pays ?s ?x ?y ?g ?h))
(<= terminal (true (end ?g ?h)))
(<= (goal red ?g) (true (end ?g ?h))) (<= (goal blue ?h) (true (end ?g ?h)))
"""
PAYS = {0: [[10, 90], [100, 5]], 1: [[30, 60], [70, 20]], 2: [[80, 40], [10, 90]], 3: [[25, 75], [60, 20]]}
"""Red may walk up to three steps, on eight ways; then both choose from the matrix of that place."""


def approach(backend: str) -> Game:
    facts = [
        f"(pays {place} {row + 1} {column + 1} {goal} {100 - goal})"
        for place, matrix in PAYS.items()
        for row, line in enumerate(matrix)
        for column, goal in enumerate(line)
    ]
    return make_game(read_rules(APPROACH + " ".join(facts)), "approach", backend)


@pytest.mark.parametrize("backend", ["circuit", "reference"])
def test_where_nothing_is_hidden_histories_of_a_position_share_its_sets(backend: str) -> None:
    tree = build_tree(approach(backend), 1_000)
    solver = Solver(tree)
    solver.run(2_000)
    found = solver.assess()

    assert len(tree.sets) == 1 + 2 + 3 + 2 * 4  # red in every place of three turns, both in the four last
    value = max(solve_matrix(np.array(matrix, float)).value for matrix in PAYS.values())
    assert found.values[0] == pytest.approx(value, abs=1e-3)
    assert found.exploitability < 1e-3


@pytest.mark.parametrize("backend", ["circuit", "reference"])
@pytest.mark.parametrize("has_file", [True, False])
def test_a_policy_of_positions_is_an_equilibrium_however_they_were_reached(
    backend: str, has_file: bool, tmp_path: Path
) -> None:
    game = approach(backend)
    solver = Solver(build_tree(game, 1_000))
    solver.run(2_000)
    policy_of(solver).write(tmp_path / "policy.json")

    player = f"equilibrium:{tmp_path / 'policy.json'}" if has_file else "equilibrium"
    found = measure(solver.tree, player, 1.0, 1, 1, lambda done: None)

    assert found.is_declared
    assert found.assessment.exploitability < 1e-3


def test_gains_in_positions_add_up_to_the_best_response() -> None:
    tree = build_tree(approach("circuit"), 1_000)

    found = Solver(tree).assess(uniform(tree.sets))

    for role in range(2):
        gains = found.gains[tree.sets["role"] == role].sum()
        assert gains == pytest.approx(found.responses[role] - found.values[role])


def test_positions_that_nobody_should_reach_are_played_well() -> None:
    solver = Solver(build_tree(approach("circuit"), 1_000))
    solver.run(2_000)
    sets = policy_of(solver).sets["red"]

    for place, matrix in PAYS.items():
        best = solve_matrix(np.array(matrix, float)).rows
        shares = sets[f"(at {place}) (step 3)"]
        assert [shares["(take 1)"], shares["(take 2)"]] == pytest.approx(best, abs=1e-3)


def test_a_tree_that_takes_more_memory_than_its_nodes_should_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter(range(0, 1 << 40, 100 << 20))
    monkeypatch.setattr(tree_module, "resident_bytes", lambda: next(sizes))

    with pytest.raises(TooLargeTreeError, match="takes more than 100 MB"):
        build_tree(ludens.load("leduc_poker", wait=True), 100_000)


def test_the_number_of_information_sets_is_estimated_from_those_met_again() -> None:
    assert estimate_size(ludens.load("kuhn_poker", wait=True), 0.5).sets == pytest.approx(12, abs=2)


def test_a_searching_opponent_reports_each_match() -> None:
    game = ludens.load("leduc_poker", wait=True)
    seen: list[int] = []

    found = estimate_by_matches(game, "legal", 0.02, 4, 1, lambda gains: seen.append(len(gains)))

    assert seen == [1, 2, 3, 4]
    assert found.opponent == "ismcts"
    assert len(found.gains) == 4


def test_a_searching_opponent_that_is_stopped_keeps_its_matches() -> None:
    def stop(gains: list[float]) -> None:
        if len(gains) == 2:
            raise KeyboardInterrupt

    assert len(estimate_by_matches(ludens.load("kuhn_poker", wait=True), "legal", 0.01, 9, 1, stop).gains) == 2


@pytest.mark.parametrize("name", ["rock_paper_scissors", "oshi_zumo:4,1"])
def test_auto_solves_small_games_of_simultaneous_choices(name: str) -> None:
    game = ludens.load(name, wait=True)
    player = make_player("auto")
    player.start(game, game.roles[0], 1, Clock(1, 30))

    decision = player.choose(game.initial_state().view(game.roles[0]), Deadline(1))
    player.stop()

    assert decision.thinking.note.startswith("equilibrium, because the game is solved")
    assert any(report.share for report in decision.thinking.moves)
