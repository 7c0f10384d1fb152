"""Boards on which two roles move at once and in parallel: found, and solved by a matrix game for each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from ludens.analysis.subgames.decompose import decompose
from ludens.analysis.subgames.parts import Composition
from ludens.compiler.batch.game import CircuitGame
from ludens.gdl.read import read_rules
from ludens.players.decomposition.solve import PartSolver
from ludens.players.minimax.solve import Solver

WEIGHTS = (40, 30, 20)
SPOTS = 5


def parallel_boards(rng: Random, boards: int, turns: int, *, additive: bool, last_alone: bool = False) -> str:
    """Rules of boards with random steps, in which each role acts on every board at once; the clock ends the game.

    ``last_alone``: before the last step, only the second role has a choice.
    """
    names = range(1, boards + 1)
    lines = ["(role l) (role r) (way u) (way d) (init (t 0))"]
    for board in names:
        lines.append(f"(init (at{board} 0))")
        moved = "(act " + " ".join("?a" if other == board else f"?x{other}" for other in names) + ")"
        answered = moved.replace("?a", "?b").replace("?x", "?y")
        lines.append(f"(<= (both{board} ?a ?b) (does l {moved}) (does r {answered}))")
        lines.append(f"(<= (next (at{board} ?q)) (true (at{board} ?p)) (both{board} ?a ?b) (step{board} ?p ?a ?b ?q))")
        lines += [f"(step{board} {p} {a} {b} {rng.randrange(SPOTS)})" for p in range(SPOTS) for a in "ud" for b in "ud"]
        lines += [f"(<= hi{board} (true (at{board} {p})))" for p in rng.sample(range(SPOTS), 2)]
    ways = " ".join(f"?x{board}" for board in names)
    known = " ".join(f"(way ?x{board})" for board in names)
    alone = f" (not (true (t {turns - 1})))" if last_alone else ""
    lines.append(f"(<= (legal r (act {ways})) {known})")
    lines.append(f"(<= (legal l (act {ways})) {known}{alone})")
    if last_alone:
        lines.append(f"(<= (legal l (act {' '.join('u' for _ in names)})) (true (t {turns - 1})))")
    lines += [f"(<= (next (t {n + 1})) (true (t {n})))" for n in range(turns)]
    lines.append(f"(<= terminal (true (t {turns})))")
    for held in product((True, False), repeat=boards):
        value = sum(w for w, hi in zip(WEIGHTS, held, strict=False) if hi) if additive else rng.randrange(101)
        body = " ".join(f"hi{board}" if hi else f"(not hi{board})" for board, hi in zip(names, held, strict=True))
        lines.append(f"(<= (goal l {value}) {body}) (<= (goal r {100 - value}) {body})")
    return "\n".join(lines)


def load(rules: str) -> CircuitGame:
    return CircuitGame(read_rules(rules), "boards")


def check_equal_to_plain_search(game: CircuitGame, solver: PartSolver, walk: Sequence[int] = ()) -> None:
    """Compare the values of the initial position, and of positions on the way of a walk."""
    state = game.initial_state()
    for choice in (*walk, 0):
        plain = Solver(state, 60.0).solve()
        found = solver.solve(state)
        assert plain.exact
        assert found.exact
        for role, (low, _) in zip(game.roles, found.bounds, strict=True):
            assert low == pytest.approx(plain.bounds[role][0], abs=1e-6)
        for number, moves in found.best.items():
            assert sorted(map(str, moves)) == sorted(map(str, plain.best[game.roles[number]]))
        if state.is_terminal:
            return
        legal = {role: state.legal_moves(role) for role in game.roles}
        state = state.play({role: moves[choice % len(moves)] for role, moves in legal.items()})


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("boards", [2, 3])
def test_goals_that_are_sums_are_solved_board_by_board(seed: int, boards: int) -> None:
    game = load(parallel_boards(Random(seed), boards, 3, additive=True))
    whole = decompose(game)

    solver = PartSolver(whole, game.initial_state())

    assert len(whole.games) == boards
    assert whole.composition is Composition.PARALLEL
    assert solver.matrices is not None
    check_equal_to_plain_search(game, solver, walk=(seed, seed + 1))


def test_the_best_moves_of_a_role_that_chooses_alone_are_best_on_every_board() -> None:
    game = load(parallel_boards(Random(5), 2, 3, additive=True, last_alone=True))

    solver = PartSolver(decompose(game), game.initial_state())

    assert solver.matrices is not None
    check_equal_to_plain_search(game, solver, walk=(0, 1, 2))


def test_other_goals_are_searched_over_all_combinations() -> None:
    game = load(parallel_boards(Random(7), 2, 3, additive=False))
    whole = decompose(game)

    solver = PartSolver(whole, game.initial_state())

    assert len(whole.games) == 2
    assert solver.matrices is None
    check_equal_to_plain_search(game, solver)


def test_moves_that_are_not_combined_freely_keep_the_boards_together() -> None:
    rules = parallel_boards(Random(1), 2, 3, additive=True)
    rules = rules.replace("(<= (legal l (act ?x1 ?x2)) (way ?x1) (way ?x2))", "(legal l (act u u)) (legal l (act d d))")

    assert len(decompose(load(rules)).games) == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_generated_boards_have_the_values_of_plain_search(seed: int) -> None:
    rng = Random(seed)
    rules = parallel_boards(rng, rng.choice([2, 2, 3]), rng.choice([2, 3]), additive=rng.random() < 0.7)
    game = load(rules)
    whole = decompose(game)

    assert len(whole.games) in {2, 3}
    check_equal_to_plain_search(game, PartSolver(whole, game.initial_state()), walk=(rng.randrange(4),))
