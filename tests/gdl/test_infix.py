from __future__ import annotations

import pytest

from ludens.gdl.source import Source
from ludens.gdl.syntax.expressions import MAX_DEPTH, Expression, Problems, Word
from ludens.gdl.syntax.infix import read_infix_expressions


def read(text: str) -> tuple[list[object], list[tuple[str, int, int]]]:
    """The expressions of a text as nested lists of words, and its problems as code, line and column."""
    source = Source(text)
    problems = Problems(source)
    expressions = read_infix_expressions(source, problems)
    found = [(problem.code, *source.locate(problem.span.start)) for problem in problems.found if problem.span]
    return [plain(expression) for expression in expressions], found


def plain(expression: Expression) -> object:
    return expression.text if isinstance(expression, Word) else [plain(item) for item in expression.items]


def rules(text: str) -> list[object]:
    found, problems = read(text)
    assert problems == []
    return found


def body(text: str) -> object:
    """The only condition of a rule whose head is ``h``."""
    [rule] = rules(f"h :- {text}.")
    assert isinstance(rule, list)
    assert rule[:2] == ["<=", "h"]
    assert len(rule) == 3
    return rule[2]


def test_facts_and_rules_are_read() -> None:
    assert rules("role(white). open. next(cell(X,1)) :- true(cell(X,2)), open.") == [
        ["role", "white"],
        "open",
        ["<=", ["next", ["cell", "?X", "1"]], ["true", ["cell", "?X", "2"]], "open"],
    ]


@pytest.mark.parametrize("arrow", [":-", "<=", ":="])
def test_arrow_has_several_forms(arrow: str) -> None:
    assert rules(f"p {arrow} q.") == [["<=", "p", "q"]]


@pytest.mark.parametrize("comma", [",", "&", " , ", " & "])
def test_conditions_stand_between_commas_or_ampersands(comma: str) -> None:
    assert rules(f"p :- a{comma}b{comma}c.") == [["<=", "p", "a", "b", "c"]]


@pytest.mark.parametrize("negation", ["not ", "NOT ", "~", "~ ", "\\+", "\\+ "])
def test_negation_has_several_forms(negation: str) -> None:
    assert body(f"{negation}q(a)") == ["not", ["q", "a"]]


def test_negation_of_parentheses() -> None:
    assert body("not(q(a))") == ["not", ["q", "a"]]
    assert body("not (q, r)") == ["not", ["and", "q", "r"]]
    assert body("~(q ; r)") == ["not", ["or", "q", "r"]]
    assert body("not not q") == ["not", ["not", "q"]]


@pytest.mark.parametrize("bar", [";", "|"])
def test_alternatives_have_several_forms(bar: str) -> None:
    assert body(f"(q {bar} r {bar} s)") == ["or", "q", "r", "s"]
    assert body(f"q {bar} r") == ["or", "q", "r"]


def test_alternatives_of_conjunctions_in_parentheses() -> None:
    assert body("(a, b ; c, d)") == ["or", ["and", "a", "b"], ["and", "c", "d"]]


def test_comma_binds_tighter_than_semicolon_as_in_prolog() -> None:
    assert body("a, b ; c, d") == ["or", ["and", "a", "b"], ["and", "c", "d"]]


def test_words_for_logic_may_be_written_as_functions() -> None:
    assert body("or(a, and(b, not c), not(d), or())") == ["or", "a", ["and", "b", ["not", "c"]], ["not", "d"], ["or"]]


def test_parentheses_around_one_condition_mean_nothing() -> None:
    assert body("((q(a)))") == ["q", "a"]


@pytest.mark.parametrize(
    ("text", "word"),
    [("X", "?X"), ("_x", "?_x"), ("?x", "?x"), ("?X", "?X"), ("Ab1_c", "?Ab1_c"), ("?x-y", "?x-y"), ("?1", "?1")],
)
def test_variables_have_several_forms(text: str, word: str) -> None:
    assert rules(f"p({text}).") == [["p", word]]


def test_each_lone_underscore_is_a_variable_of_its_own() -> None:
    [rule] = rules("p(X) :- q(X,_,_).")
    assert isinstance(rule, list)
    condition = rule[2]
    assert condition[2] != condition[3]


def test_variable_of_a_lone_underscore_is_no_variable_of_the_text() -> None:
    assert rules("p(_, _1, ?_2, ?'_3').") == [["p", "?_4", "?_1", "?_2", "?_3"]]


def test_underscore_behind_a_question_mark_is_a_variable_like_others() -> None:
    assert rules("p(?_, ?_).") == [["p", "?_", "?_"]]


@pytest.mark.parametrize(("quoted", "variable"), [("?'x.y'", "?x.y"), (r"?'\''", "?'"), ("?'x'", "?x"), ("?'?'", "??")])
def test_quotes_make_a_variable_of_anything_behind_a_question_mark(quoted: str, variable: str) -> None:
    assert rules(f"p({quoted}).") == [["p", variable]]


