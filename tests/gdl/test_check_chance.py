from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.gdl.check import check_rules
from ludens.gdl.read import read_rules
from tests.gdl.sheets import SOUND, codes, errors, marked

DICE = (
    SOUND
    + """
(random dice 1 1)
(random dice 2 2)
(<= (legal ?p (add dice)) (true (control ?p)))
"""
)
"""The sound game, in which one can also add by a throw of the dice."""


def test_random_variable_in_a_legal_move_is_fine() -> None:
    assert codes(DICE) == set()


def test_weights_that_depend_on_the_state_are_fine() -> None:
    text = (
        SOUND
        + """
        (<= (random (card ?p) 0 ?n) (true (step ?n)) (role ?p))
        (<= (random (card ?p) ?w ?n) (succ ?w ?n) (not (true (step ?n))) (role ?p))
        (<= (legal ?p (add (card ?p))) (true (control ?p)))
    """
    )
    assert codes(text) == set()


def test_random_with_other_than_three_arguments_is_an_error_among_chance() -> None:
    assert marked(DICE + "(random dice 3)", "GDL501") == ["(random dice 3)"]


def test_relation_random_without_chance_is_a_warning() -> None:
    text = SOUND + "(random 3) (<= terminal (random 4))"
    assert marked(text, "GDL502") == ["(random 3)", "(random 4)"]
    assert errors(text) == set()


def test_variable_cannot_name_a_random_variable() -> None:
    assert marked(SOUND + "(<= (random ?die 1 1) (role ?die))", "GDL503") == ["?die"]


@pytest.mark.parametrize("weight", ["-1", "0.5", "often", "(f 1)", "9223372036854775807"])
def test_weight_that_is_no_integer_is_an_error(weight: str) -> None:
    assert "GDL504" in errors(DICE + f"(random dice {weight} 3)")


@pytest.mark.parametrize(
    "rule",
    [
        "(init (thrown dice))",
        "(<= (next (thrown dice)) (true (step 1)))",
        "(<= terminal (true (thrown dice)))",
        "(<= (next (step ?n)) (does ?p (add dice)) (succ 1 ?n))",
        "(<= (legal dice wait) (true (step 1)))",
        "(<= terminal (true (step ?x)) (distinct ?x dice))",
        "(input white (add dice))",
        "(random coin 1 dice)",
        "(<= terminal (random dice ?w ?e))",
    ],
)
def test_random_variable_elsewhere_is_an_error_where_it_stands(rule: str) -> None:
    assert marked(DICE + rule, "GDL505") == ["dice"]


def test_random_variable_with_arguments_elsewhere_is_an_error() -> None:
    text = (
        SOUND
        + """
        (<= (random (card ?p) 1 1) (role ?p))
        (<= (legal ?p (add (card ?p))) (true (control ?p)))
        (<= terminal (true (card white)))
    """
    )
    assert marked(text, "GDL505") == ["card"]


def test_event_with_two_weights_is_an_error() -> None:
    assert marked(DICE + "(random dice 5 2)", "GDL506") == ["(random dice 5 2)"]
    assert codes(DICE + "(random dice 2 2)") == set()


def test_random_variable_whose_events_all_have_no_weight_is_an_error() -> None:
    text = SOUND + "(random dice 0 1) (random dice 0 2) (<= (legal ?p (add dice)) (true (control ?p)))"
    assert marked(text, "GDL507") == ["(random dice 0 1)"]
    assert codes(text + "(random dice 1 3)") == set()


def test_weight_zero_in_one_state_is_fine_if_another_rule_gives_more() -> None:
    text = (
        SOUND
        + """
        (<= (random (card ?p) 1 1) (role ?p))
        (random (card white) 0 2)
        (<= (legal ?p (add (card ?p))) (true (control ?p)))
    """
    )
    assert codes(text) == set()


def test_weights_cannot_depend_on_moves() -> None:
    text = DICE + "(<= (random dice 1 3) again) (<= again (does white (add 2)))"
    assert marked(text, "GDL508") == ["again"]
    assert "GDL508" not in codes(DICE + "(<= (random dice 1 3) (true (step 2)))")


def test_random_variable_in_no_legal_move_is_a_warning() -> None:
    assert marked(SOUND + "(random dice 1 1) (random dice 1 2)", "GDL509") == ["(random dice 1 1)"]


def test_move_that_is_wholly_random_can_become_any_move() -> None:
    text = (
        SOUND
        + """
        (random draw 1 (take 1)) (<= (legal ?p draw) (true (control ?p)))
        (<= (next (step ?n)) (does ?p (take ?n)))
    """
    )
    assert codes(text) == set()


def test_what_a_role_sees_cannot_be_a_condition() -> None:
    text = SOUND + "(<= (sees white it) (true (step 1))) (<= terminal (sees white it))"
    assert marked(text, "GDL520") == ["(sees white it)"]


def test_game_with_the_role_random_is_fine() -> None:
    text = (
        SOUND
        + """
        (role random) (face 1) (face 2)
        (<= (legal random (roll ?n)) (face ?n))
        (<= (sees ?p (does random ?m)) (does random ?m) (role ?p) (distinct ?p random))
    """
    )
    assert codes(text.replace("(<= (goal ?p 0) (role ?p)", "(<= (goal ?p 0) (other ?p ?q)")) == set()


def test_a_name_that_is_almost_a_random_variable_suggests_it() -> None:
    text = DICE + "(<= (legal ?p (add dise)) (true (control ?p)))"

    assert marked(text, "GDL510") == ["dise"]
    (found,) = [problem for problem in check_rules(read_rules(text)) if problem.code == "GDL510"]
    assert found.hint == "did you mean dice?"


def test_names_that_rules_use_elsewhere_are_meant_as_they_are() -> None:
    text = DICE + "(<= (legal ?p (add dies)) (true (control ?p))) (<= (next (step 1)) (does ?p (add dies)))"

    assert "GDL510" not in codes(text)


@pytest.mark.parametrize("backend", ["reference", "interpreter", "circuit"])
def test_a_variable_without_events_is_reported_with_its_place(backend: str, tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    path.write_text(
        "(role a) (init (at 0))\n"
        "(<= (random die 1 six) (true (at 5)))\n"
        "(<= (legal a (roll die)) (true (at 0)))\n"
        "(<= (next (at ?e)) (does a (roll ?e)))\n"
        "(<= terminal (not (true (at 0))))\n"
        "(<= (goal a 100) terminal)\n"
    )
    state = ludens.load(path, backend=backend).initial_state()

    with pytest.raises(ludens.GameError, match=r"game.kif:3:1: a can do \(roll die\), but no event"):
        state.sample({"a": "(roll die)"}, Random(1))
