from __future__ import annotations

from functools import cache, reduce
from itertools import product
from operator import xor
from random import Random

import pytest

from ludens.analysis.impartial import Convention, Edges, Impartial
from ludens.players.decomposition.nimbers import Nimber, SumOfGames, mex, misere_kinds, nimbers
from ludens.players.decomposition.solve import PartSolver, decompose_game, solve_by_parts
from ludens.players.minimax.solve import Solver
from tests.analysis.games import compiled, shelf
from tests.players.decomposition.sheets import pin_rows


def heap(size: int) -> Edges:
    """A heap of Nim; positions are sizes."""
    return [list(range(n)) for n in range(size + 1)]


def random_game(rng: Random, size: int) -> Edges:
    return [rng.sample(range(n), rng.randint(0, n)) for n in range(size)]


def mover_wins(edges: tuple[Edges, ...], positions: tuple[int, ...], convention: Convention) -> bool:
    """By looking at everything."""

    @cache
    def wins(now: tuple[int, ...]) -> bool:
        after = [(*now[:part], target, *now[part + 1 :]) for part, n in enumerate(now) for target in edges[part][n]]
        if not after:
            return convention is Convention.MISERE
        return not all(map(wins, after))

    return wins(positions)


def test_the_minimal_excludant_is_the_smallest_number_missing() -> None:
    assert [mex([]), mex([0, 1, 3]), mex([1, 2])] == [0, 2, 0]


def test_nimbers_of_heaps_are_their_sizes() -> None:
    assert nimbers(heap(6)) == list(range(7))


@pytest.mark.parametrize("convention", list(Convention))
def test_sums_of_heaps_are_won_as_nim_is(convention: Convention) -> None:
    edges = (heap(3), heap(4), heap(2))
    game = SumOfGames(Impartial(convention, 100, 0, edges))

    for positions in product(range(4), range(5), range(3)):
        small = all(size <= 1 for size in positions)
        expected = sum(positions) % 2 == 0 if small and convention is Convention.MISERE else reduce(xor, positions) != 0
        assert game.mover_wins(positions) == expected


@pytest.mark.parametrize("convention", list(Convention))
@pytest.mark.parametrize("seed", range(60))
def test_sums_of_random_impartial_games_are_won_as_search_finds(convention: Convention, seed: int) -> None:
    rng = Random(seed)
    edges = tuple(random_game(rng, rng.randint(2, 6)) for _ in range(3))
    game = SumOfGames(Impartial(convention, 100, 0, edges))

    if not game.is_known:
        assert convention is Convention.MISERE
        return
    for positions in product(*(range(len(own)) for own in edges)):
        assert game.mover_wins(positions) == mover_wins(edges, positions, convention)
        for part, target in game.winning_moves(positions):
            after = (*positions[:part], target, *positions[part + 1 :])
            assert not mover_wins(edges, after, convention)


def test_most_small_random_games_are_tame() -> None:
    rng = Random(1)
    found = [misere_kinds(random_game(rng, 5)) for _ in range(100)]

    assert sum(kinds is not None for kinds in found) > 50


def test_a_wild_position_is_not_given_a_kind() -> None:
    tame: Edges = [[], [0], [0, 1], [2]]

    assert misere_kinds(tame) == [Nimber(0, True), Nimber(1, True), Nimber(2), Nimber(0)]
    assert misere_kinds([*tame, [0, 3]]) is None  # it reaches 0 both ways, so it behaves like no heap


@pytest.mark.parametrize(
    ("lengths", "taken", "wins"), [((9, 7, 5), (1, 2), 100), ((6, 6), (1, 2), 0), ((9, 4), (2,), 100)]
)
def test_rows_of_pins_are_sums_of_impartial_games(lengths: tuple[int, ...], taken: tuple[int, ...], wins: int) -> None:
    """That the game ends only when nothing can be moved shows in no single concept of all positions with moves."""
    game = compiled(pin_rows(lengths, taken))
    solver = PartSolver(decompose_game(game), game.initial_state())

    assert solver.method == "nimbers, normal play"
    assert solver.solve(game.initial_state()).bounds[0] == (wins, wins)


def test_wild_rows_in_misere_play_are_searched_over_few_classes() -> None:
    """Which pins stand matters only for what can be done, so rows that fall into the same pieces are one class."""
    game = compiled(pin_rows((8, 7), last_wins=False))
    found = solve_by_parts(game.initial_state(), 1_000.0)
    plain = Solver(game.initial_state(), 1_000.0).solve()  # with too little time it would find one of the best moves

    assert "wild" in found.note
    assert found.nodes < plain.nodes / 10
    assert (found.bounds, found.exact, plain.exact) == (plain.bounds, True, True)
    assert {role: set(moves) for role, moves in found.best.items()} == {
        role: set(moves) for role, moves in plain.best.items()
    }


def test_in_a_lost_sum_the_move_with_the_fewest_good_replies_is_the_hardest() -> None:
    game = shelf("nim:2,2,10,10")
    solver = PartSolver(decompose_game(game), game.initial_state())

    moves = solver.hardest_moves(game.initial_state(), Random(1))

    assert moves
    for move in moves:
        after = game.initial_state().play({"first": move, "second": "noop"})
        assert len(solver.solve(after).best[1]) == 1
        assert len(after.legal_moves("second")) == 21
