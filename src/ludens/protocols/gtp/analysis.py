"""``lz-analyze``: what a search thinks of its moves, as Leela Zero reports it to interfaces such as Sabaki."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.core import BEST_GOAL, Move, State, Thinking
from ludens.protocols.gtp.boards import GtpBoard

DEFAULT_INTERVAL = 0.5
"""Seconds between two lines."""
MOST_MOVES = 12
"""Moves of a line: those for which searches report what they expect."""
_SCALE = 10_000
"""What a sure win is worth."""


def read_analysis(words: Sequence[str]) -> tuple[str, float]:
    """The colour, empty if there is none, and the seconds between lines: ``b 50``, ``50``, ``b interval 50``."""
    colour, interval = "", DEFAULT_INTERVAL
    for word in words:
        if word.isascii() and word.isdecimal() and len(word) < 7:
            interval = int(word) / 100
            break
        if not colour and word.lower() in ("b", "w", "black", "white"):
            colour = word
    return colour, interval


def analysis_line(board: GtpBoard, state: State, thinking: Thinking) -> str:
    """The best moves of a search on one line."""
    visits = max(1, sum(found.visits for found in thinking.moves))
    parts = []
    for order, found in enumerate(thinking.moves[:MOST_MOVES]):
        rate = round(_SCALE * (BEST_GOAL / 2 if found.value is None else found.value) / BEST_GOAL)
        prior = round(_SCALE * found.visits / visits)
        line = " ".join(_line(board, state, found.line or (found.move,)))
        parts.append(
            f"info move {board.vertex(found.move)} visits {found.visits} winrate {rate} prior {prior} lcb {rate} "
            f"order {order} pv {line}"
        )
    return " ".join(parts)


def _line(board: GtpBoard, state: State, moves: Sequence[Move]) -> list[str]:
    """The moves of a line as GTP writes them; waiting is no move."""
    return [board.vertex(move) for move in moves if move.lower() != "noop"]
