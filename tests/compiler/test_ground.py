from __future__ import annotations

import pytest

from ludens.compiler.compile import compile_rules
from ludens.compiler.ground import grounder as grounding
from ludens.compiler.ground import limits as guard
from ludens.compiler.ground.grounder import GroundBudget, GroundProgram, GrowingError, TooLargeError, ground
from ludens.core import GameError
from ludens.gdl.logic.clauses import clauses
from ludens.gdl.read import read_rules
from ludens.gdl.terms import functor


def grounded(text: str, budget: GroundBudget | None = None) -> GroundProgram:
    sheet = read_rules(text)
    return ground(clauses(sheet.rules, sheet.source), budget, blame=True)


COUNTER = """
(role Solo) (init (count 0)) (succ 0 1) (succ 1 2)
(<= (legal Solo (add ?n)) (succ ?n ?m) (true (count ?n)))
(<= (legal Solo (stay put)) (true (count ?n)))
(<= (next (count ?m)) (does Solo (add ?n)) (succ ?n ?m))
(<= (next (count ?n)) (does Solo (stay put)) (true (count ?n)))
(<= terminal (true (count 2))) (<= (goal Solo 100) (true (count 2)))
"""


def test_fluents_and_moves_are_those_that_can_be_reached() -> None:
    program = grounded(COUNTER)

    assert set(program.fluents.values()) == {("count", "0"), ("count", "1"), ("count", "2")}
    assert set(program.moves.values()) == {
        ("Solo", ("add", "0")),
        ("Solo", ("add", "1")),
        ("Solo", ("stay", "put")),
    }
    assert ("init", ("count", "0")) in program.named
    assert ("goal", ("Solo", "100")) in program.named


def test_names_of_any_characters_come_back_as_they_were() -> None:
    program = grounded(COUNTER.replace("count", "X-1_é").replace("put", "(f 'a)"))

    assert ("Solo", ("stay", ("f", "'a"))) in program.moves.values()
    assert ("X-1_é", "2") in program.fluents.values()


def test_terms_of_any_shape_come_back_as_they_were() -> None:
    program = grounded("(role r) (init (p (q) (f a (g (q) (h b)) c) q)) (init q) (init (q)) (legal r (m)) (legal r m)")

    assert {argument for relation, argument in program.named if relation == "init"} == {
        ("p", ("q",), ("f", "a", ("g", ("q",), ("h", "b")), "c"), "q"),
        "q",
        ("q",),
    }
    assert set(program.moves.values()) == {("r", ("m",)), ("r", "m")}


def test_a_proposition_and_an_empty_group_are_not_the_same() -> None:
    program = grounded("(role r) (open) (<= (legal r a) open) (<= (legal r b) (open)) terminal (goal r 0)")

    assert set(program.moves.values()) == {("r", "b")}


def test_too_many_ground_rules_stop_the_grounder() -> None:
    numbers = " ".join(f"(n {n})" for n in range(60))
    rules = f"(role r) {numbers} (<= (legal r (f ?a ?b ?c)) (n ?a) (n ?b) (n ?c)) terminal (goal r 0)"

    with pytest.raises(TooLargeError, match="more than 1,000 ground instances") as caught:
        grounded(rules, GroundBudget(rules=1000))

    assert caught.value.clause is not None
    assert functor(caught.value.clause.head) == "legal"


def test_the_error_names_the_rule_that_is_too_large_and_its_place() -> None:
    numbers = " ".join(f"(n {n})" for n in range(60))
    rules = f"(role r) {numbers}\n(<= (legal r (f ?a ?b ?c)) (n ?a) (n ?b) (n ?c))\nterminal (goal r 0)"

    with pytest.raises(TooLargeError, match=r"rule at big.kif:2 has the most instances: \(<= \(legal r") as caught:
        compile_rules(read_rules(rules, name="big.kif"), GroundBudget(rules=1000))

    assert (caught.value.position, caught.value.reason) == (
        "big.kif:2",
        "the rules have more than 1,000 ground instances",
    )
    assert caught.value.rule == "(<= (legal r (f ?a ?b ?c)) (n ?a) (n ?b) (n ?c))"


