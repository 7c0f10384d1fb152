"""Legal moves of shogi on a plain list of 81 numbers, fast enough for every position.

Squares are numbered from 9a (0) along each rank to 1i (80). A piece is its number in `PIECES`, negative for White; 0 is
an empty square. A hand is a list of counts for the seven kinds that can be dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

SIZE = 9
SQUARES = [f"{9 - square % SIZE}{'abcdefghi'[square // SIZE]}" for square in range(SIZE * SIZE)]
PIECES = ("", "P", "L", "N", "S", "G", "B", "R", "K", "+P", "+L", "+N", "+S", "+B", "+R")
PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, KING = range(1, 9)
PROMOTED = {PAWN: 9, LANCE: 10, KNIGHT: 11, SILVER: 12, BISHOP: 13, ROOK: 14}
ORIGINAL = {promoted: plain for plain, promoted in PROMOTED.items()}
BLACK, WHITE = 1, -1
Move = tuple[int, int, bool]
"""Source (for drops, minus the kind), target, and whether the piece is promoted."""

# Directions clockwise from ahead, as Black sees the board; White's are turned by four.
_STEP = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
_AHEAD, _STRAIGHT, _DIAGONAL = (0,), (0, 2, 4, 6), (1, 3, 5, 7)
_GOLD = (0, 1, 2, 4, 6, 7)
_STEPS = {
    PAWN: _AHEAD, SILVER: (0, 1, 3, 5, 7), GOLD: _GOLD, KING: tuple(range(8)),
    9: _GOLD, 10: _GOLD, 11: _GOLD, 12: _GOLD, 13: _STRAIGHT, 14: _DIAGONAL,
}  # fmt: skip
_SLIDES = {LANCE: _AHEAD, BISHOP: _DIAGONAL, ROOK: _STRAIGHT, 13: _DIAGONAL, 14: _STRAIGHT}


def _ray(square: int, direction: int) -> tuple[int, ...]:
    row, column = divmod(square, SIZE)
    down, right = _STEP[direction]
    squares = []
    while 0 <= (row := row + down) < SIZE and 0 <= (column := column + right) < SIZE:
        squares.append(row * SIZE + column)
    return tuple(squares)


def _jumps(square: int, side: int) -> tuple[int, ...]:
    row, column = divmod(square, SIZE)
    row -= 2 * side
    return tuple(row * SIZE + to for to in (column - 1, column + 1) if 0 <= row < SIZE and 0 <= to < SIZE)


def _turn_directions(directions: Sequence[int], side: int) -> list[int]:
    return [direction if side == BLACK else (direction + 4) % 8 for direction in directions]


_RAYS = [[_ray(square, direction) for direction in range(8)] for square in range(SIZE * SIZE)]
_JUMPS = {side: [_jumps(square, side) for square in range(SIZE * SIZE)] for side in (BLACK, WHITE)}
_PIECES = [(side * kind, kind, side) for side in (BLACK, WHITE) for kind in range(1, len(PIECES))]
_REACH: dict[int, list[tuple[tuple[int, ...], ...]]] = {
    piece: [
        (
            *((to,) for to in (_JUMPS[side][square] if kind == KNIGHT else ())),
            *(_RAYS[square][way][:1] for way in _turn_directions(_STEPS.get(kind, ()), side) if _RAYS[square][way]),
            *(_RAYS[square][way] for way in _turn_directions(_SLIDES.get(kind, ()), side) if _RAYS[square][way]),
        )
        for square in range(SIZE * SIZE)
    ]
    for piece, kind, side in _PIECES
}
"""For each piece and square its rays, on which it moves up to the first obstacle."""
_HITS_NEAR = {
    (piece, (way + 4) % 8)
    for piece, kind, side in _PIECES
    for way in _turn_directions((*_STEPS.get(kind, ()), *_SLIDES.get(kind, ())), side)
}
_HITS_FAR = {
    (piece, (way + 4) % 8) for piece, kind, side in _PIECES for way in _turn_directions(_SLIDES.get(kind, ()), side)
}
"""Pieces and the direction in which the attacked square sees them, adjacent or at a distance."""


def rank(square: int, side: int) -> int:
    """The distance of a square from a side's far edge, 1 to 9."""
    row = square // SIZE
    return row + 1 if side == BLACK else SIZE - row


