"""Players who choose at once: values and strategies of matrix games behind zero, one or two moves."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import ludens
from ludens.compiler.batch.game import CircuitGame
from ludens.core import Clock, Deadline, Game, State, random_joint_move
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.players.minimax.matrix import solve_matrix
from ludens.players.registry import make_player
from ludens.players.search.block_search import BlockSearch
from ludens.players.search.leaves import Leaves
from ludens.players.search.settings import SearchSettings
from ludens.players.search.state_search import StateSearch
from ludens.players.search.tree_search import TreeSearch

SETTINGS = SearchSettings(exploration=0.2, rave=0.0, grave=0, mast=False, cutoff=1000, lanes=0, leaves=0, memory=32)
"""How the tests search."""


def matrix_rules(matrix: list[list[int]], *, is_zero_sum: bool = True, before: int = 0) -> str:
    """A matrix game of row and column, whose cells are what row gets; row moves ``before`` times without a choice."""
    facts = ["(role row) (role column)", f"(init (step {before}))"]
    facts += [f"(succ {n} {n + 1})" for n in range(before)]
    rows, columns = len(matrix), len(matrix[0])
    facts += [f"(way row {n})" for n in range(rows)] + [f"(way column {n})" for n in range(columns)]
    for r in range(rows):
        for c in range(columns):
            own = matrix[r][c]
            facts.append(f"(pays {r} {c} {own} {100 - own if is_zero_sum else own})")
    return (
        "\n".join(facts)
        + """
    (<= (legal ?r (go ?n)) (true (step 0)) (way ?r ?n))
    (<= (legal ?r wait) (role ?r) (true (step ?n)) (succ ?m ?n))
    (<= (next (step ?m)) (true (step ?n)) (succ ?m ?n))
    (<= (next (end ?r ?c)) (does row (go ?r)) (does column (go ?c)))
    (<= terminal (true (end ?r ?c)))
    (<= (goal row ?g) (true (end ?r ?c)) (pays ?r ?c ?g ?h))
    (<= (goal column ?h) (true (end ?r ?c)) (pays ?r ?c ?g ?h))
    """
    )


def searched(game: Game, role: int, iterations: int, *, native: bool = True) -> TreeSearch:
    search: TreeSearch
    if native:
        assert isinstance(game, CircuitGame)
        search = BlockSearch(game, role, SETTINGS, seed=1)
    else:
        search = StateSearch(game, game.roles[role], SETTINGS, seed=1)
    search.set_root(game.initial_state())
    search.run(600.0, iterations)
    return search


def strategy(search: TreeSearch) -> list[float]:
    found = {root.move: root.share for root in search.root_moves()}
    return [found[move] or 0.0 for move in sorted(found)]


def guaranteed(matrix: np.ndarray[tuple[int, int], np.dtype[np.float64]], shares: list[float]) -> float:
    """What a strategy of the row player gets against the best reply."""
    return float((np.array(shares) @ matrix).min())


MATRICES = {
    "pennies": [[100, 0], [0, 100]],
    "biased": [[100, 0], [30, 60]],
    "dominated": [[60, 70], [20, 30]],
    "rock": [[50, 0, 100], [100, 50, 0], [0, 100, 50]],
    "odd": [[20, 80, 55], [75, 10, 60], [50, 50, 5]],
    "wide": [[90, 10, 40, 70], [15, 85, 60, 20]],
}


@pytest.mark.parametrize("native", [True, False], ids=["blocks", "states"])
@pytest.mark.parametrize("name", MATRICES)
def test_a_matrix_game_is_solved_exactly(name: str, native: bool) -> None:
    matrix = np.array(MATRICES[name], np.float64)
    rules = read_rules(matrix_rules(MATRICES[name]))
    game = CircuitGame(rules) if native else ReferenceGame(rules)
    value = solve_matrix(matrix).value

    search = searched(game, 0, 3_000, native=native)

    assert search.is_settled
    low, high = search._tree.bounds(search._tree.root, 0)
    assert low == pytest.approx(value, abs=0.05)
    assert high == pytest.approx(value, abs=0.05)
    assert guaranteed(matrix, strategy(search)) == pytest.approx(value, abs=0.05)


@pytest.mark.parametrize("native", [True, False], ids=["blocks", "states"])
def test_regrets_converge_where_the_sum_of_goals_is_not_constant(native: bool) -> None:
    rules = read_rules(matrix_rules([[90, 0], [100, 20]], is_zero_sum=False))  # both want the same
    game = CircuitGame(rules) if native else ReferenceGame(rules)

    search = searched(game, 0, 4_000, native=native)

    assert not search.is_settled
    assert strategy(search)[1] > 0.97  # the second row is better whatever column does


def test_a_gamble_is_worth_its_mixed_value() -> None:
    rules = """(role one) (role two) (init ask)
    (<= (legal one safe) (true ask)) (<= (legal one gamble) (true ask)) (<= (legal two wait) (true ask))
    (<= (legal ?r (show ?s)) (role ?r) (true duel) (side ?s)) (side left) (side right)
    (<= (next duel) (does one gamble)) (<= (next (end 60 40)) (does one safe))
    (<= (next (end 100 0)) (does one (show ?s)) (does two (show ?s)))
    (<= (next (end 0 100)) (does one (show ?s)) (does two (show ?t)) (distinct ?s ?t))
    (<= terminal (true (end ?g ?h)))
    (<= (goal one ?g) (true (end ?g ?h))) (<= (goal two ?h) (true (end ?g ?h)))"""
    for game in (CircuitGame(read_rules(rules)), ReferenceGame(read_rules(rules))):
        search = searched(game, 0, 2_000, native=isinstance(game, CircuitGame))
        found = {root.move: root for root in search.root_moves()}

        assert (found["safe"].low, found["safe"].high) == (60, 60)
        assert (found["gamble"].low, found["gamble"].high) == (50, 50)


def test_random_matrix_games_are_proven_at_their_value() -> None:
    rng = Random(7)
    for _ in range(12):
        rows, columns = rng.randint(2, 5), rng.randint(2, 5)
        matrix = [[rng.randrange(101) for _ in range(columns)] for _ in range(rows)]
        value = solve_matrix(np.array(matrix, np.float64)).value

        search = searched(CircuitGame(read_rules(matrix_rules(matrix))), 0, 20_000)

        assert search.is_settled
        assert search._tree.bounds(search._tree.root, 0)[0] == pytest.approx(value, abs=0.05)


def test_both_sides_of_goofspiel_agree_on_the_value() -> None:
    game = ludens.load("goofspiel:4", wait=True)
    assert isinstance(game, CircuitGame)
    state: State = game.initial_state()
    rng = Random(3)
    while not any(len(state.legal_moves(role)) > 1 for role in game.roles):
        state = state.sample({role: state.legal_moves(role)[0] for role in game.roles}, rng)
    values = []
    for role in range(2):
        search = BlockSearch(game, role, SETTINGS, seed=5)
        search.set_root(state)
        search.run(600.0, 60_000)
        values.append(sum((root.share or 0.0) * root.mean for root in search.root_moves()))

    assert sum(values) == pytest.approx(100, abs=4)


def test_leaves_on_lanes_work_where_players_choose_at_once() -> None:
    game = CircuitGame(read_rules(matrix_rules(MATRICES["biased"])))
    search = StateSearch(game, "row", SETTINGS, 1, Leaves(game, Random(1), 100))
    search.set_root(game.initial_state())
    search.run(600.0, 500)

    assert search.is_settled


@pytest.mark.parametrize("seed", [1, 2])
def test_descents_under_way_do_not_spoil_a_solved_position(seed: int) -> None:
    game = ludens.load("goofspiel:3", wait=True)
    rng, state = Random(1), game.initial_state()
    wanted = ("prize 3", "points second 1", "hand first 2", "hand first 3", "hand second 1", "hand second 3")
    while not all(f"({fact})" in str(state) for fact in wanted):
        state = game.initial_state() if state.is_terminal else state.sample(random_joint_move(state, rng), rng)
    player = make_player("mcts:ponder=off")
    player.start(game, "first", seed, Clock(0.3, 3))

    decision = player.choose(state.view("first"), Deadline(0.5))
    player.stop()

    # 100 or 0 for two against one or three, 50 or 100 for three.
    shares = {report.move: report.share for report in decision.thinking.moves}
    assert shares == pytest.approx({"(bid 2)": 1 / 3, "(bid 3)": 2 / 3}, abs=1e-6)
