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
    return found


def test_rules_that_are_many_are_grounded_with_the_whole_budget_at_last(
    calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "SECOND_TRY", GroundBudget(rules=20))

    compile_rules(read_rules(SUMS))

    assert [budget.rules for budget in calls.budgets] == [10, 20, 20, GroundBudget().rules]


@pytest.mark.parametrize(("whole", "attempts"), [(60.0, 3), (100.0, 4)])
def test_rules_that_take_too_long_are_not_grounded_for_as_long_once_more(
    whole: float, attempts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    budgets = []

    def take_too_long(clauses: Iterable[Clause], budget: GroundBudget, *, blame: bool) -> GroundProgram:
        budgets.append(budget)
        raise TooLargeError(budget.exceeded("seconds"), limit="seconds")

    monkeypatch.setattr(compiling, "ground", take_too_long)

    with pytest.raises(TooLargeError, match="took more than"):
        compile_rules(read_rules(SUMS), GroundBudget(seconds=whole))

    assert len(budgets) == attempts
