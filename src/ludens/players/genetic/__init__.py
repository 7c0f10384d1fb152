"""Evaluations that were bred by matches, and the player that looks ahead with them (`ludens evolve`)."""

from ludens.players.genetic.player import GeneticPlayer

__all__ = ["GeneticPlayer"]
