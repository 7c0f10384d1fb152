"""Texts that are meant to do harm to whoever reads them: very long, very deep, or not made of characters."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ludens.gdl.read import Syntax, read_rules
from ludens.gdl.rules import Rule
from ludens.gdl.source import GdlError
from ludens.gdl.syntax.expressions import MAX_CHARACTERS
from tests.gdl.test_read import problems, warnings


def in_a_process_of_its_own(code: str) -> str:
    """What code prints; a reader that hangs fails the test instead of the test run."""
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        pytest.fail("the reader hangs")
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


@pytest.mark.parametrize(("unit", "syntax"), [("(", "kif"), (")", "kif"), ("()", "kif"), ("(", "infix")])
def test_a_hundred_kilobytes_of_parentheses_are_refused(unit: str, syntax: Syntax) -> None:
    assert 1 <= len(problems(unit * (100_000 // len(unit)), syntax)) <= 50


@pytest.mark.parametrize("size", [50_000, pytest.param(500_000, marks=pytest.mark.slow)])
def test_as_many_closing_as_opening_parentheses_are_refused(size: int) -> None:
    assert problems("(" * size + ")" * size)[0][0] == "GDL003"


@pytest.mark.parametrize("syntax", ["kif", "infix"])
@pytest.mark.parametrize("unit", ["(a ", ")(", "(<= ", "(<=\n", "(not ", "(or (", "((a) ", "(p ?x"])
def test_many_open_parentheses_are_refused(unit: str, syntax: Syntax) -> None:
    assert 1 <= len(problems(unit * 5_000, syntax)) <= 50


@pytest.mark.parametrize("opening", ["(a ", "(not ", "(or a ", "(<= a ", "(distinct a "])
def test_many_balanced_parentheses_are_refused(opening: str) -> None:
    assert problems(opening * 20_000 + ")" * 20_000)[0][0] == "GDL003"


@pytest.mark.parametrize(
    ("opening", "closing"), [("f(", ")"), ("p :- (", ")"), ("not ", ""), ("p :- not (", ")"), ("or(a,", ")")]
)
def test_infix_nested_ten_thousand_deep_is_refused(opening: str, closing: str) -> None:
    found = problems("p :- " + opening * 10_000 + "a" + closing * 10_000 + ".", "infix")
    assert found[0][0] in ("GDL003", "GDL004")


def test_kif_nested_ten_thousand_deep_is_refused() -> None:
    found = problems("(<= p " + "(f " * 10_000 + "a" + ")" * 10_001)
    assert found[0] == ("GDL003", 1, 304, "(")


def count_problems(text: str, syntax: Syntax) -> int:
    try:
        return len(read_rules(text, syntax=syntax).warnings)
    except GdlError as error:
        return len(error.problems)


@pytest.mark.parametrize("character", list("?'\"\\;%:,.|&~<=-_/*#`[]{}\x00\x1b\ufeff\u2028é"))
@pytest.mark.parametrize("syntax", ["kif", "infix"])
def test_line_of_one_character_is_read_or_refused(character: str, syntax: Syntax) -> None:
    assert count_problems(character * 10_000, syntax) <= 100


def test_very_long_lines_are_read() -> None:
    name = "n" * 200_000
    assert read_rules(f"(role {name}) " + "(p a) " * 20_000).rules[0] == Rule(("role", name))


def test_error_in_a_very_long_line_is_shown_short() -> None:
    with pytest.raises(GdlError) as caught:
        read_rules("(p a) " * 10_000 + ")" + " (q b)" * 10_000)
    assert "<text>:1:60001: error GDL001" in str(caught.value)
    assert len(str(caught.value)) < 400


def test_error_with_a_very_long_name_is_shown_short() -> None:
    with pytest.raises(GdlError) as caught:
        read_rules(f"p('{'n' * 100_000} x').")
    assert len(str(caught.value)) < 2_000


def test_control_characters_in_names_are_shown_escaped() -> None:
    with pytest.raises(GdlError) as caught:
        read_rules("(<= p (?\x1b[2J a))")
    assert "variable ?\\x1b[2J stands where" in str(caught.value)
    assert str(caught.value).replace("\n", "").isprintable()


def test_nul_bytes_are_part_of_a_name_and_warned_about() -> None:
    assert read_rules("(role r\x00)").rules == (Rule(("role", "r\x00")),)
    assert warnings("(role r\x00)") == [("GDL016", 1, 7)]


def test_lone_surrogates_do_no_harm() -> None:
    assert read_rules("(role r\udc80)").rules == (Rule(("role", "r\udc80")),)


def test_sheet_that_is_too_long_is_refused() -> None:
    assert problems("(role r)" + " " * MAX_CHARACTERS)[0][0] == "GDL005"
    assert read_rules("(role r)" + " " * (MAX_CHARACTERS - 8)).rules == (Rule(("role", "r")),)


@pytest.mark.parametrize("unit", ["/* ", "\\'", "'\\", "%", "/*", "*/", "'", "/**/", "'\\'"])
def test_time_to_read_grows_with_the_length_of_the_text_only(unit: str) -> None:
    printed = in_a_process_of_its_own(
        "from ludens.gdl.read import read_rules\n"
        "from ludens.gdl.source import GdlError\n"
        f"text = 'p. ' + {unit!r} * (100_000 // {len(unit)})\n"
        "try:\n    read_rules(text, syntax='infix')\n"
        "except GdlError:\n    pass\n"
        "print('done')"
    )
    assert printed == "done"
