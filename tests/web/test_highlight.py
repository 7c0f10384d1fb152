"""Highlighting: nothing of the text is lost or becomes markup."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.games.library import entries
from ludens.web.library.highlight import gdl_html, gdl_pieces, python_html, python_pieces

_TAG = re.compile(r'<span class="gdl-[a-z]+">|</span>')


def _kinds(text: str) -> dict[str, str]:
    return {text[start:end]: kind for kind, start, end in gdl_pieces(text)}


def test_words_of_kif_are_told_apart() -> None:
    found = _kinds("(<= (next (cell ?x 1 b)) ; why\n (true (cell ?x 1 b)) (not terminal))")
    assert found["<="] == found["not"] == "logic"
    assert found["next"] == found["true"] == found["terminal"] == "keyword"
    assert found["?x"] == "variable"
    assert found["1"] == "number"
    assert found["cell"] == found["b"] == "name"
    assert found["; why"] == "comment"


def test_words_of_infix_are_told_apart() -> None:
    found = _kinds("next(cell(X,'odd name',b)) :- true(cell(X,_,b)), not terminal. % why")
    assert found[":-"] == found["not"] == "logic"
    assert found["X"] == found["_"] == "variable"
    assert found["'odd name'"] == "name"
    assert found["% why"] == "comment"


@pytest.mark.parametrize("show", [gdl_html, python_html])
@given(text=st.text(alphabet=st.sampled_from("(<=)>&\"'?;%x1 \n:-.,/*#\\\t\r\u2028é🂡"), max_size=80))
def test_any_text_survives_and_stays_text(show: object, text: str) -> None:
    assert callable(show)
    shown = show(text)
    assert unescape(_TAG.sub("", shown)) == text
    assert "<" not in _TAG.sub("", shown)


def test_python_of_the_library_is_read_whole() -> None:
    path = entries()["go"].forms["tabletop"]
    text = path.read_text(encoding="utf-8")
    words = [(kind, text[start:end]) for kind, start, end in python_pieces(text)]
    assert ("logic", "class") in words
    assert unescape(_TAG.sub("", python_html(text))) == text
