from __future__ import annotations

import pytest

from ludens.gdl.read import read_rules
from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule
from ludens.gdl.terms import Term, Variable
from ludens.gdl.write import infix, infix_condition, kif, kif_condition, write_infix, write_kif

X, Y = Variable("x"), Variable("y")


@pytest.mark.parametrize(
    ("term", "in_kif", "in_infix"),
    [
        ("noop", "noop", "noop"),
        ("10", "10", "10"),
        (X, "?x", "X"),
        (Variable("xy_1"), "?xy_1", "Xy_1"),
        (Variable("_x"), "?_x", "_x"),
        (Variable("1"), "?1", "?1"),
        (Variable("x-y"), "?x-y", "?x-y"),
        (("cell", "1", Y, "b"), "(cell 1 ?y b)", "cell(1,Y,b)"),
        (("f", ("g", ("h",)), X), "(f (g (h)) ?x)", "f(g(h()),X)"),
        ("White", "White", "'White'"),
        ("a-b", "a-b", "'a-b'"),
        ("+", "+", "'+'"),
        ("it's", "it's", r"'it\'s'"),
        ("back\\slash", "back\\slash", r"'back\\slash'"),
        ("x'", "x'", r"'x\''"),
        ("a.b", "a.b", "'a.b'"),
        ("é", "é", "'é'"),
        ("_x", "_x", "'_x'"),
        ("lambda", "lambda", "lambda"),
        (("Cell", "None"), "(Cell None)", "'Cell'('None')"),
    ],
)
def test_terms_in_both_syntaxes(term: Term, in_kif: str, in_infix: str) -> None:
    assert kif(term) == in_kif
    assert infix(term) == in_infix


@pytest.mark.parametrize(
    ("condition", "in_kif", "in_infix"),
    [
        (Holds(("true", X)), "(true ?x)", "true(X)"),
        (Holds("terminal"), "terminal", "terminal"),
        (Distinct(X, ("f", "a")), "(distinct ?x (f a))", "distinct(X,f(a))"),
        (Not(Holds("p")), "(not p)", "not p"),
        (Not(Not(Holds("p"))), "(not (not p))", "not not p"),
        (Not(Distinct(X, Y)), "(not (distinct ?x ?y))", "not distinct(X,Y)"),
        (Or((Holds("p"), Not(Holds("q")))), "(or p (not q))", "or(p, not q)"),
        (And((Holds("p"), Or(()))), "(and p (or))", "and(p, or())"),
        (Not(Or((Holds("p"), And((Holds("q"), Holds("r")))))), "(not (or p (and q r)))", "not or(p, and(q, r))"),
    ],
)
def test_conditions_in_both_syntaxes(condition: Condition, in_kif: str, in_infix: str) -> None:
    assert kif_condition(condition) == in_kif
    assert infix_condition(condition) == in_infix


RULES = (
    Rule(("role", "white")),
    Rule("open"),
    Rule(("next", ("cell", X, "b")), (Holds(("true", ("cell", X, "b"))), Not(Holds(("does", "white", ("mark", X)))))),
)


def test_rules_in_kif_have_one_condition_a_line() -> None:
    assert write_kif(RULES) == (
        "(role white)\nopen\n(<= (next (cell ?x b))\n    (true (cell ?x b))\n    (not (does white (mark ?x))))\n"
    )


def test_rules_in_infix_have_one_condition_a_line() -> None:
    assert write_infix(RULES) == (
        "role(white).\nopen.\nnext(cell(X,b)) :-\n    true(cell(X,b)),\n    not does(white,mark(X)).\n"
    )


def test_nothing_is_written_for_no_rules() -> None:
    assert write_kif(()) == write_infix(()) == ""
    assert read_rules(write_kif(())).rules == ()


def test_kif_text_that_begins_with_a_proposition_reads_back_as_kif() -> None:
    rules = (Rule("open"), Rule(("role", "white")))
    assert read_rules(write_kif(rules)).rules == rules


@pytest.mark.parametrize("name", ["x.y", "x'", "x?", "x:y", "x=y", "x%", "x,y", "'", "?", "x#1", '"', "~x", "é", "ß"])
def test_variables_with_odd_names_read_back_from_infix(name: str) -> None:
    [rule] = read_rules(f"(<= (p ?{name} ?other) (q ?{name} ?other))").rules
    assert read_rules(write_infix([rule])).rules == (rule,)


@pytest.mark.parametrize("depth", [10, 49, 60, 98])
def test_whatever_depth_kif_allows_reads_back_from_infix(depth: int) -> None:
    for opening in ("(f ", "(or a ", "(not ", "(and "):
        text = "(<= p " + opening * depth + "b" + ")" * depth + ")"
        rules = read_rules(text).rules
        assert read_rules(write_infix(rules)).rules == rules
        assert read_rules(write_kif(rules)).rules == rules
