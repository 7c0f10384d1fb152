"""Shogi: chess in which captured pieces change sides and are dropped again."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.games.tabletop.shared import shogi_moves as shogi
from ludens.games.tabletop.shared.pieces import add_pieces, codes_of
from ludens.games.tabletop.twins.shogi import shogi_twin
from ludens.tabletop import (
    Action,
    Area,
    Do,
    Each,
    EngineTwin,
    FinishPlay,
    Move,
    Option,
    Position,
    Rule,
    Set,
    Stage,
    Table,
    alternate,
)

ROWS = ("LNSGKGSNL", ".R.....B.", "PPPPPPPPP")
"""White's pieces from the edge, from file 9 to file 1; Black's are the same seen from the other side."""
IN_HAND = 7
"""The number of kinds that can be dropped, the first ones of `shogi.PIECES`."""
CODES = 2 * len(shogi.PIECES)
"""Larger than the number of piece codes of both sides."""
DECLARED_PIECES = 10
DECLARED_POINTS = {shogi.BLACK: 28, shogi.WHITE: 27}
"""Requirements of a declaration besides the king: pieces in the far camp, and points of these and the hand."""
VALUES = (0, 1, 3, 3, 5, 6, 8, 10, 0, 6, 6, 6, 6, 10, 12)
"""The values of pieces, in the order of `shogi.PIECES`."""
SPREAD = 4
"""A lead of this many pawns is worth a win probability of 75 %."""
REPETITIONS = 4


class Shogi(Rule):
    """Mate the king; captured pieces may be dropped."""

    name = "Shogi"
    players = ("Black", "White")
    options = (Option("turns", 500, "moves of both sides before the game is drawn", 1, 5000),)

    def equipment(self, table: Table) -> None:
        """The board, two stands for captured pieces, and the pieces, Black's in capitals."""
        table.add(Area.grid("board", "987654321", "ihgfedcba", picture="shogi"))
        table.add(Area.hands("hand", self.players, visibility="public"))
        self.squares: list[Position] = [table.position(name) for name in shogi.SQUARES]
        self.number = {square: number for number, square in enumerate(self.squares)}
        self.hands = [table.hand(player) for player in self.players]
        self.pieces = add_pieces(table, self.players, shogi.PIECES)
        self.codes = codes_of(self.pieces)
        """The content of a square, as a number."""

    def setup(self, table: Table) -> Action:
        """Twenty pieces each."""
        kinds = {name: kind for kind, name in enumerate(shogi.PIECES)}
        action: Action = Set(table, turn=0)
        board = [0] * len(self.squares)
        for row, pieces in enumerate(ROWS):
            for column, name in enumerate(pieces):
                if name != ".":
                    number = row * shogi.SIZE + column
                    for square, side in ((number, shogi.WHITE), (len(board) - 1 - number, shogi.BLACK)):
                        board[square] = side * kinds[name]
                        action += Move(self.pieces[board[square]], to=self.squares[square])
        return action + Set(table, past=((self.key(board, [[0] * IN_HAND] * 2, shogi.BLACK), False),))

    def turns(self) -> list[Stage]:
        """Black begins."""
        return alternate(self.players, self.moves)

    # The position as numbers

    def board(self, table: Table) -> list[int]:
        """The content of each square."""
        contents, codes = table.contents, self.codes
        return [codes[contents[square.index]] for square in self.squares]

    def in_hand(self, table: Table, side: int) -> list[int]:
        """The number of pieces of each kind in a side's hand."""
        counts = [0] * IN_HAND
        for piece in table[self.hands[side == shogi.WHITE]]:
            counts[abs(piece.code) - 1] += 1
        return counts

    @staticmethod
    def key(board: Sequence[int], hands: Sequence[Sequence[int]], side: int) -> int:
        """A hash of a position, to detect repetitions."""
        # Numbers from 0 on only: -1 and -2 have the same hash, and hashes of texts differ from process to process.
        return hash((tuple(piece % CODES for piece in board), tuple(map(tuple, hands)), side == shogi.BLACK))

    def side(self, table: Table) -> int:
        """Whose turn it is."""
        return shogi.BLACK if table.current_player == self.players[0] else shogi.WHITE

    # Actions

    def moves(self, table: Table) -> Sequence[Action]:
        """Move or drop a piece, in the usual notation: 7g7f, 8h2b+, P*5e; or declare a win."""
        side = self.side(table)
        board = self.board(table)
        hand = self.in_hand(table, side)
        actions = Each(list(shogi.legal_moves(board, hand, side)), self.move_action)
        if self.may_declare(board, hand, side):
            return [*actions, FinishPlay(winners=[table.current_player]).named("win")]
        return actions

    def move_action(self, move: tuple[int, int, bool]) -> Action:
        """The action of a move or drop."""
        source, target, promotes = move
        if source < 0:
            dropped = Do(self.drop, -source, self.squares[target])
            return dropped.named(f"{shogi.PIECES[-source]}*{shogi.SQUARES[target]}")
        moved = Do(self.move, self.squares[source], self.squares[target], promotes)
        return moved.named(f"{shogi.SQUARES[source]}{shogi.SQUARES[target]}{'+' if promotes else ''}")

    def may_declare(self, board: Sequence[int], hand: Sequence[int], side: int) -> bool:
        """The 27-point rule: the king and ten others in the far camp, enough points there and in hand, no check."""
        camp = board[: 3 * shogi.SIZE] if side == shogi.BLACK else board[-3 * shogi.SIZE :]
        if side * shogi.KING not in camp:
            return False
        kinds = [abs(piece) for piece in camp if piece * side > 0]
        if len(kinds) <= DECLARED_PIECES or shogi.in_check(board, side):
            return False
        kinds += [kind for kind, count in enumerate(hand, 1) for _ in range(count)]
        large = (shogi.BISHOP, shogi.ROOK)
        points = sum(5 if shogi.ORIGINAL.get(kind, kind) in large else 1 for kind in kinds) - 1
        return points >= DECLARED_POINTS[side]

    def move(self, table: Table, source: Position, target: Position, promotes: bool) -> Action:
        """Move a piece, capture, and promote."""
        piece, taken = table[source][0], table.top(target)
        stock = table.assortment("pieces")
        action: Action = Set(table, turn=table.get("turn") + 1)
        if taken is not None:
            kind = shogi.ORIGINAL.get(abs(taken.code), abs(taken.code))
            side = self.side(table)
            action += Move(taken, to=stock, source=target)
            action += Move(self.pieces[side * kind], to=self.hands[side == shogi.WHITE])
        if promotes:
            action += Move(piece, to=stock, source=source)
            promoted = shogi.PROMOTED[abs(piece.code)] * (1 if piece.code > 0 else -1)
            return action + Move(self.pieces[promoted], to=target) + Do(self.remember)
        return action + Move(piece, to=target, source=source) + Do(self.remember)

    def drop(self, table: Table, kind: int, target: Position) -> Action:
        """Drop a captured piece on an empty square."""
        side = self.side(table)
        piece = self.pieces[side * kind]
        count = Set(table, turn=table.get("turn") + 1)
        return count + Move(piece, to=target, source=self.hands[side == shogi.WHITE]) + Do(self.remember)

    def remember(self, table: Table) -> Action:
        """Record the position and whether it is check."""
        side = self.side(table)
        board = self.board(table)
        key = self.key(board, [self.in_hand(table, one) for one in (shogi.BLACK, shogi.WHITE)], -side)
        return Set(table, past=(*table.get("past"), (key, shogi.in_check(board, -side))))

    # The end

    def prospects(self, table: Table) -> dict[str, float]:
        """The player with more material is ahead, pieces in hand included."""
        board = self.board(table)
        worth = {}
        for player, side in zip(self.players, (shogi.BLACK, shogi.WHITE), strict=True):
            standing = sum(VALUES[abs(piece)] for piece in board if piece * side > 0)
            in_hand = sum(count * VALUES[kind + 1] for kind, count in enumerate(self.in_hand(table, side)))
            worth[player] = (standing + in_hand) / SPREAD
        return worth

    def result(self, table: Table) -> FinishPlay | None:
        """A player who cannot move loses; the fourth occurrence of a position ends the game."""
        player, other = table.current_player, table.next_player()
        side = -self.side(table)
        if not any(True for _ in shogi.legal_moves(self.board(table), self.in_hand(table, side), side)):
            return FinishPlay(winners=[player], reason=f"{other} cannot move")
        past = table.get("past")
        if self.is_repeated(table):
            return self.repetition_result(past, player, other)
        most = self.settings["turns"]
        return (
            FinishPlay(draw=True, reason=f"the limit of {most} turns was reached")
            if table.get("turn") >= most
            else None
        )

    @staticmethod
    def is_repeated(table: Table) -> bool:
        """True if the position occurred too often."""
        past = table.get("past")
        return bool(past.count(past[-1]) >= REPETITIONS)

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return shogi_twin(self, self.board, self.in_hand, self.is_repeated)

    @staticmethod
    def repetition_result(past: Sequence[tuple[int, bool]], player: str, other: str) -> FinishPlay:
        """A player who gave check with every move since the position first occurred loses; otherwise a draw."""
        since = past[past.index(past[-1]) + 1 :]
        if all(check for _, check in since[::-1][::2]):
            return FinishPlay(winners=[other], reason=f"{player} repeated the position by checks")
        if all(check for _, check in since[::-1][1::2]):
            return FinishPlay(winners=[player], reason=f"{other} repeated the position by checks")
        return FinishPlay(draw=True, reason="the position occurred for the fourth time")
