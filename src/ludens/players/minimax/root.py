"""The position to move in: its moves searched deeper and deeper, and the one to play."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludens.core import Move, MoveReport
from ludens.players.minimax.choice import BEST, against_all
from ludens.players.minimax.matrix import solve_matrix
from ludens.players.minimax.tree import Node, Part, Window, everything
from ludens.players.space.space import Key, Space, Values


class Searcher(Protocol):
    """What looks ahead behind the moves of the root."""

    def prepare(self, key: Key) -> Node:
        """The node of a position to search from."""

    def parts(self, node: Node, order: NDArray[np.int64], depth: int, ply: int, window: Window) -> Iterator[Part]:
        """Joint moves in this order, with so many plies behind their children."""

    def line(self, key: Key, depth: int) -> Iterator[Move]:
        """The best moves from a position on."""


@dataclass(slots=True)
class RootMove:
    """A move at the root and what is known of it."""

    number: int
    value: float
    proven: bool
    share: float
    """How likely it should be played."""
    line: tuple[Move, ...]


class Root:
    """Searches the moves of one role in one position."""

    def __init__(self, searcher: Searcher, space: Space, role: int, key: Key, wide: bool) -> None:
        self.depth = 0
        """Plies looked ahead behind all moves."""
        self.done = False
        """True if looking further cannot change anything."""
        self._searcher = searcher
        self._space = space
        self._role = role
        self._wide = wide
        self._node = searcher.prepare(key)
        self.moves: list[RootMove] = []
        """The own moves, best first."""
        self._alone = self._node.chooser == role
        guesses = value_by_own_move(self._node, self._node.guess, role)
        self.moves = [RootMove(move, value, False, 0.0, (space.move(role, move),)) for move, value in guesses]
        self._sort()

    def deepen(self) -> None:
        """Look one ply further. If something is raised on the way, what was found so far is kept."""
        if self._alone:
            self._one_by_one(self.depth + 1)
        else:
            self._all_together(self.depth + 1)
        self.depth += 1

    def choice(self, rng: Random) -> RootMove:
        """The move to play: the best, or one drawn where it is better not to be predictable."""
        if self._alone or not any(move.share for move in self.moves):
            return self.moves[0]
        return rng.choices(self.moves, [move.share for move in self.moves])[0]

    def reports(self) -> tuple[MoveReport, ...]:
        """The moves as others may see them."""
        return tuple(
            MoveReport(self._space.move(self._role, move.number), move.value, 0, move.proven, move.line)
            for move in self.moves
        )

    def strategy(self) -> dict[Move, float]:
        """How likely each own move should be played, where several choose at once."""
        return {self._space.move(self._role, move.number): round(move.share, 4) for move in self.moves if move.share}

    def _one_by_one(self, depth: int) -> None:
        """Search each move with the best so far as a bound, the best of the last round first."""
        node = self._node
        place_of = {int(move): place for place, move in enumerate(node.joint.moves[:, self._role])}
        number_at = {place: number for number, place in place_of.items()}
        searched: dict[int, RootMove] = {}
        order = np.array([place_of[move.number] for move in self.moves], np.int64)
        over = node.over[order]
        for place in order[over].tolist():
            move = number_at[place]
            searched[move] = RootMove(move, float(node.guess[place]), True, 0.0, (self._space.move(self._role, move),))
        best = max((move.value for move in searched.values()), default=-math.inf)
        unsure = False

        def window() -> tuple[float, float]:
            return everything() if self._wide else (best, math.inf)

        for part, values, guessed in self._searcher.parts(node, order[~over], depth - 1, 1, window):
            for place, value, guess in zip(part.tolist(), values.tolist(), guessed.tolist(), strict=True):
                move = number_at[place]
                line = (self._space.move(self._role, move), *self._line_behind(place, depth - 1))
                searched[move] = RootMove(move, value, not guess or value in {0.0, BEST}, 0.0, line)
                best = max(best, value)
                unsure = unsure or guess
            self._merge(searched)
            if best >= BEST and not self._wide:
                break
        self._merge(searched)
        # Guesses are never 0, so if nothing is better than 0, all moves are proved to lose.
        self.done = not unsure or best <= 0 or (best >= BEST and not self._wide)

    def _line_behind(self, place: int, depth: int) -> Iterator[Move]:
        """What is expected after a joint move; nothing where chance decides that."""
        return (
            iter(()) if self._node.joint.first_child is not None else self._searcher.line(self._node.keys[place], depth)
        )

    def _merge(self, searched: dict[int, RootMove]) -> None:
        """Put what this round found in the place of what the last one knew.

        Moves that this round has not come to yet are not better than the best found: the last round's best came first.
        """
        fresh = [searched[move.number] for move in self.moves if move.number in searched]
        fresh.sort(key=lambda move: -move.value)
        self.moves = fresh + [move for move in self.moves if move.number not in searched]

    def _all_together(self, depth: int) -> None:
        """Simultaneous choices: all joint moves, then the matrix of own and other moves."""
        node = self._node
        values, unsure = node.guess.copy(), ~node.over
        for part, found, guessed in self._searcher.parts(node, np.flatnonzero(unsure), depth - 1, 1, everything):
            values[part], unsure[part] = found, guessed
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
        return against_all(worth, self._node.joint.counts[0], self._role)

    def _sort(self) -> None:
        self.moves.sort(key=lambda move: (-move.share, -move.value))


def value_by_own_move(node: Node, worth: Values, role: int) -> Sequence[tuple[int, float]]:
    """What each own move is worth if the others answer it in the worst way."""
    numbers = list(dict.fromkeys(node.joint.moves[:, role].tolist()))
    lowest = against_all(worth, node.joint.counts[0], role).min(axis=1)
    return list(zip(numbers, lowest.tolist(), strict=True))
