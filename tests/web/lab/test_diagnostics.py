"""Diagnostics: the validator's findings at places that a browser can underline."""

from __future__ import annotations

from ludens.web.lab.diagnostics import diagnose, is_playable, outline
from tests.web.sheets import COUNTDOWN


def test_a_good_sheet_has_no_problems_and_an_outline() -> None:
    sheet, problems = diagnose(COUNTDOWN)
    assert sheet is not None
    assert problems == []
    found = outline(sheet)
    assert (found["rules"], found["facts"], found["dialect"]) == (5, 4, "GDL-I")
    start, end = found["places"][4]
    assert COUNTDOWN[start:end] == "(<= (legal solo tick) (true (counter ?n)))"


def test_a_missing_parenthesis_is_underlined() -> None:
    text = COUNTDOWN.replace("(true (counter ?n)))\n", "(true (counter ?n))\n", 1)
    sheet, problems = diagnose(text)
    assert sheet is None
    assert not is_playable(problems)
    (problem,) = [one for one in problems if one["level"] == "error"]
    assert problem["line"] == 2
    assert text[problem["start"] : problem["end"]] == "("
    assert problem["hint"]


def test_an_unbound_variable_is_an_error_of_a_text_that_can_be_read() -> None:
    sheet, problems = diagnose(COUNTDOWN.replace("(succ ?n ?m)", "(succ ?n ?k)"))
    assert sheet is not None
    assert not is_playable(problems)


def test_places_count_characters_as_javascript_does() -> None:
    text = "; 🂡 is two units\n" + COUNTDOWN.replace("(succ ?n ?m)", "(succ ?n ?k)")
    _, problems = diagnose(text)
    first = next(one for one in problems if one["start"] is not None)
    units = text.encode("utf-16-le")
    underlined = units[2 * first["start"] : 2 * first["end"]].decode("utf-16-le")
    assert underlined
    assert underlined in text
    assert text.index(underlined) == first["start"] - 1
