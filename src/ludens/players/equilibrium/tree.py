"""The tree of a game with its information sets, in arrays.

With hidden information every history is a node. Without, histories of the same length that lead to the same position
share its nodes: each leads there by a link, which is a node with one child. Where several roles choose at once, they
choose one after the other, without knowing what the others chose. Positions are expanded level by level
(`ludens.players.space`), thousands at once if the game is compiled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludens.core import Game, GameError, Move, PerceptView, State, View
from ludens.core.batch_game import BatchGame
from ludens.core.batch_worlds import Keys
from ludens.core.knowledge import Knowledge, select_fluents
from ludens.core.process import resident_bytes
from ludens.players.space.choose import space_of
from ludens.players.space.space import Expansion, Key, Space

CHANCE, END = -1, -2
"""In place of the information set of a node. A link is chance with one outcome."""
NODE = np.dtype([("parent", "i4"), ("first", "i4"), ("count", "i4"), ("set", "i4")])
SET = np.dtype([("role", "i4"), ("count", "i4"), ("action", "i8"), ("begin", "i8"), ("end", "i8"), ("depth", "i8")])
BYTES_PER_NODE = 160
"""The approximate size of a node with all that a solver keeps for it."""
_CHUNK = 4_096
"""Positions expanded at once."""
_LEAST_BYTES = 64 << 20
"""By how much the process may grow in any case: not all of that is the tree."""
_MEMORY_SECONDS = 0.02
"""How often the memory of the process is looked at."""

Array = NDArray[Any]
Progress = Callable[[int, int], None]
"""Called every few milliseconds with the numbers of nodes and information sets so far; may raise to stop."""


class TooLargeTreeError(GameError):
    """The tree has more nodes than allowed."""

    def __init__(self, message: str, nodes: int, sets: int) -> None:
        super().__init__(message)
        self.nodes, self.sets = nodes, sets
        """Nodes and information sets found before giving up."""


@dataclass(slots=True, eq=False)
class States:
    """The states of a tree, one or several to a node: how to play to each."""

    space: Space
    parents: list[Array] = field(default_factory=list)
    """The state before each; -1 for the first."""
    moves: list[Array] = field(default_factory=list)
    """The joint move that led to it, as numbers."""
    keys: list[Key] = field(default_factory=list)

    def append(self, parents: Array, moves: Array, keys: Sequence[Key]) -> int:
        """Add states; returns the number of the first."""
        first = len(self.keys)
        self.parents.append(parents)
        self.moves.append(moves)
        self.keys.extend(keys)
        return first

    def join(self) -> None:
        """Make one array of each list."""
        self.parents = [np.concatenate(self.parents)]
        self.moves = [np.concatenate(self.moves)]

    def state(self, number: int, known: dict[int, State]) -> State:
        """A state, with all that its roles perceived on the way; ``known`` are states found before."""
        key = self.keys[number]
        if isinstance(key, State):
            return key
        path = []
        while number not in known and number > 0:
            path.append(number)
            number = int(self.parents[0][number])
        state = known.get(number) or self.space.game.initial_state()
        for place in reversed(path):
            state = known[place] = self._step(state, place)
        return state

    def _step(self, state: State, number: int) -> State:
        joint_move = self.space.joint_move(self.moves[0][number].tolist())
        if not self.space.game.chance:
            return state.play(joint_move)
        for outcome in state.chance_outcomes(joint_move):
            after = state.play(outcome.joint_move)
            if self.space.key(after) == self.keys[number]:
                return after
        raise GameError(f"{self.space.game.name}: chance cannot lead to a state that it led to before")


@dataclass(frozen=True, slots=True, eq=False)
class GameTree:
    """All histories of a game."""

    game: Game
    nodes: Array
    """`NODE` for each history or position, parents first, children side by side."""
    chance: Array
    """The probability of each node after its parent, if that is chance."""
    goals: Array
    """The goals of each role at each end (roles, nodes)."""
    sets: Array
    """`SET` for each information set."""
    members: Array
    """The histories of each information set, set by set."""
    moves: Sequence[tuple[Move, ...]]
    """The moves of each information set."""
    set_states: Sequence[int]
    """A state of each information set."""
    states: States
    turns: NDArray[np.int64]
    """Where nothing is hidden: the first node of every turn, and the number of nodes. Empty otherwise."""
    _find: Callable[[View], int | None]

    def set_of(self, view: View) -> int | None:
        """The information set of a view; None if the role has no choice there, or nothing leads there."""
        return self._find(view)

    @property
    def actions(self) -> int:
        """Moves of all information sets."""
        return int(self.sets["count"].sum())


def build_tree(game: Game, most_nodes: int, progress: Progress = lambda nodes, sets: None) -> GameTree:
    """Enumerate a game. Raises `TooLargeTreeError`, and `GameError` for races.

    The tree is too large, too, if the process grows by more than so many nodes should take: states of games that are
    not compiled may be large.
    """
    return _Builder(game, most_nodes, progress).build()


class _Builder:
    """Grows the tree level by level."""

    def __init__(self, game: Game, most_nodes: int, progress: Progress) -> None:
        self._game = game
        self._roles = len(game.roles)
        self._space = space_of(game)
        self._most_nodes = most_nodes
        self._progress = progress
        self._space.pulse = self._check
        self._memory, self._due = resident_bytes(), 0.0
        self._knowledge = Knowledge(game) if isinstance(game, BatchGame) else None
        self._is_open = not game.hidden
        self._positions: dict[Key, int] = {}
        """Where nothing is hidden: the state of each position."""
        self._turn: dict[Key, int] = {}
        """The positions of the next turn, numbered from 0."""
        self._links: list[tuple[Array, Array]] = []
        """Nodes that lead to the next turn, and the numbers of their positions."""
        self._turns: list[int] = [0]
        self._information: dict[object, int] = {}
        """In games that are not compiled: a number for what a role may know."""
        self._states = States(self._space)
        self._count = 1
        room = 1024
        self._nodes = np.zeros(room, NODE)
        self._nodes["set"] = END
        self._chance = np.ones(room)
        self._goals = np.zeros((self._roles, room), np.float64)
        self._set_numbers: dict[tuple[int, int], int] = {}
        self._set_roles: list[int] = []
        self._set_moves: list[tuple[int, ...]] = []
        self._set_states: list[int] = []

    def build(self) -> GameTree:
        initial = self._game.initial_state()
        keys: Sequence[Key] = [self._space.key(initial)]
        knowledge = self._first_knowledge(initial)
        states = np.array([self._states.append(np.array([-1]), np.full((1, self._roles), -1), keys)])
        self._positions[keys[0]] = 0
        nodes = np.zeros(1, np.int64)
        if initial.is_terminal:
            self._goals[:, 0] = [initial.goals[role] for role in self._game.roles]
            keys = []
        while keys:
            pieces = [slice(start, start + _CHUNK) for start in range(0, len(keys), _CHUNK)]
            parts = [self._grow(keys[piece], nodes[piece], states[piece], knowledge[piece]) for piece in pieces]
            keys = [key for part in parts for key in part[0]]
            nodes, states, knowledge = (np.concatenate([part[n] for part in parts]) for n in (1, 2, 3))
            nodes = self._begin_turn() if self._is_open else nodes
            self._space.pulse()
        return self._finish()

    def _check(self) -> None:
        """Report progress, and compare the growth of the process with what the tree may take."""
        self._progress(self._count, len(self._set_roles))
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + _MEMORY_SECONDS
        grown = resident_bytes() - self._memory
        if grown > max(_LEAST_BYTES, self._most_nodes * BYTES_PER_NODE):
            raise self._too_large(f"takes more than {grown >> 20:,} MB")

    def _too_large(self, why: str) -> TooLargeTreeError:
        return TooLargeTreeError(f"{self._game.name} {why}", self._count, len(self._set_roles))

    # What roles know

    def _first_knowledge(self, initial: State) -> Keys:
        if self._is_open:
            return np.zeros((1, self._roles), np.uint64)
        return self._intern([initial]) if self._knowledge is None else self._knowledge.first(1)

    def _intern(self, states: Sequence[Key]) -> Keys:
        numbers = self._information
        found = [
            numbers.setdefault((role, state.view(role).information), len(numbers))
            for state in states
            if isinstance(state, State)
            for role in self._game.roles
        ]
        return np.array(found, np.uint64).reshape(-1, self._roles)

    def _knowledge_after(self, before: Keys, expansion: Expansion, moves: Array) -> Keys:
        if self._knowledge is None:
            return self._intern(expansion.keys)
        packed = expansion.packed
        assert packed is not None
        return self._knowledge.after(before, partial(select_fluents, packed), moves)

    def _find(self, view: View) -> int | None:
        role = self._game.roles.index(view.role)
        if self._is_open:
            state = view.information
            if not isinstance(state, State):
                return None
            number = self._positions.get(self._space.key(self._game.convert(state)), -1)
            return self._set_numbers.get((role, number))
        if self._knowledge is None:
            known = self._information.get((view.role, view.information))
            return None if known is None else self._set_numbers.get((role, known))
        if not isinstance(view, PerceptView):
            return None
        assert isinstance(self._game, BatchGame)
        numbers, fluents = self._game.move_numbers[role], self._game.percept_fluents(role)
        key = self._knowledge.first(1)
        for turn in view.history[1:]:
            if (turn.move is not None and turn.move not in numbers) or not fluents.keys() >= set(turn.percepts):
                return None
            moves = np.zeros((1, self._roles), np.int32)
            moves[0, role] = -1 if turn.move is None else numbers[turn.move]
            packed = np.zeros((1, self._game.packed_width), np.uint8)
            for percept in turn.percepts:
                packed[0, fluents[percept] >> 3] |= 1 << (fluents[percept] & 7)
            key = self._knowledge.after(key, partial(select_fluents, packed), moves)
        return self._set_numbers.get((role, int(key[0, role])))

    # One level

    def _grow(
        self, keys: Sequence[Key], nodes: Array, states: Array, knowledge: Keys
    ) -> tuple[list[Key], Array, Array, Keys]:
        """Expand states; returns those of their children that go on: keys, nodes, states, and what roles know."""
        expansion = self._space.expand(keys)
        joint = expansion.joint
        place, which = nodes, np.arange(len(keys))
        """For each joint move so far, its node and its state."""
        for role in range(self._roles):
            counts = np.maximum(joint.counts[which, role], 1).astype(np.int64)
            chooses = counts > 1
            if chooses.any():
                numbers = self._sets_at(role, joint.counts, joint.first, joint.moves, states, knowledge)
                self._nodes["set"][place[chooses]] = numbers[which[chooses]]
                place = self._add_children(place, counts, chooses)
            which = np.repeat(which, counts)
        moves, before = joint.moves, which
        if joint.first_child is not None and joint.probabilities is not None:
            outcomes = np.diff(joint.first_child)
            drawn = outcomes > 1
            self._nodes["set"][place[drawn]] = CHANCE
            place = self._add_children(place, outcomes, drawn)
            fresh = np.repeat(drawn, outcomes)
            self._chance[place[fresh]] = joint.probabilities[fresh]
            before, moves = np.repeat(which, outcomes), np.repeat(moves, outcomes, axis=0)
        over = expansion.terminal
        self._goals[:, place[over]] = expansion.goals[over].T
        going = np.flatnonzero(~over)
        if self._is_open:
            going = self._link(going, place, expansion.keys)
        following = [expansion.keys[n] for n in going.tolist()]
        numbers = self._states.append(states[before[going]], moves[going], following) + np.arange(len(going))
        if self._is_open:
            for key, number in zip(following, numbers.tolist(), strict=True):
                self._positions.setdefault(key, number)
            return following, place[going], numbers, np.repeat(numbers[:, None], self._roles, axis=1).astype(np.uint64)
        known = self._knowledge_after(knowledge[before], expansion, moves)
        return following, place[going], numbers, known[going]

    # Where nothing is hidden: histories that lead to the same position

    def _link(self, going: Array, place: Array, keys: Sequence[Key]) -> Array:
        """Note which position each node leads to; returns those that lead to a new one."""
        before = len(self._turn)
        numbers = np.array([self._turn.setdefault(keys[n], len(self._turn)) for n in going.tolist()], np.int64)
        self._links.append((place[going], numbers))
        fresh, first = np.unique(numbers, return_index=True)
        return going[first[fresh >= before]]

    def _begin_turn(self) -> Array:
        """Add the nodes of the next turn's positions, and the links to them."""
        positions = len(self._turn)
        self._check_room(positions)
        begin = self._count
        self._count += positions
        for links, numbers in self._links:
            self._nodes["set"][links] = CHANCE
            self._nodes["first"][links], self._nodes["count"][links] = begin + numbers, 1
            self._nodes["parent"][begin + numbers] = links
        self._turn, self._links = {}, []
        self._turns.append(begin)
        return np.arange(begin, self._count)

    def _add_children(self, place: Array, counts: Array, chooses: Array) -> Array:
        """Give nodes that many children where something is chosen; returns the nodes of all, in order."""
        made = counts[chooses]
        total = int(made.sum())
        self._check_room(total)
        first = self._count + np.cumsum(made) - made
        parents = place[chooses]
        self._nodes["first"][parents], self._nodes["count"][parents] = first, made
        self._nodes["parent"][self._count : self._count + total] = np.repeat(parents, made)
        found = np.repeat(place, counts)
        found[np.repeat(chooses, counts)] = np.arange(self._count, self._count + total)
        self._count += total
        return found

    def _check_room(self, more: int) -> None:
        """Make room for more nodes. Raises `TooLargeTreeError`."""
        needed, room = self._count + more, len(self._nodes)
        if needed > self._most_nodes:
            raise self._too_large(f"has more than {self._most_nodes:,} histories")
        if needed <= room:
            return
        more = max(needed, 2 * room) - room
        fresh = np.zeros(more, NODE)
        fresh["set"] = END
        self._nodes = np.concatenate([self._nodes, fresh])
        self._chance = np.concatenate([self._chance, np.ones(more)])
        self._goals = np.concatenate([self._goals, np.zeros((self._roles, more))], axis=1)

    def _sets_at(
        self, role: int, counts: Array, first: Array, moves: Array, states: Array, knowledge: Keys
    ) -> NDArray[np.int64]:
        """The information set of a role in each state where it chooses; -1 elsewhere. New sets are added."""
        found = np.full(len(states), -1, np.int64)
        chooses = np.flatnonzero(counts[:, role] > 1)
        distinct, where, inverse = np.unique(knowledge[chooses, role], return_index=True, return_inverse=True)
        numbers = np.empty(len(distinct), np.int64)
        stride = np.maximum(counts[:, role + 1 :], 1).prod(axis=1, dtype=np.int64)
        for n, (key, example) in enumerate(zip(distinct.tolist(), chooses[where].tolist(), strict=True)):
            number = self._set_numbers.get((role, key))
            if number is None:
                number = self._set_numbers[role, key] = len(self._set_roles)
                rows = first[example] + stride[example] * np.arange(counts[example, role])
                self._set_roles.append(role)
                self._set_moves.append(tuple(moves[rows, role].tolist()))
                self._set_states.append(int(states[example]))
            numbers[n] = number
        found[chooses] = numbers[inverse]
        sizes = np.array([len(self._set_moves[number]) for number in numbers.tolist()])
        if (sizes[inverse] != counts[chooses, role]).any():
            name = self._game.roles[role]
            raise GameError(f"{self._game.name}: {name} has other moves in states that it cannot tell apart")
        return found

    # All levels

    def _finish(self) -> GameTree:
        nodes = self._nodes[: self._count].copy()
        sets = np.zeros(len(self._set_roles), SET)
        sets["role"] = self._set_roles
        sets["count"] = [len(moves) for moves in self._set_moves]
        sets["action"] = np.cumsum(sets["count"]) - sets["count"]
        deciding = np.flatnonzero(nodes["set"] >= 0)
        members = deciding[np.argsort(nodes["set"][deciding], kind="stable")].astype(np.int32)
        sizes = np.bincount(nodes["set"][deciding], minlength=len(sets))
        sets["end"] = np.cumsum(sizes)
        sets["begin"] = sets["end"] - sizes
        self._states.join()
        tree = GameTree(
            self._game,
            nodes,
            self._chance[: self._count].copy(),
            np.ascontiguousarray(self._goals[:, : self._count]),
            sets,
            members,
            [
                tuple(self._space.move(role, number) for number in moves)
                for role, moves in zip(self._set_roles, self._set_moves, strict=True)
            ],
            self._set_states,
            self._states,
            np.array([*self._turns, self._count] if self._is_open else [], np.int64),
            self._find,
        )
        if self._is_open:
            first = members[sets["begin"]] if len(sets) else members
            sets["depth"] = np.searchsorted(self._turns, first, side="right")
        else:
            _count_depths(tree)
        return tree


def _count_depths(tree: GameTree) -> None:
    """How often the role of each information set has chosen before: its members come after those of earlier sets."""
    parents, sets_of = tree.nodes["parent"].tolist(), tree.nodes["set"].tolist()
    roles = tree.sets["role"].tolist()
    depths = [0] * len(roles)
    for number, member in enumerate(tree.members[tree.sets["begin"]].tolist()):
        node = member
        while node:
            node = parents[node]
            if sets_of[node] >= 0 and roles[sets_of[node]] == roles[number]:
                depths[number] = depths[sets_of[node]] + 1
                break
    tree.sets["depth"] = depths
