from __future__ import annotations

import pytest

from ludens.compiler import compile as compiling
from ludens.compiler.batch.game import CircuitGame
from ludens.compiler.ground.grounder import GroundBudget, ground
from ludens.compiler.rules.condense import Condenser
from ludens.compiler.rules.merge import merge
from ludens.compiler.rules.narrow import narrow
from ludens.compiler.rules.separate import separate
from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.traces import record_trace, replay
from tests.compiler.test_condense import shown
from tests.games.shelf import shelf_game

SQUARES = " ".join(f"(square {n})" for n in range(8)) + " ".join(f"(after {n} {n + 1})" for n in range(7))
LINE = f"""(role r) (init (at 0)) (init (stone 3)) {SQUARES} (square far)
(<= (clear ?a ?b ?ignored) (after ?a ?b) (square ?ignored))
(<= (clear ?a ?b ?ignored) (after ?a ?c) (not (true (stone ?c))) (clear ?c ?b ?ignored))
(<= (clear ?a ?b ?ignored) (after ?a ?ignored) (clear ?ignored ?b ?ignored))
(<= (legal r (go ?b ?i)) (true (at ?a)) (square ?i) (clear ?a ?b ?i))
(<= (legal r (pass ?i)) (square ?i) (true (at ?a)) (not (clear ?a 5 ?i)))
(<= (legal r (odd ?i)) (after ?i ?j) (true (at ?a)) (not (clear ?a 2 ?i)))
(<= (legal r (other ?i)) (or (true (at ?i)) (true (stone ?i))) (true (at ?a)) (not (clear ?a 6 ?i)) (distinct ?a 9))
(<= (next (at ?b)) (does r (go ?b ?i))) (<= (next (at ?a)) (true (at ?a)) (does r (pass ?i)))
(<= (next (stone ?i)) (does r (pass ?i))) (<= (next (stone 2)) (does r (go ?b ?i)))
(legal r wait) (<= (next ?f) (true ?f) (does r wait))
(<= terminal (true (at 7))) (<= (goal r 100) (true (at 7)))"""


def clauses_of(text: str) -> list[Clause]:
    sheet = read_rules(text)
    return list(clauses(sheet.rules, sheet.source))


def test_what_holds_for_all_values_loses_the_argument() -> None:
    rules = [shown(clause) for clause in separate(clauses_of(LINE)) if clause.positive]

    assert "(clear always ?a ?b) :- (after ?a ?b)" in rules
    assert "(clear always ?a ?b) :- (after ?a ?c), (clear always ?c ?b), not (true (stone ?c))" in rules
    assert "(clear ?a ?b ?ignored) :- (after ?a ?ignored), (clear ?ignored ?b ?ignored)" in rules


def test_separated_rules_have_fewer_instances() -> None:
    def size(given: list[Clause]) -> int:
        return ground(Condenser().condense(given)).instances

    assert size(separate(clauses_of(LINE))) < size(clauses_of(LINE))


def test_arguments_are_narrowed_to_the_values_that_are_asked_for() -> None:
    text = """(role r) (init (at a)) (n a) (n b) (n c) (<= (free ?x ?y) (n ?x) (n ?y) (not (true (at ?y))))
    (<= (legal r ?x) (true (at ?x)) (free ?x c)) terminal (goal r 0)"""
    given = clauses_of(text)

    assert ground(narrow(given)).instances < ground(given).instances
    assert set(ground(narrow(given)).moves.values()) == {("r", "a")}


def test_clauses_that_differ_in_one_condition_become_one() -> None:
    text = "(<= (p ?x) (or (true (a ?x ?y)) (true (b ?x))) (true (c ?x)) (not (true (d ?x))))"

    assert [shown(clause) for clause in merge(clauses_of(text))] == [
        "(either 0 ?x) :- (true (a ?x ?y))",
        "(either 0 ?x) :- (true (b ?x))",
        "(p ?x) :- (either 0 ?x), (true (c ?x)), not (true (d ?x))",
    ]


def test_separated_rules_mean_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "FIRST_TRY", GroundBudget(rules=10))
    sheet = read_rules(LINE)

    trace = list(record_trace(ReferenceGame(sheet), playouts=5, max_steps=10, seed=2))

    assert replay(CircuitGame(sheet), trace).first_difference is None


@pytest.mark.parametrize(
    "name", [pytest.param("chess", marks=pytest.mark.slow), "checkers", "othello", "breakthrough", "double_criss_cross"]
)
def test_separated_games_play_as_the_reference_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "FIRST_TRY", GroundBudget(rules=10))
    reference = shelf_game(name)

    game = CircuitGame(reference.sheet, name)

    assert replay(game, list(record_trace(reference, playouts=1, max_steps=40, seed=5))).first_difference is None
