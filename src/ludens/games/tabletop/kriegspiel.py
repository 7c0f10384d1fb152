"""Kriegspiel: chess in which neither player sees the other's pieces, with an umpire."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from ludens.games.tabletop.shared import chess_moves as chess
from ludens.games.tabletop.shared import chess_twin
from ludens.games.tabletop.shared.kriegspiel_form import KriegspielForm
from ludens.games.tabletop.shared.kriegspiel_umpire import (
    QUIET,
    REPETITIONS,
    candidate_moves,
    check_lines,
    move_text,
    rights_after,
)
from ludens.games.tabletop.shared.pieces import add_pieces, codes_of
from ludens.tabletop import (
    Action,
    Area,
    Do,
    Each,
    FinishPlay,
    Move,
    Option,
    Position,
    Refuse,
    Rule,
    Set,
    Stage,
    Table,
    Tell,
    Twin,
    alternate,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VALUES = (0, 1, 3, 3, 5, 9, 0)
"""The values of pieces, pawns first, kings last."""
SPREAD = 3
"""A lead of this many pawns is worth a win probability of 75 %."""


class Kriegspiel(Rule):
    """A player tries moves until the umpire allows one."""

    name = "Kriegspiel"
    players = ("White", "Black")
    options = (Option("turns", 400, "moves of both sides before the game is drawn", 1, 5000),)
    secrets = ("passant", "past", "quiet")
    private = ("castling", "tried")

    def equipment(self, table: Table) -> None:
        """A board on which players see only their own pieces."""
        table.add(Area.grid("board", "abcdefgh", 8, visibility="secret", picture="chess"))
        self.squares: list[Position] = [table.position(name) for name in chess.SQUARES]
        self.pieces = add_pieces(table, self.players, chess.PIECES)
        self.codes = codes_of(self.pieces)
        """The content of a square, as a number."""

    def setup(self, table: Table) -> Action:
        """As in chess."""
        board = [0] * len(self.squares)
        for column, kind in enumerate(chess.START):
            board[column], board[column + 8] = kind, chess.PAWN
            board[column + 48], board[column + 56] = -chess.PAWN, -kind
        action: Action = Set(table, turn=0, said=((), 0), passant=chess.NOWHERE, quiet=0, past=())
        for player in self.players:
            action += Set(player, castling=(True, True), tried=())
        for square, piece in enumerate(board):
            if piece:
                action += Move(self.pieces[piece], to=self.squares[square])
        return action

    def turns(self) -> list[Stage]:
        """White begins."""
        return alternate(self.players, self.tries)

    # The position as numbers

    def board(self, table: Table) -> chess.Board:
        """The content of each square."""
        contents, codes = table.contents, self.codes
        return tuple([codes[contents[square.index]] for square in self.squares])

    def side(self, player: str) -> int:
        """The number of a player's side."""
        return chess.WHITE if player == self.players[0] else chess.BLACK

    def legal(self, table: Table, player: str, board: chess.Board) -> Collection[chess.Move]:
        """The legal moves of chess."""
        return chess.legal_moves(board, self.side(player), table.get("castling", of=player), table.get("passant"))

    # Tries

    def tries(self, table: Table) -> Sequence[Action]:
        """All moves that could be legal judging by the player's own pieces, and have not been refused in this turn."""
        player = table.current_player
        board = self.board(table)
        legal = self.legal(table, player, board)
        tried = table.get("tried", of=player)
        candidates = candidate_moves(
            board, self.side(player), table.get("castling", of=player), table.get("said")[1] > 0
        )

        def make(move: chess.Move) -> Action:
            text = move_text(move)
            if move not in legal:
                return (Set(player, tried=(*tried, text)) + Refuse("the move is not legal")).named(text)
            source, target, kind = move
            return Do(self.move, self.squares[source], self.squares[target], kind).named(text)

        return Each([move for move in candidates if not tried or move_text(move) not in tried], make)

    # Effects

    def move(self, table: Table, source: Position, target: Position, kind: int) -> Action:
        """Make a legal move, and let the umpire announce its effects."""
        player = table.current_player
        board = self.board(table)
        start, end = chess.SQUARES.index(source.name), chess.SQUARES.index(target.name)
        after, taken = chess.after_move(board, (start, end, kind))
        is_pawn = abs(board[start]) == chess.PAWN
        action: Action = Set(player, castling=self.castling(table, player, start), tried=())
        if taken != chess.NOWHERE:
            captured = "pawn" if abs(board[taken]) == chess.PAWN else "piece"
            action += Tell(f"{player} takes a {captured} on {chess.SQUARES[taken]}")
            other = table.next_player()
            action += Set(other, castling=self.castling(table, other, taken))
        for square, (before, now) in enumerate(zip(board, after, strict=True)):
            if before and before != now:
                action += Move(self.pieces[before], to=table.assortment("pieces"), source=self.squares[square])
        for square, (before, now) in enumerate(zip(board, after, strict=True)):
            if now and before != now:
                action += Move(self.pieces[now], to=self.squares[square])
        passant = (start + end) // 2 if is_pawn and abs(end - start) == 2 * chess.SIZE else chess.NOWHERE
        quiet = 0 if is_pawn or taken != chess.NOWHERE else table.get("quiet") + 1
        return action + Set(table, passant=passant, quiet=quiet, turn=table.get("turn") + 1) + Do(self.announce)

    def castling(self, table: Table, player: str, square: int) -> tuple[bool, bool]:
        """Whether a player may still castle on either side after a piece left a square or was captured there."""
        return rights_after(table.get("castling", of=player), self.side(player), square)

    def announce(self, table: Table) -> Action:
        """Announce checks against the other player, and its number of pawn captures."""
        other = table.next_player()
        board = self.board(table)
        said = checks, tries = self.umpire(table, other, board)
        in_passing = any(target == table.get("passant") for _, target in self.captures(table, other, board))
        # Numbers only: their hashes are the same in all processes.
        rights = [table.get("castling", of=one) for one in self.players]
        key = hash((board, self.side(other), in_passing, *rights))
        action: Action = Set(table, said=said, past=(*table.get("past"), key) if table.get("quiet") else (key,))
        for check in checks:
            action += Tell(f"check {check}")
        if tries:
            action += Tell(f"{other} has {tries} pawn {'try' if tries == 1 else 'tries'}")
        return action

    def umpire(self, table: Table, player: str, board: chess.Board) -> tuple[tuple[str, ...], int]:
        """The directions of checks against a player, and the number of its legal pawn captures."""
        side = self.side(player)
        return check_lines(board, side), len(self.captures(table, player, board))

    def captures(self, table: Table, player: str, board: chess.Board) -> set[tuple[int, int]]:
        """The pawn captures of a player."""
        return {
            (source, target)
            for source, target, _ in self.legal(table, player, board)
            if abs(board[source]) == chess.PAWN and source % chess.SIZE != target % chess.SIZE
        }

    def possible(self, table: Table) -> bool:
        """Pawns are on possible ranks, and the umpire's announcements and refusals would have been the same."""
        board = self.board(table)
        if any(abs(piece) == chess.PAWN for piece in (*board[:8], *board[-8:])):
            return False
        player = table.stage.removeprefix("wait ")
        if chess.checkers(board, -self.side(player)):
            return False
        if self.umpire(table, player, board) != table.get("said"):
            return False
        tried = table.get("tried", of=player)
        return not tried or not any(move_text(move) in tried for move in self.legal(table, player, board))

    # Other forms

    def quick_form(self) -> KriegspielForm:
        """Boards as bytes."""
        return KriegspielForm(self.players, self.board, self.settings["turns"])

    def twin(self) -> Twin | None:
        """Chess in GDL. Refused tries change nothing there, and positions that come up again do not end it."""
        if self.settings["turns"] > chess_twin.MOST_TURNS or self.starting_player != self.players[0]:
            return None  # the twin counts turns from White's first
        return Twin(
            rules=chess_twin.rules(self.settings["turns"]),
            facts=self.twin_facts,
            moves=self.twin_moves,
            watched=chess_twin.VALUE_FACTS,
            prospects=self.twin_prospects,
            ends_apart=self.is_repeated,
        )

    def twin_facts(self, table: Table) -> Iterable[str]:
        """The position."""
        rights = [table.get("castling", of=player) for player in self.players]
        numbers = [table.get(name) for name in ("passant", "quiet", "turn")]
        return chess_twin.position(self.board(table), self.side(table.current_player), rights, *numbers)

    def twin_moves(self, table: Table, role: str, move: str) -> tuple[str, str] | None:
        """The move as players write it."""
        if move == "noop":
            return None
        return self.players[chess_twin.SIDES.index(role)], chess_twin.move_text(role, move)

    def twin_prospects(self, table: Table, flags: NDArray[np.bool_]) -> NDArray[np.float64]:
        """As `prospects`."""
        material: NDArray[np.float64] = flags @ material_weights() / SPREAD
        return material

    # The end

    def is_repeated(self, table: Table) -> bool:
        """True if the position came up too often."""
        past: tuple[int, ...] = table.get("past")
        return past.count(past[-1]) >= REPETITIONS

    def prospects(self, table: Table) -> dict[str, float]:
        """The player with more material is ahead."""
        board = self.board(table)
        return {
            player: sum(VALUES[abs(code)] for code in board if code * self.side(player) > 0) / SPREAD
            for player in self.players
        }

    def result(self, table: Table) -> FinishPlay | None:
        """Mate wins; stalemate, bare kings, repetition and fifty quiet moves are draws."""
        player, other = table.current_player, table.next_player()
        if table.get("tried", of=player):
            return None
        board = self.board(table)
        if not self.legal(table, other, board):
            in_check = table.get("said")[0]
            return FinishPlay([player], reason="checkmate") if in_check else FinishPlay(draw=True, reason="stalemate")
        is_over = (
            chess.is_bare(board)
            or self.is_repeated(table)
            or table.get("quiet") >= QUIET
            or table.get("turn") >= self.settings["turns"]
        )
        return FinishPlay(draw=True) if is_over else None


@cache
def material_weights() -> NDArray[np.float64]:
    """The value of each of `chess_twin.VALUE_FACTS` for both players."""
    import numpy as np  # noqa: PLC0415 - rules are loaded without it

    found = np.zeros((len(chess_twin.VALUE_FACTS), len(chess_twin.SIDES)))
    for number, fact in enumerate(chess_twin.VALUE_FACTS):
        *_, side, kind = fact.strip("()").split()
        found[number, chess_twin.SIDES.index(side)] = VALUES[chess_twin.KINDS.index(kind)]
    return found
