"""Kriegspiel in its quick form: boards as bytes, on which turns are tried out to find histories that fit."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, cast

from ludens.games.tabletop.shared import chess_moves as chess
from ludens.games.tabletop.shared.chess_bits import (
    FULL,
    HITS,
    HOME,
    QUEEN_REACH,
    REACH,
    attackers,
    bits,
    lines,
    mask_of,
    reach,
    watch,
)
from ludens.games.tabletop.shared.kriegspiel_umpire import (
    QUIET,
    REPETITIONS,
    candidate_moves,
    line,
    move_text,
    rights_after,
)
from ludens.tabletop import QuickForm, QuickTurn, Table

NO_RIGHTS = ((False, False), (False, False))
MOST_BARE = 12
"""More pieces than these are never too few to mate."""
Rights = tuple[tuple[bool, bool], tuple[bool, bool]]
"""Whether White and Black may castle on the king's and the queen's side."""
Board = Sequence[int]


class Position(NamedTuple):
    """A position of kriegspiel."""

    squares: bytes
    """The board: a signed byte for each square."""
    white: int
    """The squares of White's pieces, as bits."""
    black: int
    side: int
    rights: Rights
    passant: int
    quiet: int
    turn: int
    tries: int
    """The number of pawn captures that the umpire announced to the side to move."""
    tried: frozenset[chess.Move] = frozenset()
    """Moves that were refused in this turn."""
    past: tuple[int, ...] = ()
    """The positions since the last capture or pawn move."""


class Said(NamedTuple):
    """What the umpire said about a turn."""

    is_refused: bool
    taken: int
    """The square of a captured piece."""
    took_pawn: bool
    checks: tuple[str, ...]
    tries: int


class KriegspielForm(QuickForm):
    """Positions of kriegspiel as tuples."""

    def __init__(self, players: Sequence[str], board: Callable[[Table], Board], turns: int) -> None:
        self._sides = dict(zip(players, (chess.WHITE, chess.BLACK), strict=True))
        self._board = board
        self._turns = turns

    def first(self, table: Table) -> Position:
        """The position at the beginning of a match."""
        side = self._sides[table.stage.removeprefix("wait ")]
        board = self._board(table)
        white, black = (
            sum(1 << square for square, piece in enumerate(board) if piece * of > 0) for of in self._sides.values()
        )
        rights = ((True, True), (True, True))
        return Position(_pack(board), white, black, side, rights, chess.NOWHERE, 0, 0, 0)

    def replies(self, position: Hashable, turn: QuickTurn) -> tuple[Sequence[str], int]:
        """The moves that fit, and the number of tries."""
        at = cast("Position", position)
        said, mover = interpret(turn.percepts), Mover(at)
        if said.is_refused:
            legal = set(mover.legal_moves())
            tries = [move for move in mover.tries() if move not in at.tried]
            return [move_text(move) for move in tries if move not in legal], len(tries)
        fitting = mover.moves_that_take(said.taken, said.took_pawn)
        told = Told(mover, said)
        return [move_text(move) for move in fitting if told.fits(move)], mover.count_tries() - len(at.tried)

    def play(self, position: Hashable, move: str, turn: QuickTurn) -> Position | None:
        """The position after a try."""
        at = cast("Position", position)
        said, tried = interpret(turn.percepts), parse(move)
        mover = Mover(at)
        if said.is_refused:
            if tried in at.tried or mover.is_legal(tried) or (turn.move is None and tried not in mover.tries()):
                return None
            return at._replace(tried=at.tried | {tried})
        if not mover.is_legal(tried):
            return None
        after, taken = mover.after(tried)
        if not takes_as_said(mover.board, taken, said):
            return None
        other = Mover(after)
        if other.check_lines() != said.checks:
            return None
        captures, in_passing = other.count_captures()
        if captures != said.tries:
            return None
        key = hash((after.squares, after.side, in_passing, after.rights))
        past = (*at.past, key) if after.quiet else (key,)
        is_over = (
            after.turn >= self._turns
            or after.quiet >= QUIET
            or (after.quiet >= 2 * REPETITIONS and past.count(key) >= REPETITIONS)
            or ((after.white | after.black).bit_count() <= MOST_BARE and chess.is_bare(other.board))
            or not other.has_move()
        )
        return after._replace(tries=captures, past=past) if is_over == turn.is_over else None

    def nearness(self, position: Hashable, turn: QuickTurn) -> float:
        """Whether a piece that was taken could be, and how many pawn captures the other side has."""
        at = cast("Position", position)
        said, mover = interpret(turn.percepts), Mover(at)
        if said.is_refused:
            return super().nearness(position, turn)
        found = 1.0
        if said.taken != chess.NOWHERE:
            if turn.move is None:
                is_near = bool(mover.moves_that_take(said.taken, said.took_pawn))
            else:
                piece = mover.board[said.taken]
                is_near = piece * at.side < 0 and (abs(piece) == chess.PAWN) == said.took_pawn
            found *= self.FITTING if is_near else 1.0
        captures = Mover(at._replace(side=-at.side, passant=chess.NOWHERE)).count_captures()[0]
        return found / (1 + abs(captures - said.tries))


