from __future__ import annotations

from functools import partial

import pytest

from ludens.compiler.batch.game import CircuitGame
from ludens.core import Game
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.players.evaluation.evaluators import Mobility
from ludens.players.minimax.choice import value_for_one
from ludens.players.minimax.full_width import FullWidth
from ludens.players.minimax.root import Root
from ludens.players.minimax.solve import Solver
from ludens.players.minimax.tree import Tree
from ludens.players.space.choose import space_of
from ludens.players.space.space import Expansion, Values
from tests.players.minimax.games import RandomTree, expected_value

SUMS = "\n".join(f"(plus {a} {b} {a + b})" for a in range(20) for b in range(3))
RACE = f"""
(role a) (role b) (init (turn 1)) (init (sum 0)) {SUMS}
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(odd 1) (odd 3) (odd 5) (even 2) (even 4)
(random die 1 0) (random die 3 1) (random die 2 2) (random coin 1 0) (random coin 1 2)
(<= (moves a) (true (turn ?n)) (odd ?n))
(<= (moves b) (true (turn ?n)) (even ?n))
(<= (legal ?r (add ?x)) (moves ?r) (option ?x))
(<= (legal ?r (add die)) (moves ?r))
(<= (legal ?r (add_both die coin)) (moves ?r))
(<= (legal ?r wait) (role ?r) (not (moves ?r)))
(option 1) (option 2)
(<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))
(<= (next (sum ?z)) (does ?r (add ?x)) (true (sum ?s)) (plus ?s ?x ?z))
(<= (next (sum ?z)) (does ?r (add_both ?x ?y)) (true (sum ?s)) (plus ?s ?x ?u) (plus ?u ?y ?z))
(<= terminal (true (turn 6)))
(<= terminal (true (sum 7)))
(<= (goal a 100) (true (sum 7)))
(<= (goal a 40) (not (true (sum 7))))
(<= (goal b 0) (true (sum 7)))
(<= (goal b 60) (not (true (sum 7))))
"""
"""Who adds what chance has: a wants to meet 7, b does not."""


def searched(
    game: Game, *, star: bool, depth: int, cut: bool = True, leaves_at_once: int | None = None
) -> tuple[float, int]:
    """The value for the first role, and how many children were computed."""
    space = space_of(game)
    if leaves_at_once is not None:
        space.leaves_at_once = leaves_at_once

    def leaf(found: Expansion) -> Values:
        own: Values = Mobility().child_values(found)[:, 0].copy()
        return own

    full = FullWidth(space, leaf, partial(value_for_one, role=0))
    root = Root(Tree(full, 0, cut=cut, star=star), space, 0, space.key(game.initial_state()), wide=False)
    while root.depth < depth and not root.done:
        root.deepen()
    return root.moves[0].value, full.nodes


@pytest.mark.parametrize("seed", range(30))
def test_star_and_expectimax_find_the_value_of_random_trees_with_chance(seed: int) -> None:
    game = RandomTree(seed, depth=4)
    exact = expected_value(game.initial_state())

    assert searched(game, star=True, depth=10)[0] == pytest.approx(exact)
    assert searched(game, star=False, depth=10)[0] == pytest.approx(exact)
    assert searched(game, star=False, depth=10, cut=False)[0] == pytest.approx(exact)


@pytest.mark.parametrize("seed", range(8))
def test_star_agrees_with_expectimax_where_the_search_stops_early(seed: int) -> None:
    game = RandomTree(seed, depth=9)

    assert searched(game, star=True, depth=3)[0] == pytest.approx(searched(game, star=False, depth=3)[0])


@pytest.mark.parametrize("leaves_at_once", [1, 8, 100, 4_000])
def test_batches_find_the_same_means_however_many_plies_they_look_at_once(leaves_at_once: int) -> None:
    exact = Solver(ReferenceGame(read_rules(RACE), "race").initial_state(), 60).solve()
    assert exact.exact
    game = CircuitGame(read_rules(RACE), "race")

    assert Solver(game.initial_state(), 60).solve().values == pytest.approx(exact.values)
    for star, cut in ((True, True), (False, True), (False, False)):
        found, _ = searched(game, star=star, cut=cut, depth=10, leaves_at_once=leaves_at_once)
        assert found == pytest.approx(exact.values["a"])


def test_star_looks_at_fewer_positions() -> None:
    games = [RandomTree(seed, depth=5, moves=4) for seed in range(4)]

    star = sum(searched(game, star=True, depth=10)[1] for game in games)
    expectimax = sum(searched(game, star=False, depth=10)[1] for game in games)

    assert 2 * star < expectimax
