from __future__ import annotations

import pytest

import ludens
from ludens.analysis.report import lifted_report
from ludens.analysis.subgames.parts import Kind
from ludens.analysis.syntactic.lifted import lifted_decomposition
from ludens.core import OutOfTimeError
from ludens.games.library import find
from ludens.gdl.game import GdlGame


def parts(name: str) -> list[tuple[Kind, tuple[str, ...], tuple[str, ...]]]:
    return lifted_decomposition(find(name).rule_sheet())


def test_heaps_of_nim_are_subgames_without_grounding() -> None:
    assert parts("nim:3,4") == [
        (Kind.CONTROL, ("(control _)",), ()),
        (Kind.GAME, ("(heap a _)",), ("(reduce a _)",)),
        (Kind.GAME, ("(heap b _)",), ("(reduce b _)",)),
        (Kind.NOOP, (), ("noop",)),
    ]


def test_lines_join_the_columns_of_connect_four() -> None:
    assert sum(kind is Kind.GAME for kind, _, _ in parts("connect_four")) == 1


@pytest.mark.parametrize(("name", "subgames"), [("double_tic_tac_toe", 2), ("tic_tac_toe", 1), ("othello", 1)])
def test_number_of_subgames_without_grounding(name: str, subgames: int) -> None:
    assert sum(kind is Kind.GAME for kind, _, _ in parts(name)) == subgames


@pytest.mark.parametrize("pulses", [0, 10, 100])
def test_heuristics_stop_when_the_budget_is_over_at_any_point(pulses: int) -> None:
    left = iter(range(pulses))

    def pulse() -> None:
        if next(left, None) is None:
            raise OutOfTimeError("the countdown is over")

    with pytest.raises(OutOfTimeError):
        lifted_decomposition(find("double_tic_tac_toe").rule_sheet(), pulse)


def test_rules_that_are_not_decomposed_in_time_stay_whole_and_say_so() -> None:
    game = ludens.load("nim:3,4", backend="reference")
    assert isinstance(game, GdlGame)

    found = lifted_report(game, "a reason", seconds=0.0)

    (part,) = found.parts
    assert part.fluents == ("(control _)", "(heap _ _)")
    assert part.moves == ("(reduce _ _)", "noop")
    assert found.notes[0].startswith("the game stays whole: a reason, and the paper's heuristics")
