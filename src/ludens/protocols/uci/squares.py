"""UCI's notation for our chess: ``e2e4``, ``e7e8q``, and castling as the move of the king."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ludens.core import Game, GameError, Move, Role
from ludens.gdl.game import GdlGame, GdlMove
from ludens.gdl.terms import arguments, functor, signature

WHITE = "white"
PROMOTIONS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}
CASTLING = {"kingside": "g", "queenside": "c"}
"""The file that the king castles to."""
SIGNATURES = {("move", 4), ("promote", 5), ("castle", 1), ("noop", 0)}
"""The moves of the rule sheet."""
_ROLES = (WHITE, "black")
_MOVE = re.compile("[a-h][1-8][a-h][1-8][qrbn]?")


def check_chess(game: Game) -> GdlGame:
    """The game, if its fluents and moves are those of our chess. Raises `GameError` if they are not."""
    if isinstance(game, GdlGame) and game.roles == _ROLES:
        legal = [rule.head for rule in game.sheet.rules if signature(rule.head) == ("legal", 2)]
        if {signature(arguments(head)[1]) for head in legal} == SIGNATURES:
            return game
    raise GameError(f"UCI is for chess (the rule 'chess'), not for {game.name}")


def is_move_text(text: str) -> bool:
    """True for what UCI writes as a move, such as ``e2e4`` or ``e7e8q``."""
    return bool(_MOVE.fullmatch(text))


def uci_move(game: GdlGame, role: Role, move: Move) -> str:
    """A move as UCI writes it."""
    term = move.term if isinstance(move, GdlMove) else game.read(move)
    words = [str(word) for word in arguments(term)]
    if functor(term) == "castle":
        rank = "1" if role == WHITE else "8"
        return f"e{rank}{CASTLING[words[0]]}{rank}"
    return "".join(words[:4]) + "".join(PROMOTIONS[kind] for kind in words[4:])


def moves_by_uci(game: GdlGame, role: Role, legal: Sequence[Move]) -> Mapping[str, Move]:
    """Legal moves by their UCI notation."""
    return {uci_move(game, role, move): move for move in legal}
