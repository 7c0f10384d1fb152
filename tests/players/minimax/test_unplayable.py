"""Rules that leave a role without a move in a state that is not terminal: nothing is exact then."""

from __future__ import annotations

import pytest

from ludens.compiler.backends import make_game
from ludens.gdl.read import read_rules
from ludens.players.minimax import solve
from ludens.players.minimax.solve import Solver

RACE = """
(role a) (role b) (init (control a)) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r (add 1)) (true (control ?r)) (true (n ?x)) (succ ?x ?y))
(<= (legal ?r (add 2)) (true (control ?r)) (true (n ?x)) (succ ?x ?y) (succ ?y ?z))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (n ?y)) (does ?r (add 1)) (true (n ?x)) (succ ?x ?y))
(<= (next (n ?z)) (does ?r (add 2)) (true (n ?x)) (succ ?x ?y) (succ ?y ?z))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= (goal a 100) (true (control b))) (<= (goal a 0) (true (control a)))
(<= (goal b 100) (true (control a))) (<= (goal b 0) (true (control b)))
"""
FORGOTTEN = f"{RACE} (<= terminal (true (n 3)) (true (control b)))"
"""Over only if a was the last to add."""
COMPLETE = f"{RACE} (<= terminal (true (n 3)))"
LADDER = """
(role r) (init (at 0)) (succ 0 1) (succ 1 2) (<= (legal r up) (true (at ?x)) (succ ?x ?y))
(<= (legal r jump) (true (at 0)))
(<= (next (at ?y)) (does r up) (true (at ?x)) (succ ?x ?y)) (<= (next (at top)) (does r jump))
(<= terminal (true (at top))) (<= (goal r 100) (true (at 2))) (<= (goal r 40) (not (true (at 2))))
"""
"""The highest goal is in a state from which nothing leads on."""


@pytest.mark.parametrize("backend", ["circuit", "reference"])
def test_nothing_is_exact_and_it_is_told_who_cannot_move_where(backend: str) -> None:
    found = Solver(make_game(read_rules(FORGOTTEN), "race", backend).initial_state(), 60).solve()

    assert not found.exact
    assert found.values == {"a": None, "b": None}
    assert found.unplayable == "a cannot move after (add 1) noop, noop (add 2), and the state is not terminal"


def test_rules_that_can_be_played_to_the_end_are_exact() -> None:
    found = Solver(make_game(read_rules(COMPLETE), "race").initial_state(), 60).solve()

    assert found.exact
    assert found.as_json()["unplayable"] is None


@pytest.mark.parametrize("backend", ["circuit", "reference"])
def test_a_position_without_moves_has_no_value(backend: str) -> None:
    first = make_game(read_rules(FORGOTTEN), "race", backend).initial_state()
    state = first.play({"a": "(add 1)", "b": "noop"}).play({"a": "noop", "b": "(add 2)"})

    found = Solver(state, 60).solve()

    assert not found.exact
    assert found.bounds == {"a": (0.0, 100.0), "b": (0.0, 100.0)}
    assert found.unplayable.startswith("a cannot move here")


@pytest.mark.parametrize("backend", ["circuit", "reference"])
def test_the_highest_goal_where_nothing_ends_is_no_proof(backend: str) -> None:
    found = Solver(make_game(read_rules(LADDER), "ladder", backend).initial_state(), 60).solve()

    assert not found.exact
    assert found.unplayable == "r cannot move after up, up, and the state is not terminal"


def test_alpha_beta_says_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "ENUMERATION_SHARE", 0.0)

    found = Solver(make_game(read_rules(FORGOTTEN), "race").initial_state(), 60).solve()

    assert not found.exact
    assert "a role cannot move in a nonterminal state somewhere" in found.unplayable
