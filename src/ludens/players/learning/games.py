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
    if game.hidden or game.chance:
        raise GameError(f"in {game.name} {'something is hidden' if game.hidden else 'chance plays'}; {ONE_AT_A_TIME}")
    fact = game.facts.simultaneous
    if fact.possible:
        what = "roles choose at once" if fact.certain else "roles may choose at once"
        raise GameError(f"in {game.name} {what} ({fact.reason}); {ONE_AT_A_TIME}")
    return game
