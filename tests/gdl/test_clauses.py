from __future__ import annotations

import itertools
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.gdl.logic.clauses import MAX_BRANCHES, Clause, clauses
from ludens.gdl.read import read_rules
from ludens.gdl.rules import And, Condition, Holds, Not, Or, Rule
from ludens.gdl.source import GdlError, Source
from ludens.gdl.terms import Term, Variable
from ludens.gdl.write import kif
from tests.gdl.naive import solutions
from tests.thorough import examples

X, Y, Z = Variable("x"), Variable("y"), Variable("z")


def clauses_of(text: str) -> list[Clause]:
    sheet = read_rules(text)
    return list(clauses(sheet.rules, sheet.source))


def shown(text: str) -> list[str]:
    """Clauses as short text: head, what must hold, what must not after ``-``, and pairs that must differ."""
    return [
        " ".join(
            [
                kif(clause.head) + ":",
                *map(kif, clause.positive),
                *("-" + kif(atom) for atom in clause.negative),
                *(f"{kif(left)}/{kif(right)}" for left, right in clause.distinct),
            ]
        )
        for clause in clauses_of(text)
    ]


def test_fact_is_a_clause_without_conditions() -> None:
    assert clauses_of("(role r)") == [Clause(("role", "r"), (), (), (), read_rules("(role r)").rules[0].span)]


def test_rule_without_alternatives_is_one_clause() -> None:
    assert shown("(<= (p ?x) (q ?x) (not (r ?x)) (distinct ?x a))") == ["(p ?x): (q ?x) -(r ?x) ?x/a"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("(or a b)", ["h: a", "h: b"]),
        ("(or a b) (or c d)", ["h: a c", "h: a d", "h: b c", "h: b d"]),
        ("(or a (and b (not c)))", ["h: a", "h: b -c"]),
        ("(not (or a b))", ["h: -a -b"]),
        ("(not (and a b))", ["h: -a", "h: -b"]),
        ("(not (not a))", ["h: a"]),
        ("(not (or a (not b)))", ["h: b -a"]),
        ("(or)", []),
        ("(or) a", []),
        ("(and)", ["h:"]),
        ("(not (or))", ["h:"]),
        ("(not (and))", []),
        ("(or a)", ["h: a"]),
        ("a a (not b) (not b)", ["h: a -b"]),
        ("(or a (or b (or c)))", ["h: a", "h: b", "h: c"]),
    ],
)
def test_alternatives_are_multiplied_out(body: str, expected: list[str]) -> None:
    assert shown(f"(<= h {body})") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("(p ?x) (not (distinct ?x a)) (q ?x ?y)", ["(h a ?y): (p a) (q a ?y)"]),
        ("(p ?x) (q ?y) (not (distinct ?x (f ?y)))", ["(h (f ?y) ?y): (p (f ?y)) (q ?y)"]),
        ("(p ?x) (not (distinct (f ?x b) (f a ?y)))", ["(h a b): (p a)"]),
        ("(p ?x ?y) (not (distinct a b))", []),
        ("(p ?x ?y) (not (distinct ?x (f ?x)))", []),
        ("(p ?x ?y) (not (distinct ?x a)) (not (distinct ?x b))", []),
        ("(p ?x ?y) (not (distinct ?x ?y)) (distinct ?x ?y)", []),
        ("(p ?x ?y) (distinct ?x ?x)", []),
        ("(p ?x ?y) (distinct a b)", ["(h ?x ?y): (p ?x ?y)"]),
        ("(p ?x ?y) (distinct ?x (f ?x))", ["(h ?x ?y): (p ?x ?y)"]),
        ("(p ?x ?y) (distinct a a)", []),
        ("(p ?x ?y) (distinct ?x ?y) (distinct ?x ?y)", ["(h ?x ?y): (p ?x ?y) ?x/?y"]),
        ("(p ?x ?y) (distinct (f ?x) (f a))", ["(h ?x ?y): (p ?x ?y) (f ?x)/(f a)"]),
        ("(p ?x ?y) (not (or (distinct ?x a) (distinct ?y b)))", ["(h a b): (p a b)"]),
        ("(p ?x ?y) (not (and (distinct ?x a) (distinct ?y b)))", ["(h a ?y): (p a ?y)", "(h ?x b): (p ?x b)"]),
    ],
)
def test_terms_that_must_be_equal_are_made_equal(body: str, expected: list[str]) -> None:
    assert shown(f"(<= (h ?x ?y) {body})") == expected


