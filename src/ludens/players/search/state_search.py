"""Tree search on the State contract, for every game: one leaf and one playout at a time."""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Hashable
from random import Random
from typing import Any

import numpy as np

from ludens.core import (
    BEST_GOAL,
    Deadline,
    Game,
    JointMove,
    Move,
    OutOfTimeError,
    Role,
    State,
    random_joint_move,
    settle_race,
)
from ludens.players.search.leaves import Leaves
from ludens.players.search.machine import RESOLVE
from ludens.players.search.settings import SearchSettings
from ludens.players.search.tree import MADE, MEAN, Shape
from ludens.players.search.tree_search import TreeSearch

_STATE_BYTES = 5_000
"""The approximate size of a state with its moves."""
_EDGES_PER_NODE = 64
_FAN = 128
"""The most moves among which the lanes of a leaf are divided."""
_OUTCOMES = 40
_WIDENING = 4.0
"""Progressive widening: a joint move gets this many outcomes of chance, or this many times the root of its visits;
where there are more, known outcomes are searched again."""
_UNEVEN = 4
"""How much longer than the average the time between two checks of the deadline may be."""
_TIDYING_SECONDS = 2e-6
"""Seconds per node to make room in a full tree, before the first measurement."""
_RELEASED = 16
"""How many dropped states and positions are released with each leaf. A state of Go is hundreds of objects: to release
those of a full tree at once took a second."""
_FIRST_MOVES = 1024
"""How many moves there is room for at first."""


