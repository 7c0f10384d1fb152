from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.logic.strata import ClauseGraph, Stratum, components, stratify
from ludens.gdl.read import read_rules
from ludens.gdl.terms import functor
from ludens.gdl.write import kif
from tests.thorough import examples


def clauses_of(text: str) -> list[Clause]:
    sheet = read_rules(text)
    return list(clauses(sheet.rules, sheet.source))


def strata_of(text: str) -> list[Stratum]:
    return stratify(clauses_of(text))


def heads(stratum: Stratum) -> set[str]:
    return {functor(clause.head) for clause in stratum.clauses}


def test_what_is_needed_comes_first() -> None:
    found = strata_of("(<= (c ?x) (b ?x)) (<= (b ?x) (a ?x) (not (d ?x))) (<= (d ?x) (e ?x))")
    assert [heads(stratum) for stratum in found] == [{"d"}, {"b"}, {"c"}]
    assert not any(stratum.recursive for stratum in found)


def test_rule_that_needs_itself_is_recursive() -> None:
    found = strata_of("(<= (t ?x ?y) (e ?x ?y)) (<= (t ?x ?y) (t ?x ?z) (e ?z ?y))")
    assert [(heads(stratum), stratum.recursive) for stratum in found] == [({"t"}, False), ({"t"}, True)]


def test_rules_that_need_each_other_are_one_stratum() -> None:
    [stratum] = strata_of("(<= (even ?y) (odd ?x) (s ?x ?y)) (<= (odd ?y) (even ?x) (s ?x ?y))")
    assert heads(stratum) == {"even", "odd"}
    assert stratum.recursive
    assert stratum.negative_cycle is None


def test_clauses_of_one_relation_are_apart_if_their_heads_do_not_meet() -> None:
    found = strata_of("(<= (goal r 100) (not (goal r 50))) (<= (goal r 50) (not (goal r 0))) (<= (goal r 0) lost)")
    assert [kif(stratum.clauses[0].head) for stratum in found] == ["(goal r 0)", "(goal r 50)", "(goal r 100)"]
    assert all(stratum.negative_cycle is None for stratum in found)


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("(<= p (not p))", "p"),
        ("(<= (p ?x) (q ?x) (not (p ?x)))", "(p ?x)"),
        ("(<= (p ?x) (q ?x) (not (r ?x))) (<= (r ?x) (q ?x) (p ?x))", "(r ?x)"),
        ("(<= (p ?x) (q ?x) (not (r ?x))) (<= (r ?x) (q ?x) (not (p ?x)))", None),
        ("(<= (p a) (not (p b))) (<= (p ?x) (q ?x) (p a))", "(p b)"),
        ("(<= (goal ?r 100) (role ?r) (not (goal ?r ?v)) (value ?v))", "(goal ?r ?v)"),
        ("(<= p (or a (and b (not c)))) (<= c d) (<= d (not (not p)))", "c"),
    ],
)
def test_cycle_through_negation_is_found(text: str, literal: str | None) -> None:
    [found] = [stratum.negative_cycle for stratum in strata_of(text) if stratum.negative_cycle]
    clause, atom = found
    assert atom in clause.negative
    assert literal in (None, kif(atom))


@pytest.mark.parametrize(
    "text",
    [
        "(<= (p ?x) (p ?x))",
        "(<= (p a ?x) (q ?x) (not (p b ?x)))",
        "(<= p (not q)) (<= q r)",
        "(<= (p ?x) (q ?x) (not (r ?x))) (<= (s ?x) (p ?x))",
    ],
)
def test_other_cycles_and_negations_are_fine(text: str) -> None:
    assert all(stratum.negative_cycle is None for stratum in strata_of(text))


def test_variables_of_the_same_name_in_two_rules_are_two_variables() -> None:
    found = strata_of("(<= (r ?x) (d ?x) (not (p (f ?x) b))) (<= (p ?x ?y) (q ?x ?y))")
    assert [heads(stratum) for stratum in found] == [{"p"}, {"r"}]


def test_variables_whose_names_end_in_primes_are_variables_like_others() -> None:
    found = strata_of("(<= (r ?x') (d ?x') (not (p (f ?x') b))) (<= (p ?x ?y) (q ?x ?y))")
    assert [heads(stratum) for stratum in found] == [{"p"}, {"r"}]


def test_graph_finds_the_clauses_whose_heads_unify() -> None:
    found = clauses_of("(<= (p a ?x) (q ?x)) (<= (p b ?x) (q ?x)) (<= (p ?x ?x) (q ?x)) (<= (p a) (q a))")
    graph = ClauseGraph(found)
    assert graph.defining(("p", "a", "b")) == [0]
    assert graph.defining(("p", "b", "b")) == [1, 2]
    assert graph.defining(("p", "a")) == [3]
    assert graph.defining(("p", "c", "d")) == []
    assert graph.defining(("r", "c")) == []


def test_long_chains_need_no_stack() -> None:
    text = "".join(f"(<= (p{number} ?x) (p{number + 1} ?x))" for number in range(3000))
    found = strata_of(text)
    assert [functor(stratum.clauses[0].head) for stratum in found] == [f"p{number}" for number in reversed(range(3000))]


GRAPHS = st.integers(1, 7).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, size - 1), max_size=3), min_size=size, max_size=size)
)


@examples(300, derandomize=True)
@given(GRAPHS)
def test_components_are_the_classes_of_mutual_need_in_order(graph: list[list[int]]) -> None:
    nodes = range(len(graph))
    reach = [{node} for node in nodes]
    for _ in nodes:
        reach = [known.union(*(reach[other] for other in graph[node])) for node, known in enumerate(reach)]
    expected = {frozenset(other for other in nodes if other in reach[node] and node in reach[other]) for node in nodes}
    found = components(nodes, lambda node: graph[node])
    assert {frozenset(component) for component in found} == expected
    assert sum(map(len, found)) == len(graph)
    place = {node: number for number, component in enumerate(found) for node in component}
    assert all(place[other] <= place[node] for node in nodes for other in graph[node])
