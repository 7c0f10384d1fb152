from __future__ import annotations

from functools import partial

import pytest

from ludens.players.minimax.choice import value_for_one
from ludens.players.minimax.evaluation import Mobility
from ludens.players.minimax.full_width import FullWidth
from ludens.players.minimax.root import Root
from ludens.players.minimax.space import Expansion, Values
from ludens.players.minimax.spaces import space_of
from ludens.players.minimax.tree import Tree
from tests.players.minimax.games import RandomTree, expected_value


def searched(game: RandomTree, *, star: bool, depth: int, cut: bool = True) -> tuple[float, int]:
    """The value for the first role, and how many children were computed."""
    space = space_of(game)

    def leaf(found: Expansion) -> Values:
        own: Values = Mobility().of_children(found)[:, 0].copy()
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


def test_star_looks_at_fewer_positions() -> None:
    games = [RandomTree(seed, depth=5, moves=4) for seed in range(4)]

    star = sum(searched(game, star=True, depth=10)[1] for game in games)
    expectimax = sum(searched(game, star=False, depth=10)[1] for game in games)

    assert 2 * star < expectimax
