"""Choosing how positions of a game are expanded."""

from __future__ import annotations

from ludens.compiler.state import CircuitGame
from ludens.core import Game
from ludens.players.minimax.compiled import CompiledSpace
from ludens.players.minimax.compiled_chance import ChanceSpace
from ludens.players.minimax.contract import ContractSpace
from ludens.players.minimax.space import Space


def space_of(game: Game) -> Space:
    """Batches for compiled games; the contract for all others."""
    if isinstance(game, CircuitGame):
        return ChanceSpace(game) if game.chance else CompiledSpace(game)
    return ContractSpace(game)
