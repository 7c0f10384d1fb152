"""Probabilities: exact where positions can be enumerated, else estimates that hold them."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

import ludens
from ludens.analysis.probability import TooManyPositions, estimated_probability, exact_probability
from ludens.compiler.backends import BACKENDS
from ludens.compiler.cxx import build
from ludens.core import GameError
from ludens.gdl.read import read_rules
from tests.compiler.cxx.agreement import QUICK_FLAGS
from tests.peers import with_peers

FIGURE_6 = """
(role system) (init start)
(random rule1 10 holds) (random rule1 90 fails)
(random rule2 75 holds) (random rule2 25 fails)
(<= (legal system (conclude rule1 rule2)) (true start))
(<= (next (rule1 ?a)) (does system (conclude ?a ?b)))
(<= (next (rule2 ?b)) (does system (conclude ?a ?b)))
(<= conclusion (true (rule1 holds)))
(<= conclusion (true (rule2 holds)))
(<= terminal (not (true start)))
(<= (goal system 100) conclusion)
(<= (goal system 0) (not conclusion))
"""
"""Kulick, Block and Rojas (2009), figure 6: two independent rules."""

SUMS = """
(role p) (init start)
(side 1) (side 2) (side 3) (side 4) (side 5) (side 6)
(<= (random one 1 ?s) (side ?s)) (<= (random two 1 ?s) (side ?s))
(<= (legal p (roll one two)) (true start))
(<= (next (pips ?a ?b)) (does p (roll ?a ?b)))
(<= terminal (not (true start)))
(goal p 0)
"""


@pytest.mark.parametrize("backend", with_peers(BACKENDS))
def test_figure_6_of_the_paper(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "FLAGS", QUICK_FLAGS)
    state = BACKENDS[backend](read_rules(FIGURE_6), "figure6").initial_state()
    found = exact_probability(state, lambda last: last.goals["system"] == 100)
    assert found.exact
    assert found.value == pytest.approx(0.775, abs=1e-12)


def test_what_the_docs_say_of_certainty_factors() -> None:
    """The rule as the paper prints it, and as it is usually given."""

    def as_printed(x: float, y: float) -> float:
        return x + y / (1 - min(abs(x), abs(y)))

    def as_usual(x: float, y: float) -> float:
        return (x + y) / (1 - min(abs(x), abs(y)))

    def probability(factor: float) -> float:
        return (factor + 1) / 2

    assert probability(as_printed(50, -80) / 100) == pytest.approx(0.76, abs=0.005)
    assert probability(as_printed(-80, 50) / 100) == pytest.approx(0.09, abs=0.005)
    assert as_usual(0.5, -0.8) == as_usual(-0.8, 0.5) == pytest.approx(-0.6)
    assert probability(as_usual(0.5, -0.8)) == pytest.approx(0.2)
    docs = (Path(__file__).parents[2] / "docs" / "chance.md").read_text(encoding="utf-8")
    assert all(figure in docs for figure in ("0.775", "0.76", "0.09", "0.2"))


def test_sums_of_two_dice_have_the_triangular_distribution() -> None:
    state = BACKENDS["circuit"](read_rules(SUMS), "sums").initial_state()
    expected = Counter(a + b for a, b in product(range(1, 7), repeat=2))
    for total, count in expected.items():

        def adds_up(last: ludens.State, total: int = total) -> bool:
            numbers = re.findall(r"\d+", str(last))
            return sum(map(int, numbers)) == total

        assert exact_probability(state, adds_up).value == pytest.approx(count / 36)


def test_games_that_go_in_circles_converge() -> None:
    state = ludens.load("pig:6", backend="reference").initial_state()
    found = exact_probability(state, lambda last: last.goals["first"] == 100, best=True)
    assert found.value == pytest.approx(24 / 31)


def test_estimates_hold_the_exact_value() -> None:
    game = ludens.load("pig:6", wait=True)
    state = game.initial_state()

    def wins(last: ludens.State) -> bool:
        return last.goals["first"] == 100

    exact = exact_probability(state, wins).value
    for goal in (("first", 100), None):
        found = estimated_probability(state, wins, 0.5, seed=1, goal=goal)
        spread = found.high - found.low
        assert not found.exact
        assert found.low - spread < exact < found.high + spread


def test_too_many_positions_are_a_signal_and_best_moves_need_a_turn_order() -> None:
    with pytest.raises(TooManyPositions):
        exact_probability(ludens.load("backgammon", wait=True).initial_state(), lambda last: True, seconds=0.01)
    state = ludens.load("rock_paper_scissors", backend="reference").initial_state()
    with pytest.raises(GameError, match="several roles choose at once"):
        exact_probability(state, lambda last: True, best=True)
