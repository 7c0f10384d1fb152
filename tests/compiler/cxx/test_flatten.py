from __future__ import annotations

from ludens.compiler.cxx.flatten import MAX_COPIES, flatten
from ludens.gdl.logic.clauses import clauses
from ludens.gdl.read import read_rules
from ludens.gdl.terms import signature
from ludens.gdl.write import kif


def flat(text: str) -> list[str]:
    sheet = read_rules(text)
    program = flatten(list(clauses(sheet.rules, sheet.source)), [], frozenset())
    return [
        " ".join([kif(clause.head), "<=", *map(kif, clause.positive), *(f"~{kif(atom)}" for atom in clause.negative)])
        for clause in program.clauses
    ]


def test_compound_arguments_become_columns() -> None:
    rules = "(init (cell 1 b)) (<= (legal r (mark ?x)) (true (cell ?x b))) (<= (next (cell ?x r)) (does r (mark ?x)))"

    assert flat(rules) == [
        "(init 0:cell/2 1 b) <=",
        "(legal 1:mark/1 r ?x) <= (true 0:cell/2 ?x b)",
        "(next 0:cell/2 ?x r) <= (does 1:mark/1 r ?x)",
    ]


def test_a_clause_is_repeated_for_each_shape_of_a_variable() -> None:
    found = flat(
        "(init (p 1)) (init q) (init (s 1 2)) (<= (next ?f) (true ?f) (not (gone ?f))) (<= (gone (p ?x)) (true (p ?x)))"
    )

    assert [text for text in found if text.startswith("(next")] == [
        "(next 0:s/2 ?f 2.0 ?f 2.1) <= (true 0:s/2 ?f 2.0 ?f 2.1)",
        "(next 0:p/1 ?f 1.0) <= (true 0:p/1 ?f 1.0) ~(gone 0:p/1 ?f 1.0)",
        "(next 0: ?f) <= (true 0: ?f)",
    ]


def test_nested_terms_are_flattened_level_by_level() -> None:
    assert flat("(init (at (pos 1 2) x)) (<= (next (at (pos ?x ?y) ?w)) (true (at (pos ?y ?x) ?w)))") == [
        "(init 0:at/2 0:pos/2 1 2 x) <=",
        "(next 0:at/2 0:pos/2 ?x ?y ?w) <= (true 0:at/2 0:pos/2 ?y ?x ?w)",
    ]


def test_terms_that_grow_stay_terms_below_some_level() -> None:
    found = flat("(init (n z)) (<= (next (n (s ?x))) (true (n ?x)))")

    assert any("(s " in text for text in found)


def test_a_clause_that_would_be_repeated_too_often_keeps_whole_terms() -> None:
    shapes = " ".join(f"(init (f{n} 1))" for n in range(20))
    found = flat(f"{shapes} (<= (pair ?a ?b) (true ?a) (true ?b))")

    assert "(pair ?a ?b) <= (true ?a) (true ?b)" in found
    assert len(found) < MAX_COPIES


def test_templates_give_the_terms_back() -> None:
    sheet = read_rules("(init (at (pos 1 2) x)) (<= (legal r (go ?d)) (true (at (pos ?d ?y) x)))")
    program = flatten(list(clauses(sheet.rules, sheet.source)), [], frozenset())

    templates = {kif(("", *predicate.template)) for predicate in program.predicates.values()}
    assert templates == {"( (at (pos ?0 ?1) ?2))", "( ?0 (go ?1))"}
    assert all(signature(clause.head) in program.predicates for clause in program.clauses)
