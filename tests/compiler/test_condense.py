from __future__ import annotations

from ludens.compiler.rules.condense import AUXILIARY, Condenser
from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.read import read_rules
from ludens.gdl.terms import functor
from ludens.gdl.write import kif


def condensed(text: str) -> list[Clause]:
    sheet = read_rules(text)
    return list(Condenser().condense(clauses(sheet.rules, sheet.source)))


def shown(clause: Clause) -> str:
    parts = [kif(atom) for atom in clause.positive]
    parts += [f"not {kif(atom)}" for atom in clause.negative]
    parts += [f"{kif(left)} != {kif(right)}" for left, right in clause.distinct]
    return f"{kif(clause.head)} :- {', '.join(parts)}"


def test_a_variable_that_the_head_does_not_need_moves_to_a_rule_of_its_own() -> None:
    rules = condensed("(<= (p ?x) (q ?x ?y) (r ?y ?z) (s ?z))")

    assert [shown(rule) for rule in rules] == [
        "(aux 0 ?y) :- (r ?y ?z), (s ?z)",
        "(p ?x) :- (q ?x ?y), (aux 0 ?y)",
    ]


def test_rules_that_cannot_be_split_stay_as_they_are() -> None:
    for text in ("(<= (p ?x ?y) (q ?x ?y))", "(<= (p ?x) (q ?x ?y))", "(p a)"):
        assert len(condensed(text)) == 1


def test_negated_literals_take_along_what_binds_them() -> None:
    rules = condensed("(<= (p ?x) (q ?x) (r ?y) (s ?z) (not (t ?y ?z)) (distinct ?y ?z))")

    assert shown(rules[-1]).startswith("(p ?x) :- (q ?x), aux ")
    inner = rules[0]
    assert {kif(atom) for atom in inner.positive} == {"(r ?y)", "(s ?z)"}
    assert (len(inner.negative), len(inner.distinct)) == (1, 1)


def test_equal_auxiliary_rules_are_shared() -> None:
    rules = condensed("(<= (p ?x) (q ?x ?y) (r ?y ?z) (s ?z)) (<= (u ?a) (v ?a ?b) (r ?b ?c) (s ?c))")

    assert sum(functor(rule.head).startswith(AUXILIARY) for rule in rules) == 1


def test_a_guard_that_stays_outside_is_a_demand_with_only_the_variables_that_are_needed() -> None:
    rules = condensed("(<= (p ?x ?w) (true (q ?x ?w)) (true (r ?y)) (not (t ?x ?y)))")

    assert [shown(rule) for rule in rules] == [
        "(demand c0 ?x) :- (true (q ?x ?w))",
        "(aux 1 ?x) :- (true (r ?y)), (demand c0 ?x), not (t ?x ?y)",
        "(p ?x ?w) :- (true (q ?x ?w)), (aux 1 ?x)",
    ]


def test_static_conditions_go_along_so_that_more_variables_are_let_go_at_once() -> None:
    rules = condensed("(differ a b) (<= (p ?x ?w) (true (q ?x ?w)) (true (m ?a ?b)) (differ ?x ?a) (differ ?x ?b))")

    assert shown(rules[-2]) == "(aux 0 ?x) :- (true (m ?a ?b)), (differ ?x ?a), (differ ?x ?b)"


def test_what_few_variables_decide_is_joined_before() -> None:
    sheet = read_rules("(<= (p ?a ?b ?c ?d) (q ?a ?b ?e) (r ?b ?e) (not (s ?a ?e)) (t ?a ?e ?c ?d ?f ?g))")
    condenser = Condenser()

    rules = list(condenser.prejoin(clauses(sheet.rules, sheet.source)))

    assert [shown(rule) for rule in rules] == [
        "(aux 0 ?a ?b ?e) :- (q ?a ?b ?e), (r ?b ?e), not (s ?a ?e)",
        "(p ?a ?b ?c ?d) :- (t ?a ?e ?c ?d ?f ?g), (aux 0 ?a ?b ?e)",
    ]
