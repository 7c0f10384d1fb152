"""Kriegspiel in its quick form: bitboards, on which machine code tries out turns to find histories that fit."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache, lru_cache
from random import Random
from typing import TYPE_CHECKING, NamedTuple, cast

from ludens.games.tabletop.shared import chess_moves as chess
from ludens.games.tabletop.shared.kriegspiel_umpire import REPETITIONS, Limits, move_text
from ludens.tabletop import QuickForm, QuickTurn, Table
from ludens.tabletop.quick_form import History

if TYPE_CHECKING:
    from ludens.games.tabletop.shared.kriegspiel_machine import Machine

LINES = ("on the file", "on the rank", "by a knight", "on the long diagonal", "on the short diagonal")
"""The umpire's words for directions of checks, in the order of the machine code."""
QUIET_AT = 67
"""The byte of a position that counts moves without a capture or pawn move."""


STEPS, FREE_STEPS = 400, 60
"""Changes of a history that are tried towards a turn that did not fit, and without one."""


class Position(NamedTuple):
    """A position of kriegspiel."""

    packed: bytes
    """As `kriegspiel_machine.POSITION`."""
    tried: frozenset[int] = frozenset()
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

    @property
    def numbers(self) -> list[int]:
        """The same for machine code. Two bits count the checks of each direction."""
        checks = sum(1 << 2 * LINES.index(one) for one in self.checks)
        return [self.is_refused, self.taken, self.took_pawn, checks, self.tries]


class KriegspielForm(QuickForm):
    """Positions of kriegspiel as bytes."""

    NEARLY = 6.0
    """The weight of positions in which a piece can be taken as announced one move later."""

    def __init__(self, players: Sequence[str], board: Callable[[Table], Sequence[int]], turns: int) -> None:
        self._sides = dict(zip(players, (chess.WHITE, chess.BLACK), strict=True))
        self._board = board
        self._turns = turns

    def first(self, table: Table) -> Position:
        """The position at the beginning of a match."""
        side = self._sides[table.stage.removeprefix("wait ")]
        return Position(machine().pack(self._board(table), side))

    def replies(self, position: Hashable, turn: QuickTurn) -> tuple[Sequence[str], int]:
        """The moves that fit, and the number of tries."""
        return self.replies_in([position], turn)[0]

    def play(self, position: Hashable, move: str, turn: QuickTurn) -> Position | None:
        """The position after a try."""
        return self.play_in([position], [move], turn)[0]

    def nearness(self, position: Hashable, turn: QuickTurn) -> float:
        """Whether a piece that was taken could be, and how many pawn captures the other side has."""
        return self.nearness_in([position], turn)[0]

    # The same in many positions

    def replies_in(self, positions: Sequence[Hashable], turn: QuickTurn) -> list[tuple[Sequence[str], int]]:
        """Tries that were refused before in the same turn are not repeated."""
        found = machine().replies(join(positions), interpret(turn.percepts).numbers)
        replies: list[tuple[Sequence[str], int]] = []
        for position, (moves, tries) in zip(positions, found, strict=True):
            tried = cast("Position", position).tried
            fitting = [text_of(move) for move in moves if move not in tried] if tried else list(map(text_of, moves))
            replies.append((fitting, tries - len(tried)))
        return replies

    def play_in(self, positions: Sequence[Hashable], moves: Sequence[str], turn: QuickTurn) -> list[Position | None]:
        """Positions after moves."""
        said = interpret(turn.percepts)
        codes = [code_of(move) for move in moves]
        packed, keys, fits = machine().play(join(positions), codes, said.numbers, turn.move is not None, self._turns)
        width = len(packed) // max(len(codes), 1)
        found: list[Position | None] = []
        for at, (position, code) in enumerate(zip(positions, codes, strict=True)):
            before = cast("Position", position)
            after: Position | None = None
            if said.is_refused:
                if fits[at] and code not in before.tried:
                    after = before._replace(tried=before.tried | {code})
            elif fits[at]:
                board = packed[at * width : (at + 1) * width]
                past = (*before.past, keys[at]) if board[QUIET_AT] else (keys[at],)
                is_over = fits[at] > 1 or past.count(keys[at]) >= REPETITIONS
                if is_over == turn.is_over:
                    after = Position(board, past=past)
            found.append(after)
        return found

    def nearness_in(self, positions: Sequence[Hashable], turn: QuickTurn) -> list[float]:
        """What was taken is there already, or can be in a move; and as many pawn captures as announced."""
        return machine().nearness(join(positions), turn_numbers(turn), self.FITTING, self.NEARLY)

    def classes_in(self, positions: Sequence[Hashable]) -> list[int]:
        """Which pieces there are: those that were captured are not seen."""
        return machine().pieces(join(positions))

    def change_in(
        self, histories: Sequence[History], turns: Sequence[QuickTurn], goal: QuickTurn | None, rng: Random
    ) -> list[tuple[Sequence[str], bool]]:
        """Many changes of each, kept by how near to the goal they end."""
        codes = [[code_of(move) for move in moves] for _, moves in histories]
        numbers = [turn_numbers(turn) for turn in (turns if goal is None else [*turns, goal])]
        starts = join([start for start, _ in histories])
        limits = Limits(self._turns, STEPS if goal is not None else FREE_STEPS, self.FITTING, self.NEARLY)
        changed = machine().change(starts, codes, numbers, limits, rng.getrandbits(64))
        return [(list(map(text_of, moves)), fits) for moves, fits in changed]


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


def turn_numbers(turn: QuickTurn) -> list[int]:
    """A turn for machine code."""
    own = -1 if turn.move is None else code_of(turn.move)
    return [*interpret(turn.percepts).numbers, own, turn.is_over]


def join(positions: Sequence[Hashable]) -> bytes:
    """Positions for machine code."""
    return b"".join([cast("Position", position).packed for position in positions])


@cache
def machine() -> Machine:
    """The machine code, loaded when it is used first."""
    from ludens.games.tabletop.shared.kriegspiel_machine import Machine  # noqa: PLC0415 - rules load without NumPy

    return Machine()


@cache
def code_of(text: str) -> int:
    """A move for machine code: 6 bits each for source and target, then the new kind."""
    kind = chess.PIECES.index(text[4:].upper())
    return chess.SQUARES.index(text[:2]) | chess.SQUARES.index(text[2:4]) << 6 | kind << 12


@cache
def text_of(code: int) -> str:
    """The same as text."""
    return move_text((code & 63, code >> 6 & 63, code >> 12))
