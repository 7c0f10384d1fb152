from __future__ import annotations

import pytest

from tests.gdl.sheets import SOUND, codes, marked, problems


def test_sound_sheet_has_no_problems() -> None:
    assert problems(SOUND) == []


@pytest.mark.parametrize(
    "wrong",
    [
        "(role red blue)",
        "(init)",
        "(<= (goal white) terminal)",
        "(<= (legal white) terminal)",
        "(<= (terminal 1) a)",
    ],
)
def test_keyword_with_wrong_number_of_arguments_is_an_error(wrong: str) -> None:
    assert "GDL101" in codes(SOUND + wrong)


def test_keyword_with_wrong_number_of_arguments_in_a_body_is_marked() -> None:
    assert marked(SOUND + "(<= terminal (true step 2))", "GDL101") == ["(true step 2)"]


def test_message_about_keywords_says_how_many_arguments_there_should_be() -> None:
    (problem,) = (problem for problem in problems(SOUND + "(<= terminal (does wait))") if problem.code == "GDL101")
    assert problem.message == "'does' takes 2 arguments, but has 1 here"
    assert problem.hint == "write (does role move)"


def test_relation_with_two_arities_is_reported_once_where_it_differs() -> None:
    text = SOUND + "(succ 2)\n(succ 3)\n"
    assert marked(text, "GDL102") == ["succ"]
    assert "GDL103" not in codes(text)


def test_function_with_two_arities_is_reported() -> None:
    text = SOUND + "(init (step 0 0))"
    assert marked(text, "GDL103") == ["step"]
    assert "GDL102" not in codes(text)


def test_constant_and_function_of_the_same_name_are_fine() -> None:
    assert codes(SOUND + "(init step)") == set()


def test_name_of_relation_and_function_is_reported_at_the_function() -> None:
    text = SOUND + "(<= terminal (step 2))"
    assert marked(text, "GDL104") == ["step"]


@pytest.mark.parametrize("keyword", ["role", "true", "does", "goal", "legal", "next", "init", "base"])
def test_keyword_inside_a_term_is_an_error(keyword: str) -> None:
    assert marked(SOUND + f"(init (step ({keyword} white)))", "GDL105") == [keyword]


def test_roles_may_see_what_others_do() -> None:
    assert codes(SOUND + "(<= (sees ?p (does ?q ?m)) (does ?q ?m) (other ?p ?q))") == set()


def test_keyword_deeper_in_a_percept_is_an_error() -> None:
    assert "GDL105" in codes(SOUND + "(<= (sees ?p (move (does ?q ?m))) (does ?q ?m) (other ?p ?q))")


def test_keyword_as_an_object_is_reported_once() -> None:
    assert marked(SOUND + "(init (step goal)) (init (step goal))", "GDL106") == ["goal"]


def test_variable_in_two_spellings_is_reported() -> None:
    text = SOUND + "(<= terminal (true (step ?N)) (succ 1 ?n) ; not ?n but ?N\n (succ ?n 3))"
    assert marked(text, "GDL107") == ["?n"]


def test_variable_spelled_differently_in_two_rules_is_fine() -> None:
    text = SOUND + "(<= terminal (true (step ?N)) (succ ?N 5))\n(<= terminal (true (step ?n)) (succ ?n 5))"
    assert codes(text) == set()


def test_infix_variable_in_two_spellings_is_reported() -> None:
    text = "role(white). legal(P,wait) :- role(P), other('Ab',AB,ab), other(Ab,P,P)."
    assert marked(text, "GDL107") == ["Ab"]


def test_who_is_no_role_cannot_move() -> None:
    assert marked(SOUND + "(<= (legal whit wait) (true (control black)))", "GDL108") == ["whit"]
    assert "GDL108" not in codes(SOUND + "(<= (legal white wait) (true (control black)))")
