"""Information-set Monte-Carlo tree search: nodes are what a role knows, not states.

Each iteration begins with a state sampled from the searching role's information set. Nodes stand for the percepts of a
role since then, so statistics of a move are gathered over all states that the role cannot distinguish. With *multiple
observers* every role has its own tree and chooses by what it would know; with a *single observer* all choices are kept
in the searching role's tree, as if others knew no more.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Hashable, Sequence
from functools import lru_cache
from random import Random

from ludens.core import BEST_GOAL, Deadline, Game, Move, Role, State, View, Worlds, settle_race
from ludens.players.search.leaves import OutOfTimeError, play_out

PRIOR = 0.25
"""The prior variance of a move."""

_NUMBER = re.compile(r"(?<!\w)\d+(?!\w)")
_MOST_ALIKE = 20
"""Moves that differ in one number are all tried if there are no more than this."""
_ALIKE = 8
"""How many of more are tried."""


class _Edge:
    """A move in a node, with its statistics."""

    __slots__ = ("available", "squares", "total", "tries")

    def __init__(self) -> None:
        self.available = 0
        self.tries = 0
        self.total = 0.0
        self.squares = 0.0

    def add(self, goal: float) -> None:
        """Record the result of a visit."""
        value = goal / BEST_GOAL
        self.tries += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        return self.total / self.tries if self.tries else 0.0

    @property
    def spread(self) -> float:
        """The standard deviation of the results, including one with the prior variance."""
        return math.sqrt(max(0.0, self.squares / self.tries - self.mean**2) + PRIOR / self.tries)


class _Node:
    """An information set of a role."""

    __slots__ = ("children", "edges")

    def __init__(self) -> None:
        self.edges: dict[tuple[Role, Move], _Edge] = {}
        self.children: dict[Hashable, _Node] = {}


class InformationSearch:
    """Searches from one role's information set."""

    def __init__(self, game: Game, role: Role, exploration: float, is_single: bool, cutoff: int, rng: Random) -> None:
        self._roles = game.roles
        self._role = role
        self._exploration = exploration
        self._is_single = is_single
        self._cutoff = cutoff
        self._rng = rng
        self._roots: dict[Hashable, _Node] = {}
        self.iterations = 0
        """Leaves evaluated so far."""
        self.deadline = Deadline(math.inf)
        """When a playout that is under way is given up."""
        self.longest_step = 0.0
        """Duration of the longest iteration in seconds."""

    def set_root(self, view: View, worlds: Worlds) -> None:
        """Search from this view from now on, in these worlds."""
        self._view = view
        self._worlds = worlds
        self._roots = {}

    def run(self, seconds: float, iterations: int) -> None:
        """Search for about ``seconds``, or ``iterations`` iterations."""
        due = time.monotonic() + seconds
        for _ in range(iterations):
            began = time.monotonic()
            if began >= due:
                return
            try:
                self._iterate(self._worlds.draw())
            except OutOfTimeError:
                return
            self.longest_step = max(self.longest_step, time.monotonic() - began)

    @property
    def root_statistics(self) -> dict[Move, tuple[int, float]]:
        """The own moves with their numbers of visits and mean results."""
        node = self._roots.get((self._role, self._view.information), _Node())
        own = {move: edge for (role, move), edge in node.edges.items() if role == self._role}
        return {move: (edge.tries, BEST_GOAL * edge.mean) for move, edge in own.items()}

    def _root_node(self, state: State, role: Role) -> _Node:
        """The root of a role's tree: its information set in a state."""
        if role == self._role or self._is_single:
            return self._roots.setdefault((self._role, self._view.information), _Node())
        return self._roots.setdefault((role, state.view(role).information), _Node())

    def _iterate(self, state: State) -> None:
        nodes = {role: self._root_node(state, role) for role in self._roles}
        path: list[tuple[Role, _Edge]] = []
        while not state.is_terminal:
            legal = {role: moves for role in self._roles if (moves := state.legal_moves(role))}
            if not legal:
                break
            chosen, is_new = {}, False
            for role, moves in legal.items():
                edge, chosen[role] = self._choose(nodes[role], role, moves)
                is_new = is_new or (edge.tries == 0 and len(moves) > 1)
                path.append((role, edge))
            chosen = settle_race(state, chosen, self._rng)
            resolved = state.resolve(chosen, self._rng)
            state = state.play(resolved)
            nodes = self._child_nodes(nodes, state, chosen, tuple(resolved.items()))
            if is_new:
                break
        worth = dict(zip(self._roles, play_out(state, self._rng, self._cutoff, self.deadline)[1], strict=True))
        for role, edge in path:
            edge.add(worth[role])
        self.iterations += 1

    def _child_nodes(
        self, nodes: dict[Role, _Node], state: State, chosen: dict[Role, Move], resolved: Hashable
    ) -> dict[Role, _Node]:
        """The nodes after a turn, by each role's percepts."""
        hidden = state.game.hidden
        following: dict[Role, _Node] = {}
        for role, node in nodes.items():
            if self._is_single and role != self._role:
                continue
            information = (chosen.get(role), tuple(state.percepts(role))) if hidden else resolved
            following[role] = node.children.setdefault(information, _Node())
        return dict.fromkeys(self._roles, following[self._role]) if self._is_single else following

    def _choose(self, node: _Node, role: Role, moves: Sequence[Move]) -> tuple[_Edge, Move]:
        """The move with the best upper confidence bound, by how often it was available."""
        edges = [(node.edges.setdefault((role, move), _Edge()), move) for move in thin_out(tuple(moves))]
        for edge, _ in edges:
            edge.available += 1
        untried = [found for found in edges if not found[0].tries]
        if untried:
            return self._rng.choice(untried)

        def bound(found: tuple[_Edge, Move]) -> float:
            edge = found[0]
            return edge.mean + self._exploration * edge.spread * math.sqrt(math.log(edge.available) / edge.tries)

        return max(edges, key=bound)


@lru_cache(maxsize=4096)
def thin_out(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Moves, with a few of those that differ in one number only: a search that tries a hundred raises learns of none.

    The lowest and the highest number stay, and some between at growing distances.
    """
    families: dict[str, list[tuple[int, Move]]] = {}
    for move in moves:
        numbers = _NUMBER.findall(move)
        if len(numbers) == 1:
            families.setdefault(_NUMBER.sub("#", move), []).append((int(numbers[0]), move))
    dropped: set[Move] = set()
    for family in families.values():
        if len(family) <= _MOST_ALIKE:
            continue
        family.sort()
        last = len(family) - 1
        kept = {round((last + 1) ** (n / (_ALIKE - 1))) - 1 for n in range(_ALIKE)}
        dropped |= {move for place, (_, move) in enumerate(family) if place not in kept}
    return tuple(move for move in moves if move not in dropped) if dropped else moves
