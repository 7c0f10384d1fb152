from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from benchmarks.gnubg import Gnubg, Turn, mat_text
from benchmarks.gnubg_match import GnubgPlayer, play, report

import ludens
from ludens.core import Clock
from ludens.players.registry import make_player
from tests.peers import peer

POINTS = {24: 2, 13: 5, 8: 3, 6: 5}
START = [POINTS.get(point, 0) for point in range(1, 26)]


@pytest.fixture(scope="module")
def gnubg() -> Iterator[Gnubg]:
    with Gnubg() as program:
        yield program


def test_a_game_is_written_in_two_columns() -> None:
    turns = [
        Turn("black", (3, 1), [(8, 3), (6, 1)]),
        Turn("white", (6, 6), []),
        Turn("black", (6, 5), [(25, 5), (5, 6)]),
    ]

    lines = mat_text(turns, "white", "black").splitlines()

    assert lines[0].strip() == "0 point match"
    assert [line.split() for line in lines[4:]] == [
        ["1)", "31:", "8/5", "6/5"],
        ["2)", "66:", "65:", "bar/20", "5/off"],
    ]
    assert lines[4].index("31:") == lines[5].index("65:") > lines[5].index("66:")


@peer("gnubg")
def test_gnubg_answers_with_a_play(gnubg: Gnubg) -> None:
    assert gnubg.best_play((3, 1), START, START, 0) == [(8, 5), (6, 5)]
    on_the_bar = [*START[:23], 1, 1]
    assert gnubg.best_play((3, 1), on_the_bar, START, 0)[0] in {(25, 22), (25, 24)}


@peer("gnubg")
def test_its_own_plays_give_nothing_away_and_random_ones_much(gnubg: Gnubg) -> None:
    game = ludens.load("backgammon", wait=True)
    players = {"white": GnubgPlayer(gnubg, 0), "black": make_player("random")}
    for seed, (role, player) in enumerate(players.items()):
        player.start(game, role, seed, Clock(1, 0))

    turns, end = play(game, players, 1.0, Random(1))
    found = gnubg.analyse(turns, "white", "black", 0)

    assert end.goals["white"] > 50
    assert found["white"].decisions > 5
    assert found["white"].points == pytest.approx(0.0, abs=1e-6)
    assert found["black"].points > 0.5
    assert "supernatural" in report("gnubg", [found["white"]], [1.0], gnubg)
    assert "awful" in report("random", [found["black"]], [-1.0], gnubg)


@peer("gnubg")
def test_a_game_that_gnubg_reads_otherwise_is_refused(gnubg: Gnubg) -> None:
    with pytest.raises(ValueError, match="read 0 of 1 turns"):
        gnubg.analyse([Turn("white", (3, 1), [(2, 3), (6, 1)])], "white", "black", 0)
