"""Which games players can learn."""

from __future__ import annotations

from ludens.core import Game, GameError
from ludens.core.batch import BatchGame

ONE_AT_A_TIME = (
    "what can be learnt are games in which one role chooses at a time, nothing is hidden and nothing is drawn"
)


def learnable(game: Game) -> BatchGame:
    """The game, if it can be learnt by playing it on batches. Raises `GameError` that says why not."""
    if not isinstance(game, BatchGame):
        raise GameError(f"{game.name} is not compiled to gates, and players learn on batches of compiled games")
    if game.hidden or game.chance or game.simultaneous:
        what = "something is hidden" if game.hidden else "chance plays" if game.chance else "roles choose at once"
        raise GameError(f"in {game.name} {what}; {ONE_AT_A_TIME}")
    return game
