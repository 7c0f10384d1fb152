"""Choose how the positions of a game are expanded."""

from __future__ import annotations

from ludens.core import Game
from ludens.core.batch_game import BatchGame
from ludens.players.space.compiled import CompiledSpace
from ludens.players.space.compiled_chance import ChanceSpace
from ludens.players.space.contract import ContractSpace
from ludens.players.space.space import Space


def space_of(game: Game) -> Space:
    """The space of a game: batches if it is compiled; else, and where chance depends on chance, the State contract."""
    if isinstance(game, BatchGame) and not game.chance:
        return CompiledSpace(game)
    return ChanceSpace(game) if isinstance(game, BatchGame) and game.draws_at_once else ContractSpace(game)
