from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.core import GameError, LudensError
from ludens.gdl.source import GdlError, Level, Problem, Source, Span
from tests.thorough import examples


def problem(start: int, end: int, hint: str = "") -> Problem:
    return Problem("GDL999", Level.ERROR, "this is wrong", Span(start, end), hint)


def test_lines_and_columns_count_from_one() -> None:
    source = Source("ab\ncd\n\ne")
    assert [source.locate(offset) for offset in range(9)] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 1),
        (2, 2),
        (2, 3),
        (3, 1),
        (4, 1),
        (4, 2),
    ]


def test_empty_text_has_one_empty_line() -> None:
    source = Source("")
    assert source.locate(0) == (1, 1)
    assert source.line(1) == ""


def test_lines_come_without_their_ends() -> None:
    source = Source("one\r\ntwo\n\r\nfour")
    assert [source.line(number) for number in range(1, 5)] == ["one", "two", "", "four"]


@examples(200, derandomize=True)
@given(st.text(alphabet="ab\n\r\t", max_size=40))
def test_every_offset_is_found_in_its_line(text: str) -> None:
    source = Source(text)
    for offset in range(len(text)):
        line, column = source.locate(offset)
        assert 1 <= line <= text.count("\n") + 1
        assert text.split("\n")[line - 1][column - 1 : column] == text[offset].replace("\n", "")
    positions = [source.locate(offset) for offset in range(len(text) + 1)]
    assert all(before < after for before, after in pairwise(positions))


def test_problem_shows_position_message_underline_and_hint() -> None:
    text = "(role white)\n(role\tblack))\n"
    shown = problem(14, 18, hint="try again").render(Source(text, "game.kif"))
    assert shown == (
        "game.kif:2:2: error GDL999: this is wrong\n    2 | (role black))\n      |  ^^^^\n  hint: try again"
    )


def test_problem_without_a_place_names_only_the_sheet() -> None:
    shown = Problem("GDL999", Level.WARNING, "no goals").render(Source("(role r)", "game.kif"))
    assert shown == "game.kif: warning GDL999: no goals"


def test_underline_stops_at_the_end_of_the_first_line() -> None:
    shown = problem(3, 14).render(Source("ab (or\n  c\n  d)", "g"))
    assert shown.splitlines()[1:] == ["    1 | ab (or", "      |    ^^^"]


def test_underline_behind_the_last_character_is_one_mark() -> None:
    shown = problem(2, 3).render(Source("ab\n", "g"))
    assert shown.splitlines()[1:] == ["    1 | ab", "      |   ^"]


def test_empty_span_is_still_marked() -> None:
    assert problem(1, 1).render(Source("abc", "g")).splitlines()[2] == "      |  ^"


def test_crlf_text_has_no_carriage_return_in_its_messages() -> None:
    shown = problem(6, 7).render(Source("(a)\r\n(b))\r\n(c)\r\n", "g"))
    assert "\r" not in shown
    assert shown.splitlines()[0].startswith("g:2:2:")


@pytest.mark.parametrize("line", [1, 7, 12345, 1234567])
def test_underline_stays_below_the_text_whatever_the_line_number(line: int) -> None:
    text = "\n" * (line - 1) + "abc WRONG def"
    shown = problem(line + 3, line + 8).render(Source(text, "g")).splitlines()
    column = shown[1].index("WRONG")
    assert shown[2][column : column + 5] == "^" * 5
    assert shown[2].count("^") == 5


@examples(300, derandomize=True)
@given(st.integers(0, 5000), st.integers(1, 300), st.integers(0, 5000))
def test_long_lines_are_cut_around_the_underlined_part(before: int, wrong: int, after: int) -> None:
    text = "a" * before + "W" * wrong + "b" * after
    _, excerpt, marks = problem(before, before + wrong).render(Source(text, "g")).splitlines()
    assert len(excerpt) <= 120
    assert len(marks) <= len(excerpt)
    first = marks.index("^")
    assert excerpt[first] == "W"
    assert "W" not in excerpt[:first]
    assert set(excerpt[first : len(marks)]) == {"W"}
    assert "W" not in excerpt[len(marks) :]


def test_tabs_do_not_shift_the_underline() -> None:
    _, excerpt, marks = problem(2, 5).render(Source("\t\tabc\td", "g")).splitlines()
    assert excerpt.index("abc") == marks.index("^^^")


def test_control_characters_of_a_hostile_sheet_do_not_reach_the_terminal() -> None:
    shown = problem(5, 8).render(Source("\x1b[2J\x00 abc \x07\x1b]0;title\x07", "g"))
    assert all(character.isprintable() for character in shown.replace("\n", ""))


def test_underline_fits_escaped_characters() -> None:
    _, excerpt, marks = problem(1, 4).render(Source("\x00a\x00b c", "g")).splitlines()
    assert excerpt == r"    1 | \x00a\x00b c"
    assert marks == "      |     ^^^^^^"


def test_problem_as_json_has_line_and_column() -> None:
    assert problem(3, 4, "h").as_json(Source("a\nbcd")) == {
        "code": "GDL999",
        "level": "error",
        "line": 2,
        "column": 2,
        "message": "this is wrong",
        "hint": "h",
    }


def test_problem_as_json_has_null_where_there_is_no_place() -> None:
    found = Problem("GDL999", Level.WARNING, "m").as_json(Source("a"))
    assert (found["line"], found["column"], found["level"]) == (None, None, "warning")


def test_error_keeps_its_problems_and_shows_them_all() -> None:
    source = Source("ab", "g")
    error = GdlError([problem(0, 1), problem(1, 2)], source)
    assert isinstance(error, GameError)
    assert isinstance(error, LudensError)
    assert [found.span for found in error.problems] == [Span(0, 1), Span(1, 2)]
    assert [line for line in str(error).splitlines() if line.startswith("g:")] == [
        "g:1:1: error GDL999: this is wrong",
        "g:1:2: error GDL999: this is wrong",
    ]
