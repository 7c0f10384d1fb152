"""The machine code of kriegspiel (`source/kriegspiel.cpp`): many positions at once, as bytes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludens.games.tabletop.shared import chess_moves as chess
from ludens.games.tabletop.shared.kriegspiel_umpire import QUIET, Limits
from ludens.tabletop.machine_code import load_machine_code

MOST_MOVES = 256
"""Moves in a position, at most."""
POSITION = np.dtype(
    [
        ("side", "<u8", 2),
        ("kind", "<u8", 6),
        ("mover", "<i1"),
        ("rights", "<u1"),
        ("passant", "<i1"),
        ("quiet", "<u1"),
        ("turn", "<u2"),
        ("tries", "<u1"),
        ("unused", "<u1"),
    ]
)
"""A position: bitboards of sides and kinds, the side to move, rights to castle (two bits for each side), the square
that a pawn has passed, moves without a capture or pawn move, turns, and the pawn captures that the umpire announced."""


class Machine:
    """Functions in machine code.

    What the umpire said is five numbers: whether a try was refused, the square of a captured piece, whether that was a
    pawn, a code of checks, and the number of pawn captures.
    """

    def __init__(self) -> None:
        integer, pointer, number = ctypes.c_int64, ctypes.c_void_p, ctypes.c_double
        library = load_machine_code(__package__, "kriegspiel")
        self._replies = library.function("ludens_kriegspiel_replies", None, integer, *[pointer] * 5)
        play = [integer, *[pointer] * 3, *[integer] * 3, *[pointer] * 3]
        self._play = library.function("ludens_kriegspiel_play", None, *play)
        nearness = [integer, pointer, pointer, number, number, pointer]
        self._nearness = library.function("ludens_kriegspiel_nearness", None, *nearness)
        self._pieces = library.function("ludens_kriegspiel_pieces", None, integer, pointer, pointer)
        change = [integer, pointer, pointer, *[integer] * 5, ctypes.c_uint64, number, number, *[pointer] * 4]
        self._change = library.function("ludens_kriegspiel_change", None, *change)
        self._checks = library.function("ludens_kriegspiel_checks", integer, pointer)
        self._captures = library.function("ludens_kriegspiel_captures", integer, pointer)
        self._legal = library.function("ludens_kriegspiel_legal", integer, pointer, pointer)

    def replies(self, positions: bytes, said: Sequence[int]) -> list[tuple[list[int], int]]:
        """For each position the moves that fit, and the number of tries."""
        at, umpire = np.frombuffer(positions, POSITION), np.array(said, np.int32)
        moves = np.empty((len(at), MOST_MOVES), np.uint16)
        fitting, tries = np.empty(len(at), np.int32), np.empty(len(at), np.int32)
        self._replies(len(at), *_addresses(at, umpire, moves, fitting, tries))
        rows = zip(moves, fitting.tolist(), tries.tolist(), strict=True)
        return [(row[:count].tolist(), number) for row, count, number in rows]

    def play(
        self, positions: bytes, moves: Sequence[int], said: Sequence[int], is_own: bool, turns: int
    ) -> tuple[bytes, list[int], bytes]:
        """The positions after moves, keys by which repeated ones are found, and how each fits: 0 not at all, 1, or 2 if
        the match is over."""
        at, codes, umpire = np.frombuffer(positions, POSITION), np.array(moves, np.uint16), np.array(said, np.int32)
        after, keys, fits = np.zeros_like(at), np.zeros(len(at), np.uint64), np.zeros(len(at), np.uint8)
        self._play(len(at), *_addresses(at, codes, umpire), is_own, turns, QUIET, *_addresses(after, keys, fits))
        return after.tobytes(), keys.tolist(), fits.tobytes()

    def nearness(self, positions: bytes, turn: Sequence[int], fitting: float, nearly: float) -> list[float]:
        """How much of a turn is true in each position already.

        A turn is what the umpire said, the observer's own move (-1 if it was the other's), and whether the match was
        over.
        """
        at, numbers = np.frombuffer(positions, POSITION), np.array(turn, np.int32)
        found = np.empty(len(at))
        self._nearness(len(at), *_addresses(at, numbers), fitting, nearly, *_addresses(found))
        weights: list[float] = found.tolist()
        return weights

    def pieces(self, positions: bytes) -> list[int]:
        """A number for the pieces on each board, wherever they stand."""
        at = np.frombuffer(positions, POSITION)
        found = np.empty(len(at), np.uint64)
        self._pieces(len(at), *_addresses(at, found))
        numbers: list[int] = found.tolist()
        return numbers

    def change(
        self, starts: bytes, codes: Sequence[Sequence[int]], turns: Sequence[Sequence[int]], limits: Limits, seed: int
    ) -> list[tuple[list[int], bool]]:
        """Histories with other moves, and whether they fit. If there is a turn more than moves, it is a goal."""
        length = len(codes[0])
        goal = len(turns) - length
        at, numbers = np.frombuffer(starts, POSITION), np.array(turns, np.int32)
        moves = np.zeros((len(at), length + 1), np.uint16)
        moves[:, :length] = codes
        fits, room, other = np.zeros(len(at), np.uint8), np.zeros(2 * (length + 1), POSITION), np.zeros_like(moves[0])
        self._change(
            len(at), *_addresses(at, numbers), length, goal, limits.steps, limits.turns, QUIET, seed, limits.fitting,
            limits.nearly, *_addresses(moves, fits, room, other),
        )  # fmt: skip
        return list(zip(moves[:, : length + goal].tolist(), fits.astype(bool).tolist(), strict=True))

    def umpire(self, position: bytes) -> tuple[int, int, bool]:
        """For the side to move: the code of its checks, its pawn captures, and whether one of them is in passing."""
        captures = self._captures(position)
        return self._checks(position), captures >> 1, bool(captures & 1)

    def legal_moves(self, position: bytes) -> list[int]:
        """All legal moves."""
        moves = np.empty(MOST_MOVES, np.uint16)
        found: list[int] = moves[: self._legal(position, *_addresses(moves))].tolist()
        return found

    def pack(
        self, board: Sequence[int], side: int, tries: int = 0, passant: int = chess.NOWHERE, rights: int = 0b1111
    ) -> bytes:
        """A position from the content of each square."""
        found: Any = np.zeros(1, POSITION)
        for square, piece in enumerate(board):
            if piece:
                found[0]["side"][int(piece < 0)] |= np.uint64(1 << square)
                found[0]["kind"][abs(piece) - 1] |= np.uint64(1 << square)
        found["mover"], found["rights"], found["passant"], found["tries"] = side < 0, rights, passant, tries
        packed: bytes = found.tobytes()
        return packed

    def unpack(self, position: bytes) -> list[int]:
        """The content of each square."""
        (at,) = np.frombuffer(position, POSITION)
        black = int(at["side"][1])
        board = [0] * chess.SIZE * chess.SIZE
        for kind, mask in enumerate(map(int, at["kind"]), 1):
            for square in range(len(board)):
                if mask >> square & 1:
                    board[square] = -kind if black >> square & 1 else kind
        return board


def _addresses(*arrays: NDArray[Any]) -> list[int]:
    return [array.ctypes.data for array in arrays]
