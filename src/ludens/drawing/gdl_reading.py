"""From the fluents of a GDL game to panels: what is a board, what lies on it, what are counters and hands.

Nothing of it is declared in the rules, so it is inferred once for each game, from all fluents that are known, and
kept; the card of a game may give hints.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ludens.core import Move
from ludens.drawing.hints import Hints
from ludens.drawing.model import Board, Facts, Panel, Picture, Piece, Place
from ludens.drawing.sight import FactsSeen
from ludens.drawing.words import Namer
from ludens.gdl.board import BLANKS, Grid, find_grids, fluents_of_a_playout
from ludens.gdl.game import GdlGame, GdlMove
from ludens.gdl.source import GdlError
from ludens.gdl.terms import Term, arguments, functor, signature, sort_key
from ludens.gdl.write import kif


class GdlReader:
    """Reads the states of one game into pictures."""

    def __init__(self, game: GdlGame, hints: Hints) -> None:
        self.game = game
        self.hints = hints
        self.namer = Namer(game.roles, hints.colours, hints.pieces)
        start = game.initial_state()
        known = start.facts | (game.declared_fluents() or fluents_of_a_playout(game))
        self.grids = find_grids(start.facts, known)
        self._boards = [board for grid in self.grids for board in self._empty_boards(grid)]
        moves = [move for role in game.roles for move in start.legal_moves(role)]
        self._boards = [(grid, name, self._with_drops(grid, board, moves)) for grid, name, board in self._boards]

    # The boards without what lies on them

    def _empty_boards(self, grid: Grid) -> list[tuple[Grid, Term, Board]]:
        column_at = {column: float(n) for n, column in enumerate(grid.columns)}
        row_at = {row: float(n) for n, row in enumerate(grid.rows)}
        found = []
        for name in grid.names:
            places = tuple(
                Place(self.spot(grid, square), column_at[square[1]], row_at[square[2]], _place_name(square))
                for square in sorted(grid.squares, key=lambda square: (sort_key(square[2]), sort_key(square[1])))
                if square[0] == name
            )
            title = kif(name) if len(grid.names) > 1 else ""
            columns = tuple((at, kif(column)) for column, at in column_at.items())
            rows = tuple((at, kif(row)) for row, at in row_at.items())
            found.append((grid, name, Board(grid.fluent[0], "squares", places, {}, columns, rows, title=title)))
        return found

    @staticmethod
    def spot(grid: Grid, square: Sequence[Term]) -> str:
        """The spot of a (board, column, row)."""
        return ":".join([grid.fluent[0], *(kif(part) for part in square if part != "")])

    def _with_drops(self, grid: Grid, board: Board, moves: Iterable[GdlMove]) -> Board:
        """The board with columns to click on, if moves only say a column."""
        dropped = {arguments(move.term)[0] for move in moves if len(arguments(move.term)) == 1}
        if not dropped or not dropped <= set(grid.columns) or len(dropped) < 2:
            return board
        return replace(board, drops={kif(column): f"column:{kif(column)}" for column in grid.columns})

    # One state

    def picture(self, seen: FactsSeen) -> Picture:
        """All panels of what is known of a state."""
        by_fluent: dict[tuple[str, int], list[Term]] = defaultdict(list)
        for fact in seen.certain:
            by_fluent[signature(fact)].append(fact)
        panels: list[Panel] = [self._filled(grid, board, by_fluent[grid.fluent]) for grid, _, board in self._boards]
        drawn = {grid.fluent for grid in self.grids}
        to_move = tuple(kif(arguments(fact)[0]) for fact in by_fluent.get(("control", 1), ()))
        rest = [fact for fact in seen.certain if signature(fact) not in drawn | {("control", 1)}]
        if rest:
            panels.append(Facts("", tuple(_grouped(rest))))
        return Picture(tuple(panels), to_move)

    def _filled(self, grid: Grid, board: Board, facts: Iterable[Term]) -> Board:
        spots = {place.spot for place in board.places}
        contents: dict[str, tuple[Piece, ...]] = {}
        for fact in sorted(facts, key=sort_key):
            spot = self.spot(grid, grid.square(fact))
            words = [kif(arguments(fact)[n]) for n in grid.content]
            if spot in spots and not (len(words) == 1 and words[0].lower() in BLANKS):
                contents[spot] = (*contents.get(spot, ()), self.namer.piece(words))
        return replace(board, contents=contents)

    # Moves

    def clicks_of(self, move: Move) -> tuple[str, ...]:
        """The spots that make up a move, given as text in either syntax; none if it is no move at all."""
        try:
            term = move.term if isinstance(move, GdlMove) else self.game.read(move)
        except GdlError:
            return ()
        return self.clicks(term)

    def clicks(self, move: Term) -> tuple[str, ...]:
        """The spots that make up a move."""
        words = arguments(move)
        for grid in self._likely_grids(functor(move)):
            if found := self._squares_in(grid, words):
                return found
        for grid, _, board in self._boards:
            if board.drops and len(words) == 1 and words[0] in grid.columns:
                return (board.drops[kif(words[0])],)
        return ()

    def _likely_grids(self, name: str) -> list[Grid]:
        """The boards that a move may be on; of ``cell1`` and ``cell2`` the first for ``mark1``."""
        number = name[len(name.rstrip("0123456789")) :]
        return sorted(self.grids, key=lambda grid: not (number and grid.fluent[0].endswith(number)))

    def _squares_in(self, grid: Grid, words: Sequence[Term]) -> tuple[str, ...]:
        found: list[str] = []
        board: Term = grid.names[0]
        n = 0
        while n < len(words):
            if grid.boards is not None and words[n] in grid.names and n + 2 < len(words):
                board = words[n]
            pair = words[n : n + 2] if grid.x < grid.y else words[n : n + 2][::-1]
            square = (board, *pair)
            if len(pair) == 2 and square in grid.squares:
                found.append(self.spot(grid, square))
                n += 2
            else:
                n += 1
        return tuple(found)


def _place_name(square: Sequence[Term]) -> str:
    column, row = kif(square[1]), kif(square[2])
    return f"{column}{row}" if column.isalpha() else f"{column} {row}"


def _grouped(facts: Iterable[Term]) -> list[str]:
    """Facts as lines, those of one fluent together."""
    groups: dict[str, list[str]] = defaultdict(list)
    for fact in sorted(facts, key=sort_key):
        groups[functor(fact)].append(" ".join(kif(part) for part in arguments(fact)))
    return [f"{name}: {', '.join(values)}" if any(values) else name for name, values in groups.items()]
