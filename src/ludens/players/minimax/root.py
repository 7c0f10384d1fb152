"""The root of a minimax search: iterative deepening of its moves, and the choice among them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludens.core import Move, MoveReport
from ludens.players.minimax.choice import BEST, payoff_matrix
from ludens.players.minimax.matrix import solve_matrix
from ludens.players.minimax.tree import Node, Part, Window, full_window
from ludens.players.space.space import Key, Space, Values


class Searcher(Protocol):
    """A search below the moves of the root."""

    def prepare(self, key: Key) -> Node:
        """The node of a position to search from."""

    def search_moves(
        self, node: Node, order: NDArray[np.int64], depth: int, ply: int, window: Window
    ) -> Iterator[Part]:
        """Search joint moves in this order, ``depth`` plies below their children."""

    def line(self, key: Key, depth: int) -> Iterator[Move]:
        """The best moves from a position on."""


@dataclass(slots=True)
class RootMove:
    """A move at the root, and its value so far."""

    number: int
    value: float
    proven: bool
    share: float
    """The probability with which it should be played."""
    line: tuple[Move, ...]


class Root:
    """Searches the moves of one role in one position."""

    def __init__(self, searcher: Searcher, space: Space, role: int, key: Key, wide: bool) -> None:
        self.depth = 0
        """The depth, in plies, to which all moves were searched."""
        self.done = False
        """True if a deeper search cannot change anything."""
        self._searcher = searcher
        self._space = space
        self._role = role
        self._wide = wide
        self._node = searcher.prepare(key)
        self.moves: list[RootMove] = []
        """The own moves, best first."""
        self._alone = self._node.chooser == role
        estimates = value_by_own_move(self._node, self._node.estimate, role)
        self.moves = [RootMove(move, value, False, 0.0, (space.move(role, move),)) for move, value in estimates]
        self._sort()

    def deepen(self) -> None:
        """Search one ply deeper. If something is raised on the way, results so far are kept."""
        if self._alone:
            self._search_one_by_one(self.depth + 1)
        else:
            self._search_all_together(self.depth + 1)
        self.depth += 1

    def choice(self, rng: Random) -> RootMove:
        """The move to play: the best, or one drawn where a mixed strategy is better."""
        if self._alone or not any(move.share for move in self.moves):
            return self.moves[0]
        return rng.choices(self.moves, [move.share for move in self.moves])[0]

    def reports(self) -> tuple[MoveReport, ...]:
        """The moves as reports for spectators."""
        return tuple(
            MoveReport(self._space.move(self._role, move.number), move.value, 0, move.proven, move.line)
            for move in self.moves
        )

    def strategy(self) -> dict[Move, float]:
        """The optimal probability of each own move, where several roles choose at once."""
        return {self._space.move(self._role, move.number): round(move.share, 4) for move in self.moves if move.share}

    def _search_one_by_one(self, depth: int) -> None:
        """Search each move with the best value so far as a bound, the last round's best move first."""
        node = self._node
        place_of = {int(move): place for place, move in enumerate(node.joint.moves[:, self._role])}
        number_at = {place: number for number, place in place_of.items()}
        searched: dict[int, RootMove] = {}
        order = np.array([place_of[move.number] for move in self.moves], np.int64)
        over = node.over[order]
        for place in order[over].tolist():
            move = number_at[place]
            searched[move] = RootMove(
                move, float(node.estimate[place]), True, 0.0, (self._space.move(self._role, move),)
            )
        best = max((move.value for move in searched.values()), default=-math.inf)
        unsure = False

        def window() -> tuple[float, float]:
            return full_window() if self._wide else (best, math.inf)

        for part, values, estimated in self._searcher.search_moves(node, order[~over], depth - 1, 1, window):
            for place, value, is_estimate in zip(part.tolist(), values.tolist(), estimated.tolist(), strict=True):
                move = number_at[place]
                line = (self._space.move(self._role, move), *self._line_after(place, depth - 1))
                searched[move] = RootMove(move, value, not is_estimate or value in {0.0, BEST}, 0.0, line)
                best = max(best, value)
                unsure = unsure or is_estimate
            self._merge(searched)
            if best >= BEST and not self._wide:
                break
        self._merge(searched)
        # Estimates are never 0, so if nothing is better than 0, all moves are proved to lose.
        self.done = not unsure or best <= 0 or (best >= BEST and not self._wide)

    def _line_after(self, place: int, depth: int) -> Iterator[Move]:
        """The expected line after a joint move; empty where chance decides."""
        return (
            iter(()) if self._node.joint.first_child is not None else self._searcher.line(self._node.keys[place], depth)
        )

    def _merge(self, searched: dict[int, RootMove]) -> None:
        """Replace the last round's results by those of this round.

        Moves not reached in this round are not better than the best found: the last round's best came first.
        """
        fresh = [searched[move.number] for move in self.moves if move.number in searched]
        fresh.sort(key=lambda move: -move.value)
        self.moves = fresh + [move for move in self.moves if move.number not in searched]

    def _search_all_together(self, depth: int) -> None:
        """Simultaneous choices: search all joint moves, then solve the matrix of own and other moves."""
        node = self._node
        values, unsure = node.estimate.copy(), ~node.over
        for part, found, estimated in self._searcher.search_moves(
            node, np.flatnonzero(unsure), depth - 1, 1, full_window
        ):
            values[part], unsure[part] = found, estimated
        matrix = self._matrix(values)
        solution = solve_matrix(matrix)
        numbers = list(dict.fromkeys(node.joint.moves[:, self._role].tolist()))
        each = (matrix @ solution.columns).tolist()
        proven = not unsure.any()
        self.moves = [
            RootMove(number, value, proven, share, (self._space.move(self._role, number),))
            for number, value, share in zip(numbers, each, solution.rows.tolist(), strict=True)
        ]
        self._sort()
        self.done = proven

    def _matrix(self, worth: Values) -> Values:
        return payoff_matrix(worth, self._node.joint.counts[0], self._role)

    def _sort(self) -> None:
        self.moves.sort(key=lambda move: (-move.share, -move.value))


def value_by_own_move(node: Node, worth: Values, role: int) -> Sequence[tuple[int, float]]:
    """The value of each own move against the worst answer of the others."""
    numbers = list(dict.fromkeys(node.joint.moves[:, role].tolist()))
    lowest = payoff_matrix(worth, node.joint.counts[0], role).min(axis=1)
    return list(zip(numbers, lowest.tolist(), strict=True))
