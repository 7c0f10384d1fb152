from __future__ import annotations

import pytest

from ludens.compiler.cxx.prepare import prepare
from ludens.compiler.cxx.queries import Query, QueryPlan, choose_inline, choose_memo, plan_queries
from ludens.compiler.cxx.usage import Profile, QueryProfile, sample_relations
from ludens.games.library import find
from ludens.gdl.logic.relation_graph import MOVE
from ludens.gdl.read import read_rules

GAME = """
(role r) (init (at 1)) (succ 1 2) (succ 2 3)
(<= (behind ?x ?y) (succ ?y ?x)) (<= (near ?x) (true (at ?y)) (succ ?y ?x)) (<= (near ?x) (true (at ?y)) (behind ?y ?x))
(<= (legal r (go ?x)) (near ?x)) (<= (legal r stay) (not (near 3)))
(<= (moved ?x) (does r (go ?x)) (near ?x))
(<= (next (at ?x)) (moved ?x)) (<= (next (at ?x)) (true (at ?x)) (does r stay))
(<= (path ?x ?y) (near ?x) (succ ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (succ ?y ?z))
(<= terminal (path 2 3)) (goal r 0)
"""


def plan(text: str = GAME, profile: Profile | None = None) -> QueryPlan:
    prepared = prepare(read_rules(text), "game")
    top = [Query(s, "f" * s[1]) for name in ("terminal", "goal", "legal", "next") for s in prepared.of(name)]
    return plan_queries(prepared, profile or Profile(), top)


def asked(found: QueryPlan) -> set[str]:
    return {query.key for query in found.queries if not query.sign[0].startswith(("next", "legal", "goal", "terminal"))}


def test_every_binding_pattern_that_is_reached_is_planned() -> None:
    assert asked(plan()) == {"near/1 f", "near/1 b", "moved/1 f", "path/2 bb"}


def test_relations_that_never_change_need_no_query() -> None:
    assert not any(query.sign[0] == "behind" for query in plan().queries)


def test_relations_that_cannot_be_listed_are_asked_with_as_much_known_as_possible() -> None:
    lists = "(<= (list (l ?x ?y)) (item ?x) (list ?y)) (list nil)"
    first = "(<= (add ?x nil (l ?x nil)) (item ?x))"
    rest = "(<= (add ?x (l ?y ?t) (l ?y ?u)) (item ?y) (list ?t) (list ?u) (add ?x ?t ?u))"
    text = f"""(role r) (init (at a)) (legal r go) (item a) (item b) (item c) {lists} {first} {rest}
    (<= (long ?t) (true (at ?x)) (add ?x nil ?t) (list ?t) (list ?u) (add ?x ?t ?u))
    (<= terminal (long (l a nil))) (<= (next (at ?x)) (true (at ?x))) (goal r 0)"""
    prepared = prepare(read_rules(text), "game")
    top = [Query(sign, "f" * sign[1]) for name in ("terminal", "next") for sign in prepared.of(name)]

    found = plan_queries(prepared, sample_relations(prepared), top)

    assert ("list", 1) not in prepared.tables
    assert not any(set(query.pattern) == {"f"} for query in found.queries if query.sign[0].startswith("list"))


def test_recursive_queries_form_groups_and_are_always_memoised() -> None:
    found = plan()
    choose_memo(found, Profile(), "off")

    memoised = {query.sign[0] for query, planned in found.queries.items() if planned.memo}
    assert memoised == {"path"}
    assert found.groups == 1


def test_what_depends_on_moves_is_never_memoised() -> None:
    found = plan()
    choose_memo(found, Profile(), "on")

    assert any(planned.memo for planned in found.queries.values() if planned.phase < MOVE)
    assert not any(planned.memo for planned in found.queries.values() if planned.phase == MOVE)


@pytest.mark.parametrize(("calls", "memo"), [(1000, True), (110, False)])
def test_the_profile_decides_what_is_worth_keeping(calls: int, memo: bool) -> None:
    profile = Profile(10, {}, {"near/1 b": QueryProfile(calls=calls, misses=100, answers=50, work=5000)})
    found = plan(profile=profile)
    choose_memo(found, profile, "auto")

    assert found.queries[Query(("near", 1), "b")].memo is memo


def test_short_queries_that_are_asked_often_are_inlined() -> None:
    found = plan()
    choose_memo(found, Profile(), "off")
    choose_inline(found, Profile())

    assert found.queries[Query(("moved", 1), "f")].inline
    assert not any(planned.inline for planned in found.queries.values() if planned.group is not None)


def test_sampled_states_tell_how_large_relations_are() -> None:
    prepared = prepare(find("tic_tac_toe").rule_sheet(), "tic_tac_toe")
    measured = sample_relations(prepared, states=20)

    assert measured.states == 20
    assert measured.relations["true 0:cell/3/3"].rows == 9
    assert measured.relations["true 0:control/1/1"].distinct == (1.0,)
