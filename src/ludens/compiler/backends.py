"""The ways to compute with a GDL game, by name."""

from __future__ import annotations

from ludens.compiler.state import CircuitGame
from ludens.core import GameError
from ludens.gdl.game import GdlGame
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.rules import RuleSheet

BACKENDS: dict[str, type[ReferenceGame] | type[CircuitGame]] = {"reference": ReferenceGame, "circuit": CircuitGame}


def make_game(sheet: RuleSheet, name: str, backend: str) -> GdlGame:
    """The game of a rule sheet on a backend. Raises `GameError` if there is no such backend or it cannot take it."""
    kind = BACKENDS.get(backend)
    if kind is None:
        raise GameError(f"there is no backend {backend!r} (backends: {', '.join(BACKENDS)})")
    return kind(sheet, name)
