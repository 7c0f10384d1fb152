"""What is decomposed in the background does not disturb the end of a move."""

from __future__ import annotations

import threading

import pytest

import ludens
from ludens.core import Clock, Deadline, GameError
from ludens.players.decomposition.player import DecompositionPlayer
from ludens.players.decomposition.preparation import Preparation


class Idle(Preparation):
    """Has nothing to do."""

    def _prepare(self) -> None:
        pass


class Scripted(Deadline):
    """Has these seconds left, one after the other."""

    def __init__(self, *seconds: float) -> None:
        super().__init__(1000.0)
        self.seconds = list(seconds)

    def remaining(self) -> float:
        return self.seconds.pop(0)


@pytest.fixture
def idle() -> Preparation:
    return Idle(ludens.load("tic_tac_toe", backend="reference"), 1.0)


def test_the_last_part_of_a_move_is_a_rest(idle: Preparation) -> None:
    move = Scripted(2.0, 0.3, 0.24, 0.1, 0.01, 5.0)
    idle.rest_at_the_end(move)

    idle._pulse()
    assert move.seconds == [0.24, 0.1, 0.01, 5.0]
    idle._pulse()
    assert not move.seconds


def test_the_rest_is_a_part_of_a_short_move(idle: Preparation) -> None:
    move = Scripted(0.1, 0.03)
    idle.rest_at_the_end(move)

    idle._pulse()

    assert not move.seconds


def test_one_that_rests_can_be_stopped(idle: Preparation) -> None:
    idle.rest_at_the_end(Scripted(1.0, *[0.0] * 10))
    idle.stop()

    with pytest.raises(GameError, match="stopped"):
        idle._pulse()


def test_it_goes_on_once_the_move_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    resting, made = threading.Event(), threading.Event()
    asked: list[Deadline | None] = []

    class Watched(Preparation):
        def _prepare(self) -> None:
            made.wait()

        def rest_at_the_end(self, move: Deadline | None) -> None:
            asked.append(move)
            (resting if move is not None else made).set()

    monkeypatch.setattr("ludens.players.decomposition.player.Preparation", Watched)
    game = ludens.load("tic_tac_toe", wait=True)
    player = DecompositionPlayer()
    player.start(game, "xplayer", 1, Clock(0.05, 0.2))
    deadline = Deadline(0.05)
    player.choose(game.initial_state().view("xplayer"), deadline)
    player.stop()

    assert resting.is_set()
    assert made.is_set()
    assert asked == [deadline, None]
