from __future__ import annotations

import pytest

import ludens
from ludens.analysis.budget import Budget, TooEntangledError
from ludens.analysis.gates import supports
from ludens.analysis.report import report
from ludens.analysis.subgames.decompose import decompose
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import OutOfTimeError
from ludens.gdl.game import GdlGame
from ludens.players.decomposition.solve import InOnePieceError, decompose_game, solve_by_parts


class Countdown(Budget):
    """A budget that is over after a number of pulses."""

    def __init__(self, pulses: int) -> None:
        super().__init__()
        self._pulses = pulses

    def __call__(self) -> None:
        self._pulses -= 1
        if self._pulses < 0:
            raise OutOfTimeError("the countdown is over")


def load(name: str) -> CircuitRules:
    game = ludens.load(name, backend="circuit")
    assert isinstance(game, CircuitRules)
    return game


@pytest.mark.parametrize("pulses", [3, 10, 30, 100])
def test_a_game_stays_whole_when_the_budget_is_over_at_any_point(pulses: int) -> None:
    found = decompose(load("double_tic_tac_toe"), Countdown(pulses))

    assert len(found.games) == 1
    assert found.note == "the game stays whole: the countdown is over"


def test_a_budget_that_is_over_before_the_turn_order_is_known_is_an_error_of_its_own() -> None:
    with pytest.raises(OutOfTimeError):
        decompose(load("double_tic_tac_toe"), Countdown(0))
    with pytest.raises(InOnePieceError, match="countdown"):
        decompose_game(load("double_tic_tac_toe"), Countdown(0))


def test_solving_by_parts_stops_within_the_analysis() -> None:
    with pytest.raises((InOnePieceError, OutOfTimeError), match="was not done after 0 s"):
        solve_by_parts(load("double_tic_tac_toe").initial_state(), 0.0)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("double_tic_tac_toe")
    monkeypatch.setattr(supports, "MOST_BYTES", 100)

    with pytest.raises(TooEntangledError, match="memory"):
        decompose(game)
    found = report(game)
    assert found.subgames == 1
    assert "in memory" in found.notes[0]


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        pytest.param("connect_four", marks=pytest.mark.slow),
        "rock_paper_scissors",
        "eight_puzzle",
        "hanoi",
    ],
)
def test_every_game_that_stays_whole_has_a_reason(name: str) -> None:
    game = ludens.load(name, backend="circuit")
    assert isinstance(game, GdlGame)

    found = report(game)

    assert found.subgames > 1 or found.notes[0].startswith("the game stays whole: ")