def is_attacked(board: Sequence[int], square: int, by: int) -> bool:
    """True if a side attacks a square."""
    knight = by * KNIGHT
    for source in _JUMPS[-by][square]:
        if board[source] == knight:
            return True
    for way, ray in enumerate(_RAYS[square]):
        for distance, source in enumerate(ray):
            piece = board[source]
            if piece:
                if piece * by > 0 and (piece, way) in (_HITS_FAR if distance else _HITS_NEAR):
                    return True
                break
    return False


def in_check(board: Sequence[int], side: int) -> bool:
    """True if the king of a side is attacked."""
    return is_attacked(board, board.index(side * KING), -side)


def legal_moves(board: list[int], hand: Sequence[int], side: int) -> Iterator[Move]:
    """All moves that do not leave the mover's king attacked and are not mate by a dropped pawn."""
    king = board.index(side * KING)
    checks, pins = _dangers(board, king, side)
    yield from _king_moves(board, king, side)
    if len(checks) > 1:
        return
    shield: Collection[int] | None = checks[0] if checks else None
    for source, piece in enumerate(board):
        if piece * side <= 0 or source == king:
            continue
        pin = pins.get(source)
        for way in _REACH[piece][source]:
            for target in way:
                there = board[target]
                if there * side > 0:
                    break
                if (shield is None or target in shield) and (pin is None or target in pin):
                    yield from _with_promotion(piece, source, target, side)
                if there:
                    break
    if any(hand):
        yield from _drops(board, hand, side, shield)


def _dangers(board: Sequence[int], king: int, side: int) -> tuple[list[Collection[int]], dict[int, Collection[int]]]:
    """For each check the squares that block or capture it, and for each pinned piece the squares where it may move."""
    checks: list[Collection[int]] = [(source,) for source in _JUMPS[side][king] if board[source] == -side * KNIGHT]
    pins: dict[int, Collection[int]] = {}
    for way, ray in enumerate(_RAYS[king]):
        shielding = -1
        for distance, square in enumerate(ray):
            piece = board[square]
            if not piece:
                continue
            if piece * side > 0:
                if shielding >= 0:
                    break
                shielding = square
                continue
            if (piece, way) in (_HITS_FAR if distance else _HITS_NEAR):
                if shielding < 0:
                    checks.append(ray[: distance + 1])
                else:
                    pins[shielding] = ray[: distance + 1]
            break
    return checks, pins


def _king_moves(board: list[int], king: int, side: int) -> Iterator[Move]:
    piece = board[king]
    for (target,) in _REACH[piece][king]:
        if board[target] * side > 0:
            continue
        board[king] = 0
        is_safe = not is_attacked(board, target, -side)
        board[king] = piece
        if is_safe:
            yield king, target, False


def _with_promotion(piece: int, source: int, target: int, side: int) -> Iterator[Move]:
    kind = abs(piece)
    ahead = rank(target, side)
    if kind in PROMOTED and (ahead <= 3 or rank(source, side) <= 3):
        yield source, target, True
    if ahead > _last_ranks(kind):
        yield source, target, False


def _last_ranks(kind: int) -> int:
    """The number of last ranks on which a piece could never move again."""
    return 2 if kind == KNIGHT else 1 if kind in (PAWN, LANCE) else 0


def _drops(board: list[int], hand: Sequence[int], side: int, shield: Collection[int] | None) -> Iterator[Move]:
    empty = [square for square in (range(len(board)) if shield is None else shield) if not board[square]]
    if not empty:
        return
    for kind, count in enumerate(hand, 1):
        if not count:
            continue
        last = _last_ranks(kind)
        for target in empty:
            if last and rank(target, side) <= last:
                continue
            if kind == PAWN and not _may_drop_pawn(board, target, side):
                continue
            yield -kind, target, False


def _may_drop_pawn(board: list[int], target: int, side: int) -> bool:
    """True unless there is another pawn on the file, or the pawn would mate."""
    if side * PAWN in board[target % SIZE :: SIZE]:
        return False
    before = target - SIZE * side
    if not 0 <= before < len(board) or board[before] != -side * KING:
        return True
    board[target] = side * PAWN
    # Drops cannot help: nothing fits between a king and the pawn in front of it.
    can_go_on = any(True for _ in legal_moves(board, (), -side))
    board[target] = 0
    return can_go_on
