from __future__ import annotations

from pathlib import Path

import pytest

from ludens.core import GameError
from ludens.gdl.read import Syntax, detect_syntax, read_file, read_rules, read_term
from ludens.gdl.rules import And, Distinct, Holds, Not, Or, Rule
from ludens.gdl.source import GdlError, Level
from ludens.gdl.terms import Term, Variable
from ludens.gdl.write import infix, kif

X, Y = Variable("x"), Variable("y")

SOME_OF_EVERYTHING = """\
; a sheet with everything in it
(ROLE white)
(init (cell 1 b))
(<= (legal ?p (mark ?X))
    (role ?P) (true (cell ?x b))
    (or (true a) (and b (not c)))
    (not (or (d ?x) (distinct ?x ?p))))
(<= terminal (not (true (cell 1 b))))
open
(<= (next (done (nil)))
    (does ?p ?m) (distinct ?m (mark 2)))
"""
ITS_RULES = (
    Rule(("role", "white")),
    Rule(("init", ("cell", "1", "b"))),
    Rule(
        ("legal", Variable("p"), ("mark", X)),
        (
            Holds(("role", Variable("p"))),
            Holds(("true", ("cell", X, "b"))),
            Or((Holds(("true", "a")), And((Holds("b"), Not(Holds("c")))))),
            Not(Or((Holds(("d", X)), Distinct(X, Variable("p"))))),
        ),
    ),
    Rule("terminal", (Not(Holds(("true", ("cell", "1", "b")))),)),
    Rule("open"),
    Rule(
        ("next", ("done", ("nil",))),
        (Holds(("does", Variable("p"), Variable("m"))), Distinct(Variable("m"), ("mark", "2"))),
    ),
)


def problems(text: str, syntax: Syntax | None = None) -> list[tuple[str, int, int, str]]:
    """Code, line, column and underlined text of every problem of a text that cannot be used."""
    with pytest.raises(GdlError) as caught:
        read_rules(text, syntax=syntax)
    source = caught.value.source
    return [
        (found.code, *source.locate(found.span.start), source.text[slice(*found.span)])
        for found in caught.value.problems
        if found.span
    ]


def warnings(text: str) -> list[tuple[str, int, int]]:
    sheet = read_rules(text)
    return [(found.code, *sheet.source.locate(found.span.start)) for found in sheet.warnings if found.span]


def test_everything_a_rule_sheet_may_hold_is_read() -> None:
    assert read_rules(SOME_OF_EVERYTHING).rules == ITS_RULES


@pytest.mark.parametrize("ending", ["\r\n", "\n\n", " \t\n", "\n\x0c"])
def test_line_ends_and_blanks_do_not_matter(ending: str) -> None:
    assert read_rules(SOME_OF_EVERYTHING.replace("\n", ending)).rules == ITS_RULES


def test_byte_order_mark_does_not_matter() -> None:
    assert read_rules("\ufeff" + SOME_OF_EVERYTHING).rules == ITS_RULES
    assert read_rules("\ufeffrole(white).").rules == ITS_RULES[:1]


def test_column_behind_a_byte_order_mark_is_the_one_an_editor_shows() -> None:
    assert problems("\ufeff(a b))") == [("GDL001", 1, 6, ")")]


def test_spans_cut_rules_heads_and_conditions_out_of_the_text() -> None:
    text = "(role r)\n(<= (p ?x)\n    (q ?x) (not (r ?x)))"
    fact, rule = read_rules(text).rules
    assert text[slice(*fact.span)] == text[slice(*fact.head_span)] == "(role r)"
    assert text[slice(*rule.span)] == "(<= (p ?x)\n    (q ?x) (not (r ?x)))"
    assert text[slice(*rule.head_span)] == "(p ?x)"
    assert [text[slice(*condition.span)] for condition in rule.body] == ["(q ?x)", "(not (r ?x))"]


def test_infix_spans_cut_rules_heads_and_conditions_out_of_the_text() -> None:
    text = "role(r).\np(X) :- q(X), not r(X), (a ; b)."
    fact, rule = read_rules(text).rules
    assert text[slice(*fact.span)] == "role(r)"
    assert text[slice(*rule.span)] == "p(X) :- q(X), not r(X), (a ; b)"
    assert text[slice(*rule.head_span)] == "p(X)"
    assert [text[slice(*condition.span)] for condition in rule.body][:2] == ["q(X)", "not r(X)"]


