"""Legal moves of chess on a plain list of 64 numbers.

Squares are numbered from a1 (0) along each rank to h8 (63). A piece is its number in `PIECES`, negative for Black; 0 is
an empty square. A move is a source, a target, and the kind to which a pawn is promoted (0 if it is not).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

SIZE = 8
SQUARES = [f"{'abcdefgh'[square % SIZE]}{square // SIZE + 1}" for square in range(SIZE * SIZE)]
PIECES = ("", "P", "N", "B", "R", "Q", "K")
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
WHITE, BLACK = 1, -1
START = (ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK)
PROMOTIONS = (QUEEN, ROOK, BISHOP, KNIGHT)
NOWHERE = -1
Board = tuple[int, ...]
Move = tuple[int, int, int]
KEPT_BOARDS = 1024
"""Positions whose legal moves are cached: an umpire needs them several times in a turn."""

_STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
_DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_ALL = (*_STRAIGHT, *_DIAGONAL)
_JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def _ray(square: int, step: tuple[int, int], most: int = SIZE) -> tuple[int, ...]:
    column, row = square % SIZE, square // SIZE
    squares: list[int] = []
    while len(squares) < most and 0 <= (column := column + step[0]) < SIZE and 0 <= (row := row + step[1]) < SIZE:
        squares.append(row * SIZE + column)
    return tuple(squares)


def _ways(steps: Sequence[tuple[int, int]], most: int = SIZE) -> list[tuple[tuple[int, ...], ...]]:
    return [tuple(ray for step in steps if (ray := _ray(square, step, most))) for square in range(SIZE * SIZE)]


WAYS = {
    KNIGHT: _ways(_JUMPS, 1),
    BISHOP: _ways(_DIAGONAL),
    ROOK: _ways(_STRAIGHT),
    QUEEN: _ways(_ALL),
    KING: _ways(_ALL, 1),
}
"""For each kind and square its rays, on which it moves up to the first obstacle."""
_RAYS = [[(_ray(square, step), step in _DIAGONAL) for step in _ALL] for square in range(SIZE * SIZE)]
PAWN_HITS = {
    side: [tuple(to for step in (-1, 1) for to in _ray(square, (step, side), 1)) for square in range(SIZE * SIZE)]
    for side in (WHITE, BLACK)
}
"""For each side and square the squares that a pawn there attacks."""


def attackers(board: Sequence[int], square: int, by: int) -> list[int]:
    """The squares from which a side attacks a square."""
    squares = [source for source in PAWN_HITS[-by][square] if board[source] == by * PAWN]
    squares += [source for (source,) in WAYS[KNIGHT][square] if board[source] == by * KNIGHT]
    for ray, is_diagonal in _RAYS[square]:
        for distance, source in enumerate(ray):
            piece = board[source] * by
            if board[source]:
                if piece in (QUEEN, BISHOP if is_diagonal else ROOK) or (piece == KING and not distance):
                    squares.append(source)
                break
    return squares


def checkers(board: Sequence[int], side: int) -> list[int]:
    """The squares from which the king of a side is attacked."""
    return attackers(board, board.index(side * KING), -side)


@lru_cache(KEPT_BOARDS)
def legal_moves(board: Board, side: int, castling: tuple[bool, bool], passant: int) -> frozenset[Move]:
    """All moves that do not leave the mover's king attacked.

    ``castling`` has for the king's and the queen's side whether king and rook have not moved; ``passant`` is the square
    that a pawn has just passed, or `NOWHERE`.
    """
    return frozenset(_legal_moves(list(board), side, castling, passant))


def _legal_moves(board: list[int], side: int, castling: tuple[bool, bool], passant: int) -> Iterator[Move]:
    king = board.index(side * KING)
    checks, pins = _dangers(board, king, side)
    for (target,) in WAYS[KING][king]:
        if board[target] * side <= 0 and _is_safe(board, king, target, side):
            yield king, target, 0
    if len(checks) > 1:
        return
    shield = checks[0] if checks else None
    for source, piece in enumerate(board):
        if piece * side <= 0 or source == king:
            continue
        pin = pins.get(source)
        for target, kind in _destinations(board, source, side, passant):
            if target == passant and piece * side == PAWN and source % SIZE != target % SIZE:
                if _may_take_in_passing(board, source, target, side):
                    yield source, target, 0
            elif (shield is None or target in shield) and (pin is None or target in pin):
                yield source, target, kind
    if shield is None:
        yield from castlings(board, king, side, castling)


def _destinations(board: Sequence[int], source: int, side: int, passant: int) -> Iterator[tuple[int, int]]:
    """The targets of a piece that is not the king, with promotions of pawns."""
    kind = board[source] * side
    if kind != PAWN:
        for way in WAYS[kind][source]:
            for target in way:
                if board[target] * side <= 0:
                    yield target, 0
                if board[target]:
                    break
        return
    targets = [to for to in PAWN_HITS[side][source] if board[to] * side < 0 or to == passant]
    ahead = source + side * SIZE
    if not 0 <= ahead < len(board):
        return  # on its last rank, as a player may imagine it who finds no possible world
    if not board[ahead]:
        targets.append(ahead)
        if source // SIZE == (1 if side == WHITE else 6) and not board[ahead + side * SIZE]:
            targets.append(ahead + side * SIZE)
    for target in targets:
        yield from ((target, kind) for kind in becomes(target))


def becomes(target: int) -> Sequence[int]:
    """The kinds to which a pawn can be promoted on a square; 0 if it stays a pawn."""
    return PROMOTIONS if target // SIZE in (0, SIZE - 1) else (0,)


def _dangers(board: Sequence[int], king: int, side: int) -> tuple[list[Collection[int]], dict[int, Collection[int]]]:
    """For each check the squares that block or capture it, and for each pinned piece the squares where it may move."""
    checks: list[Collection[int]] = []
    pins: dict[int, Collection[int]] = {}
    for source in attackers(board, king, -side):
        ray = next((ray for ray, _ in _RAYS[king] if source in ray), ())
        checks.append(ray[: ray.index(source) + 1] if ray else (source,))
    for ray, is_diagonal in _RAYS[king]:
        shielding = NOWHERE
        for distance, square in enumerate(ray):
            piece = board[square] * side
            if not piece:
                continue
            if shielding == NOWHERE:
                if piece < 0:
                    break
                shielding = square
                continue
            if -piece in (QUEEN, BISHOP if is_diagonal else ROOK):
                pins[shielding] = ray[: distance + 1]
            break
    return checks, pins


def _is_safe(board: list[int], king: int, target: int, side: int) -> bool:
    piece, board[king] = board[king], 0
    is_safe = not attackers(board, target, -side)
    board[king] = piece
    return is_safe


def _may_take_in_passing(board: list[int], source: int, target: int, side: int) -> bool:
    """True if en passant is legal. Two pawns leave a rank at once, so the move is tried out."""
    after = board[:]
    after[target], after[source], after[target - side * SIZE] = after[source], 0, 0
    return not checkers(after, side)


def castlings(board: Sequence[int], king: int, side: int, castling: Sequence[bool]) -> Iterator[Move]:
    """The legal castling moves of a side that is not in check."""
    home = 4 if side == WHITE else 60
    if king != home:
        return
    for is_allowed, step, rook in zip(castling, (1, -1), (home + 3, home - 4), strict=True):
        between = range(min(home, rook) + 1, max(home, rook))
        if (
            is_allowed
            and board[rook] == side * ROOK
            and not any(board[square] for square in between)
            and not any(attackers(board, home + step * far, -side) for far in (1, 2))
        ):
            yield home, home + 2 * step, 0


def after_move(board: Sequence[int], move: Move) -> tuple[list[int], int]:
    """The board after a move, and the square of the captured piece (`NOWHERE` if there is none)."""
    source, target, kind = move
    result = list(board)
    piece = board[source]
    side = WHITE if piece > 0 else BLACK
    taken = target if board[target] else NOWHERE
    if abs(piece) == PAWN and source % SIZE != target % SIZE and not board[target]:
        taken = target - side * SIZE
        result[taken] = 0
    result[target], result[source] = (side * kind if kind else piece), 0
    if abs(piece) == KING and abs(target - source) == 2:
        rook, beside = (target + 1, target - 1) if target > source else (target - 2, target + 1)
        result[beside], result[rook] = result[rook], 0
    return result, taken


def is_bare(board: Sequence[int]) -> bool:
    """True if neither side could ever mate: bare kings with one minor piece, or bishops of one colour only."""
    pieces = [(abs(piece), square) for square, piece in enumerate(board) if piece and abs(piece) != KING]
    if any(kind not in (KNIGHT, BISHOP) for kind, _ in pieces):
        return False
    colours = {(square % SIZE + square // SIZE) % 2 for _, square in pieces}
    return len(pieces) <= 1 or (all(kind == BISHOP for kind, _ in pieces) and len(colours) == 1)