class Mover:
    """The side to move in a position."""

    def __init__(self, at: Position) -> None:
        self.at = at
        self.board = board = _unpack(at.squares)
        self.side = side = at.side
        self.own, self.others = (at.white, at.black) if side > 0 else (at.black, at.white)
        self.all = self.own | self.others
        self.rights = at.rights[side < 0]
        self.king = king = board.index(side * chess.KING)
        self.checks: list[int] = attackers(board, self.all, king, -side)
        """The squares from which the king is attacked."""
        self.pins: dict[int, int] = {}
        """For pinned pieces the squares where they may move."""
        for first, second, is_diagonal, between in lines(king, self.all & QUEEN_REACH[king]):
            if (
                second >= 0
                and board[first] * side > 0
                and -side * board[second] in (chess.QUEEN, chess.BISHOP if is_diagonal else chess.ROOK)
            ):
                self.pins[first] = between

    # What a side tries

    def tries(self) -> list[chess.Move]:
        """All moves that could be legal judging by the own pieces."""
        return list(candidate_moves(self.board, self.side, self.rights, self.at.tries > 0))

    def count_tries(self) -> int:
        """The number of these."""
        own, side, with_captures = self.own, self.side, self.at.tries > 0
        count = 0
        for source in bits(own):
            kind = self.board[source] * side
            if kind != chess.PAWN:
                count += (reach(kind, source, own & REACH[kind][source]) & ~own).bit_count()
                continue
            targets = HITS[side][source] & ~own if with_captures else 0
            ahead = source + side * chess.SIZE
            number = targets.bit_count()
            if not own >> ahead & 1:
                number += 1
                if source // chess.SIZE == HOME[side] and not own >> (ahead + side * chess.SIZE) & 1:
                    number += 1
            count += number * (len(chess.PROMOTIONS) if ahead // chess.SIZE in (0, chess.SIZE - 1) else 1)
        if any(self.rights):
            home = 4 if side > 0 else 60
            if self.king == home:
                kings, queens = self.rights
                count += (kings and not own >> (home + 1) & 0b11) + (queens and not own >> (home - 3) & 0b111)
        return count

    # Legal moves

    def legal_moves(self) -> Iterator[chess.Move]:
        """All legal moves."""
        return self._moves(FULL)

    def moves_that_take(self, square: int, is_pawn: bool) -> Iterator[chess.Move]:
        """The legal moves that capture on a square, or nowhere."""
        if square == chess.NOWHERE:
            return self._moves(FULL & ~self.others, in_passing=False)
        kind = self.board[square] * -self.side
        if kind <= 0 or (kind == chess.PAWN) != is_pawn:
            return iter(())
        behind = square + self.side * chess.SIZE
        if is_pawn and behind == self.at.passant:
            both = 1 << square | 1 << behind
            return (move for move in self._moves(both) if move[1] == square or self._is_in_passing(move))
        return self._moves(1 << square, in_passing=False)

    def _is_in_passing(self, move: chess.Move) -> bool:
        source, target, _ = move
        return (
            target == self.at.passant
            and self.board[source] == self.side * chess.PAWN
            and bool(HITS[self.side][source] >> target & 1)
        )

    def _moves(self, targets: int, in_passing: bool = True) -> Iterator[chess.Move]:
        """The legal moves to some squares."""
        at, board, side = self.at, self.board, self.side
        if self.checks:
            for move in chess.legal_moves(tuple(board), side, self.rights, at.passant):
                if targets >> move[1] & 1 and (in_passing or not self._is_in_passing(move)):
                    yield move
            return
        for source in bits(self.own):
            kind = board[source] * side
            if kind == chess.KING:
                for target in bits(REACH[kind][source] & ~self.own & targets):
                    if self._is_safe(target):
                        yield source, target, 0
                continue
            if kind == chess.PAWN:
                mask = self._pawn_targets(source)
            else:
                mask = reach(kind, source, self.all & REACH[kind][source]) & ~self.own
            mask &= targets
            pin = self.pins.get(source)
            if pin is not None:
                mask &= pin
            if kind == chess.PAWN:
                for target in bits(mask):
                    for new in chess.becomes(target):
                        yield source, target, new
            else:
                for target in bits(mask):
                    yield source, target, 0
        if in_passing and at.passant != chess.NOWHERE and targets >> at.passant & 1:
            for source in bits(HITS[-side][at.passant] & self.own):
                move = source, at.passant, 0
                if board[source] == side * chess.PAWN and self.is_legal(move):
                    yield move
        if any(self.rights):
            for move in chess.castlings(board, self.king, side, self.rights):
                if targets >> move[1] & 1:
                    yield move

    def _pawn_targets(self, source: int) -> int:
        side = self.side
        mask = HITS[side][source] & self.others
        ahead = source + side * chess.SIZE
        if not self.all >> ahead & 1:
            mask |= 1 << ahead
            if source // chess.SIZE == HOME[side] and not self.all >> (ahead + side * chess.SIZE) & 1:
                mask |= 1 << (ahead + side * chess.SIZE)
        return mask

    def _is_safe(self, target: int) -> bool:
        occupied = self.all & ~(1 << self.king) | 1 << target
        taken, self.board[target] = self.board[target], 0
        safe = not attackers(self.board, occupied, target, -self.side)
        self.board[target] = taken
        return safe

    def is_legal(self, move: chess.Move) -> bool:
        """True if a move is legal; quicker than finding all that are."""
        source, target, new = move
        side, kind = self.side, self.board[source] * self.side
        if kind <= 0 or self.own >> target & 1:
            return False
        if kind == chess.KING:
            if abs(target - source) == 2:
                return not self.checks and move in chess.castlings(self.board, self.king, side, self.rights)
            return bool(REACH[kind][source] >> target & 1) and self._is_safe(target)
        if kind == chess.PAWN:
            if new not in chess.becomes(target):
                return False
            if not self._pawn_targets(source) >> target & 1:
                if not self._is_in_passing(move):
                    return False
                board, _ = chess.after_move(self.board, move)
                return not chess.checkers(board, side)
        elif new or not reach(kind, source, self.all & REACH[kind][source]) >> target & 1:
            return False
        if source in self.pins and not self.pins[source] >> target & 1:
            return False
        if not self.checks:
            return True
        board, _ = chess.after_move(self.board, move)
        return not chess.checkers(board, side)

    def has_move(self) -> bool:
        """True if there is a legal move."""
        return any(True for _ in self.legal_moves())

    # What the umpire says

    def check_lines(self) -> tuple[str, ...]:
        """The directions of checks."""
        return tuple(sorted(line(self.king, source) for source in self.checks)) if self.checks else ()

    def count_captures(self) -> tuple[int, bool]:
        """The number of legal pawn captures, and whether one of them is in passing."""
        side, passant = self.side, self.at.passant
        found: set[tuple[int, int]] = set()
        in_passing = False
        for source in bits(self.own):
            if self.board[source] != side * chess.PAWN:
                continue
            for target in bits(HITS[side][source] & self.others):
                if self.is_legal((source, target, chess.becomes(target)[0])):
                    found.add((source, target))
            if passant != chess.NOWHERE and self.is_legal((source, passant, 0)) and (passant - source) % chess.SIZE:
                found.add((source, passant))
                in_passing = True
        return len(found), in_passing

    def after(self, move: chess.Move) -> tuple[Position, int]:
        """The position after a legal move, before the umpire speaks, and the square of a captured piece."""
        at, side = self.at, self.side
        source, target, _ = move
        board, taken = chess.after_move(self.board, move)
        kind = abs(self.board[source])
        own, others = self.own & ~(1 << source) | 1 << target, self.others
        if taken != chess.NOWHERE:
            others &= ~(1 << taken)
        if kind == chess.KING and abs(target - source) == 2:
            own ^= 1 << (target + 1) | 1 << (target - 1) if target > source else 1 << (target - 2) | 1 << (target + 1)
        is_double = kind == chess.PAWN and abs(target - source) == 2 * chess.SIZE
        rights = at.rights
        if rights != NO_RIGHTS:
            mine = rights_after(rights[side < 0], side, source)
            theirs = rights_after(rights[side > 0], -side, taken)
            rights = (mine, theirs) if side > 0 else (theirs, mine)
        white, black = (own, others) if side > 0 else (others, own)
        passant = (source + target) // 2 if is_double else chess.NOWHERE
        quiet = 0 if kind == chess.PAWN or taken != chess.NOWHERE else at.quiet + 1
        return Position(_pack(board), white, black, -side, rights, passant, quiet, at.turn + 1, 0), taken


class Told:
    """Whether the umpire would have said the same about checks and pawn captures after a legal move."""

    def __init__(self, mover: Mover, said: Said) -> None:
        at, side = mover.at, mover.side
        self._mover, self._said = mover, said
        self._other = other = Mover(at._replace(side=-side, passant=chess.NOWHERE))
        pawn = -side * chess.PAWN & 0xFF
        pawns = [source for source in bits(other.own) if at.squares[source] == pawn]
        self._hits = [HITS[-side][source] for source in pawns]
        self._watched, self._shields = watch(other.king, other.own & QUEEN_REACH[other.king], mask_of(pawns))
        """The squares from which the king can be attacked, or a pawn that shields it; and whether there is one."""
        self._tries = other.count_captures()[0]

    def fits(self, move: chess.Move) -> bool:
        """True if it would have."""
        said, mover = self._said, self._mover
        source, target, new = move
        piece = mover.board[source]
        is_special = (
            said.taken != chess.NOWHERE
            or (abs(piece) == chess.PAWN and abs(source - target) == 2 * chess.SIZE)
            or (abs(piece) == chess.KING and abs(source - target) == 2)
        )
        if is_special:
            return self._fits_wholly(move)
        hit = sum(hits >> target & 1 for hits in self._hits)
        left = sum(hits >> source & 1 for hits in self._hits)
        if self._shields and (hit or left):
            return self._fits_wholly(move)
        gained = hit - left
        if not (self._watched >> source | self._watched >> target) & 1:
            return not said.checks and self._tries + gained == said.tries
        if self._shields:
            return self._fits_wholly(move)
        board, king = mover.board, self._other.king
        board[source], board[target] = 0, mover.side * new if new else piece
        checks = attackers(board, mover.all & ~(1 << source) | 1 << target, king, mover.side)
        board[source], board[target] = piece, 0
        if checks:
            return bool(said.checks) and self._fits_wholly(move)
        return not said.checks and self._tries + gained == said.tries

    def _fits_wholly(self, move: chess.Move) -> bool:
        said, other = self._said, Mover(self._mover.after(move)[0])
        return other.check_lines() == said.checks and other.count_captures()[0] == said.tries


def takes_as_said(board: Board, taken: int, said: Said) -> bool:
    """True if a capture is the one that the umpire announced."""
    return taken == said.taken and (taken == chess.NOWHERE or (abs(board[taken]) == chess.PAWN) == said.took_pawn)


@lru_cache(4096)
def interpret(percepts: tuple[str, ...]) -> Said:
    """What the umpire said, as numbers."""
    taken, took_pawn, tries = chess.NOWHERE, False, 0
    checks: list[str] = []
    for percept in percepts:
        words = percept.split()
        if "takes" in words:
            taken, took_pawn = chess.SQUARES.index(words[-1]), words[-3] == "pawn"
        elif words[0] == "check":
            checks.append(" ".join(words[1:]))
        elif words[-1] in ("try", "tries"):
            tries = int(words[2])
    return Said(any("refused" in percept for percept in percepts), taken, took_pawn, tuple(checks), tries)


@cache
def parse(text: str) -> chess.Move:
    """A move from its text."""
    kind = chess.PIECES.index(text[4:].upper())
    return chess.SQUARES.index(text[:2]), chess.SQUARES.index(text[2:4]), kind


def _pack(board: Board) -> bytes:
    return array("b", board).tobytes()


def _unpack(squares: bytes) -> list[int]:
    return memoryview(squares).cast("b").tolist()
