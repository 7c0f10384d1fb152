"""Matches and tournaments that are there before a browser comes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import ludens
from ludens import __version__
from ludens.core import Clock, Deadline, Decision, Player, Role, View
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


class _Scripted(Player):
    """Makes the moves that it was given."""

    name = "scripted"
    description = "makes given moves"

    def __init__(self, moves: Sequence[str]) -> None:
        super().__init__()
        self._moves = iter(moves)

    def choose(self, view: View, deadline: Deadline) -> Decision:
        return Decision(next(self._moves))


def record_moves(folder: Path, name: str, moves: Mapping[Role, Sequence[str]]) -> Path:
    """Record the match in which roles choose given moves."""
    writer = RecordWriter(folder, __version__)
    players = {role: _Scripted(own) for role, own in moves.items()}
    for event in Match(ludens.load(name), players, Clock(60.0, 60.0), seed=5).events():
        writer.write(event)
    assert writer.path is not None
    return writer.path
