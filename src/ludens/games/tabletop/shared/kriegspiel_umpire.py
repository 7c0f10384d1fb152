"""What the umpire of kriegspiel says, and which moves players try, on a plain list of 64 numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from ludens.games.tabletop.shared import chess_moves as chess

QUIET, REPETITIONS = 100, 3
"""Moves of both without a pawn move or capture, and occurrences of a position, that make a draw."""


class Limits(NamedTuple):
    """Of changes of histories."""

    turns: int
    """After which a match ends."""
    steps: int
    fitting: float
    """The weight of what fits, and of what fits one move later."""
    nearly: float


def candidate_moves(
    board: Sequence[int], side: int, castling: Sequence[bool], with_captures: bool
) -> Iterator[chess.Move]:
    """Moves not blocked by the player's own pieces; pawn captures only if the umpire has announced some."""
    own = [piece * side > 0 for piece in board]
    for source, piece in enumerate(board):
        kind = piece * side
        if kind == chess.PAWN:
            ahead = source + side * chess.SIZE
            targets = [to for to in chess.PAWN_HITS[side][source] if with_captures and not own[to]]
            if not own[ahead]:
                targets.append(ahead)
                if source // chess.SIZE == (1 if side == chess.WHITE else 6) and not own[ahead + side * chess.SIZE]:
                    targets.append(ahead + side * chess.SIZE)
            for target in targets:
                yield from ((source, target, new) for new in chess.becomes(target))
        elif kind > 0:
            for way in chess.WAYS[kind][source]:
                for target in way:
                    if own[target]:
                        break
                    yield source, target, 0
    home = 4 if side == chess.WHITE else 60
    if board[home] != side * chess.KING:  # in a sampled state it may be elsewhere
        return
    for is_allowed, step, count in zip(castling, (1, -1), (2, 3), strict=True):
        if is_allowed and not any(own[home + step * far] for far in range(1, count + 1)):
            yield home, home + 2 * step, 0


def rights_after(rights: tuple[bool, bool], side: int, square: int) -> tuple[bool, bool]:
    """Whether a side may still castle on either side after a piece left a square or was captured there."""
    home = 4 if side == chess.WHITE else 60
    kings, queens = rights
    return kings and square not in (home, home + 3), queens and square not in (home, home - 4)


def check_lines(board: Sequence[int], side: int) -> tuple[str, ...]:
    """The directions of checks against a side."""
    king = board.index(side * chess.KING)
    return tuple(sorted(line(king, source) for source in chess.attackers(board, king, -side)))


@cache
def move_text(move: chess.Move) -> str:
    """A move as engines write it: e2e4, e7e8q."""
    source, target, kind = move
    return chess.SQUARES[source] + chess.SQUARES[target] + chess.PIECES[kind].lower()


def line(king: int, source: int) -> str:
    """The umpire's words for the direction of a check."""
    column, row = king % chess.SIZE, king // chess.SIZE
    across, up = source % chess.SIZE - column, source // chess.SIZE - row
    if not across:
        return "on the file"
    if not up:
        return "on the rank"
    if abs(across) != abs(up):
        return "by a knight"
    rising, falling = abs(column - row), abs(column + row - 7)
    is_long = (rising < falling) == (across == up)
    return f"on the {'long' if is_long else 'short'} diagonal"
