"""Which relations need which, and whether rules build ever larger terms."""

from __future__ import annotations

import pytest

from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.logic.relation_graph import RelationGraph, terms_grow
from ludens.gdl.read import read_rules


def read(text: str) -> list[Clause]:
    sheet = read_rules(text)
    return list(clauses(sheet.rules, sheet.source))


def test_a_relation_needs_and_negates_what_its_rules_mention() -> None:
    graph = RelationGraph(read("(<= (p ?x) (q ?x) (not (r ?x))) (q a) (r b)"))

    assert graph.needs(("p", 1)) == {("q", 1), ("r", 1)}
    assert graph.negates(("p", 1), ("r", 1)) is True
    assert graph.negates(("p", 1), ("q", 1)) is False


@pytest.mark.parametrize(
    "rules",
    [
        "(num z) (<= (num (s ?x)) (num ?x))",
        "(init z) (<= (next (s ?x)) (true ?x))",
        "(init z) (<= (legal r (s ?x)) (true ?x)) (<= (next ?m) (does r ?m))",
        "(even (s z)) (<= (pair (f ?x ?x)) (even ?x))",
    ],
)
def test_terms_that_are_put_into_larger_ones_again_and_again_grow(rules: str) -> None:
    assert terms_grow(read(rules), 50)


@pytest.mark.parametrize(
    "rules",
    [
        "(num (s z)) (<= (even ?x) (num (s ?x))) (<= (num (s ?x)) (even ?x))",
        "(init z) (<= (next ?x) (true (s ?x)))",
        "(flag) (<= (legal r (put ?x ?y)) (side ?x) (side ?y)) (side a)",
    ],
)
def test_terms_that_are_taken_apart_as_often_do_not_grow(rules: str) -> None:
    assert not terms_grow(read(rules), 50)


def test_terms_may_nest_as_deep_as_allowed_and_no_deeper() -> None:
    nested = read("(p a) (q (f (g b)))")

    assert not terms_grow(nested, 2)
    assert terms_grow(nested, 1)
