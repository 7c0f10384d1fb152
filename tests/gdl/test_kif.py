from __future__ import annotations

import pytest

from ludens.gdl.source import Source
from ludens.gdl.syntax.expressions import MAX_DEPTH, Expression, Group, Problems, Word
from ludens.gdl.syntax.kif import read_kif_expressions


def read(text: str) -> tuple[list[Expression], list[tuple[str, int, int]]]:
    """The expressions of a text, and its problems as code, line and column."""
    source = Source(text)
    problems = Problems(source)
    expressions = read_kif_expressions(source, problems)
    return expressions, [(found.code, *source.locate(found.span.start)) for found in problems.found if found.span]


def plain(expression: Expression) -> object:
    """An expression as nested lists of words."""
    return expression.text if isinstance(expression, Word) else [plain(item) for item in expression.items]


def nested(text: str) -> list[object]:
    expressions, problems = read(text)
    assert problems == []
    return [plain(expression) for expression in expressions]


def pieces(text: str, expression: Expression) -> list[str]:
    """What the spans of an expression and all its parts cut out of the text."""
    own = [text[expression.span.start : expression.span.end]]
    if isinstance(expression, Word):
        return own
    return own + [piece for item in expression.items for piece in pieces(text, item)]


def test_text_becomes_nested_expressions() -> None:
    assert nested("(<= (next ?f) (true ?f)) open (role r)") == [
        ["<=", ["next", "?f"], ["true", "?f"]],
        "open",
        ["role", "r"],
    ]


@pytest.mark.parametrize("text", ["", " \t\r\n", "; only a comment", ";\n;\n"])
def test_text_without_words_is_empty(text: str) -> None:
    assert nested(text) == []


def test_blanks_of_any_kind_separate_words() -> None:
    assert nested("(a\tb\r\nc\n\n  d\x0ce\xa0f)") == [["a", "b", "c", "d", "e", "f"]]


def test_parentheses_need_no_blanks_around_them() -> None:
    assert nested("(a(b)c)(d)e") == [["a", ["b"], "c"], ["d"], "e"]


def test_comments_end_with_the_line() -> None:
    assert nested("(a ; (b) ) not read\n c);d\n(e)") == [["a", "c"], ["e"]]


def test_comment_may_follow_a_word_directly() -> None:
    assert nested("(a b;c\n)") == [["a", "b"]]


def test_words_may_have_any_other_characters() -> None:
    words = ["%", "'a'", '"', "a:-b", "x.y", "?x'", "\x00", "\ufeff", "ß", "?", "<=>", "[", "]", "{}", ",", "|"]
    assert nested("(" + " ".join(words) + ")") == [words]


def test_spans_cut_out_the_text_of_each_expression() -> None:
    text = "; c\n(a (b ?x)\n  c )"
    [expression], _ = read(text)
    assert pieces(text, expression) == ["(a (b ?x)\n  c )", "a", "(b ?x)", "b", "?x", "c"]


def test_closing_parenthesis_too_many_is_reported_where_it_stands() -> None:
    expressions, problems = read("(a))\n(b)\n )")
    assert problems == [("GDL001", 1, 4), ("GDL001", 3, 2)]
    assert [plain(expression) for expression in expressions] == [["a"], ["b"]]


def test_parenthesis_never_closed_is_reported_where_it_opens() -> None:
    expressions, problems = read("(a)\n  (b (c)")
    assert problems == [("GDL002", 2, 3)]
    assert [plain(expression) for expression in expressions] == [["a"]]


def test_reading_goes_on_with_the_next_rule_behind_an_unclosed_one() -> None:
    expressions, problems = read("(<= (a) (b)\n\n(<= (c) (d))\n(init e")
    assert problems == [("GDL002", 1, 1), ("GDL002", 4, 1)]
    assert [plain(expression) for expression in expressions] == [["<=", ["c"], ["d"]]]


@pytest.mark.parametrize("follower", ["(<= a b)", "(INIT a)", "(init\ta)"])
def test_rule_at_the_start_of_a_line_ends_an_unclosed_one(follower: str) -> None:
    _, problems = read(f"(<= (p)\n{follower}\n")
    assert problems == [("GDL002", 1, 1)]


@pytest.mark.parametrize("condition", ["(true a)", "(initial a)", "(init)", "(not b)", "(or a b)"])
def test_condition_at_the_start_of_a_line_belongs_to_its_rule(condition: str) -> None:
    expressions, problems = read(f"(<= (p)\n{condition})\n")
    assert problems == []
    assert len(expressions) == 1


def test_deepest_nesting_allowed_is_read() -> None:
    expressions, problems = read("(" * MAX_DEPTH + ")" * MAX_DEPTH)
    assert problems == []
    assert len(expressions) == 1


def test_deeper_nesting_is_reported_once_and_what_follows_is_read() -> None:
    deep = "(a " * 10_000 + ")" * 10_000
    expressions, problems = read(f"{deep}\n(b)\n{deep}")
    assert problems == [("GDL003", 1, 3 * MAX_DEPTH + 1), ("GDL003", 3, 3 * MAX_DEPTH + 1)]
    assert plain(expressions[1]) == ["b"]


def test_open_deep_nesting_is_reported_twice() -> None:
    _, problems = read("(" * 10_000)
    assert problems == [("GDL003", 1, MAX_DEPTH + 1), ("GDL002", 1, 1)]


def test_hostile_text_is_left_after_some_problems() -> None:
    _, problems = read(")" * 1_000_000)
    assert problems == [("GDL001", 1, column) for column in range(1, 51)]


def test_many_empty_groups_are_read() -> None:
    expressions, problems = read("()" * 100_000)
    assert problems == []
    assert len(expressions) == 100_000
    assert all(isinstance(expression, Group) and not expression.items for expression in expressions)
