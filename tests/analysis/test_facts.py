from __future__ import annotations

import pytest

from ludens.analysis.facts import facts_of
from ludens.core import Answer
from tests.analysis.games import compiled, shelf


@pytest.mark.parametrize("name", ["tic_tac_toe", "nim", "rock_paper_scissors", "breakthrough:5,5", "connect_four_3p"])
def test_roles_that_may_change_places_are_alike(name: str) -> None:
    assert facts_of(shelf(name)).role_symmetry.answer is Answer.YES


def test_one_role_is_like_itself() -> None:
    assert facts_of(shelf("sudoku")).role_symmetry.answer is Answer.YES


@pytest.mark.parametrize(
    "difference",
    [
        "(<= (legal left extra) (true on))",
        "(<= (goal left 50) (true on))",
        "(goal left 10)",
        "(<= (next on) (does left push))",
    ],
)
def test_roles_that_differ_are_not_called_alike(difference: str) -> None:
    rules = """(role left) (role right) (init on) (<= (legal ?r push) (role ?r) (true on))
        (<= (legal ?r wait) (role ?r)) (<= (next on) (does left wait) (does right wait))
        (<= terminal (not (true on))) (<= (goal ?r 100) (role ?r) (not (true on)))"""

    assert facts_of(compiled(rules)).role_symmetry.answer is Answer.YES
    assert facts_of(compiled(rules + difference)).role_symmetry.answer is not Answer.YES
