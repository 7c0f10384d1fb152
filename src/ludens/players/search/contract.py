"""Tree search on the State contract, for every game; one leaf and one playout at a time."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from random import Random

from ludens.core import BEST_GOAL, Deadline, Move, Role, State, random_joint_move, settle_race
from ludens.players.search.leaves import Leaves, OutOfTimeError
from ludens.players.search.settings import WIDEST, RootMove, Search, SearchSettings

_NODE_BYTES = 6_000
"""The approximate size of a node with its state, moves and statistics."""
_RAVE_BYTES = 20_000
"""The approximate size of its RAVE averages."""
_DEEPEST = 256
_FAN = 128
"""The most moves among which the lanes of a leaf are divided."""
_UNTRIED = 1e6
_UNEVEN = 4
"""How much longer than the average the time between two checks of the deadline may be."""
_OUTCOMES = 40
_WIDENING = 4.0
"""Progressive widening: a joint move gets this many outcomes of chance, or this many times the root of its visits;
where there are more, known outcomes are searched again."""


_Sums = dict[tuple[int, Move], list[float]]
"""For moves of roles: the number of visits and the sum of results."""


class _Edge:
    """One role's move in a node, with its statistics."""

    __slots__ = ("move", "total", "tries")

    def __init__(self, move: Move) -> None:
        self.move = move
        self.tries = 0
        self.total = 0.0


class _Node:
    """A position. Bounds are the goal that each role is sure to get, and the most it can get."""

    __slots__ = ("amaf", "children", "chooser", "edges", "high", "low", "outcomes", "roles", "state", "visits")

    def __init__(self, state: State, roles: Sequence[Role]) -> None:
        self.state = state
        self.visits = 0
        moves = (
            {} if state.is_terminal else {n: own for n, role in enumerate(roles) if (own := state.legal_moves(role))}
        )
        self.edges = {n: [_Edge(move) for move in own] for n, own in moves.items()}
        self.roles = roles
        choosing = [n for n, own in moves.items() if len(own) > 1]
        self.chooser = -1 if len(choosing) > 1 or state.is_race else (choosing or list(moves) or [0])[0]
        self.children: dict[tuple[Move | None, ...], _Node] = {}
        self.outcomes: dict[tuple[Move, ...], list[_Node]] = {}
        """In games with chance, the children found for each joint move."""
        self.amaf: _Sums = {}
        self.low = [0] * len(roles)
        self.high = [BEST_GOAL] * len(roles)
        if not moves:
            self.low = self.high = [state.goals[role] for role in roles]

    @property
    def is_settled(self) -> bool:
        return self.low == self.high

    def favourite(self, role: int) -> _Edge | None:
        """The edge that a role would choose now."""
        return max(self.edges.get(role, ()), key=lambda edge: edge.tries, default=None)


