"""Go as GTP sees it: positions that a controller sets up, and stones whose life playouts judge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import cast

from ludens.core import IllegalMoveError, Move, Role, State
from ludens.games.tabletop.go import EMPTY, Go
from ludens.protocols.gtp.boards import GtpBoard, VertexError
from ludens.protocols.lent_player import Line
from ludens.tabletop import Do, Set, waiting
from ludens.tabletop import Move as MoveStone
from ludens.tabletop.game import TabletopGame
from ludens.tabletop.state import TabletopState
from ludens.tabletop.table import RESULT, STAGE

PLAYOUTS = 50
"""Playouts that judge a board of 9x9 for each player to move; larger boards get fewer."""
LEAST_PLAYOUTS = 20
ALIVE = 0.5
"""The share of playouts in which living stones keep their points."""


class GoBoard(GtpBoard):
    """Go, whose points and passes are called the same here and there."""

    game: TabletopGame

    def __init__(self, game: TabletopGame) -> None:
        super().__init__(game, int(game.rule.settings["size"]))
        self._rule = cast(Go, game.rule)
        first = game.initial_state()
        self._moves = {move.lower(): move for role in game.roles for move in first.legal_moves(role)}
        self._numbers = {point.name: number for number, point in enumerate(self._rule.points)}

    @property
    def komi(self) -> float:
        """The komi."""
        return float(self._rule.settings["komi"])

    def vertex(self, move: Move) -> str:
        """A point, or pass."""
        return move

    def move(self, vertex: str) -> Move:
        """A point in any case, or pass."""
        found = self._moves.get(vertex.lower())
        if found is None:
            raise VertexError(f"{vertex} is not a point of a board of size {self.size}")
        return found

    # Positions

    def mover(self, line: Line) -> Role | None:
        """Who is to move, by the stage of the play."""
        state = line.state
        assert isinstance(state, TabletopState)
        return None if state.is_terminal else self.game.stage(state.table).players[0]

    def play(self, line: Line, role: Role, move: Move) -> Line:
        """The line with one more move. Only this move is checked: a list of all takes milliseconds on a large board."""
        state, rule = line.state, self._rule
        assert isinstance(state, TabletopState)
        point = self._numbers.get(move)
        if point is None or self.mover(line) != role:
            return line.play(role, move)
        colours = rule.colours(state.table)
        if colours[point] != EMPTY:
            raise IllegalMoveError(f"there is a stone on {move}")
        own = self.game.roles.index(role)
        taken = rule.put_down(colours, point, own)
        if not rule.liberty(colours, point):
            raise IllegalMoveError(f"a stone on {move} has no liberty")
        board = state.table.get("board") ^ rule.zobrist[point][own]
        for stone in taken:
            board ^= rule.zobrist[stone][1 - own]
        if board in state.table.get("past"):
            raise IllegalMoveError(f"{move} repeats a position")
        table = state.table.copy()
        action = Do(rule.put, rule.points[point], *(rule.points[stone] for stone in taken)).named(move)
        self.game.advance(table, [(role, action, waiting(self.game.roles[1 - own]))], lambda one: one.do(table))
        return Line((*line.states, TabletopState(self.game, table)), (*line.turns, {role: move}))

    def play_on(self, state: State, role: Role) -> State:
        """The same board with that role to move, as if nobody had passed: GTP lets games go on after any passes."""
        assert isinstance(state, TabletopState)
        table = state.table.copy()
        Set(table, passes=0, turn=0).do(table)
        table.play_state[STAGE], table.play_state[RESULT] = waiting(role), None
        return TabletopState(self.game, table.copy())

    def set_up(self, stones: Iterable[tuple[Role, str]], role: Role) -> State:
        """A board with some stones, and that role to move. Raises `VertexError` if a stone has no liberty."""
        state = self.game.initial_state()
        assert isinstance(state, TabletopState)
        table, board, rule = state.table.copy(), 0, self._rule
        colours = [EMPTY] * len(rule.points)
        names = {point.name.lower(): number for number, point in enumerate(rule.points)}
        for owner, vertex in stones:
            number, colour = names.get(vertex.lower(), EMPTY), self.game.roles.index(owner)
            if number == EMPTY or colours[number] != EMPTY:
                raise VertexError(f"{vertex} is no free point of a board of {self.size}")
            colours[number] = colour
            board ^= rule.zobrist[number][colour]
            MoveStone(rule.stones[colour], to=rule.points[number]).do(table)
        if any(not liberties for _, liberties in rule.chains(colours)):
            raise VertexError("a stone has no liberty")
        Set(table, board=board, past=frozenset({board}), passes=0, turn=0).do(table)
        table.play_state[STAGE] = waiting(role)
        return TabletopState(self.game, table.copy())

    def with_rule_of(self, line: Line) -> Line:
        """A line of the same moves and stones under this board's rule, whose komi may differ."""
        return Line(tuple(self._taken_over(state) for state in line.states), line.turns)

    def _taken_over(self, state: State) -> State:
        assert isinstance(state, TabletopState)
        chains = [(role, stone) for role, stones, _ in self.chains(state) for stone in stones]
        mover = next((role for role in self.game.roles if state.legal_moves(role)), self.game.roles[0])
        found = self.set_up(chains, mover)
        assert isinstance(found, TabletopState)
        table = found.table.copy()
        values = {name: state.table.get(name) for name in ("past", "passes", "turn")}
        Set(table, **values).do(table)
        return TabletopState(self.game, table.copy())

    # Life and death

    def chains(self, state: State) -> list[tuple[Role, list[str], list[str]]]:
        """The owner, the stones and the liberties of every chain."""
        assert isinstance(state, TabletopState)
        rule = self._rule
        colours = rule.colours(state.table)
        return [
            (self.game.roles[colours[stones[0]]], _names(rule, stones), _names(rule, sorted(liberties)))
            for stones, liberties in rule.chains(colours)
        ]

    def dead_chains(self, state: State) -> list[tuple[Role, list[str], list[str]]]:
        """The chains that lose their points in most playouts."""
        owned = self._shares_of_black(state)
        black = self.game.roles[0]
        found = []
        for role, stones, liberties in self.chains(state):
            shares = [owned[stone] if role == black else 1 - owned[stone] for stone in stones]
            if sum(shares) / len(shares) < ALIVE:
                found.append((role, stones, liberties))
        return found

    def _shares_of_black(self, state: State) -> dict[str, float]:
        """For each point the share of playouts at the end of which Black owns it. The same for the same board."""
        assert isinstance(state, TabletopState)
        rule = self._rule
        colours = rule.colours(state.table)
        rng = Random(str(state.table.get("board")))
        count = min(PLAYOUTS, max(LEAST_PLAYOUTS, PLAYOUTS * 81 // len(colours)))
        totals = [0.0] * len(colours)
        for number in range(2 * count):
            board = list(colours)
            rule.play_out_board(board, number % 2, 0, 3 * len(colours), rng)
            for point, owner in enumerate(rule.owners(board)):
                totals[point] += 1.0 if owner == 0 else 0.0 if owner == 1 else 0.5
        return {rule.points[point].name: total / (2 * count) for point, total in enumerate(totals)}

    def margin(self, state: State, dead: Iterable[Sequence[str]] = ()) -> float:
        """By how many points Black wins on this board, komi included, without stones that are dead."""
        assert isinstance(state, TabletopState)
        rule = self._rule
        colours = rule.colours(state.table)
        taken = {name for stones in dead for name in stones}
        counted = [EMPTY if rule.points[n].name in taken else colour for n, colour in enumerate(colours)]
        black, white = rule.areas(counted)
        return black - white - self.komi

    def score(self, state: State) -> str:
        """What would be counted now; dead stones are taken off the board."""
        margin = self.margin(state, (stones for _, stones, _ in self.dead_chains(state)))
        return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"

    def has_stones(self, state: State) -> bool:
        """True if there is a stone on the board."""
        return bool(self.chains(state))


def _names(rule: Go, numbers: Iterable[int]) -> list[str]:
    return [rule.points[number].name for number in numbers]