@pytest.mark.parametrize(
    "name", ["a", "1", "01", "a-b", "-1", "+", "*", "x1Y", "a_b", "lambda", "ä", "a/b", "$", "@x!"]
)
def test_names_may_stand_without_quotes(name: str) -> None:
    assert rules(f"p({name}).") == [["p", name]]


@pytest.mark.parametrize(
    ("quoted", "name"),
    [
        ("'X'", "X"),
        ("'_'", "_"),
        ("'a.b'", "a.b"),
        (r"'\''", "'"),
        (r"'\\'", "\\"),
        ("'%'", "%"),
        ("'a,b'", "a,b"),
        ("'/*'", "/*"),
    ],
)
def test_quotes_make_a_name_of_anything(quoted: str, name: str) -> None:
    assert rules(f"p({quoted}).") == [["p", name]]


def test_quoted_name_may_be_a_relation() -> None:
    assert rules("'P'(a) :- 'q-r'(X), 'S'.") == [["<=", ["P", "a"], ["q-r", "?X"], "S"]]


def test_empty_argument_list_is_kept() -> None:
    assert rules("p() :- q().") == [["<=", ["p"], ["q"]]]


def test_full_stops_may_be_left_out() -> None:
    assert rules("p :- q\nr(a)\ns :- t") == [["<=", "p", "q"], ["r", "a"], ["<=", "s", "t"]]


def test_comments_are_skipped() -> None:
    assert rules("% one\np. % two\n/* three\n * q. */ r. /**/ s.%") == ["p", "r", "s"]


def test_blanks_of_any_kind_are_skipped() -> None:
    assert rules("\tp(a,\r\n b)\r\n:-\r\n\tq .\r\n") == [["<=", ["p", "a", "b"], "q"]]


def test_blank_before_arguments_ends_the_name() -> None:
    _, problems = read("p (a).")
    assert problems == [("GDL004", 1, 3)]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("p(", 1, 2),
        ("p(a", 1, 3),
        ("p(a,", 1, 4),
        ("p(a,).", 1, 5),
        ("p(a b).", 1, 5),
        ("p(a)) .", 1, 5),
        ("p :- ,q.", 1, 6),
        ("p :- q,\n.", 2, 1),
        ("p :- (q,\n r", 2, 2),
        ("p :- not.", 1, 9),
        ("p :- q r ; s.", 1, 10),
        ('p("a").', 1, 3),
        ("p('a\n').", 1, 3),
        ("p :- q :- r.", 1, 8),
        (":- q.", 1, 1),
        (".", 1, 1),
        ("p([a]).", 1, 3),
        ("p :- X = Y.", 1, 8),
        ("p & q.", 1, 3),
    ],
)
def test_first_thing_that_cannot_stand_there_is_reported(text: str, line: int, column: int) -> None:
    _, problems = read(text)
    assert problems[0] == ("GDL004", line, column)


@pytest.mark.parametrize(
    ("text", "message"),
    [("p('a).\nq.", "quote is never closed"), ("p(?'a).", "quote is never closed"), ("p. /* q.", "comment is never")],
)
def test_what_is_never_closed_is_named(text: str, message: str) -> None:
    problems = Problems(Source(text))
    read_infix_expressions(problems.source, problems)
    assert message in problems.found[0].message


def test_reading_goes_on_behind_the_full_stop_of_a_wrong_rule() -> None:
    found, problems = read("p(a b).\nq.\nr :- ,.\ns(X) :- t(X).\n)")
    assert found == ["q", ["<=", ["s", "?X"], ["t", "?X"]]]
    assert problems == [("GDL004", 1, 5), ("GDL004", 3, 6), ("GDL004", 5, 1)]


@pytest.mark.parametrize("unit", ["f(", "or(", "not(", "not ", "~", "\\+", "(", "f(a,", "and(a,", "not (", "(a;"])
def test_nesting_too_deep_is_reported_and_reading_goes_on(unit: str) -> None:
    found, problems = read(f"p :- {unit * 10_000}. q.")
    assert [code for code, _, _ in problems] == ["GDL003"]
    assert found == ["q"]


def test_nesting_as_deep_as_in_kif_is_read() -> None:
    found, problems = read("f(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH + ".")
    assert problems == []
    assert len(found) == 1


@pytest.mark.parametrize("rule", ["p :- {}.", "{} :- p.", "{}."])
def test_rule_that_would_be_too_deep_in_kif_is_refused(rule: str) -> None:
    deepest = MAX_DEPTH - (":-" in rule)
    for depth, codes in ((deepest, []), (deepest + 1, ["GDL003"])):
        _, problems = read(rule.format("f(" * depth + "a" + ")" * depth))
        assert [code for code, _, _ in problems] == codes


def test_depth_is_counted_for_each_rule_alone() -> None:
    rule = "p(a) :- not q(f(a)), or(a, b), (c ; d).\n"
    found, problems = read(rule * 200)
    assert problems == []
    assert len(found) == 200
