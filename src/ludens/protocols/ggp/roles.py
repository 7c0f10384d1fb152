"""The order of roles in which the protocol lists moves."""

from __future__ import annotations

from ludens.core import Role
from ludens.gdl.game import GdlGame


def roles_in_order(game: GdlGame) -> tuple[Role, ...]:
    """All roles in the order of the rules, in which joint moves are sent."""
    return game.roles
