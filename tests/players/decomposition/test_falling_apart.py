"""Impartial games in one piece whose positions fall apart during play."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from ludens.analysis.budget import Budget
from ludens.analysis.impartial import Convention
from ludens.analysis.last_move import LastMoveGame, find_last_move
from ludens.compiler.batch.game import CircuitGame
from ludens.core import Clock, random_joint_move
from ludens.players.decomposition.falling_apart import FallingApart, falling_apart
from ludens.players.decomposition.player import DecompositionPlayer
from ludens.players.decomposition.solve import solve_by_parts
from ludens.players.minimax.solve import Solver
from tests.analysis.games import compiled, shelf
from tests.processes import PATIENCE

FEW, MANY = 12, 200


def token_game(
    moves: Sequence[Sequence[int]], tokens: int, *, last_wins: bool, swaps: Sequence[tuple[int, int]] = ()
) -> str:
    """A move takes the tokens of one of ``moves``, if all are there, or one of a pair of ``swaps`` if the other one is
    gone."""
    winner, loser = (100, 0) if last_wins else (0, 100)
    rules = ["(role red)", "(role blue)", "(init (control red))"]
    rules += [f"(init (token {n}))" for n in range(tokens)]
    for number, taken in enumerate(moves):
        wanted = " ".join(f"(true (token {n}))" for n in taken)
        rules.append(f"(<= (legal ?p (take {number})) (true (control ?p)) {wanted})")
        rules += [f"(takes {number} {n})" for n in taken]
    for number, (gone, there) in enumerate(swaps, len(moves)):
        rules.append(
            f"(<= (legal ?p (take {number})) (true (control ?p)) (true (token {there})) (not (true (token {gone}))))"
        )
        rules.append(f"(takes {number} {there})")
    rules += [
        "(<= (legal red wait) (true (control blue)))",
        "(<= (legal blue wait) (true (control red)))",
        "(<= (gone ?n) (does ?p (take ?m)) (takes ?m ?n))",
        "(<= (next (token ?n)) (true (token ?n)) (not (gone ?n)))",
        "(<= (next (control red)) (true (control blue)))",
        "(<= (next (control blue)) (true (control red)))",
        "(<= open (true (control ?p)) (legal ?p (take ?m)))",
        "(<= terminal (not open))",
        f"(<= (goal ?p {loser}) (true (control ?p)))",
        f"(<= (goal red {winner}) (true (control blue)))",
        f"(<= (goal blue {winner}) (true (control red)))",
    ]
    return "\n".join(rules)


def random_tokens(rng: Random) -> str:
    tokens = rng.randint(5, 8)
    every = [taken for size in (1, 2, 3) for taken in combinations(range(tokens), size)]
    pairs = [(gone, taken) for gone, taken in (rng.sample(range(tokens), 2) for _ in range(rng.randint(0, 2)))]
    return token_game(rng.sample(every, rng.randint(4, 7)), tokens, last_wins=rng.random() < 0.5, swaps=pairs)


def solver_of(game: CircuitGame) -> FallingApart:
    found = falling_apart(game, Budget(PATIENCE))
    assert found is not None
    return found


def check_equal_to_plain_search(game: CircuitGame, rng: Random) -> None:
    """Compare values and best moves on the positions of a random match."""
    solver = solver_of(game)
    state = game.initial_state()
    while not state.is_terminal:
        found, plain = solver.solve(state), Solver(state, PATIENCE).solve()
        assert dict(zip(game.roles, found.bounds, strict=True)) == plain.bounds
        if any(len(state.legal_moves(role)) > 1 for role in game.roles):
            best = {game.roles[role]: set(moves) for role, moves in found.best.items()}
            assert best == {role: set(moves) for role, moves in plain.best.items()}
        state = state.play(random_joint_move(state, rng))


@pytest.mark.parametrize("name", ["kayles:9", "kayles:10,misere", "dawsons_kayles:10", "nim:2,3,4", "nim:2,2,1,misere"])
def test_games_of_the_library_have_the_values_of_plain_search(name: str) -> None:
    game = shelf(name)
    for seed in range(3):
        check_equal_to_plain_search(game, Random(seed))


def check_random_tokens(seed: int) -> None:
    rng = Random(seed)
    check_equal_to_plain_search(compiled(random_tokens(rng)), rng)


def test_random_games_have_the_values_of_plain_search() -> None:
    for seed in range(FEW):
        check_random_tokens(seed)


@pytest.mark.slow
def test_many_random_games_have_the_values_of_plain_search() -> None:
    for seed in range(FEW, MANY):
        check_random_tokens(seed)


def test_long_rows_have_the_published_nimbers() -> None:
    # Winning Ways: 24 pins have nimber 4 (chapter 4), and 1, 4, 9, 12 and 20 pins are lost in misère play (chapter 13).
    game = shelf("kayles:24")
    found = solver_of(game).solve(game.initial_state())
    assert found.bounds == ((100, 100), (0, 0))
    assert "nim-sum 4" in found.note
    assert found.positions == 24 * 25 / 2
    for pins, goal in ((4, 0), (5, 100), (9, 0), (12, 0), (13, 100), (20, 0)):
        game = shelf(f"kayles:{pins},misere")
        assert solver_of(game).solve(game.initial_state()).bounds[0][0] == goal


def test_all_moves_that_do_the_same_are_named() -> None:
    game = compiled(token_game([(0,), (0,), (1, 2)], 3, last_wins=False))
    state = game.initial_state()
    assert sorted(solver_of(game).solve(state).best[0]) == sorted(Solver(state, PATIENCE).solve().best["red"])
    one = compiled(token_game([(0,), (0,), (1,), (1,), (2,)], 3, last_wins=True))
    state = one.initial_state()
    assert len(solver_of(one).solve(state).best[0]) == len(Solver(state, PATIENCE).solve().best["red"]) == 5


def test_a_row_in_one_piece_is_solved_by_its_parts() -> None:
    found = solve_by_parts(shelf("kayles:16").initial_state(), PATIENCE)
    assert found.exact
    assert "different parts" in found.note


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("(<= terminal (not open))", "(<= terminal (not (true (token 0))))"), "stuck|while moves are left"),
        (("(<= (goal ?p 0) (true (control ?p)))", "(<= (goal ?p 50) (role ?p))"), "goals|last move"),
        (("(not (gone ?n))", "(not (gone ?n)) (true (control red))"), "themselves|same moves"),
    ],
)
def test_what_is_not_decided_by_the_last_move_is_refused(change: tuple[str, str], reason: str) -> None:
    rules = token_game([(0, 1), (1, 2), (2,), (3, 4)], 5, last_wins=True)
    assert change[0] in rules
    found = find_last_move(compiled(rules.replace(*change)), Budget(PATIENCE))
    assert isinstance(found, str)
    assert re.search(reason, found)


def test_what_differs_in_rare_positions_is_refused() -> None:
    # Random matches hardly ever take twelve single tokens in the order of their numbers, so only the proof can see it.
    rules = token_game([(n,) for n in range(12)], 12, last_wins=True)
    late = " ".join(f"(true (token {n}))" for n in range(6, 12))
    gone = " ".join(f"(not (true (token {n})))" for n in range(6))
    rules = rules.replace("(<= terminal (not open))", f"(<= terminal (not open)) (<= terminal {late} {gone})")
    found = find_last_move(compiled(rules), Budget(PATIENCE))
    assert found == "it was not proved that the last move decides"


def test_both_conventions_are_told_apart() -> None:
    for name, convention in (("kayles:5", Convention.NORMAL), ("kayles:5,misere", Convention.MISERE)):
        proof = find_last_move(shelf(name), Budget(PATIENCE))
        assert isinstance(proof, LastMoveGame)
        assert proof.convention is convention


def test_the_player_wins_rows_that_are_won_from_the_first_move() -> None:
    game = shelf("kayles:24")
    player = DecompositionPlayer()
    player.start(game, game.roles[0], 1, Clock(0.5, 6.0))
    assert "parts into which positions fall" in player.why
    player.stop()
