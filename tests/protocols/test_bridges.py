"""Whole games against programs of others, through the Rules on a pipe; benchmarks/bridges.py plays more of them."""

from __future__ import annotations

import pytest
from benchmarks.bridges import Played, gnugo_score, play, settings_of

from tests.peers import peer


def played(game: str, theirs: str, player: str, level: int) -> Played:
    return play(game, theirs, settings=settings_of(game, level), player=player, seconds=0.05, seed=1)


@peer("gnugo")
@pytest.mark.slow
@pytest.mark.parametrize("player", ["mcts", "gtp"])
def test_gnugo_plays_our_go_and_counts_the_same(player: str) -> None:
    found = played("go", "Black", player, 1)

    assert found.trouble == []
    assert [move for _, move in found.moves[-2:]] == ["pass", "pass"]
    assert gnugo_score(found.moves) == found.points["Black"]


@peer("stockfish")
@pytest.mark.slow
@pytest.mark.parametrize("theirs", ["white", "black"])
def test_stockfish_plays_our_chess(theirs: str) -> None:
    found = played("chess", theirs, "random", 20)

    assert found.trouble == []
    assert found.goals[theirs] == 100
