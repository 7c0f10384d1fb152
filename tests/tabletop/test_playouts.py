"""Playouts on one table come to what playouts through the contract come to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from statistics import fmean

import pytest

import ludens
from ludens.core import State
from ludens.tabletop import RuleError, Table, TabletopGame, TabletopState
from tests.tabletop.rules import HighCard, Race, Suits, Together


@pytest.mark.parametrize("rule", [HighCard, Suits, Race, Together])
def test_playouts_on_one_table_are_worth_the_same_as_through_the_contract(rule: type[HighCard]) -> None:
    state = TabletopGame(rule()).initial_state()
    rng = Random(6)

    fast = [state.play_out(rng, 1000) for _ in range(600)]
    plain = [State.play_out(state, rng, 1000) for _ in range(600)]

    for quick, slow in zip(zip(*fast, strict=True), zip(*plain, strict=True), strict=True):
        assert abs(fmean(quick) - fmean(slow)) < 10  # five standard errors of results from 0 to 100


def test_playouts_leave_the_state_as_it_was() -> None:
    game = ludens.load("phantom_go:4")
    state = game.initial_state().play({"Black": "B2"})
    assert isinstance(state, TabletopState)
    before = state.table.key()

    worth = [state.play_out(Random(seed), 1000) for seed in range(20)]

    assert state.table.key() == before
    assert all(black + white == pytest.approx(100) for black, white in worth)
    assert len({black for black, _ in worth}) > 1


def test_a_playout_of_go_counts_a_board_that_is_settled() -> None:
    """Black has two eyes and all of the board; White's stones cannot live there."""
    state: State = ludens.load("go:3,0.5").initial_state()
    for player, move in [("Black", "B1"), ("White", "pass"), ("Black", "B2"), ("White", "pass"), ("Black", "B3")]:
        state = state.play({player: move})

    assert fmean(state.play_out(Random(seed), 1000)[0] for seed in range(50)) > 70


def test_a_playout_that_returns_the_wrong_thing_is_told() -> None:
    class Wrong(HighCard):
        def playout(self, table: Table, rng: Random) -> Sequence[float]:
            return [200.0]

    with pytest.raises(RuleError, match=r"Wrong\.playout\(\) must return a number from 0 to 100 for each player"):
        TabletopGame(Wrong()).initial_state().play_out(Random(1), 10)


class Foreseen(Race):
    """A race whose players stand as differently as can be."""

    horizon = 0

    def prospects(self, table: Table) -> dict[str, float]:
        return {player: float(number) for number, player in enumerate(self.players)}


def test_playouts_end_at_the_horizon_and_count_by_the_prospects() -> None:
    state = TabletopGame(Foreseen()).initial_state()

    worth = state.play_out(Random(1), 1000)

    assert sum(worth) == pytest.approx(100)
    assert worth[1] / worth[0] == pytest.approx(math.e)


def test_a_playout_that_ends_before_the_horizon_counts_by_its_end() -> None:
    class FarSighted(Foreseen):
        horizon = 1000

    rng = Random(2)
    state, plain = (TabletopGame(rule()).initial_state() for rule in (FarSighted, Race))

    worth = {tuple(state.play_out(rng, 1000)) for _ in range(20)}

    assert worth <= {tuple(plain.play_out(rng, 1000)) for _ in range(200)}


def test_prospects_that_leave_somebody_out_are_told() -> None:
    class Forgetful(Foreseen):
        def prospects(self, table: Table) -> dict[str, float]:
            return {}

    with pytest.raises(RuleError, match=r"Forgetful\.prospects\(\) has no number for"):
        TabletopGame(Forgetful()).initial_state().play_out(Random(1), 10)


@pytest.mark.parametrize(
    ("name", "ahead", "moves"),
    [
        ("kriegspiel", "White", [("White", "e2e4"), ("Black", "d7d5"), ("White", "e4d5")]),
        ("chinese_checkers:2,2", "player1", []),
    ],
)
def test_who_is_ahead_has_better_prospects(name: str, ahead: str, moves: list[tuple[str, str]]) -> None:
    state: State = ludens.load(name).initial_state()
    for player, move in moves or [("player1", state.legal_moves("player1")[-1])]:
        state = state.play({player: move})
    assert isinstance(state, TabletopState)

    expected_goals = dict(zip(state.game.roles, state.game.prospects(state.table), strict=True))

    assert expected_goals[ahead] == max(expected_goals.values()) > 50