def test_variables_that_must_be_equal_become_one() -> None:
    [found] = shown("(<= (h ?x ?y) (p ?x) (p ?y) (q ?y ?z) (not (distinct ?x ?y)))")
    assert found in ("(h ?x ?x): (p ?x) (q ?x ?z)", "(h ?y ?y): (p ?y) (q ?y ?z)")


def test_clause_knows_the_variables_that_get_a_value() -> None:
    [clause] = clauses_of("(<= (h ?x) (p ?x (f ?y)) (not (q ?z)) (distinct ?w a))")
    assert clause.bound_variables() == {X, Y}


def test_clause_points_at_its_rule() -> None:
    text = "(a)\n(<= h (or b c))"
    assert [text[slice(*clause.span)] for clause in clauses_of(text)] == ["(a)", "(<= h (or b c))", "(<= h (or b c))"]


def test_alternatives_that_multiply_without_bound_are_refused_with_their_place() -> None:
    body = " ".join(f"(or a{number} b{number})" for number in range(40))
    with pytest.raises(GdlError, match="GDL320") as caught:
        clauses_of(f"(role r)\n(<= h {body})")
    assert str(caught.value).startswith("<text>:2:1: error GDL320")
    assert caught.value.problems[0].hint


def test_alternatives_up_to_the_bound_are_taken() -> None:
    body = " ".join("(or a b)" for _ in range(MAX_BRANCHES.bit_length() - 1))
    assert len(clauses_of(f"(<= h {body})")) == MAX_BRANCHES


def test_negated_conjunctions_count_as_alternatives() -> None:
    body = " ".join(f"(not (and a{number} b{number}))" for number in range(40))
    with pytest.raises(GdlError, match="GDL320"):
        clauses_of(f"(<= h {body})")


def test_alternatives_inside_an_or_count_too() -> None:
    pair = "(and " + " ".join("(or a b)" for _ in range(MAX_BRANCHES.bit_length() - 2)) + ")"
    with pytest.raises(GdlError, match="GDL320"):
        clauses_of(f"(<= h (or {pair} {pair} {pair}))")


PROPOSITIONS = ("a", "b", "c", "d")


def junctions(children: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
    several = st.lists(children, max_size=3).map(tuple)
    return st.builds(Not, children) | st.builds(Or, several) | st.builds(And, several)


CONDITIONS: st.SearchStrategy[Condition] = st.recursive(
    st.sampled_from(PROPOSITIONS).map(Holds), junctions, max_leaves=8
)


@examples(200, derandomize=True)
@given(st.lists(CONDITIONS, max_size=3))
def test_clauses_hold_exactly_where_their_rule_does(body: list[Condition]) -> None:
    found = list(clauses([Rule("h", tuple(body))], Source("")))
    for chosen in itertools.product([False, True], repeat=len(PROPOSITIONS)):
        facts: set[Term] = {name for name, holds in zip(PROPOSITIONS, chosen, strict=True) if holds}
        by_clauses = any(facts.issuperset(clause.positive) and facts.isdisjoint(clause.negative) for clause in found)
        assert by_clauses == (next(solutions(body, facts, {}), None) is not None)


def test_equations_that_double_a_term_again_and_again_do_not_hang() -> None:
    left = " ".join(f"?x{number}" for number in range(40))
    right = " ".join(f"(g ?x{number + 1} ?x{number + 1})" for number in range(40))
    code = (
        "from ludens.gdl.logic.clauses import clauses\n"
        "from ludens.gdl.read import read_rules\n"
        "from ludens.gdl.source import GdlError\n"
        f"sheet = read_rules('(<= (p ?x0) (q ?x40) (not (distinct (f {left}) (f {right}))))')\n"
        "try:\n    list(clauses(sheet.rules, sheet.source))\n"
        "except GdlError:\n    pass\n"
        "print('done')"
    )
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=6, check=False)
    except subprocess.TimeoutExpired:
        pytest.fail("the clauses of one short rule take for ever")
    assert done.stdout.strip() == "done", done.stderr[-2000:]


def test_equations_that_build_very_deep_terms_are_refused() -> None:
    deep = [f"(not (distinct ?x{n} {'(f ' * 90}?x{n + 1}{')' * 90}))" for n in range(20)]
    with pytest.raises(GdlError):
        clauses_of(f"(<= (p ?x0) (q ?x20) {' '.join(deep)})")
