"""A backend of its own for one small game: subtract one to three from a heap, on NumPy arrays.

Whoever takes the last counter wins. With one role, it is a puzzle: the fewest turns are asked for nowhere, but taking
the last counter is worth 100, and leaving one when the turns are used up is worth 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludens.core import Facts, IllegalMoveError, JointMove, Move, OpenView, Role, State, View
from ludens.core.batch_game import BatchGame, Flags, Lanes, Numbers, PackedBits, Playouts
from ludens.core.facts import no

NOOP = 3
"""The number of the move that does nothing."""


class Heap(BatchGame):
    """So many counters, and one or two roles that take turns."""

    def __init__(self, counters: int, roles: tuple[Role, ...] = ("first", "second")) -> None:
        self.name = f"heap of {counters}"
        self.rules_text = f"{self.name}, {len(roles)} roles"
        self.roles = self.move_roles = roles
        self.counters = counters
        self.move_texts = [("take 1", "take 2", "take 3", "noop") for _ in roles]
        self.move_numbers = [{text: number for number, text in enumerate(own)} for own in self.move_texts]
        self.fluent_texts = [*(f"left {n}" for n in range(counters + 1)), *(f"turn {role}" for role in roles)]
        self.goal_values = [(0, 100) for _ in roles]

    @cached_property
    def facts(self) -> Facts:
        return Facts(self).knowing(simultaneous=no("roles take turns"))

    def initial_state(self) -> HeapState:
        return HeapState(self, self.counters, 0)

    def lanes(self, size: int, seed: int | None) -> HeapLanes:
        return HeapLanes(self, np.full(size, self.counters), np.zeros(size, np.int64), np.random.default_rng(seed))

    def pack(self, states: Sequence[State]) -> PackedBits:
        own = [state for state in states if isinstance(state, HeapState)]
        return self.packed(np.array([s.left for s in own]), np.array([s.turn for s in own]))

    def packed(self, left: NDArray[np.int64], turn: NDArray[np.int64]) -> PackedBits:
        bits = np.zeros((len(left), len(self.fluent_texts)), np.bool_)
        bits[np.arange(len(left)), left] = True
        bits[np.arange(len(left)), self.counters + 1 + turn] = True
        return np.packbits(bits, axis=1, bitorder="little")

    def numbers(self, packed: PackedBits) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        bits = np.unpackbits(packed, axis=1, count=len(self.fluent_texts), bitorder="little")
        return bits[:, : self.counters + 1].argmax(axis=1), bits[:, self.counters + 1 :].argmax(axis=1)

    def unpack(self, packed: PackedBits) -> list[State]:
        return [HeapState(self, int(left), int(turn)) for left, turn in zip(*self.numbers(packed), strict=True)]


@dataclass(frozen=True)
class HeapState(State):
    game: Heap
    left: int
    turn: int

    @property
    def is_terminal(self) -> bool:
        return self.left == 0

    def legal_moves(self, role: Role) -> Sequence[Move]:
        if self.is_terminal:
            return ()
        if self.game.roles[self.turn] != role:
            return ("noop",)
        return tuple(f"take {n}" for n in (1, 2, 3) if n <= self.left)

    @property
    def goals(self) -> Mapping[Role, int]:
        winner = (self.turn - 1) % len(self.game.roles)
        return {role: 100 * (self.is_terminal and number == winner) for number, role in enumerate(self.game.roles)}

    def play(self, joint_move: JointMove) -> HeapState:
        for role in self.game.roles:
            if joint_move.get(role) not in self.legal_moves(role):
                raise IllegalMoveError(f"{joint_move.get(role)!r} is not a legal move of {role}")
        taken = int(joint_move[self.game.roles[self.turn]].removeprefix("take "))
        return HeapState(self.game, self.left - taken, (self.turn + 1) % len(self.game.roles))

    def view(self, role: Role) -> View:
        return OpenView(self, role)


class HeapLanes(Lanes):
    """Two arrays of integers."""

    def __init__(self, game: Heap, left: NDArray[np.int64], turn: NDArray[np.int64], rng: np.random.Generator) -> None:
        self._game, self._left, self._turn, self._rng = game, left, turn, rng

    @property
    def terminal(self) -> Flags:
        return np.asarray(self._left == 0)

    @property
    def stuck(self) -> Flags:
        return np.zeros(len(self._left), np.bool_)

    @property
    def goals(self) -> Numbers:
        roles = len(self._game.roles)
        winner = (self._turn - 1) % roles
        won = self.terminal[:, None] & (winner[:, None] == np.arange(roles))
        return np.where(won, 100, 0).astype(np.int32)

    def legal(self, role: int) -> Flags:
        moves = np.zeros((len(self._left), 4), np.bool_)
        own = (self._turn == role) & ~self.terminal
        moves[:, :3] = own[:, None] & (self._left[:, None] >= (1, 2, 3))
        moves[:, NOOP] = (self._turn != role) & ~self.terminal
        return moves

    @property
    def observation(self) -> Flags:
        packed = self._game.packed(self._left, self._turn)
        return np.unpackbits(packed, axis=1, count=len(self._game.fluent_texts), bitorder="little").view(np.bool_)

    def set_packed(self, packed: PackedBits) -> None:
        self._left, self._turn = self._game.numbers(packed)

    def restart(self, mask: Flags) -> None:
        self._left = np.where(mask, self._game.counters, self._left)
        self._turn = np.where(mask, 0, self._turn)

    def random_moves(self) -> Numbers:
        columns = []
        for role in range(len(self._game.roles)):
            legal = self.legal(role)
            draws = np.where(legal, self._rng.random(legal.shape), -1.0)
            columns.append(np.where(legal.any(axis=1), draws.argmax(axis=1), -1))
        return np.stack(columns, axis=1).astype(np.int32)

    def advance(self, moves: Numbers, restart: bool) -> None:
        over = self.terminal
        taken = 1 + moves[np.arange(len(moves)), self._turn]
        self._left = np.where(over, self._left, self._left - taken)
        self._turn = np.where(over, self._turn, (self._turn + 1) % len(self._game.roles))
        if restart:
            self.restart(over)

    def playouts(self, most_moves: int) -> Playouts:
        twin, made = HeapLanes(self._game, self._left, self._turn, self._rng), 0
        while not twin.terminal.all() and made < most_moves:
            twin.advance(twin.random_moves(), restart=False)
            made += 1
        return Playouts(twin.goals, twin.terminal, made * len(self._left))

    def copy(self) -> HeapLanes:
        rng = np.random.default_rng()
        rng.bit_generator.state = self._rng.bit_generator.state
        return HeapLanes(self._game, self._left.copy(), self._turn.copy(), rng)
