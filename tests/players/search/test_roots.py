from __future__ import annotations

from random import Random

from ludens.players.search.roots import best_first, merge_roots, pick_move
from ludens.players.search.settings import RootMove


def test_visits_of_all_trees_count_together() -> None:
    one = [RootMove("a", 60, 50.0, 0, 100), RootMove("b", 40, 80.0, 0, 100)]
    other = [RootMove("a", 10, 20.0, 0, 100), RootMove("b", 90, 60.0, 0, 100)]

    best, second = merge_roots([one, other], same_state=True)

    assert (best.move, best.visits, round(best.mean, 3)) == ("b", 130, round((40 * 80 + 90 * 60) / 130, 3))
    assert (second.move, second.visits) == ("a", 70)


def test_what_one_tree_has_proven_holds_for_all_of_the_same_state() -> None:
    proven = [RootMove("a", 1, 100.0, 100, 100)]
    guess = [RootMove("a", 5, 10.0, 0, 100), RootMove("b", 900, 60.0, 0, 100)]

    assert merge_roots([proven, guess], same_state=True)[0] == RootMove("a", 6, 100.0, 100, 100)
    assert merge_roots([proven, guess], same_state=False)[0].move == "b"


def test_a_proven_loss_comes_last() -> None:
    moves = [RootMove("lost", 500, 0.0, 0, 0), RootMove("open", 3, 40.0, 0, 100)]

    assert [found.move for found in best_first(moves)] == ["open", "lost"]


def test_only_where_roles_choose_at_once_moves_are_mixed() -> None:
    sure = [RootMove("a", 50, 50.0, 0, 100), RootMove("b", 45, 50.0, 0, 100)]
    mixed = [
        RootMove("a", 50, 50.0, 0, 100, 0.69),
        RootMove("b", 45, 50.0, 0, 100, 0.3),
        RootMove("c", 90, 50.0, 0, 100, 0.01),
    ]

    assert {pick_move(sure, Random(seed)) for seed in range(50)} == {"a"}
    assert {pick_move(mixed, Random(seed)) for seed in range(50)} == {"a", "b"}
    assert [found.move for found in best_first(mixed)] == ["a", "b", "c"]


def test_probabilities_of_several_trees_are_averaged() -> None:
    trees = [[RootMove("a", 1, 50.0, 0, 100, 0.8)], [RootMove("a", 3, 50.0, 0, 100, 0.6)]]

    assert merge_roots(trees, same_state=True)[0].share == 0.7
