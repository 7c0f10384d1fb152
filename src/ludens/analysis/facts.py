"""All facts about a game: those that the game knows itself, and whether its rules treat the roles alike."""

from __future__ import annotations

from ludens.analysis.symmetry import are_roles_alike
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import Fact, Facts, Game
from ludens.core.facts import unknown, yes


def facts_of(game: Game) -> Facts:
    """Everything that is known of a game or can be found out in some seconds, compilation included."""
    game = game.compiled()
    if not isinstance(game, CircuitRules) or len(game.roles) == 1:
        return game.facts
    return game.facts.knowing(role_symmetry=_role_symmetry(game))


def _role_symmetry(game: CircuitRules) -> Fact:
    if are_roles_alike(game):
        return yes("proved: the ground rules stay the same if roles change places")
    return unknown("no way was found in which roles change places and the ground rules stay the same")
