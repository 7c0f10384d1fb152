"""Networks that learn a game by self-play, and the player that uses them (`ludens train`)."""

from ludens.players.neural.player import NeuralPlayer

__all__ = ["NeuralPlayer"]
