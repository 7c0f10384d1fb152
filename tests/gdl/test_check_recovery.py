"""One error of reading does not hide the others, and hints name what was meant."""

from __future__ import annotations

from ludens.gdl.check import check_rules
from ludens.gdl.check.recovery import all_problems
from ludens.gdl.read import read_rules
from ludens.gdl.source import GdlError, Problem

GOOD = """(role me)
(init (at a))
(road a b)
(<= (legal me (go ?y)) (true (at ?x)) (road ?x ?y))
(<= (next (at ?y)) (does me (go ?y)))
(<= terminal (true (at b)))
(goal me 100)
"""


def problems(text: str) -> list[Problem]:
    try:
        return check_rules(read_rules(text))
    except GdlError as error:
        return all_problems(error)


def codes(text: str) -> list[tuple[str, int]]:
    return [(one.code, text[: one.span.start].count("\n") + 1) for one in problems(text) if one.span is not None]


def test_a_missing_parenthesis_does_not_hide_other_errors() -> None:
    text = GOOD.replace("(road ?x ?y))", "(road ?x ?y)").replace("(go ?y)))\n(<= t", "(go ?z)))\n(<= t")
    assert ("GDL002", 4) in codes(text)
    assert ("GDL210", 5) in codes(text)


def test_rules_that_are_left_out_are_not_reported_as_missing() -> None:
    text = GOOD.replace("(road a b)", "(road a b")
    assert [code for code, _ in codes(text)] == ["GDL002"]


def test_two_missing_parentheses_are_both_found() -> None:
    text = GOOD.replace("(road a b)", "(road a b").replace("(goal me 100)", "(goal me 100")
    assert [line for code, line in codes(text) if code == "GDL002"] == [3, 7]


def test_names_one_letter_off_are_named_in_the_hint() -> None:
    assert "did you mean road?" in [one.hint for one in problems(GOOD.replace("(road ?x", "(raod ?x"))]
    assert "did you mean at?" in [one.hint for one in problems(GOOD.replace("(true (at b))", "(true (att b))"))]
    assert "did you mean (true (at b))?" in [one.hint for one in problems(GOOD.replace("(true (at b))", "(at b)"))]
