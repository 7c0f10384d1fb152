"""Matches and tournaments that are there before a browser comes."""

from __future__ import annotations

from pathlib import Path

import ludens
from ludens import __version__
from ludens.core import Clock
from ludens.players import make_player
from ludens.referee import Match
from ludens.referee.record import RecordWriter


def record_a_match(folder: Path, name: str, player: str = "random", *, branches: bool = False) -> Path:
    """Play a match and record it; with branches, the fourth turn is played twice.

    Searches are given iterations, so that they think on the busiest machine, too.
    """
    game = ludens.load(name, wait=True)
    writer = RecordWriter(folder, __version__)
    match = Match(game, {role: make_player(player) for role in game.roles}, Clock(60.0, 60.0), seed=5)
    turns = 0
    for event in match.events():
        writer.write(event)
        if type(event).__name__ == "TurnPlayed":
            turns += 1
            if branches and turns == 4:
                match.go_to(3)
    assert writer.path is not None
    return writer.path
