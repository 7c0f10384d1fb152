from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from ludens.core import Move, State, View, Worlds
from ludens.players.information.rollout_search import RolloutSearch
from ludens.tabletop import RuleError, Table
from tests.tabletop.test_hidden import dealt, view_of
from tests.tabletop.test_weighing import ORDER, Boast


class Lottery(Worlds):
    """Every move has a mean, and luck that all share."""

    def __init__(self, means: dict[Move, float]) -> None:
        self.means = means
        self.asked: list[list[Move]] = []
        self._rng = Random(1)

    def observe(self, view: View) -> None:
        """Nothing is hidden."""

    def draw(self) -> State:
        raise NotImplementedError

    def rollouts(self, moves: Sequence[Move]) -> Sequence[Sequence[float]]:
        self.asked.append(list(moves))
        return [[self.means[move] + self._rng.uniform(-20, 20) for _ in range(100)] for move in moves]


class Bets(Boast):
    """Rollouts that only depend on the move."""

    rows: Sequence[Sequence[float]] = ((70.0, 80.0), (20.0, 40.0))

    def rollouts(self, table: Table, moves: Sequence[str], rng: Random) -> Sequence[Sequence[float]]:
        assert table.current_player == "Bert"
        return self.rows


def boasting(rule: type[Bets]) -> View:
    return view_of(dealt(rule(), ORDER).play({"Anna": "bad"}), "Bert")


def test_moves_that_are_clearly_worse_get_no_more_rollouts() -> None:
    worlds = Lottery({"good": 60.0, "bad": 20.0})
    search = RolloutSearch(worlds)
    search.set_root(boasting(Bets))

    search.run(60.0, 450)

    assert worlds.asked == [["good", "bad"], ["good"], ["good"], ["good"]]
    assert search.iterations == 500
    tries, mean = search.root_statistics["good"]
    assert tries == 400
    assert abs(mean - 60) < 3
    assert search.lower_bounds["good"] < mean
    assert search.root_statistics["bad"][0] == 100


def test_a_rule_with_rollouts_values_all_moves_of_the_player_at_once() -> None:
    view = boasting(Bets)
    worlds = view.game.worlds("Bert", Random(1))
    worlds.observe(view)
    search = RolloutSearch(worlds)
    search.set_root(view)

    search.run(0.0, 1)

    assert search.root_statistics == {"good": (2, 75.0), "bad": (2, 30.0)}


@pytest.mark.parametrize("rows", [[[1.0, 2.0]], [[1.0], [2.0, 3.0]], [[], []], [[1.0], [101.0]]])
def test_rollouts_that_do_not_fit_the_moves_are_an_error(rows: Sequence[Sequence[float]]) -> None:
    class Wrong(Bets):
        pass

    Wrong.rows = rows
    view = boasting(Wrong)
    worlds = view.game.worlds("Bert", Random(1))
    worlds.observe(view)

    with pytest.raises(RuleError, match="rollouts"):
        worlds.rollouts(view.legal_moves)
