from __future__ import annotations

import pytest

from tests.gdl.sheets import SOUND, codes, errors, marked, problems


@pytest.mark.parametrize(
    ("rule", "variable"),
    [
        ("(<= (goal ?who 1) terminal)", "?who"),
        ("(<= (goal white 1) (not (other ?who white)))", "?who"),
        ("(<= (goal white 1) terminal (distinct ?who white))", "?who"),
        ("(<= (goal ?who 1) (distinct ?who white))", "?who"),
    ],
)
def test_variable_without_a_value_is_an_error_where_it_stands(rule: str, variable: str) -> None:
    assert marked(SOUND + rule, "GDL210") == [variable]


def test_variable_bound_by_a_positive_condition_is_fine() -> None:
    text = SOUND + "(<= (goal ?p 1) (distinct ?p ?q) (not (other ?p ?q)) (role ?p) (role ?q))"
    assert codes(text) == set()


def test_variable_bound_in_one_alternative_only_is_an_error() -> None:
    text = SOUND + "(<= (goal ?p 1) (or (role ?p) terminal))"
    assert marked(text, "GDL210") == ["?p"]
    assert "in one of the alternatives" in problems(text)[0].message


def test_variable_bound_in_every_alternative_is_fine() -> None:
    assert errors(SOUND + "(<= (goal ?p 1) (or (role ?p) (other ?p white)))") == set()


def test_negation_in_one_alternative_needs_the_variable_there() -> None:
    assert "GDL210" in errors(SOUND + "(<= terminal (or (role ?p) (not (other ?p white))))")
    assert errors(SOUND + "(<= terminal (role ?p) (or (true (step 1)) (not (other ?p white))))") == set()


def test_equality_binds_a_variable() -> None:
    assert errors(SOUND + "(<= (goal ?p 1) (role ?q) (not (distinct ?p ?q)))") == set()
    assert "GDL210" in errors(SOUND + "(<= (goal ?p 1) terminal (not (distinct ?p ?q)))")


def test_each_variable_is_reported_once_for_each_rule() -> None:
    text = SOUND + "(<= (goal ?a ?b) (not (other ?a ?a)) (distinct ?a ?b) (or terminal (true (step 1))))"
    assert marked(text, "GDL210") == ["?a", "?b"]


def test_variable_of_infix_text_is_marked() -> None:
    text = "role(white). goal(Who,100) :- not role(Who), terminal."
    assert marked(text, "GDL210") == ["Who"]
