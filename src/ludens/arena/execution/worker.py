"""Plays one match of a tournament, in any process."""

from __future__ import annotations

import gzip
import json
import time
from functools import lru_cache

import ludens
from ludens.arena.played_match import PlayedMatch, Task
from ludens.core import Clock, Game
from ludens.players import make_player
from ludens.referee import Match, MatchEnded
from ludens.referee.record import line_of

GAMES_KEPT = 16
"""Games that a process keeps loaded."""


@lru_cache(GAMES_KEPT)
def load_game(name: str) -> Game:
    """The game with a name; loaded once for each process."""
    return ludens.load(name, wait=True)  # a tournament plays it often


def play(task: Task) -> PlayedMatch:
    """Play a match to its end."""
    game = load_game(task.game)
    players = {role: make_player(text, files=True) for role, (_, text) in zip(game.roles, task.seats, strict=True)}
    match = Match(game, players, Clock(task.clock, task.start_clock), task.seed)
    lines: list[str] = []
    began = time.monotonic()
    end: MatchEnded | None = None
    for event in match.events():
        line = line_of(event, ludens.__version__)
        if line is not None:
            lines.append(json.dumps(line, ensure_ascii=False, allow_nan=False))
        if isinstance(event, MatchEnded):
            end = event
    assert end is not None, "a match ends with MatchEnded"
    return PlayedMatch(
        key=task.key,
        game=task.game,
        roles=game.roles,
        players=tuple(name for name, _ in task.seats),
        goals=tuple(end.goals[role] for role in game.roles),
        points=tuple(float(end.points[role]) for role in game.roles),
        errors=tuple(end.failures.get(role, 0) for role in game.roles),
        turns=end.turns,
        seconds=time.monotonic() - began,
        clock=task.clock,
        seed=task.seed,
        reason=end.reason,
        record=gzip.compress("".join(f"{line}\n" for line in lines).encode()),
    )
