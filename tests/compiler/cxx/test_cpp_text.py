from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from ludens.compiler.cxx.cpp_text import comment, identifier, numbers, string_literal


@given(st.text())
def test_a_quoted_text_means_its_bytes(text: str) -> None:
    encoded = text.encode("utf-8", errors="surrogatepass")

    literal = string_literal(text)

    assert literal.isascii()
    assert "\n" not in literal
    assert "??" not in literal
    assert ast.literal_eval("b" + literal) == encoded  # octal escapes mean the same in Python


@given(st.text())
def test_a_comment_is_one_line_that_nothing_continues(text: str) -> None:
    shown = comment(text)

    assert shown.isascii()
    assert shown.isprintable()
    assert "\\" not in shown
    assert "??" not in shown


@given(st.text())
def test_identifiers_are_made_of_letters_digits_and_underscores(text: str) -> None:
    made = identifier(text)

    assert made.isascii()
    assert made.replace("_", "a").isalnum()
    assert made[0].isalpha()
    assert "__" not in made


def test_numbers_are_broken_into_lines() -> None:
    lines = numbers(range(200)).splitlines()

    assert len(lines) > 1
    assert max(map(len, lines)) <= 111