@pytest.mark.parametrize(
    ("text", "syntax"),
    [
        ("(role r)", "kif"),
        ("; c\n  (role r)", "kif"),
        ("", "kif"),
        ("; only a comment", "kif"),
        (")", "kif"),
        ("role(r).", "infix"),
        ("% c\n/* c\n */ role(r).", "infix"),
        ("'X'.", "infix"),
        ("X", "infix"),
        ("open\n(role r)", "kif"),
        ("open ; c\n\n shut\n; c\n(role r)", "kif"),
        ("open\nrole(r)", "infix"),
        ("role (r).", "infix"),
        ("open :-\n(a ; b).", "infix"),
    ],
)
def test_syntax_is_found_from_the_text(text: str, syntax: Syntax) -> None:
    assert detect_syntax(text) == syntax


def test_syntax_can_be_given() -> None:
    assert read_rules("open (role r)", syntax="kif").rules == (Rule("open"), Rule(("role", "r")))
    assert problems("(role r)", syntax="infix")[0][0] == "GDL004"


def test_comment_that_hides_the_syntax_is_no_rule() -> None:
    assert read_rules("% a comment in the other syntax\n(role r)").rules == (Rule(("role", "r")),)


# -- spelling ---------------------------------------------------------------------------------------------------


def test_names_are_spelled_as_at_their_first_occurrence() -> None:
    sheet = read_rules("(role White) (init (Cell a)) (<= (legal WHITE (CELL A)) (true (cell A)))")
    assert sheet.rules == (
        Rule(("role", "White")),
        Rule(("init", ("Cell", "a"))),
        Rule(("legal", "White", ("Cell", "a")), (Holds(("true", ("Cell", "a"))),)),
    )
    assert sheet.spelling["white"] == "White"


def test_each_other_spelling_is_a_warning() -> None:
    assert warnings("(role White)\n(p white)\n(p White)\n(P b)") == [("GDL010", 2, 4), ("GDL010", 4, 2)]


def test_words_of_the_language_may_be_spelled_in_any_case() -> None:
    sheet = read_rules("(ROLE r) (<= (NEXT a) (TRUE b) (Or c (AND d e)) (NOT f) (Distinct a b))")
    assert sheet.warnings == ()
    assert sheet.rules[1] == Rule(
        ("next", "a"),
        (Holds(("true", "b")), Or((Holds("c"), And((Holds("d"), Holds("e"))))), Not(Holds("f")), Distinct("a", "b")),
    )


def test_variables_are_the_same_whatever_their_case() -> None:
    assert read_rules("(<= (p ?Xy) (q ?xY))").rules == (Rule(("p", Variable("xy")), (Holds(("q", Variable("xy"))),)),)
    assert read_rules("(<= (p ?Xy) (q ?xY))").warnings == ()


def test_variable_and_constant_of_one_name_are_two_things() -> None:
    assert read_rules("(<= (p ?x x) (q ?x))").rules == (Rule(("p", X, "x"), (Holds(("q", X)),)),)


# -- errors -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(<=)", ("GDL007", 1, 1, "(<=)")),
        ("(<= (p)\n (not))", ("GDL008", 2, 2, "(not)")),
        ("(<= p (not a b))", ("GDL008", 1, 7, "(not a b)")),
        ("(<= p (distinct a))", ("GDL008", 1, 7, "(distinct a)")),
        ("(<= p (distinct a b c))", ("GDL008", 1, 7, "(distinct a b c)")),
        ("()", ("GDL009", 1, 1, "()")),
        ("(<= () a)", ("GDL009", 1, 5, "()")),
        ("(<= p ())", ("GDL009", 1, 7, "()")),
        ("(p ())", ("GDL009", 1, 4, "()")),
        ("((p))", ("GDL009", 1, 2, "(p)")),
        ("(p ((q)))", ("GDL009", 1, 5, "(q)")),
        ("(p (?x a))", ("GDL009", 1, 5, "?x")),
        ("(p ?)", ("GDL009", 1, 4, "?")),
        ("(<= p (distinct ? a))", ("GDL009", 1, 17, "?")),
        ("(?x)", ("GDL013", 1, 2, "?x")),
        ("(<= ?x a)", ("GDL013", 1, 5, "?x")),
        ("(<= p ?x)", ("GDL013", 1, 7, "?x")),
        ("(<= p (or a (not ?x)))", ("GDL013", 1, 18, "?x")),
        ("(not a)", ("GDL014", 1, 2, "not")),
        ("(<= (or a b) c)", ("GDL014", 1, 6, "or")),
        ("(<= p not)", ("GDL014", 1, 7, "not")),
        ("(<= p (q (and a b)))", ("GDL014", 1, 11, "and")),
        ("(<= p (q Not))", ("GDL014", 1, 10, "Not")),
        ("(<= p (<= q r))", ("GDL014", 1, 8, "<=")),
        ("(p <=)", ("GDL014", 1, 4, "<=")),
        ("(p (distinct a b))", ("GDL014", 1, 5, "distinct")),
        ("p('').", ("GDL017", 1, 3, "''")),
        ("p('a b').", ("GDL017", 1, 3, "'a b'")),
        ("p('(').", ("GDL017", 1, 3, "'('")),
        ("p('a;').", ("GDL017", 1, 3, "'a;'")),
        ("p(?'a b').", ("GDL017", 1, 3, "?'a b'")),
        ("p(?'').", ("GDL009", 1, 3, "?''")),
        ("X.", ("GDL013", 1, 1, "X")),
        ("p(X(a)).", ("GDL009", 1, 3, "X")),
    ],
)
def test_error_names_its_place(text: str, expected: tuple[str, int, int, str]) -> None:
    assert expected in problems(text)


