from __future__ import annotations

import pytest

from ludens.compiler.cxx.order import Check, Exists, Loop, Orderer, Step, UnboundError, pattern_of
from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.read import read_rules
from ludens.gdl.terms import Term, Variable, functor
from ludens.gdl.write import kif

ROWS = {"large": 100.0, "small": 2.0, "middle": 10.0}


def estimate(atom: Term, bound: set[Variable]) -> float:
    return ROWS.get(functor(atom), 5.0)


def clause(text: str) -> Clause:
    sheet = read_rules(text)
    (only,) = clauses(sheet.rules, sheet.source)
    return only


def shown(steps: tuple[Step, ...]) -> list[str]:
    texts = []
    for step in steps:
        match step:
            case Check(literal):
                texts.append(f"{literal.kind.name.lower()} {' '.join(map(kif, literal.terms))}")
            case Loop(atom):
                texts.append(f"each {kif(atom)}")
            case Exists(inner):
                texts.append(f"some [{', '.join(shown(inner))}]")
    return texts


def order(text: str, pattern: str, required: dict[tuple[str, int], frozenset[int]] | None = None) -> list[str]:
    orderer = Orderer(estimate, lambda atom: 1.0, required or {})
    return shown(orderer.order(clause(text), pattern))


def test_the_most_selective_literal_comes_first_and_tests_as_soon_as_they_can() -> None:
    assert order("(<= (p ?x ?y) (large ?x ?y) (small ?x) (not (bad ?x)) (distinct ?x 1))", "ff") == [
        "each (small ?x)",
        "distinct ?x 1",
        "fails (bad ?x)",
        "each (large ?x ?y)",
    ]


def test_known_arguments_are_tested_not_looped_over() -> None:
    assert order("(<= (p ?x) (small ?x) (large ?x))", "b") == ["holds (small ?x)", "holds (large ?x)"]


def test_what_gives_no_answer_is_only_tested_for_existence() -> None:
    assert order("(<= (p ?x) (small ?x) (large ?x ?y) (middle ?y) (other ?z))", "f") == [
        "some [each (other ?z)]",
        "each (small ?x)",
        "some [each (middle ?y), holds (large ?x ?y)]",
    ]


def test_relations_that_must_be_told_an_argument_wait_for_it() -> None:
    required = {("small", 2): frozenset({0})}

    assert order("(<= (p ?x ?y) (small ?x ?y) (large ?x))", "ff", required) == ["each (large ?x)", "each (small ?x ?y)"]


def test_a_variable_without_value_is_an_error() -> None:
    with pytest.raises(UnboundError):
        order("(<= (p ?x) (small ?y))", "f")
    assert order("(<= (p ?x) (not (bad ?x)))", "b") == ["fails (bad ?x)"]


def test_pattern_tells_known_from_unknown() -> None:
    assert pattern_of(("p", "1", Variable("x"), ("f", Variable("x"), Variable("y"))), [Variable("x")]) == "bbf"