def test_rules_that_cannot_be_grounded_are_a_clear_error() -> None:
    with pytest.raises(GameError, match=r"cannot be grounded.*unsafe"):
        grounded("(role r) (q a) (<= (legal r ?x) (not (q ?x))) terminal (goal r 0)")


SLOW = f"""(role r) {" ".join(f"(less {a} {b})" for b in range(100) for a in range(b))} (legal r stay)
(<= (round ?a) (less ?a ?b) (less ?b ?c) (less ?c ?d) (less ?d ?e) (less ?e ?f) (less ?f ?g) (less ?g ?a))
(<= (legal r go) (round ?a)) terminal (goal r 0)"""


def test_a_join_that_derives_nothing_is_ended_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "GRACE", 0.1)

    with pytest.raises(TooLargeError, match=r"took more than 0.5 s") as caught:
        grounded(SLOW, GroundBudget(seconds=0.5))

    assert caught.value.clause is not None
    assert functor(caught.value.clause.head) == "round"


def test_grounding_in_a_process_of_its_own_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    inside = grounded(COUNTER)
    monkeypatch.setattr(grounding, "UNGUARDED", 0)

    outside = grounded(COUNTER)

    outside.seconds = inside.seconds
    assert outside == inside


def test_grounding_that_needs_too_much_memory_ends() -> None:
    numbers = " ".join(f"(n {n})" for n in range(200))
    rules = f"(role r) {numbers} (<= (legal r (f ?a ?b ?c)) (n ?a) (n ?b) (n ?c)) terminal (goal r 0)"

    with pytest.raises(TooLargeError, match=r"needs more than 0\.\d+ GB of memory"):
        grounded(rules, GroundBudget(memory=512 << 20))


ENDLESS = """(role r) (init (count 0)) (legal r go) (legal r stay)
(<= (next (count (s ?x))) (true (count ?x)) (does r go))
(<= (next (count ?x)) (true (count ?x)) (does r stay))
(<= terminal (true (count (s (s (s 0)))))) (goal r 100)
"""


@pytest.mark.parametrize("unguarded", [0, 10**30], ids=["in a process", "here"])
def test_terms_that_grow_without_end_are_found_at_once(monkeypatch: pytest.MonkeyPatch, unguarded: int) -> None:
    monkeypatch.setattr(grounding, "UNGUARDED", unguarded)

    with pytest.raises(GrowingError, match="more than 100 deep: argument 1 of count grows, by the rule") as caught:
        compile_rules(read_rules(ENDLESS, name="x.kif"))

    assert "x.kif:2: (<= (next (count (s ?x)))" in str(caught.value)
    assert "the backends cxx and reference play it" in str(caught.value)


def test_a_move_that_grows_is_named() -> None:
    rules = """(role r) (init (last 0)) (<= (legal r (say (s ?x) now)) (true (last ?x)))
    (<= (next (last ?x)) (does r (say ?x now))) (<= terminal (true (last (s 0)))) (goal r 100)"""

    with pytest.raises(GrowingError, match="argument 1 of say grows"):
        compile_rules(read_rules(rules))


def test_terms_that_grow_in_number_end_at_the_first_limit() -> None:
    rules = """(role r) (init (got 0)) (<= (legal r (join ?x ?y)) (true (got ?x)) (true (got ?y)))
    (<= (next (got (pair ?x ?y))) (does r (join ?x ?y))) (<= terminal (true (got (pair 0 0)))) (goal r 100)"""

    with pytest.raises(GrowingError, match=r"more than 1,000 ground instances: argument 1 of got grows"):
        compile_rules(read_rules(rules), GroundBudget(rules=1000))


def test_terms_that_grow_to_an_end_are_grounded() -> None:
    """As in a public sheet with legal recursion: the condition lets the term nest three times."""
    rules = """(role r) (init (n 0)) (small 0) (small (s 0)) (small (s (s 0))) (legal r go)
    (<= (next (n (s ?x))) (true (n ?x)) (small ?x)) (<= terminal (true (n (s (s (s 0)))))) (goal r 100)"""

    program = grounded(rules)

    assert len(program.fluents) == 4
