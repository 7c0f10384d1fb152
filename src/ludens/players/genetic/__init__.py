"""Evolved evaluations, and the player that searches with them (`ludens evolve`)."""

from ludens.players.genetic.player import GeneticPlayer

__all__ = ["GeneticPlayer"]
