from __future__ import annotations

import pytest

import ludens
from ludens.gdl.game import GdlGame
from ludens.gdl.traces import read_trace, replay
from tests.games.record_traces import NAMES, TRACES


@pytest.mark.parametrize("name", NAMES)
def test_game_still_plays_as_recorded(name: str) -> None:
    game = ludens.load(name, backend="reference")
    assert isinstance(game, GdlGame)

    agreement = replay(game, read_trace(TRACES / f"{name}.jsonl.gz"))

    assert agreement.first_difference is None
    assert agreement.states > 1
