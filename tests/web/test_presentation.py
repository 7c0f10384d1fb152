"""The first drawing of a match: there at once, and better later if rules are slow."""

from __future__ import annotations

import pytest

import ludens
from ludens.core import Game
from ludens.drawing import readers
from ludens.gdl.board import sample_fluents
from ludens.gdl.game import GdlGame
from ludens.web.hosting import presentation
from ludens.web.hosting.presentation import PUBLIC, Presentation

FIREFLIES = """
(role first) (role second) (n 1) (n 2) (n 3) (n 4)
(init (control first)) (succ first second) (succ second first)
(<= (legal ?who (light ?x ?y)) (true (control ?who)) (n ?x) (n ?y) (not (lit ?x ?y)))
(<= (legal ?who noop) (role ?who) (not (true (control ?who))))
(<= (lit ?x ?y) (true (square ?x ?y ?who)))
(<= (next (square ?x ?y ?who)) (does ?who (light ?x ?y)))
(<= (next (square ?x ?y ?who)) (true (square ?x ?y ?who)))
(<= (next (control ?other)) (true (control ?who)) (succ ?who ?other))
(<= terminal (true (square 1 1 ?who)) (true (square 4 4 ?who)))
(<= (goal ?who 100) (true (square 1 1 ?who)) (true (square 4 4 ?who)))
(<= (goal ?who 0) (role ?who) (not (true (square 1 1 ?who))))
(<= (goal ?who 50) (true (square 1 1 ?who)) (not (true (square 4 4 ?who))))
"""
"""A game whose board is empty at first, and declared nowhere."""


@pytest.fixture
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("rules") / "fireflies.kif"
    path.write_text(FIREFLIES)
    return ludens.load(path)


def test_random_play_ends_with_its_time(game: Game) -> None:
    assert isinstance(game, GdlGame)
    short, whole = sample_fluents(game, seconds=0.0), sample_fluents(game)
    assert not short.is_whole
    assert whole.is_whole
    assert short.fluents < whole.fluents


def test_a_match_does_not_wait_for_a_better_drawing(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presentation, "_QUICK_SECONDS", 0.0)
    started: list[Presentation] = []
    monkeypatch.setattr(presentation, "_in_background", lambda work: started.append(work.__self__))
    shown = Presentation(game, game.roles[:1])
    state = game.initial_state()
    first = shown.position(state)[PUBLIC]["svg"]
    again = shown.position(state)[PUBLIC]["svg"]
    assert first == again  # the better reader is not there yet
    assert started == [shown]  # once
    shown._read_better()
    better = shown.position(state)[PUBLIC]["svg"]
    assert better.count("data-spot") > first.count("data-spot")
    assert "square:4:4" in better or "cell:4:4" in better


def test_declared_fluents_need_no_second_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presentation, "_QUICK_SECONDS", 0.0)
    improved: list[object] = []
    monkeypatch.setattr(presentation, "_in_background", improved.append)
    for name in ("tic_tac_toe", "go"):
        game = ludens.load(name)
        Presentation(game, game.roles).position(game.initial_state())
    assert improved == []


def test_few_readers_are_kept(game: Game) -> None:
    first = readers.reader_of(game)
    assert readers.reader_of(game) is first
    for number in range(2, 22):
        readers.reader_of(ludens.load(f"nim:{number}"))
    assert readers.reader_of(game) is not first
