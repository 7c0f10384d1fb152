"""Reports of generated games: what they say of impartiality, counters, and why a game stays whole."""

from __future__ import annotations

import pytest

from ludens.analysis.report import report
from ludens.analysis.subgames.parts import Kind
from tests.analysis.games import compiled, shelf
from tests.players.decomposition.composites import KINDS, composite_of


@pytest.mark.parametrize("kind", KINDS)
def test_only_alternating_games_are_impartial_and_whole_ones_say_why(kind: str) -> None:
    for seed in range(3):
        found = report(compiled(composite_of(kind, seed).rules))
        impartial = [part.impartial for part in found.parts if part.kind is Kind.GAME]

        if kind in {"one role", "simultaneous"}:
            assert True not in impartial
        if kind == "impartial":
            assert impartial == [True] * found.subgames
        assert (found.subgames < 2) == any("stays whole" in note for note in found.notes)


def test_many_counters_that_change_once_are_one_row() -> None:
    lamps = "\n".join(f"(init (dark {n})) (<= (next (lit {n})) (true (dark {n})))" for n in range(30))
    lit = "(<= (next (lit ?n)) (true (lit ?n)))"
    rules = composite_of("alternating", 1).rules + lamps + lit + "(<= (goal a 0) (true (lit 7)) (true (lit 8)))"

    found = report(compiled(rules))

    rows = [part for part in found.parts if part.kind is Kind.COUNTER and "(lit 7)" in part.fluents]
    assert len(rows) == 1
    assert "(lit 8)" in rows[0].fluents


@pytest.mark.parametrize(
    ("name", "convention"), [("kayles:6", "normal"), ("dawsons_kayles:8", "normal"), ("kayles:6,misere", "misère")]
)
def test_impartial_games_in_one_piece_are_reported(name: str, convention: str) -> None:
    found = report(shelf(name))

    assert found.convention == convention
    assert f"impartial in {convention} play: decided by the parts into which moves take a position" in found.notes


def test_games_that_are_not_decided_by_the_last_move_have_no_convention() -> None:
    assert report(shelf("tic_tac_toe")).convention is None
