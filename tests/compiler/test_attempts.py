"""Rules that are too large for one way of grounding are grounded in another, and not twice in the same for nothing."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from ludens.compiler import compile as compiling
from ludens.compiler.compile import compile_rules
from ludens.compiler.ground.grounder import GroundBudget, GroundProgram, TooLargeError, ground
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.read import read_rules

NUMBERS = 40
SUMS = f"""(role r) {" ".join(f"(succ {n} {n + 1})" for n in range(NUMBERS))} (init (at 0))
(<= (number ?n) (succ ?n ?m))
(<= (sum 0 ?b ?b) (number ?b)) (<= (sum ?a ?b ?c) (succ ?a0 ?a) (succ ?c0 ?c) (sum ?a0 ?b ?c0))
(<= (legal r (add ?n)) (number ?n)) (<= (next (at ?c)) (true (at ?a)) (does r (add ?b)) (sum ?b ?a ?c))
(<= terminal (true (at ?n)) (distinct ?n 0)) (goal r 100)"""
"""Numbers are added: of the ground rules, about a half are sums, which are facts."""


class Calls:
    """Grounds, and remembers the budgets."""

    def __init__(self) -> None:
        self.budgets: list[GroundBudget] = []

    def __call__(self, clauses: Iterable[Clause], budget: GroundBudget, *, blame: bool) -> GroundProgram:
        self.budgets.append(budget)
        return ground(clauses, budget, blame=blame)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    found = Calls()
    monkeypatch.setattr(compiling, "ground", found)
    monkeypatch.setattr(compiling, "FIRST_TRY", GroundBudget(rules=10))
    monkeypatch.setattr(compiling, "THIRD_TRY", GroundBudget(rules=10))
    return found


def test_facts_may_be_many_in_the_second_attempt(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "SECOND_TRY", GroundBudget(rules=1_100, free_facts=10_000))

    found = compile_rules(read_rules(SUMS))

    assert len(calls.budgets) == 2
    assert found.program.instances > 1_100


def test_without_free_facts_they_would_be_too_many(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "SECOND_TRY", GroundBudget(rules=1_100))

    compile_rules(read_rules(SUMS))

    assert len(calls.budgets) == 4


def test_what_exceeds_the_whole_budget_is_not_grounded_with_it_once_more(
    calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "SECOND_TRY", GroundBudget(rules=200, free_facts=10_000))

    with pytest.raises(TooLargeError, match="has the most instances"):
        compile_rules(read_rules(SUMS), GroundBudget(rules=600))

    assert [budget.rules for budget in calls.budgets] == [10, 200, 10]
    assert calls.budgets[1].free_facts == 400
