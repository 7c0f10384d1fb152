from __future__ import annotations

import pytest

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


@pytest.mark.parametrize("weight", ["-1", "0.5", "often", "(f 1)"])
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
