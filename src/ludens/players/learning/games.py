"""Which games players can learn."""

from __future__ import annotations

from ludens.core import Game, GameError
from ludens.core.batch import BatchGame

ONE_AT_A_TIME = "players learn games in which one role chooses at a time, without hidden information and chance"


def check_learnable(game: Game) -> BatchGame:
    """Return the game if players can learn it. Raises `GameError` that says why not."""
    if not isinstance(game, BatchGame):
        raise GameError(f"{game.name} is not compiled to gates, but players learn on batches of compiled games")
    if game.hidden or game.chance or game.simultaneous:
        what = "hidden information" if game.hidden else "chance" if game.chance else "simultaneous choices"
        raise GameError(f"{game.name} has {what}; {ONE_AT_A_TIME}")
    return game
