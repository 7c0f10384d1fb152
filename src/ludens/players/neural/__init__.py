"""Networks that learn a game by playing against themselves, and the player behind them (`ludens train`)."""

from ludens.players.neural.player import NeuralPlayer

__all__ = ["NeuralPlayer"]
