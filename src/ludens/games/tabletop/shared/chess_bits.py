"""Squares of a chess board as bits of a number: where pieces move and what they attack, by cached lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ludens.games.tabletop.shared import chess_moves as chess


def mask_of(squares: Sequence[int]) -> int:
    """Squares as bits."""
    return sum(1 << square for square in squares)


FULL = (1 << chess.SIZE * chess.SIZE) - 1
REACH = {
    kind: [mask_of([square for way in ways for square in way]) for ways in all_ways]
    for kind, all_ways in chess.WAYS.items()
}
"""For each kind and square where it can move on an empty board."""
QUEEN_REACH = REACH[chess.QUEEN]
HITS = {side: [mask_of(hits) for hits in all_hits] for side, all_hits in chess.PAWN_HITS.items()}
"""For each side and square where a pawn captures."""
HOME = {chess.WHITE: 1, chess.BLACK: 6}
"""The ranks of pawns at the beginning."""
KEPT_LINES = 1 << 16
"""Arrangements of blockers that are cached."""


def bits(mask: int) -> Iterator[int]:
    """The squares of a mask."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@lru_cache(KEPT_LINES)
def reach(kind: int, source: int, blockers: int) -> int:
    """Where a piece can move, up to the first blockers and these included; ``blockers`` only where it moves at all."""
    found = 0
    for way in chess.WAYS[kind][source]:
        for square in way:
            found |= 1 << square
            if blockers >> square & 1:
                break
    return found


@lru_cache(KEPT_LINES)
def lines(king: int, blockers: int) -> list[tuple[int, int, bool, int]]:
    """For each line from a square on which something is: the first and the second square that is not empty (-1 if there
    is none), whether it is a diagonal, and the squares up to the second one."""
    found: list[tuple[int, int, bool, int]] = []
    for way in chess.WAYS[chess.QUEEN][king]:
        met = [square for square in way if blockers >> square & 1][:2]
        if met:
            is_diagonal = bool((way[0] - king) % chess.SIZE and abs(way[0] - king) != 1)
            second = met[1] if len(met) > 1 else -1
            between = mask_of(way[: way.index(second) + 1]) if second >= 0 else 0
            found.append((met[0], second, is_diagonal, between))
    return found


@lru_cache(KEPT_LINES)
def watch(king: int, own: int, pawns: int) -> tuple[int, bool]:
    """The squares from which a king can be attacked, or a pawn that shields it be pinned; and whether there is one."""
    found, shields = REACH[chess.KNIGHT][king], False
    for way in chess.WAYS[chess.QUEEN][king]:
        is_behind = False
        for square in way:
            found |= 1 << square
            if own >> square & 1:
                if is_behind or not pawns >> square & 1:
                    break
                shields = is_behind = True
    return found, shields


def attackers(board: Sequence[int], occupied: int, square: int, by: int) -> list[int]:
    """The squares from which a side attacks a square."""
    found: list[int] = []
    for source, _, is_diagonal, _ in lines(square, occupied & QUEEN_REACH[square]):
        kind = board[source] * by
        if kind <= 0:
            continue
        if (
            kind in (chess.QUEEN, chess.BISHOP if is_diagonal else chess.ROOK)
            or (kind == chess.KING and REACH[chess.KING][square] >> source & 1)
            or (kind == chess.PAWN and HITS[-by][square] >> source & 1)
        ):
            found.append(source)
    for source in bits(occupied & REACH[chess.KNIGHT][square]):
        if board[source] == by * chess.KNIGHT:
            found.append(source)
    return found
