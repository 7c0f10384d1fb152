"""The Lab's board: turns are replayed under the rules of the moment."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import ludens
from ludens.core import GameError, JointMove
from ludens.gdl.game import GdlGame
from ludens.gdl.read import read_rules
from ludens.web.lab import live_board
from ludens.web.lab.live_board import LiveBoard

SHEET = """(role me) (role other) (init (sticks 5)) (init (control me))
(by 5 4 1) (by 4 3 1) (by 3 2 1) (by 2 1 1) (by 1 0 1) (by 5 3 2) (by 4 2 2) (by 3 1 2) (by 2 0 2)
(<= (legal ?r (take ?n)) (true (control ?r)) (true (sticks ?s)) (by ?s ?t ?n))
(<= (legal ?r wait) (role ?r) (not (true (control ?r))))
(<= (next (sticks ?t)) (does ?r (take ?n)) (true (sticks ?s)) (by ?s ?t ?n))
(<= (next (control me)) (true (control other)))
(<= (next (control other)) (true (control me)))
(<= terminal (true (sticks 0)))
(<= (goal ?r 100) (role ?r) (not (true (control ?r))))
(<= (goal ?r 0) (true (control ?r)))
"""


@pytest.fixture(autouse=True)
def quick_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_board, "OPPONENT", "legal")


def board(text: str, turns: Sequence[JointMove] = ()) -> LiveBoard:
    return LiveBoard(read_rules(text), "me", turns)


def test_the_opponent_answers_until_it_is_ones_turn_again() -> None:
    live = board(SHEET)
    live.play("(take 2)")
    live.go_on()
    assert [sorted(turn) for turn in live.turns] == [["me", "other"]] * 2
    assert live.as_json()["chosen"] == [0]
    assert {move["move"] for move in live.as_json()["moves"]} == {"(take 1)", "(take 2)"}
    with pytest.raises(GameError):
        live.play("(take 3)")


def test_turns_that_changed_rules_forbid_are_dropped() -> None:
    live = board(SHEET)
    live.play("(take 2)")
    live.go_on()
    again = board(SHEET, live.turns)
    assert again.turns == live.turns
    assert str(again.state) == str(live.state)
    assert board(SHEET.replace("(by 5 3 2)", ""), live.turns).turns == []


def test_facts_are_explained_in_the_position_of_the_board() -> None:
    live = board(SHEET)
    live.play("(take 2)")
    assert live.why("(sticks 3)")["holds"]
    assert not live.why("(legal me (take 1))")["holds"]


def test_chance_draws_the_same_again() -> None:
    game = ludens.load("pig", backend="interpreter")
    assert isinstance(game, GdlGame)
    sheet = game.sheet
    role = game.roles[0]
    live = LiveBoard(sheet, role, [])
    live.play("(roll die)")
    assert str(LiveBoard(sheet, role, live.turns).state) == str(live.state)
