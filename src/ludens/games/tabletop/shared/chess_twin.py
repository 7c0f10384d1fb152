"""Chess in GDL as the twin of pages that play it: the shelf's rules, and the end by insufficient material."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ludens.games.generating import facts
from ludens.games.shelf import chess as sheet
from ludens.games.tabletop.shared import chess_moves as chess

SIDES = ("white", "black")
KINDS = ("", "pawn", "knight", "bishop", "rook", "queen", "king")
CASTLING = ("kingside", "queenside")
MOST_TURNS = sheet.MOST
"""The highest number of turns after which the twin can end in a draw."""

BARE = """
; --- Neither side can ever mate: a minor piece at most, or bishops on squares of one colour only --------------------

(<= heavy (true (cell ?f ?r ?p pawn)))
(<= heavy (true (cell ?f ?r ?p rook)))
(<= heavy (true (cell ?f ?r ?p queen)))
(<= knights (true (cell ?f ?r ?p knight)))
(<= (minor ?f ?r) (true (cell ?f ?r ?p knight)))
(<= (minor ?f ?r) (true (cell ?f ?r ?p bishop)))
(<= (bishop_on ?colour) (true (cell ?f ?r ?p bishop)) (coloured ?f ?r ?colour))
; Squares in a row: whether there is a minor piece up to one of them, and whether there are two.
(<= (one_by ?f ?r) (minor ?f ?r))
(<= (one_by ?x ?y) (then ?f ?r ?x ?y) (one_by ?f ?r))
(<= (two_by ?x ?y) (then ?f ?r ?x ?y) (one_by ?f ?r) (minor ?x ?y))
(<= (two_by ?x ?y) (then ?f ?r ?x ?y) (two_by ?f ?r))
(<= both_colours (bishop_on light) (bishop_on dark))
(<= enough (two_by h 8) knights)
(<= enough (two_by h 8) both_colours)
(<= terminal (not heavy) (not enough))
{squares}
"""


def rules(turns: int) -> str:
    """The rules of chess that is drawn after a number of turns."""
    names = [(square[0], square[1]) for square in chess.SQUARES]
    then = [f"(then {a} {b} {x} {y})" for (a, b), (x, y) in pairwise(names)]
    colours = [
        f"(coloured {file} {rank} {'light' if (number % 8 + number // 8) % 2 else 'dark'})"
        for number, (file, rank) in enumerate(names)
    ]
    return sheet.rules(str(turns)) + BARE.format(squares=facts([*then, *colours]))


def position(
    board: Sequence[int], side: int, castling: Sequence[Sequence[bool]], passant: int, quiet: int, turn: int
) -> Iterable[str]:
    """The facts of a position: the board as numbers, who moves, both players' rights to castle on either side, the
    square that a pawn has just passed, quiet moves, and turns."""
    for square, piece in enumerate(board):
        if piece:
            name = chess.SQUARES[square]
            yield f"(cell {name[0]} {name[1]} {SIDES[piece < 0]} {KINDS[abs(piece)]})"
    yield f"(control {SIDES[side < 0]})"
    for name, rights in zip(SIDES, castling, strict=True):
        yield from (
            f"(can_castle {name} {way})" for way, is_allowed in zip(CASTLING, rights, strict=True) if is_allowed
        )
    if passant != chess.NOWHERE:
        # The pawn stands one step further; its right neighbours take it.
        beside = [square for square in chess.PAWN_HITS[-side][passant] if board[square] == side * chess.PAWN]
        if beside:
            yield f"(en_passant {chess.SQUARES[passant][0]})"
    yield f"(quiet {quiet})"
    yield f"(step {turn})"


def move_text(role: str, move: str) -> str:
    """A move of the twin as engines write it: e2e4, e7e8q."""
    name, *words = move.strip("()").split()
    if name == "castle":
        rank = "1" if role == SIDES[0] else "8"
        return f"e{rank}{'g' if words[0] == CASTLING[0] else 'c'}{rank}"
    text = "".join(words[:4])
    return text if name == "move" else text + chess.PIECES[KINDS.index(words[4])].lower()


VALUE_FACTS = tuple(
    f"(cell {square[0]} {square[1]} {side} {kind})"
    for square in chess.SQUARES
    for side in SIDES
    for kind in KINDS[1:-1]
    if kind != "pawn" or square[1] not in "18"
)
"""The facts that say what material there is."""
