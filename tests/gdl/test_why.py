"""Proofs of facts, and the conditions for which there is none."""

from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import GameError, random_joint_move
from ludens.gdl.game import GdlState
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.why import Reason, explain
from tests.cli.conftest import Run, run

__all__ = ["run"]
SHEET = """(role me)
(init (at a))
(road a b)
(road b c)
(road c a)
(<= (way ?x ?y) (road ?x ?y))
(<= (way ?x ?z) (way ?x ?y) (road ?y ?z))
(<= (legal me (go ?y)) (true (at ?x)) (road ?x ?y) (not (closed ?y)))
(<= (legal me stay) (or (true tired) (true (at a))))
(closed b)
(<= (next (at ?y)) (does me (go ?y)))
(<= terminal (true (at c)) (distinct c a))
(goal me 50)
"""


def state() -> GdlState:
    return ReferenceGame(read_rules(SHEET, name="sheet")).initial_state()


def reason(fact: str) -> Reason:
    here = state()
    return explain(here, here.game.read(fact))


def test_a_recursive_proof_does_not_use_itself() -> None:
    found = reason("(way a a)")
    assert found.holds
    assert found.line == 7
    assert [line.strip() for line in found.lines()].count("yes (way a a) (rule in line 7)") == 1


def test_the_first_condition_that_fails_is_named_with_what_held_before_it() -> None:
    found = reason("(legal me (go b))")
    assert not found.holds
    (rule,) = found.because
    assert rule.line == 8
    assert [(one.text, one.holds) for one in rule.because] == [
        ("(true (at a))", True),
        ("(road a b)", True),
        ("(not (closed b))", False),
    ]
    assert rule.because[-1].because[0].text == "(closed b)"


def test_a_fluent_can_be_named_alone_and_alternatives_are_proved_by_one() -> None:
    assert reason("(at a)").note == "in this position"
    assert not reason("(at c)").holds
    assert [one.text for one in reason("(legal me stay)").because] == ["(true (at a))"]


def test_what_cannot_be_explained_is_refused() -> None:
    for fact in ("(way ?x a)", "(nowhere 1)", "(next (at b))"):
        with pytest.raises(GameError):
            reason(fact)


@pytest.mark.parametrize("name", ["tic_tac_toe", "nine_mens_morris"])
def test_explanations_agree_with_the_rules(name: str) -> None:
    game = ludens.load(name, backend="interpreter")
    here, rng = game.initial_state(), Random(3)
    everything = {(role, move) for role in game.roles for move in here.legal_moves(role)}
    for _ in range(3):
        here = here.sample(random_joint_move(here, rng), rng)
    assert isinstance(here, GdlState)
    for role, move in rng.sample(sorted(everything), 6):
        found = explain(here, here.game.read(f"(legal {role} {move})"))
        assert found.holds == (move in here.legal_moves(role))


def test_the_command_prints_a_tree(run: Run) -> None:
    code, out, _ = run("why", "tic_tac_toe", "(legal xplayer (mark 1 1))")
    assert code == 0
    assert "yes (true (cell 1 1 b)): in this position" in out
    code, out, _ = run("why", "tic_tac_toe", "terminal", "--json")
    assert code == 1
    assert '"holds": false' in out