@pytest.mark.parametrize(
    "text",
    [
        "(a))",
        "(a",
        "(" * 101 + ")" * 101,
        "p(",
        "f(" * 101,
        "(<=)",
        "(<= p (not))",
        "(<= p (distinct a))",
        "()",
        "((p))",
        "(p (?x))",
        "(p ?)",
        "(?x)",
        "(not a)",
        "p('').",
    ],
)
def test_every_error_has_a_hint(text: str) -> None:
    with pytest.raises(GdlError) as caught:
        read_rules(text)
    assert all(found.hint for found in caught.value.problems if found.level is Level.ERROR)


def test_quoted_question_mark_makes_no_variable() -> None:
    # KIF has no constant that begins with a question mark, so there is nothing that '?x' could mean.
    assert problems("p('?x').")[0][0] == "GDL017"


def test_several_errors_are_reported_in_one_run_as_people_see_them() -> None:
    text = (
        "(role white))\n"
        "(<= (legal white ?m)\n"
        "    (open ?m) (?free ?m))\n"
        "\n"
        "(<= (next ?f) (true ?f)\n"
        "\n"
        "(<= terminal ?t)\n"
    )
    with pytest.raises(GdlError) as caught:
        read_rules(text, name="game.kif")
    assert str(caught.value) == (
        "game.kif:1:13: error GDL001: this closing parenthesis has no opening one\n"
        "    1 | (role white))\n"
        "      |             ^\n"
        "  hint: remove it\n"
        "game.kif:5:1: error GDL002: this opening parenthesis is never closed\n"
        "    5 | (<= (next ?f) (true ?f)\n"
        "      | ^\n"
        "  hint: add the missing closing parenthesis at the end of this rule\n"
        "game.kif:3:16: error GDL013: variable ?free stands where a relation must\n"
        "    3 |     (open ?m) (?free ?m))\n"
        "      |                ^^^^^\n"
        "  hint: a variable can stand for a term, not for a relation\n"
        "game.kif:7:14: error GDL013: variable ?t stands where a relation must\n"
        "    7 | (<= terminal ?t)\n"
        "      |              ^^\n"
        "  hint: a variable can stand for a term, not for a relation"
    )


def test_several_infix_errors_are_reported_as_people_see_them() -> None:
    with pytest.raises(GdlError) as caught:
        read_rules("legal(W,mark(X Y)) :-\n\ttrue(cell(X,Y,b)).\nterminal :- not.\n", name="game.gdl")
    assert [line for line in str(caught.value).splitlines() if not line.startswith("  hint")] == [
        "game.gdl:1:16: error GDL004: expected ',' or ')', but found 'Y'",
        "    1 | legal(W,mark(X Y)) :-",
        "      |                ^",
        "game.gdl:3:16: error GDL004: expected a name or a variable, but found '.'",
        "    3 | terminal :- not.",
        "      |                ^",
    ]


def test_one_rule_may_have_several_errors() -> None:
    assert problems("(<= (p ()) (not) (distinct a) (or (not) ?x))") == [
        ("GDL009", 1, 8, "()"),
        ("GDL008", 1, 12, "(not)"),
        ("GDL008", 1, 18, "(distinct a)"),
        ("GDL008", 1, 35, "(not)"),
        ("GDL013", 1, 41, "?x"),
    ]