class StateSearch(TreeSearch):
    """Tree search on States, which are numbered; so are moves, as they come up."""

    def __init__(
        self, game: Game, role: Role, settings: SearchSettings, seed: int, leaves: Leaves | None = None
    ) -> None:
        """With ``leaves``, many playouts at once, for compiled games that `BlockSearch` does not support."""
        self._roles = game.roles
        shape = Shape(
            width=1,
            players=len(self._roles),
            roles=len(self._roles),
            moves=_FIRST_MOVES,
            has_amaf=settings.rave > 0,
            has_links=True,
            has_mixes=True,
            is_open=game.chance,
            edges_per_node=_EDGES_PER_NODE,
            state_bytes=_STATE_BYTES,
        )
        players = len(self._roles)
        super().__init__(shape, [BEST_GOAL] * players, [0] * players, self._roles.index(role), 1, settings, seed)
        self._limits = settings
        self._rng = Random(seed)
        self._leaf_values = leaves
        self._deadline = Deadline(math.inf)
        self._results = 0
        self._totals = [0.0] * len(self._roles)
        """What playouts were worth for each role, all together."""
        self._numbers: dict[tuple[int, Move], int] = {}
        self._texts: list[Move] = []
        self._noted = np.zeros((0, 0), np.int64)
        """The numbers of the moves that playouts report, for each role."""
        self._states: dict[int, State] = {}
        self._state_numbers: dict[Hashable, int] = {}
        """The number of each position."""
        self._next_state = 1
        self._dropped: list[dict[Any, Any]] = []
        """States and positions that have no node any more, and are not released yet."""
        self._tidying = _TIDYING_SECONDS * self._tree.structure.node_room
        self._outcomes: dict[tuple[int, int], list[int]] = {}
        """The outcomes of chance found for each joint move of a state, as numbers of resolved joint moves."""
        self._joint_numbers: dict[tuple[object, ...], int] = {}
        self._resolved: list[JointMove] = []
        self._last: JointMove = {}
        self._error: BaseException | None = None
        self._callback = RESOLVE(self._resolve)
        self._settings.resolve = ctypes.cast(self._callback, ctypes.c_void_p).value

    @property
    def longest_step(self) -> float:
        """Seconds by which `run` may exceed its time limit: a playout can be given up between two joint moves."""
        checks = 1 if self._leaf_values is None else self._leaf_values.checks
        return super().longest_step * min(1.0, _UNEVEN / checks)

    # States and moves by number

    def _number_of(self, state: State) -> int:
        number = self._state_numbers.get(state.position)
        if number is None:
            number = self._state_numbers[state.position] = self._next_state
            self._states[number] = state
            self._next_state += 1
        return number

    def _state_at(self, node: int) -> State:
        return self._states[int(self._tree.structure["states"][node, 0])]

    def _move_number(self, role: int, move: Move) -> int:
        number = self._numbers.get((role, move))
        if number is None:
            number = self._numbers[role, move] = len(self._texts)
            self._texts.append(move)
            mast = self._tree.structure["mast"]
            if number >= len(mast):
                self._tree.structure.hold(mast=np.concatenate([mast, np.zeros(len(mast), MEAN)]))
                if self._limits.rave:
                    self._round.made_stride = 2 * len(mast)
                    self._round.hold(made=np.zeros((1, 2 * len(mast)), MADE))
        return number

    def _text(self, role: int, number: int) -> Move:
        return self._texts[number]

    # The tree

    def _find(self, state: State) -> bool:
        number = self._state_numbers.get(state.position)
        if number is None:
            return False
        key = np.array([number], np.uint64)
        return bool(self._machine.find(self._tree.structure.reference, key.ctypes.data))

    def _plant(self, state: State) -> None:
        self._write(state)
        self._machine.plant(self._tree.structure.reference, self._round.reference, 1)
        self._forget()

    def _make_room(self) -> None:
        began = time.monotonic()
        super()._make_room()
        self._forget()
        self._tidying = time.monotonic() - began

    def _forget(self) -> None:
        """Drop the states that have no node any more."""
        self._dropped += [self._states, self._state_numbers]
        used = self._tree.structure["states"][: self._tree.nodes, 0]
        self._states = {number: self._states[number] for number in map(int, used)}
        self._state_numbers = {state.position: number for number, state in self._states.items()}
        self._outcomes = {key: found for key, found in self._outcomes.items() if key[0] in self._states}

    def _release(self) -> None:
        """Release some of the states that were dropped."""
        for _ in range(_RELEASED):
            if not self._dropped[-1]:
                self._dropped.pop()
                return
            self._dropped[-1].popitem()

    def _write(self, state: State) -> None:
        """Write down what machine code has to know of a leaf."""
        given = self._round
        given["states"][0, 0] = self._number_of(state)
        legal: list[tuple[Move, ...]] = [()] * len(self._roles)
        if not state.is_terminal:
            legal = [tuple(state.legal_moves(role)) for role in self._roles]
        has_ended = not any(legal)
        given["ended"][0] = has_ended
        given["races"][0] = not has_ended and state.is_race
        given["goals"][0] = [state.goals[role] for role in self._roles] if has_ended else 0
        counts = [len(own) for own in legal]
        given["legal_counts"][0] = counts
        if sum(counts) > len(given["moves"]):
            given.hold(moves=np.zeros(2 * sum(counts), np.int32), scratch=np.zeros(4 * sum(counts), np.float64))
        first = 0
        for role, own in enumerate(legal):
            given["moves"][first : first + len(own)] = sorted(self._move_number(role, move) for move in own)
            first += len(own)
        given["offsets"][0] = 0

    def _joint_move(self, node: int, depth: int) -> dict[Role, Move]:
        """The players' moves in a node of the descent, by the edges taken."""
        edges, tree = self._round["path_edges"][0, depth], self._tree
        return {
            name: self._text_at(role, int(edges[role]))
            for role, name in enumerate(self._roles)
            if tree.edges_of(node, role)
        }

    def _resolve(self, descent: int, node: int, depth: int) -> int:
        """Resolve a race or chance after the players' choices; returns the number of the joint move.

        Exceptions do not pass through machine code, so they are raised after it.
        """
        try:
            return self._resolved_number(node, depth)
        except BaseException as error:
            self._error = error
            return 0

    def _resolved_number(self, node: int, depth: int) -> int:
        state = self._state_at(node)
        joint_move = settle_race(state, self._joint_move(node, depth), self._rng)
        resolved = state.resolve(joint_move, self._rng)
        number = self._joint_number(resolved)
        if state.game.chance:
            key = int(self._tree.structure["states"][node, 0]), self._joint_number(joint_move)
            known = self._outcomes.setdefault(key, [])
            edges = self._round["path_edges"][0, depth]
            tries = min(int(self._tree.edges["tries"][edge]) for edge in edges)
            if number not in known:
                if len(known) >= max(_OUTCOMES, _WIDENING * max(0, tries) ** 0.5):
                    number = self._rng.choice(known)
                else:
                    known.append(number)
        self._last = self._resolved[number]
        return number

    def _joint_number(self, joint_move: JointMove) -> int:
        key = tuple(joint_move.items())
        number = self._joint_numbers.get(key)
        if number is None:
            number = self._joint_numbers[key] = len(self._resolved)
            self._resolved.append(joint_move)
        return number

    def _grow(self, rounds: int) -> int:
        for made in range(rounds):
            if self.is_settled or self._tree.is_full or (made and self._deadline.remaining() <= 0):
                return made
            self._iterate()
        return rounds

    def _iterate(self) -> None:
        if self._dropped:
            self._release()
        tree, rules, given, settings = (
            part.reference for part in (self._tree.structure, self._rules, self._round, self._settings)
        )
        self._machine.descend(tree, rules, given, settings)
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        parent = int(self._round["parents"][0])
        if parent >= 0:
            depth = int(self._round["depths"][0]) - 1
            is_resolved = self._round["path_drawn"][0, depth]
            joint_move = self._last if is_resolved else self._joint_move(parent, depth)
            self._write(self._state_at(parent).play(joint_move))
        self._machine.make_nodes(tree, given, 1)
        self._evaluate()
        self._machine.back_up(tree, rules, given, settings)

    # Leaves

    def _evaluate(self) -> None:
        """Write the value of the leaf, unless it is proven."""
        node = int(self._round["nodes"][0])
        if node < 0:
            state = self._states[int(self._round["states"][0, 0])]
        elif all(high == low for low, high in (self._tree.bounds(node, role) for role in range(len(self._roles)))):
            return
        else:
            state = self._state_at(node)
        self._round["values"][0] = self._leaf_value(state, node)

    def give_up_at(self, deadline: Deadline) -> None:
        """Give up a playout that is under way at this deadline."""
        self._deadline = deadline
        if self._leaf_values is not None:
            self._leaf_values.deadline = deadline

    def _leaf_value(self, state: State, node: int) -> list[float]:
        """The value of a leaf: that of a playout or, if there is no time for it, what they were worth on average."""
        try:
            values = self._computed_value(state, node)
        except OutOfTimeError:
            return [total / max(1, self._results) if self._results else BEST_GOAL / 2 for total in self._totals]
        self._results += 1
        self._totals = [total + value for total, value in zip(self._totals, values, strict=True)]
        return values

    def _computed_value(self, state: State, node: int) -> list[float]:
        """The value of a leaf; where many lanes are played out at once, its moves get their first averages as well."""
        role = self._tree.chooser(node) if node >= 0 else -1
        if self._leaf_values is None:
            return self._play_out(state)
        self.playouts += self._leaf_values.playouts
        edges = self._tree.edges_of(node, role) if role >= 0 else range(0)
        if 1 < len(edges) <= _FAN and self._round["fresh"][0]:
            moves = [self._text_at(role, edge) for edge in edges]
            each = self._leaf_values.values_of_moves(state, role, moves)
            if each is not None:
                here = self._tree.edges[edges.start : edges.stop]
                here["tries"] += 1
                here["total"] += [values[role] for values in each]
                return [sum(column) / len(each) for column in zip(*each, strict=True)]
        values = self._leaf_values.value(state)
        if self._limits.rave:
            self._note_made()
        return values

    def _note_made(self) -> None:
        """Write down the moves of the leaf's playouts."""
        assert self._leaf_values is not None
        found = self._leaf_values.native.made()
        if found is None:
            return
        if not len(self._noted):
            moves = self._leaf_values.native.noted_moves
            self._noted = np.array([[self._move_number(n, move) for move in moves] for n in range(len(self._roles))])
        made = self._round["made"][0]
        made["tries"][self._noted], made["total"][self._noted] = found

    def _play_out(self, state: State) -> list[float]:
        """The result of a random playout; with RAVE, its moves are written down."""
        self.playouts += 1
        made: dict[tuple[int, int], None] = {}
        for _ in range(self._limits.cutoff):
            if state.is_terminal:
                break
            if self._deadline.remaining() <= 0:
                raise OutOfTimeError
            joint_move = random_joint_move(state, self._rng)
            if not joint_move:
                break
            if self._limits.rave:
                for n, role in enumerate(self._roles):
                    if role in joint_move:
                        made[n, self._move_number(n, joint_move[role])] = None
            state = state.sample(joint_move, self._rng)
        goals = [float(state.goals[role]) for role in self._roles]
        for n, move in made:
            self._round["made"][0, move] = 1, goals[n]
        return goals
