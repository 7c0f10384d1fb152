"""Playouts and comparisons for the kinds of twins that a page may have."""

from __future__ import annotations

from ludens.compiler.twins.engines import EngineCosimulation, EnginePlayouts
from ludens.compiler.twins.gdl_cosimulation import GdlCosimulation, gdl_cosimulation
from ludens.compiler.twins.gdl_playouts import TwinPlayouts, compiled_twin
from ludens.compiler.twins.stones import StonesCosimulation, StonesPlayouts
from ludens.core import Game, NativePlayouts
from ludens.tabletop import TabletopGame
from ludens.tabletop.twin import EngineTwin, StonesTwin

Cosimulation = GdlCosimulation | StonesCosimulation | EngineCosimulation


def make_playouts(game: TabletopGame, seed: int, seconds: float) -> NativePlayouts | None:
    """Playouts by a game's twin; None if it has none, or it is not compiled within so many seconds."""
    twin = game.twin
    if twin is None:
        return None
    if isinstance(twin, StonesTwin):
        return StonesPlayouts(game, twin, seed)
    if isinstance(twin, EngineTwin):
        return EnginePlayouts(game, twin, seed)
    compiled = compiled_twin(twin, game.name, seconds)
    return None if compiled is None else TwinPlayouts(game, twin, compiled, seed)


def cosimulation(game: Game) -> Cosimulation | None:
    """The side-by-side play of a game and its twin; None if it has none. Waits for the compiler. Raises `GameError` if
    the twin cannot be compiled to gates."""
    if not isinstance(game, TabletopGame) or game.twin is None:
        return None
    if isinstance(game.twin, StonesTwin):
        return StonesCosimulation(game, game.twin)
    if isinstance(game.twin, EngineTwin):
        return EngineCosimulation(game, game.twin)
    return gdl_cosimulation(game, game.twin)
