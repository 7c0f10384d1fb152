"""Which games players can learn."""

from __future__ import annotations

from ludens.core import Game, GameError
from ludens.core.batch_game import BatchGame

ONE_AT_A_TIME = "players learn games in which one role chooses at a time, without hidden information and chance"


def check_learnable(game: Game) -> BatchGame:
    """Return the game if players can learn it. Raises `GameError` that says why not."""
    game = game.compiled()
    if not isinstance(game, BatchGame):
        raise GameError(f"{game.name} is not compiled to gates, but players learn on batches of compiled games")
    if game.hidden or game.chance:
        raise GameError(f"{game.name} has {'hidden information' if game.hidden else 'chance'}; {ONE_AT_A_TIME}")
    fact = game.facts.simultaneous
    if fact.possible:
        what = "has simultaneous choices" if fact.certain else "may have simultaneous choices"
        raise GameError(f"{game.name} {what} ({fact.reason}); {ONE_AT_A_TIME}")
    return game