class ContractSearch(Search):
    """Tree search on States."""

    def __init__(
        self, roles: Sequence[Role], role: Role, settings: SearchSettings, seed: int, leaves: Leaves | None = None
    ) -> None:
        self._roles = tuple(roles)
        self._role = self._roles.index(role)
        self._settings = settings
        self._rng = Random(seed)
        self._most_nodes = max(1_000, settings.memory * 2**20 // (_NODE_BYTES + _RAVE_BYTES * (settings.rave > 0)))
        self._nodes: dict[State, _Node] = {}
        self._mast: _Sums = {}
        self._longest = 0.0
        self._root: _Node
        self._leaves = leaves
        """Many playouts at once, for compiled games that the native search does not support."""
        self._deadline = Deadline(math.inf)

    def set_root(self, state: State, seconds: float = math.inf) -> None:
        """Search from this position from now on; the subtree below it is kept."""
        self._root = self._node(state)
        self._drop_unreachable()

    def _node(self, state: State) -> _Node:
        found = self._nodes.get(state)
        if found is None:
            found = self._nodes[state] = _Node(state, self._roles)
        return found

    def _drop_unreachable(self) -> None:
        """Drop nodes that are not below the root."""
        kept, pending = {self._root.state: self._root}, [self._root]
        while pending:
            for child in pending.pop().children.values():
                if child.state not in kept:
                    kept[child.state] = child
                    pending.append(child)
        self._nodes = kept

    def _prune(self) -> None:
        """Drop the nodes with the fewest visits until half of the memory is free."""
        least = 1
        while 2 * len(self._nodes) > self._most_nodes:
            least *= 2
            for node in list(self._nodes.values()):
                node.children = {key: child for key, child in node.children.items() if child.visits >= least}
                node.outcomes.clear()
            self._drop_unreachable()

    def run(self, seconds: float, iterations: int) -> None:
        """Search for about ``seconds``, or ``iterations`` leaves if that is faster; return early once settled."""
        self._longest /= 2  # decays, so that one hiccup of the machine does not count for ever
        due = time.monotonic() + seconds
        for _ in range(iterations):
            if self.is_settled or time.monotonic() >= due:
                return
            began = time.monotonic()
            try:
                self._iterate()
            except OutOfTimeError:
                return
            checks = 1 if self._leaves is None else self._leaves.checks
            self._longest = max(self._longest, (time.monotonic() - began) * min(1.0, _UNEVEN / checks))

    def give_up_at(self, deadline: Deadline) -> None:
        """Give up a playout that is under way at this deadline: interpreted rules may need seconds for one."""
        self._deadline = deadline
        if self._leaves is not None:
            self._leaves.deadline = deadline

    @property
    def is_settled(self) -> bool:
        """True if the value of the root is proven for the own role."""
        return self._root.low[self._role] == self._root.high[self._role]

    @property
    def longest_step(self) -> float:
        """Seconds by which `run` may exceed its time limit."""
        return self._longest

    @property
    def nodes(self) -> int:
        """The number of nodes in the tree."""
        return len(self._nodes)

    @property
    def is_joint(self) -> bool:
        """True if another role also has a choice at the root."""
        return self._root.chooser < 0

    def root_moves(self) -> list[RootMove]:
        """The own role's moves at the root, in the order of the rules."""
        node, role = self._root, self._role
        found = []
        for edge in node.edges.get(role, ()):
            low, high = self._bounds(node, role, edge)
            mean = edge.total / edge.tries if edge.tries else (low + high) / 2
            found.append(RootMove(edge.move, edge.tries, min(max(mean, low), high), low, high))
        return found

    def line(self, move: Move) -> tuple[Move, ...]:
        """The expected line after an own move, that move first; where several roles choose, the own role's moves."""
        node, found = self._root, [move]
        chosen = {self._role: move}
        while len(found) < _DEEPEST:
            for role in node.edges.keys() - chosen.keys():
                favourite = node.favourite(role)
                chosen[role] = favourite.move if favourite else ""
            child = node.children.get(tuple(chosen.get(role) for role in range(len(self._roles))))
            if child is None or not child.edges:
                break
            node = child
            teller = node.chooser if node.chooser >= 0 else self._role
            favourite = node.favourite(teller)
            if favourite is None or not favourite.tries:
                break
            found.append(favourite.move)
            chosen = {teller: favourite.move}
        return tuple(found)

    # One iteration

    def _iterate(self) -> None:
        path: list[tuple[_Node, dict[int, _Edge]]] = []
        node = reference = self._root
        while node.edges and not node.is_settled and len(path) < _DEEPEST:
            node.visits += 1
            if node.visits > self._settings.grave:
                reference = node
            chosen = {role: self._choose(node, role, reference.amaf) for role in node.edges}
            for edge in chosen.values():
                edge.tries += 1
            path.append((node, chosen))
            child, is_new = self._step(node, chosen)
            node = child
            if is_new:
                break
        node.visits += 1
        self.iterations += 1
        is_proven = node.is_settled
        later: set[tuple[int, Move]] = set()
        try:
            values = [float(low) for low in node.low] if is_proven else self._leaf_value(node, later)
        except OutOfTimeError:
            self._forget_visits(path, node)
            raise
        self._back_up(path, values, is_proven, later)
        if len(self._nodes) > self._most_nodes:
            self._prune()

    def _forget_visits(self, path: Sequence[tuple[_Node, dict[int, _Edge]]], leaf: _Node) -> None:
        """Undo the counts of an iteration that was given up."""
        self.iterations -= 1
        for node in (*(node for node, _ in path), leaf):
            node.visits -= 1
        for _, chosen in path:
            for edge in chosen.values():
                edge.tries -= 1

    def _step(self, node: _Node, chosen: dict[int, _Edge]) -> tuple[_Node, bool]:
        """The child after a joint move, with chance resolved, and whether it is new."""
        moves = {self._roles[role]: edge.move for role, edge in chosen.items()}
        joint_move = settle_race(node.state, moves, self._rng)
        resolved = node.state.resolve(joint_move, self._rng)
        key = tuple(resolved.get(role) for role in self._roles)
        if len(resolved) > len(joint_move):  # chance has made a move of its own
            key += tuple(move for role, move in resolved.items() if role not in joint_move)
        child = node.children.get(key)
        if child is None:
            outcomes = node.outcomes.setdefault(tuple(joint_move.values()), []) if node.state.game.chance else []
            tries = min(edge.tries for edge in chosen.values())
            if len(outcomes) >= max(_OUTCOMES, math.ceil(_WIDENING * math.sqrt(tries))):
                return self._rng.choice(outcomes), False
            child = node.children[key] = self._node(node.state.play(resolved))
            outcomes.append(child)
        return child, child.visits == 0

    def _bounds(self, node: _Node, role: int, edge: _Edge) -> tuple[int, int]:
        """Bounds on what a role gets by a move; trivial if others or chance have a say."""
        if node.chooser != role or node.state.game.chance:
            return 0, BEST_GOAL
        key = tuple(
            edge.move if n == role else node.edges[n][0].move if n in node.edges else None
            for n in range(len(self._roles))
        )
        child = node.children.get(key)
        return (child.low[role], child.high[role]) if child else (0, BEST_GOAL)

    def _choose(self, node: _Node, role: int, amaf: _Sums) -> _Edge:
        """The edge that a role tries next: the best upper confidence bound among those that can still change its value.

        Where several roles choose, the width of the bounds is random, so that they do not all switch moves together.
        """
        edges = node.edges[role]
        if len(edges) == 1:
            return edges[0]
        width = self._settings.exploration * (WIDEST * self._rng.random() if node.chooser < 0 else 1)
        spread = width * math.sqrt(math.log(node.visits + 1))
        best, best_score = None, -1.0
        surest, surest_low = edges[0], -1
        for edge in edges:
            low, high = self._bounds(node, role, edge)
            if low > surest_low:
                surest, surest_low = edge, low
            if high <= node.low[role]:
                continue
            score = self._score(edge, role, low, high, spread, amaf)
            if score > best_score:
                best, best_score = edge, score
        return best or surest

    def _score(self, edge: _Edge, role: int, low: int, high: int, spread: float, amaf: _Sums) -> float:
        settings = self._settings
        if not edge.tries:
            known = self._mast.get((role, edge.move)) if settings.mast else None
            return _UNTRIED + self._rng.random() + (known[1] / known[0] if known else 0.0)
        mean = min(max(edge.total / edge.tries, low), high)
        if settings.rave and (anywhere := amaf.get((role, edge.move))):
            share = math.sqrt(settings.rave / (3 * edge.tries + settings.rave))
            mean += share * (anywhere[1] / anywhere[0] - mean)
        return mean / BEST_GOAL + spread / math.sqrt(edge.tries)

    def _leaf_value(self, node: _Node, later: set[tuple[int, Move]]) -> list[float]:
        """The value of a leaf; where many lanes are played out at once, its moves get their first averages as well."""
        role = node.chooser
        edges = node.edges.get(role, ())
        if self._leaves is not None and 1 < len(edges) <= _FAN and not node.state.is_race:
            each = self._leaves.values_of_moves(node.state, role, [edge.move for edge in edges])
            if each is not None:
                self.playouts += self._leaves.playouts
                for edge, values in zip(edges, each, strict=True):
                    edge.tries += 1
                    edge.total += values[role]
                return [sum(column) / len(each) for column in zip(*each, strict=True)]
        return self._play_out(node.state, later)

    def _play_out(self, state: State, made: set[tuple[int, Move]]) -> list[float]:
        """The result of a random playout; with RAVE, its moves are added to ``made``."""
        if self._leaves is not None:
            self.playouts += self._leaves.playouts
            return self._leaves.value(state)
        self.playouts += 1
        for _ in range(self._settings.cutoff):
            if state.is_terminal:
                break
            if self._deadline.remaining() <= 0:
                raise OutOfTimeError
            joint_move = random_joint_move(state, self._rng)
            if not joint_move:
                break
            if self._settings.rave:
                made.update((n, joint_move[role]) for n, role in enumerate(self._roles) if role in joint_move)
            state = state.sample(joint_move, self._rng)
        return [float(state.goals[role]) for role in self._roles]

    def _back_up(
        self,
        path: Sequence[tuple[_Node, dict[int, _Edge]]],
        values: list[float],
        is_closer: bool,
        later: set[tuple[int, Move]],
    ) -> None:
        """Add the value of a leaf to all edges on its path; ``later`` are the moves made after the leaf."""
        for node, chosen in reversed(path):
            for role, edge in chosen.items():
                edge.total += values[role]
                if len(node.edges[role]) > 1:
                    later.add((role, edge.move))
                    if self._settings.mast:
                        _add(self._mast, (role, edge.move), values[role])
            if self._settings.rave:
                for role, move in later:
                    _add(node.amaf, (role, move), values[role])
            if is_closer:
                is_closer = self._tighten(node)
                values = [
                    min(max(value, low), high) for value, low, high in zip(values, node.low, node.high, strict=True)
                ]

    def _tighten(self, node: _Node) -> bool:
        """Tighten a node's bounds by its children's; returns whether they changed."""
        role = node.chooser
        if role < 0 or node.state.game.chance:
            return False
        unknown = len(node.edges[role]) - len(node.children)
        known = list(node.children.values())
        best_low = max(child.low[role] for child in known)
        best_high = BEST_GOAL if unknown else max(child.high[role] for child in known)
        before = node.low, node.high
        if best_low == best_high:
            # Nothing is better for the chooser, so it may choose this one, whatever it means for others.
            favourite = next(child for child in known if child.low[role] == best_low)
            low, high = list(favourite.low), list(favourite.high)
        elif unknown:
            low, high = [0] * len(node.low), [BEST_GOAL] * len(node.high)
        else:
            possible = [child for child in known if child.high[role] >= best_low]
            low = [min(child.low[n] for child in possible) for n in range(len(node.low))]
            high = [max(child.high[n] for child in possible) for n in range(len(node.high))]
        low[role], high[role] = best_low, best_high
        node.low = list(map(max, node.low, map(min, low, node.high)))
        node.high = list(map(min, node.high, map(max, high, node.low)))
        return before != (node.low, node.high)


def _add(sums: _Sums, key: tuple[int, Move], value: float) -> None:
    known = sums.setdefault(key, [0.0, 0.0])
    known[0] += 1
    known[1] += value
