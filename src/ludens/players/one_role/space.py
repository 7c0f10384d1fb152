"""Positions of a one-role game in layers: one interface for compiled games and plain States."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL, Game, Move, Role, State

Layer: TypeAlias = NDArray[Any]
"""Positions by number: rows of packed bits in compiled games, `State` objects otherwise."""
Numbers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Keys: TypeAlias = NDArray[np.uint64]

STUCK = -1
"""Marks the end of a playout's moves, and the goal of a playout that did not end."""
LONGEST_PLAYOUT = 1_000


@dataclass(frozen=True, slots=True)
class Positions:
    """A layer with terminal flags and goals."""

    layer: Layer
    terminal: Flags
    goals: Numbers

    def __len__(self) -> int:
        return len(self.layer)

    def __getitem__(self, which: Numbers) -> Positions:
        return Positions(self.layer[which], self.terminal[which], self.goals[which])


@dataclass(frozen=True, slots=True)
class Playouts:
    """One random playout from each position of a layer."""

    goals: Numbers
    """The goal at the end; `STUCK` if there was none."""
    scores: NDArray[np.float64]
    """The goal, and for equal goals the last position's nearness to the best goal."""
    moves: Numbers
    """The moves of each playout (positions, length of the longest); `STUCK` after its end."""

    def line(self, number: int) -> tuple[int, ...]:
        """The moves of one playout."""
        line = self.moves[number]
        return tuple(map(int, line[line != STUCK]))


def join_positions(parts: Sequence[Positions]) -> Positions:
    """Join several positions into one layer; there must be at least one part."""
    if len(parts) == 1:
        return parts[0]
    return Positions(
        np.concatenate([part.layer for part in parts]),
        np.concatenate([part.terminal for part in parts]),
        np.concatenate([part.goals for part in parts]),
    )


class Space(ABC):
    """The positions of a game, for its only role. Moves are numbers; `texts` translates them."""

    best_goal: int = BEST_GOAL
    """The highest possible goal."""
    lanes: int = 1
    """How many positions take as long as one."""
    texts: Sequence[Move]
    """The move of each number."""

    @abstractmethod
    def layer(self, states: Sequence[State]) -> Layer:
        """States as a layer."""

    @abstractmethod
    def examine(self, layer: Layer) -> Positions:
        """A layer with terminal flags and goals."""

    @abstractmethod
    def moves(self, layer: Layer) -> tuple[Numbers, Numbers]:
        """Every legal move of every position: the numbers of the positions, ascending, and of the moves."""

    @abstractmethod
    def play(self, layer: Layer, moves: Numbers) -> Positions:
        """The positions after one legal move in each."""

    @abstractmethod
    def keys(self, layer: Layer, *, count: bool) -> Keys:
        """A number for each position, never 0; the same for the same position.

        Without ``count``, positions that differ only in step counters have the same number.
        """

    @abstractmethod
    def playouts(self, layer: Layer) -> Playouts:
        """A random playout from each position."""

    @abstractmethod
    def bytes_each(self) -> int:
        """The approximate size of a position in bytes."""

    def pieces(self, count: int) -> Iterator[slice]:
        """Split ``count`` positions into short pieces, so that the clock can be checked in between."""
        step = 2 * self.lanes
        return (slice(start, start + step) for start in range(0, count, step))

    def scores(self, positions: Positions) -> NDArray[np.float64]:
        """The current goal, plus less than 1 for nearness to the best goal."""
        return positions.goals.astype(np.float64)


class PlainSpace(Space):
    """Any game, one State at a time."""

    def __init__(self, game: Game, seed: int) -> None:
        self._role: Role = game.roles[0]
        self._rng = Random(seed)
        self.texts: list[Move] = []
        self._numbers: dict[Move, int] = {}

    def layer(self, states: Sequence[State]) -> Layer:
        """States as a layer."""
        found = np.empty(len(states), object)
        found[:] = states
        return found

    def examine(self, layer: Layer) -> Positions:
        """A layer with terminal flags and goals."""
        terminal = np.array([state.is_terminal for state in layer], np.bool_)
        goals = np.array([state.goals[self._role] for state in layer], np.int64)
        return Positions(layer, terminal, goals)

    def moves(self, layer: Layer) -> tuple[Numbers, Numbers]:
        """Every legal move of every position."""
        found = [(n, self._number(move)) for n, state in enumerate(layer) for move in state.legal_moves(self._role)]
        pairs = np.array(found, np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    def play(self, layer: Layer, moves: Numbers) -> Positions:
        """The positions after one legal move in each."""
        after = [state.play({self._role: self.texts[move]}) for state, move in zip(layer, moves, strict=True)]
        return self.examine(self.layer(after))

    def keys(self, layer: Layer, *, count: bool) -> Keys:
        """The hash of each State; step counters are not known."""
        found = np.array([hash(state) for state in layer], np.int64).view(np.uint64)
        return np.where(found == 0, np.uint64(1), found)

    def playouts(self, layer: Layer) -> Playouts:
        """A random playout from each position."""
        lines, goals = [], []
        for first in layer:
            state, line = first, list[int]()
            while not state.is_terminal and len(line) < LONGEST_PLAYOUT:
                legal = state.legal_moves(self._role)
                if not legal:
                    break
                line.append(self._number(self._rng.choice(legal)))
                state = state.play({self._role: self.texts[line[-1]]})
            lines.append(line)
            goals.append(state.goals[self._role] if state.is_terminal else STUCK)
        moves = np.full((len(lines), max(map(len, lines), default=0)), STUCK, np.int64)
        for row, line in zip(moves, lines, strict=True):
            row[: len(line)] = line
        ends = np.array(goals, np.int64)
        return Playouts(ends, ends.astype(np.float64), moves)

    def bytes_each(self) -> int:
        """A rough estimate: States hold sets of facts."""
        return 5_000

    def _number(self, move: Move) -> int:
        number = self._numbers.setdefault(move, len(self.texts))
        if number == len(self.texts):
            self.texts.append(move)
        return number
