"""Proofs for two players who move in turns, with goals of a constant sum: null-window alpha-beta in machine code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ludens.analysis.symmetry import Exchange, find_exchanges
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import State
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame
from ludens.core.block import LANES, Words, seed_words
from ludens.players.packed.block_rules import BlockRules
from ludens.players.packed.machine import ProverStructure, proof_machine

NODES_AT_ONCE = 50_000
"""Nodes between two looks at the clock."""
DEEPEST = 400
"""The longest line that is followed: games that may cycle have no longest."""
MOST_IMAGES = 15
"""Symmetries that keys of positions take into account: those found, and what they make together."""
PLAYOUTS = 2_048
EXPERIENCE = 1_000
"""How much a point of the average goal counts, in decisions of the search."""
SLOT_BYTES, SLOTS_TOGETHER, CHILD_BYTES = 16, 4, 48
SLOT = np.dtype([("key", "<u8"), ("low", "u1"), ("high", "u1"), ("best", "<u2"), ("work", "<u4")])
"""An entry of the transposition table."""
_STATES, _CHILDREN, _MOVES = 1 << 18, 1 << 16, 1 << 20
_YES, _STOPPED = 1, 2


class Failure(IntEnum):
    """Why a proof is impossible."""

    NONE = 0
    SIMULTANEOUS = 1
    """Both players choose at once."""
    NO_TOTAL = 2
    """The goals do not have a constant sum."""
    STUCK = 3
    """A role has no legal move in a state that is not terminal."""
    TOO_DEEP = 4
    """A line is too long; it may be a cycle."""


class Prover:
    """Narrows the bounds on the first role's goal, one test after the other."""

    def __init__(
        self, game: BatchGame, root: State, total: int, megabytes: int, symmetry_seconds: float = math.inf
    ) -> None:
        """``total`` is the sum of both roles' goals, which is checked wherever a match ends. Symmetries are used if
        they are found within ``symmetry_seconds``."""
        self._machine = proof_machine()
        self._rules = BlockRules(game, root, np.zeros(len(game.fluent_texts), np.bool_), seed=1)
        self._values = sorted(game.goal_values[0])
        self.identity: dict[str, str | int] = {
            "rules": game.rules_hash,
            "root": self._rules.root[self._rules.kept, 0].astype(np.bool_).tobytes().hex(),
            "mark": self._machine.mark,
            "total": total,
        }
        """What distinguishes this proof from others."""
        self.low, self.high = 0, len(self._values) - 1
        prover = ProverStructure()
        prover.width, prover.total, prover.roles = self._rules.width, total, len(game.roles)
        prover.value_count, prover.deepest = len(self._values), DEEPEST
        groups = 1 << max(10, (megabytes * 1_000_000 // (SLOT_BYTES * SLOTS_TOGETHER)).bit_length() - 1)
        prover.slot_mask = groups - 1
        images = self._images(game, symmetry_seconds)
        prover.symmetry_count = len(images)
        prover.state_room, prover.child_room, prover.move_room = _STATES * prover.width, _CHILDREN, _MOVES
        prover.legal_width = -(-self._rules.code.layout.move_rows // 64)
        prover.hold(
            legal=np.zeros((LANES, prover.legal_width), np.uint64),
            values=np.array(self._values, np.int32),
            slots=np.zeros(groups * SLOTS_TOGETHER * SLOT_BYTES, np.uint8),
            marks=self._marks(images),
            history=self._experience(game, root),
            states=np.zeros(prover.state_room, np.uint64),
            children=np.zeros(_CHILDREN * CHILD_BYTES, np.uint8),
            moves=np.zeros(_MOVES, np.int32),
            move_counts=np.array([len(moves) for moves in game.move_texts], np.int64),
        )
        self._prover = prover

    def _experience(self, game: BatchGame, root: State) -> NDArray[np.int64]:
        """How good each fluent is for each role, by the ends of random playouts: the first order of moves."""
        batch = Batch(game, PLAYOUTS, seed=1)
        batch.set_states([root])
        for _ in range(DEEPEST):
            if batch.terminal.all() or batch.stuck.any():
                break
            batch.advance()
        true = batch.observation[:, self._rules.kept].astype(np.float64)
        goals = batch.goals.astype(np.float64)
        means = true.T @ (goals - goals.mean(axis=0)) / np.maximum(true.sum(axis=0), 1)[:, None]
        found = np.zeros((len(game.roles), 64 * self._rules.width), np.int64)
        found[:, : len(self._rules.kept)] = EXPERIENCE * means.T
        return found

    def _marks(self, images: NDArray[np.int32]) -> Words:
        """Random words of each fluent, and of its image by each symmetry."""
        marks = seed_words(1, 64 * self._rules.width)
        return np.array([marks, *(marks[image] for image in images)], np.uint64)

    def _images(self, game: BatchGame, seconds: float) -> NDArray[np.int32]:
        """For some symmetries, where each fluent of a packed position goes."""
        places = self._rules.width * 64
        if not isinstance(game, CircuitRules):
            return np.empty((0, places), np.int32)
        place_of = {int(number): place for place, number in enumerate(self._rules.kept)}
        images = (_image(game, exchange, place_of, places) for exchange in find_exchanges(game, seconds))
        return compositions([image for image in images if image is not None], places)

    @property
    def bounds(self) -> tuple[int, int]:
        """The bounds on the first role's goal."""
        return self._values[self.low], self._values[self.high]

    @property
    def is_solved(self) -> bool:
        """True if the bounds meet."""
        return self.low == self.high

    @property
    def failure(self) -> Failure:
        """Why the proof cannot go on, if it cannot."""
        return Failure(self._prover.failure)

    @property
    def nodes(self) -> int:
        """Nodes expanded so far."""
        return int(self._prover.nodes)

    @property
    def computed(self) -> int:
        """Positions computed so far."""
        return int(self._prover.computed)

    @property
    def stored(self) -> int:
        """Entries of the table that are in use."""
        return int(self._prover.stored)

    @property
    def fill(self) -> float:
        """The share of the table that is in use."""
        return self.stored / (int(self._prover.slot_mask + 1) * SLOTS_TOGETHER)

    @property
    def history(self) -> NDArray[np.int64]:
        """How good it was for each role to make a fluent true."""
        found: NDArray[np.int64] = self._prover["history"]
        return found

    def used_slots(self) -> NDArray[np.void]:
        """The entries of the table that are in use."""
        slots: NDArray[np.void] = self._prover["slots"].view(SLOT)
        used: NDArray[np.void] = slots[slots["key"] != 0]
        return used

    def restore(
        self, low: int, high: int, counts: tuple[int, int], history: NDArray[np.int64], slots: NDArray[np.void]
    ) -> None:
        """Take over what another prover knew: bounds, nodes and positions, and the most laborious entries."""
        if not 0 <= low <= high < len(self._values):
            raise ValueError("its bounds are wrong")
        self.low, self.high = low, high
        self._prover.nodes, self._prover.computed = counts
        self.history[:] = history.reshape(self.history.shape)
        groups = slots["key"] & np.uint64(self._prover.slot_mask)
        order = np.lexsort([-slots["work"].astype(np.int64), groups])
        groups, slots = groups[order].astype(np.int64), slots[order]
        places = np.arange(len(groups)) - np.searchsorted(groups, groups)
        fits = places < SLOTS_TOGETHER
        own = self._prover["slots"].view(SLOT).reshape(-1, SLOTS_TOGETHER)
        own[groups[fits], places[fits]] = slots[fits]
        self._prover.stored = int(fits.sum())

    def deciding_move(self) -> int:
        """The number of a move that keeps the value, for the role that chooses; -1 if every move may."""
        root = self._rules.root.ctypes.data
        return int(self._machine.deciding_move(self._rules.structure.reference, self._prover.reference, root))

    def run(self, nodes: int = NODES_AT_ONCE) -> None:
        """Search on for about so many nodes."""
        if self.is_solved or self.failure:
            return
        self._rules.update_code()
        wanted = (self.low + self.high + 1) // 2
        references = self._rules.structure.reference, self._prover.reference, self._rules.root.ctypes.data
        before = self.computed
        answer = self._machine.prove(*references, wanted, nodes)
        self._rules.code.note_use(max(1, (self.computed - before) // 32), 0)
        if answer == _YES:
            self.low = wanted
        elif answer != _STOPPED:
            self.high = wanted - 1


def compositions(images: Sequence[Sequence[int]], places: int) -> NDArray[np.int32]:
    """Some permutations and those that they make together, but not the one that moves nothing: the shortest first."""
    plain = tuple(range(places))
    found = [plain]
    for known in found:
        for image in images:
            composed = tuple(image[place] for place in known)
            if composed not in found and len(found) <= MOST_IMAGES:
                found.append(composed)
    return np.array(found[1:], np.int32).reshape(len(found) - 1, places)


def _image(game: CircuitRules, exchange: Exchange, place_of: dict[int, int], places: int) -> Sequence[int] | None:
    """Where each place of a packed position goes; None if a fluent would leave the packed position."""
    image = list(range(places))
    for before, after in exchange.fluents.items():
        start, end = game.fluent_numbers.get(before), game.fluent_numbers.get(after)
        if start is None or end is None:
            if start != end:
                return None
            continue
        if (start in place_of) != (end in place_of):
            return None
        if start in place_of:
            image[place_of[start]] = place_of[end]
        elif start != end:
            return None
    return image
