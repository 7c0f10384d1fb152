"""Which games GTP can play."""

from __future__ import annotations

from ludens.core import Game, GameError
from ludens.games.tabletop.go import Go
from ludens.gdl.game import GdlGame
from ludens.gdl.terms import signature
from ludens.protocols.gtp.boards import GtpBoard, HexBoard
from ludens.protocols.gtp.go_board import GoBoard
from ludens.tabletop.game import TabletopGame


def board_of(game: Game) -> GtpBoard:
    """A game as GTP sees it. Raises `GameError` if it is neither Go nor Hex."""
    # A rule is loaded from its file, so its class is not the one that can be imported.
    if isinstance(game, TabletopGame) and not game.hidden and type(game.rule).__name__ == Go.__name__:
        return GoBoard(game)
    if isinstance(game, GdlGame) and len(game.roles) == 2 and not game.hidden:
        moves = game.initial_state().legal_moves(game.roles[0])
        joins_sides = any(signature(rule.head) == ("far_side", 3) for rule in game.sheet.rules)
        if joins_sides and all(signature(move.term) == ("place", 2) for move in moves):
            return HexBoard(game)
    raise GameError(f"GTP is for Go and Hex (go, hex), not for {game.name}")