def test_error_behind_many_warnings_is_still_an_error() -> None:
    odd = "".join(f"(a{number} A{number})\n" for number in range(60))
    assert "GDL008" in [code for code, *_ in problems(odd + "(<= terminal (not))")]
    assert "GDL009" in [code for code, *_ in problems(odd + "(p (?x))")]


def test_warnings_do_not_stop_a_sheet() -> None:
    assert warnings("(<= (p a))\n(q (r))\n(<= s (or))\n(é)\n(é b)\n(<= t (and))") == [
        ("GDL011", 1, 1),
        ("GDL015", 2, 4),
        ("GDL012", 3, 7),
        ("GDL015", 4, 1),
        ("GDL016", 4, 2),
        ("GDL012", 6, 7),
    ]


def test_terminal_in_parentheses_is_terminal() -> None:
    assert read_rules("(<= (terminal) a) (<= (next b) (terminal))").rules == (
        Rule("terminal", (Holds("a"),)),
        Rule(("next", "b"), (Holds("terminal"),)),
    )


def test_other_proposition_in_parentheses_is_another_thing() -> None:
    assert read_rules("(<= (open) open)").rules == (Rule(("open",), (Holds("open"),)),)


# -- files ------------------------------------------------------------------------------------------------------


def test_file_is_read_and_named_in_errors(tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    path.write_bytes(b"\xef\xbb\xbf(role r)\r\n(role s))\r\n")
    with pytest.raises(GdlError, match="GDL001") as caught:
        read_file(path)
    assert str(caught.value).startswith(f"{path}:2:9: error GDL001")


def test_file_that_is_not_utf8_is_read_as_latin_1_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    path.write_bytes(b"(role w\xe9)\n")
    sheet = read_file(path)
    assert sheet.rules == (Rule(("role", "wé")),)
    assert [found.code for found in sheet.warnings] == ["GDL016"]


def test_binary_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    path.write_bytes(bytes(range(256)) * 40)
    with pytest.raises(GameError, match="not a text file"):
        read_file(path)


def test_missing_file_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"cannot read .*nowhere"):
        read_file(tmp_path / "nowhere.kif")


# -- single terms -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("noop", "noop"),
        (" noop ", "noop"),
        ("Noop", "Noop"),
        ("(mark 1 1)", ("mark", "1", "1")),
        ("( mark 1\n 1 )", ("mark", "1", "1")),
        ("mark(1,1)", ("mark", "1", "1")),
        ("mark( 1 , f(X) )", ("mark", "1", ("f", X))),
        ("?x", X),
        ("a-b", "a-b"),
        ("(f)", ("f",)),
        ("f()", ("f",)),
        ("%", "%"),
    ],
)
def test_term_is_read_in_either_syntax(text: str, term: Term) -> None:
    assert read_term(text) == term


def test_term_is_spelled_as_asked() -> None:
    assert read_term("(MARK 1 White)", {"mark": "Mark", "white": "white"}) == ("Mark", "1", "white")
    assert read_term("NOOP", {"noop": "noop"}) == "noop"


@pytest.mark.parametrize("term", ["x-y", "White", "a.b", "it's", ("f", "X", "y-z"), ("My-move", "1"), "1", ("f",)])
def test_term_written_in_either_syntax_reads_back(term: Term) -> None:
    assert read_term(kif(term)) == term
    assert read_term(infix(term)) == term


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        ";",
        "a b",
        "(a) (b)",
        "(a",
        "a)",
        "()",
        "((a))",
        "f(",
        "f(a",
        "not",
        "(or a)",
        "?",
        "(f ?)",
        "(?x)",
        "(" * 5000,
    ],
)
def test_text_that_is_not_one_term_is_refused(text: str) -> None:
    with pytest.raises(GdlError):
        read_term(text)


INFIX_WITH_COMMENTS = "% two rules\nrole(white).\n% and another\nterminal :- true(a).\n"


@pytest.mark.parametrize("text", [SOME_OF_EVERYTHING, INFIX_WITH_COMMENTS], ids=["kif", "infix"])
@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"], ids=["cr", "crlf", "lf"])
def test_every_end_of_a_line_ends_a_comment(text: str, end: str) -> None:
    assert read_rules(text.replace("\n", end)).rules == read_rules(text).rules


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"], ids=["cr", "crlf", "lf"])
def test_every_end_of_a_line_counts_in_positions(end: str) -> None:
    with pytest.raises(GdlError) as caught:
        read_rules(f"; first{end}(role white){end}{end}  (role))) black)", name="x.kif")

    assert str(caught.value).startswith("x.kif:4:9: error GDL001")
    assert "4 |   (role))) black)" in str(caught.value)
