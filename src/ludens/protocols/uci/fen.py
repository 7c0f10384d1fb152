"""Chess positions in FEN, the notation that UCI and published positions use, as fluents of the rule sheet and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ludens.core import GameError
from ludens.gdl.terms import Term, arguments, functor

FILES, RANKS = "abcdefgh", "87654321"
KINDS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
LETTERS = {kind: letter for letter, kind in KINDS.items()}
SIDES = {"k": "kingside", "q": "queenside"}
_ROOKS = {"kingside": "h", "queenside": "a"}
_HOME = {"white": "1", "black": "8"}
_PASSED = {"white": ("6", "5"), "black": ("3", "4")}
"""For who is to move: the rank that a pawn went over in two steps, and the rank it stands on."""
_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_SLANTING = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_JUMPS = tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y))
FIFTY_MOVES = 100
"""Moves of both players without progress that end the game."""
_LONGEST = 200


def facts_of_fen(fen: str) -> frozenset[Term]:
    """The fluents of a position; the number of the move is ignored.

    Rights that cannot be used are omitted, so that equivalent positions are equal. Raises `GameError`, also for
    positions of Chess960 and for those in which the side that has moved is in check.
    """
    fields = fen.split()
    if not 4 <= len(fields) <= 6 or len(fen) > _LONGEST:
        raise _error(fen, "it needs a board, who is to move, castling and en passant, such as '8/… w KQkq -'")
    placement, control, castling, en_passant, *counters = fields
    if control not in ("w", "b"):
        raise _error(fen, f"who is to move is w or b, not {control}")
    mover = "white" if control == "w" else "black"
    cells = set(_cells(fen, placement))
    for owner in _HOME:
        if sum(cell[3:] == (owner, "king") for cell in cells) != 1:
            raise _error(fen, f"{owner} needs exactly one king")
    if any(cell[2] in "18" and cell[4] == "pawn" for cell in cells):
        raise _error(fen, "there is a pawn on the first or the last rank")
    if _is_in_check(cells, "black" if mover == "white" else "white"):
        raise _error(fen, f"{mover} is to move, but could take the king")
    return frozenset(
        {
            ("control", mover),
            ("quiet", str(_quiet_moves(fen, counters))),
            *cells,
            *_castling(fen, castling, cells),
            *_en_passant(fen, en_passant, mover, cells),
        }
    )


def fen_of_facts(facts: Iterable[Term]) -> str:
    """The FEN of a position; the number of the move is not in the fluents of chess without a limit, and is 1 there."""
    board: dict[tuple[str, str], str] = {}
    rights: set[str] = set()
    mover, passed, quiet, step = "white", "", "0", 0
    for fact in facts:
        words = [str(word) for word in arguments(fact)]
        match functor(fact):
            case "cell":
                board[words[0], words[1]] = _letter(words[2], LETTERS[words[3]])
            case "can_castle":
                rights.add(_letter(words[0], words[1][0]))
            case "control":
                mover = words[0]
            case "en_passant":
                passed = words[0]
            case "quiet":
                quiet = words[0]
            case "step":
                step = int(words[0])
    rows = "/".join(_row(board.get((file, rank), "") for file in FILES) for rank in RANKS)
    castling = "".join(letter for letter in "KQkq" if letter in rights) or "-"
    en_passant = f"{passed}{_PASSED[mover][0]}" if passed else "-"
    return f"{rows} {mover[0]} {castling} {en_passant} {quiet} {step // 2 + 1}"


def _cells(fen: str, placement: str) -> Iterator[tuple[str, ...]]:
    rows = placement.split("/")
    if len(rows) != len(RANKS):
        raise _error(fen, f"the board has {len(rows)} ranks, not 8")
    for rank, row in zip(RANKS, rows, strict=True):
        column = 0
        for letter in row:
            if letter in "12345678":
                column += int(letter)
                continue
            if letter.lower() not in KINDS or column >= len(FILES):
                raise _error(fen, f"rank {rank} is {row!r}")
            yield "cell", FILES[column], rank, _owner(letter), KINDS[letter.lower()]
            column += 1
        if column != len(FILES):
            raise _error(fen, f"rank {rank} is {row!r}, which is not 8 squares")


def _castling(fen: str, castling: str, cells: set[tuple[str, ...]]) -> Iterator[Term]:
    for letter in castling.replace("-", ""):
        owner, home = _owner(letter), _HOME[_owner(letter)]
        rooks = [file for file in FILES if ("cell", file, home, owner, "rook") in cells]
        king = next((file for file in FILES if ("cell", file, home, owner, "king") in cells), "")
        if letter.lower() in FILES:  # the rook's file, as in Shredder-FEN
            side = "kingside" if letter.lower() > king else "queenside"
            rooks = [letter.lower()] if letter.lower() in rooks else []
        elif letter.lower() in SIDES:
            side = SIDES[letter.lower()]
            rooks = [file for file in rooks if king and (file > king) == (side == "kingside")]
        else:
            raise _error(fen, f"castling is {castling!r}, not some of KQkq or -")
        if king == "e" and _ROOKS[side] in rooks:
            yield "can_castle", owner, side
        elif king and rooks:
            problem = f"the king on {king}{home} would castle with the rook on {rooks[0]}{home}"
            raise GameError(f"{fen[:_LONGEST]!r} is a position of Chess960, which is not played here: {problem}")


def _en_passant(fen: str, square: str, mover: str, cells: set[tuple[str, ...]]) -> Iterator[Term]:
    """The file of the pawn that went two steps, if a pawn stands there to take it."""
    if square == "-":
        return
    passed, rank = _PASSED[mover]
    if len(square) != 2 or square[0] not in FILES or square[1] != passed:
        raise _error(fen, f"en passant is {square!r}, not - or a square of rank {passed}")
    other = "black" if mover == "white" else "white"
    column = FILES.index(square[0])
    beside = FILES[max(0, column - 1) : column] + FILES[column + 1 : column + 2]
    can_take = any(("cell", file, rank, mover, "pawn") in cells for file in beside)
    if can_take and ("cell", square[0], rank, other, "pawn") in cells:
        yield "en_passant", square[0]


def _quiet_moves(fen: str, counters: list[str]) -> int:
    """Moves of both players without progress, the fifth field of FEN."""
    if not counters:
        return 0
    if not (counters[0].isascii() and counters[0].isdecimal() and len(counters[0]) < 5):
        raise _error(fen, f"the moves since the last capture are {counters[0]!r}, which is no number")
    return min(int(counters[0]), FIFTY_MOVES)


def _is_in_check(cells: set[tuple[str, ...]], owner: str) -> bool:
    """True if the other side attacks a side's king."""
    board = {(FILES.index(cell[1]), int(cell[2])): cell[3:] for cell in cells}
    column, rank = next(square for square, piece in board.items() if piece == (owner, "king"))
    forward = 1 if owner == "white" else -1
    leaps = {"king": _STRAIGHT + _SLANTING, "knight": _JUMPS, "pawn": ((-1, forward), (1, forward))}
    for kind, steps in leaps.items():
        if any(_is_foe(board.get((column + x, rank + y)), owner, (kind,)) for x, y in steps):
            return True
    for kinds, directions in ((("rook", "queen"), _STRAIGHT), (("bishop", "queen"), _SLANTING)):
        for x, y in directions:
            line = ((column + far * x, rank + far * y) for far in range(1, 8))
            if _is_foe(next((board[square] for square in line if square in board), None), owner, kinds):
                return True
    return False


def _is_foe(piece: tuple[str, ...] | None, owner: str, kinds: tuple[str, ...]) -> bool:
    return piece is not None and piece[0] != owner and piece[1] in kinds


def _row(letters: Iterable[str]) -> str:
    return "".join(letter * count if letter else str(count) for letter, count in _runs(letters))


def _runs(letters: Iterable[str]) -> Iterator[tuple[str, int]]:
    for letter, run in groupby(letters):
        yield letter, len(list(run))


def _letter(owner: str, letter: str) -> str:
    return letter.upper() if owner == "white" else letter


def _owner(letter: str) -> str:
    return "white" if letter.isupper() else "black"


def _error(fen: str, problem: str) -> GameError:
    return GameError(f"{fen[:_LONGEST]!r} is no FEN of chess: {problem}")
