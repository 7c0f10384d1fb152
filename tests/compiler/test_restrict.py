from __future__ import annotations

import pytest

from ludens.compiler import compile as compiling
from ludens.compiler.batch.game import CircuitGame
from ludens.compiler.compile import compile_rules
from ludens.compiler.ground.grounder import GroundBudget, ground
from ludens.compiler.rules.restrict import DEMAND, restrict
from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.read import read_rules
from ludens.gdl.terms import functor
from ludens.gdl.traces import record_trace, replay
from tests.games.shelf import shelf_game

NUMBERS = " ".join(f"(n {n})" for n in range(12))
WIDE = f"""(role r) (init (at 3)) {NUMBERS}
(<= (sum ?a ?b ?c ?d ?e) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (true (at ?a)) (not (true (at ?b))))
(<= (legal r (go ?x)) (n ?x) (true (at ?y)) (sum ?y ?x 1 2 3))
(<= (next (at ?x)) (does r (go ?x))) (<= terminal (true (at 9))) (goal r 0)"""


def clauses_of(text: str) -> list[Clause]:
    sheet = read_rules(text)
    return list(clauses(sheet.rules, sheet.source))


def test_only_what_is_asked_for_is_grounded() -> None:
    plain, restricted = clauses_of(WIDE), restrict(clauses_of(WIDE))

    assert ground(plain).instances > 200_000
    assert ground(restricted).instances < 2_000


def test_rules_get_a_demand_as_their_first_condition() -> None:
    guarded = [clause for clause in restrict(clauses_of(WIDE)) if functor(clause.head) == "sum"]

    assert len(guarded) == 1
    assert functor(guarded[0].positive[0]).startswith(DEMAND)


def test_large_rule_sheets_are_restricted_and_mean_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_TRY", "SECOND_TRY"):
        monkeypatch.setattr(compiling, name, GroundBudget(rules=5_000))
    monkeypatch.setattr(compiling, "separate", list)
    monkeypatch.setattr(compiling, "narrow", list)

    stages = [stage.name for stage in compile_rules(read_rules(WIDE)).stages]
    state = CircuitGame(read_rules(WIDE)).initial_state()

    assert stages == ["read", "condense", "ground", "separate", "ground", "restrict", "ground", "circuit"]
    assert len(state.legal_moves("r")) == 11
    assert state.play({"r": "(go 9)"}).is_terminal


@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("chess", "checkers", "othello")),
        *("hex", "breakthrough", "double_criss_cross"),
    ],
)
def test_restricted_games_play_as_the_reference_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "FIRST_TRY", GroundBudget(rules=10))
    monkeypatch.setattr(compiling, "separate", restrict)
    reference = shelf_game(name)

    game = CircuitGame(reference.sheet, name)

    assert replay(game, list(record_trace(reference, playouts=1, max_steps=40, seed=5))).first_difference is None
