"""Games for machine code: addresses of functions that compute blocks of states, and the layout of their memory.

A block is `LANES` states. A *row* is one bit for each of them: `ROW_WORDS` words, lane n being bit n % 64 of word
n // 64. All arguments of the functions are 64-bit integers or addresses; ``values``, ``code`` and ``rng`` are passed on
as they come in `BlockFunction` and `BlockCode`, and mean something to the backend only.

``position(values, code, rng, fluents, position, blocks)``
    What holds in each state. ``fluents`` are `BlockLayout.fluent_rows` rows; ``position`` gets `position_rows` rows.
``advance(values, code, rng, fluents, next, 0, idle, 1, moves, first_moves, roles, lanes)``
    The states after given moves, numbers of four bytes (lanes, roles of `move_roles`), for the first ``lanes`` lanes.
    Lanes of the row ``idle`` keep their state. ``next`` gets `fluent_rows` rows.
``play_out(values, code, phases, rng, fluents, begins, most_moves, results, blocks)``
    A random playout from each lane. ``begins`` has one row for each phase of the turn order: the lanes whose state is
    in it. ``results`` gets row 0: the lanes whose playout ended, and from `first_goal` on their goals. The last fluents
    of all lanes are in the values afterwards, from row `first_fluent` on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
LANES = 512
"""States of a block. Backends compute whole blocks, so this many states cost about as much as one."""
ROW_WORDS = LANES // 64
GOAL_ROWS = 8
"""Rows of a goal: a number of one byte, the lowest bit first."""


@dataclass(frozen=True, slots=True)
class BlockLayout:
    """Which row has what."""

    fluent_rows: int
    """Rows of a state: one for each fluent, then some without meaning."""
    first_moves: tuple[int, ...]
    """The row of each role's first move among all moves; chance roles come last."""
    move_rows: int
    """Rows of all moves."""
    first_goal: int
    """Position and results: the first row of the goals, `GOAL_ROWS` for each player. Position has the lanes that are
    over in row 0, and in row 1 those that cannot go on."""
    first_legal: int
    """Position: the row of the first legal move; results end here."""

    @property
    def position_rows(self) -> int:
        """Rows of a position."""
        return self.first_legal + self.move_rows


@dataclass(frozen=True, slots=True)
class BlockPhases:
    """The phases of the turn order that playouts go through in step."""

    known: NDArray[np.int64]
    """The fluents that distinguish the phases."""
    present: Words
    """Their values in each phase (phases, known): 1 if the fluent is true there."""

    def __len__(self) -> int:
        return len(self.present)


@dataclass(frozen=True, slots=True, eq=False)
class BlockFunction:
    """One function, with what it is called with. Valid as long as its `BlockCode` is kept."""

    address: int
    code: int
    values: Words
    """Memory of its own (rows, `ROW_WORDS`)."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockFunctions:
    """The functions, as fast as they are by now."""

    position: BlockFunction
    advance: BlockFunction
    play_out: BlockFunction


class BlockCode(ABC):
    """A game as machine code calls it. Not to be shared between threads."""

    layout: BlockLayout
    rng: Words
    """The state of the random generator."""
    first_fluent: int
    """The row of the first fluent in the values of ``play_out``."""
    first_made: int = -1
    """The row of the first move there, from where on playouts set the lanes in which each player made each move, in the
    order of all moves; callers clear them. Where a playout is cut off, the next move counts too. Negative if playouts
    do not report moves."""
    phases: BlockPhases
    """Those of states like the one last given to `begin_at`."""

    @abstractmethod
    def begin_at(self, state: Words) -> None:
        """Prepare for playouts from this state, packed into words, and from its successors."""

    @abstractmethod
    def functions(self) -> BlockFunctions:
        """The functions to call now. Call again from time to time: frequently used code gets faster."""

    def note_use(self, rounds: int, playout_moves: int) -> None:  # noqa: B027 - most backends do not count
        """Record how often positions and moves were computed, and how many joint moves playouts made."""


def row_array(rows: int) -> Words:
    """So many rows of zeros, aligned as wide registers need it."""
    size = 8 * ROW_WORDS
    memory = np.zeros(rows * size + size, np.uint8)
    offset = -memory.ctypes.data % size
    return memory[offset : offset + rows * size].view(np.uint64).reshape(rows, ROW_WORDS)


def seed_words(seed: int | None, number: int) -> Words:
    """So many words to begin random draws with; a seed may be negative, and without one they are always others."""
    entropy = None if seed is None else seed % 2**128
    return np.random.SeedSequence(entropy).generate_state(number, np.uint64).astype(np.uint64, copy=False)
