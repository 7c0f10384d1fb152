"""Particles in the quick form of a page: thousands of positions, each with the moves that led there.

After each turn, a particle is followed by the moves of the other player that fit what was perceived, each as likely as
that player was to choose it at random: its share of all moves. While all possible positions are few, all of them are
kept, with their exact probabilities; of more, some are drawn.

When few different particles are left, more are made by replacing a few moves in the histories of others (`_change`).
When none is left, moves are replaced again and again in whole histories before the turn, and changes are kept that
bring what was perceived nearer (`_climb`). Now and then earlier turns are played again, beginning earlier and earlier.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from random import Random

from ludens.core import Deadline, Move, Role
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.quick_form import QuickForm, QuickTurn

SIZE, FEW = 3000, 100
"""Particles that are kept, and how many different ones must be left before others are sought."""
CHUNK = 500
"""Positions in which a turn is tried before the clock is looked at."""
SEEKS = 6
"""Attempts to find more particles if few have survived a turn."""
REFILLS, GROUP = 10, 10
"""How often moves are replaced in a group of histories if few particles are left, and how many these are."""
RECENT, KEPT = 48, 40
"""Turns whose particles are all kept, and how many are kept of earlier ones."""
EARLY_TURNS, LENGTHS = 60, (10_000, 200, 60, 24)
"""How many turns ago moves are replaced to find more particles, and in each group of histories of a rescue."""
FIRST_WINDOW, GROWTH, ROUND, ATTEMPTS = 4, 1.6, 9, 18
"""Turns that are played again in the first attempt of a rescue, how many times more in the next one, attempts until it
begins with a few again, and attempts before giving up."""
CLIMBS = 8
"""How often the groups of histories are changed in an attempt; before it, one group begins anew."""
REPEATS = 3
"""Attempts after one that found only few particles."""


@dataclass(slots=True, eq=False)
class Node:
    """A position with its history."""

    position: Hashable
    parent: Node | None = None
    move: Move = ""
    state: TableState | None = None
    """The same on a table, once it was played there."""

    def path(self, most: int) -> list[Node]:
        """The last nodes of the history, up to this one."""
        found = [self]
        while len(found) < most and (parent := found[-1].parent) is not None:
            found.append(parent)
        return found[::-1]


Option = tuple[Node, Sequence[Move], float]
"""A particle, moves that fit, and the weight of each."""


@dataclass(slots=True, eq=False)
class Group:
    """Histories of some turns that are changed."""

    paths: list[list[Node]]
    """The nodes as they were at first, from the one before the turns."""
    moves: Sequence[Sequence[Move]]
    turns: Sequence[QuickTurn]


@dataclass(slots=True, eq=False)
class Layer:
    """The particles after a turn."""

    nodes: list[Node] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    is_whole: bool = False
    """True if these are all positions that are possible."""
    is_done: bool = False
    """False while particles are still sought."""
    attempts: int = 0
    """Attempts to find some when there were none."""
    climbing: list[Group] = field(default_factory=list)
    """Histories that are changed until they fit."""
    extra: dict[int, list[Node]] = field(default_factory=dict)
    """Particles after earlier turns that were found meanwhile."""


class Step:
    """One turn: finds the particles after it."""

    def __init__(
        self, form: QuickForm, turns: Sequence[QuickTurn], layers: Sequence[Layer], found: Layer, rng: Random
    ) -> None:
        """``turns`` has what the player observed in each turn up to this one, ``layers`` the particles before each of
        them. Those after the last one come into ``found``."""
        self._form, self._turns, self._layers, self._found, self._rng = form, turns, layers, found, rng

    def follow(self, part: Deadline) -> None:
        """Find the particles; none if there is no way within the budget. When ``part`` is over, those found so far are
        enough. Raises `OutOfTimeError` at the deadline of the thread; called again, it goes on."""
        found, before = self._found, self._layers[-1]
        if not found.attempts:
            found.nodes, found.weights, found.is_whole = [], [], before.is_whole
            self._expand(before.nodes, before.weights, self._turns[-1], found, part)
            if not before.nodes:
                found.attempts = ATTEMPTS - ROUND  # the search for the turn before gave up already
        if not found.is_whole and 0 < len(found.nodes) < min(FEW, len(before.nodes) / 2):
            self._seek_more(part)
        if not found.nodes:
            found.nodes = self._rescue()
            found.weights = [1.0] * len(found.nodes)
            found.is_whole = False
        if not found.is_whole and 0 < len(found.nodes) < FEW:  # later particles would have nearly the same history
            self._refill(part)
        total = sum(found.weights)
        found.weights = [weight / total for weight in found.weights]
        found.is_done = True
        found.extra, found.climbing = {}, []

    def _expand(
        self,
        nodes: Sequence[Node],
        weights: Sequence[float],
        turn: QuickTurn,
        found: Layer,
        part: Deadline | None = None,
    ) -> None:
        """Play a turn in all particles."""
        order: Sequence[int] = range(len(nodes))
        if part is not None and part.remaining() < math.inf:  # any of them may be all there is time for
            order = self._rng.sample(order, len(order))
        options: list[Option] = []
        for first in range(0, len(order), CHUNK):
            Deadline.check_thread()
            if part is not None and (found.nodes or options) and part.remaining() <= 0:
                found.is_whole = False
                break
            some = order[first : first + CHUNK]
            positions = [nodes[at].position for at in some]
            if turn.move is not None:
                for at, after in zip(some, self._form.play_in(positions, [turn.move] * len(some), turn), strict=True):
                    if after is not None:
                        found.nodes.append(Node(after, nodes[at], turn.move))
                        found.weights.append(weights[at])
                continue
            for at, (moves, count) in zip(some, self._form.replies_in(positions, turn), strict=True):
                if moves:
                    options.append((nodes[at], moves, weights[at] / count))
        if sum(len(moves) for _, moves, _ in options) > SIZE:
            found.is_whole = False
            options = self._draw(options)
        self._play_options(options, turn, found)

    def _play_options(self, options: Sequence[Option], turn: QuickTurn, found: Layer) -> None:
        """Add the particles after some moves, one for each position, whose history is drawn by its weight."""
        merged: dict[Hashable, int] = {}
        tries = [(node, move, weight) for node, moves, weight in options for move in moves]
        for first in range(0, len(tries), CHUNK):
            Deadline.check_thread()
            some = tries[first : first + CHUNK]
            positions = self._form.play_in([node.position for node, _, _ in some], [move for _, move, _ in some], turn)
            for (node, move, weight), after in zip(some, positions, strict=True):
                if after is None:
                    continue
                at = merged.setdefault(after, len(found.nodes))
                if at == len(found.nodes):
                    found.nodes.append(Node(after, node, move))
                    found.weights.append(weight)
                else:
                    found.weights[at] += weight
                    if self._rng.random() * found.weights[at] < weight:
                        found.nodes[at] = Node(after, node, move)

    def _draw(self, options: Sequence[Option]) -> list[Option]:
        """Some of the moves, drawn by their weights, in each particle without repetition. Half of the draws are shared
        out to all classes of positions alike; what is drawn more often for it weighs less."""
        rng = self._rng
        classes = self._form.classes_in([node.position for node, _, _ in options])
        totals = dict.fromkeys(classes, 0.0)
        for one, (_, moves, weight) in zip(classes, options, strict=True):
            totals[one] += len(moves) * weight
        whole = sum(totals.values())
        factors = {one: 0.5 + 0.5 * whole / (len(totals) * total) for one, total in totals.items()}
        step = whole / SIZE
        found: list[Option] = []
        at, passed = step * rng.random(), 0.0
        for one, (node, moves, weight) in zip(classes, options, strict=True):
            passed += len(moves) * weight * factors[one]
            count = 0
            while at < passed:
                count += 1
                at += step
            if count:
                drawn = [rng.choice(moves)] if count == 1 else rng.sample(moves, min(count, len(moves)))
                found.append((node, drawn, count * step / len(drawn) / factors[one]))
        return found

    def _seek_more(self, part: Deadline) -> None:
        """Add particles by changes in histories before the last turn, which most of them did not fit."""
        while self._found.attempts < SEEKS and part.remaining() > 0 and len(self._found.nodes) < FEW:
            self._found.attempts += 1
            self._add(self._climb())

    def _refill(self, part: Deadline) -> None:
        """Add particles with other moves in their histories."""
        found = self._found
        for _ in range(REFILLS):
            if part.remaining() <= 0 or len(found.nodes) >= FEW:
                return
            self._add(self._change(self._rng.choices(found.nodes, found.weights, k=GROUP), len(self._turns) - 1))

    def _add(self, nodes: Sequence[Node]) -> None:
        """Add particles in new positions, with the mean weight of those found before."""
        found = self._found
        known = {node.position for node in found.nodes}
        mean = sum(found.weights) / len(found.weights)
        for node in nodes:
            if node.position not in known:
                known.add(node.position)
                found.nodes.append(node)
                found.weights.append(mean)

    def _change(self, nodes: Sequence[Node], last: int) -> list[Node]:
        """Particles with other moves of the other player, from some after turn ``last``."""
        Deadline.check_thread()
        group = self._begin(nodes, last, EARLY_TURNS)
        return self._change_group(group, None)

    def _begin(self, nodes: Sequence[Node], last: int, length: int) -> Group:
        """The histories of particles after turn ``last``, of which up to ``length`` turns change."""
        first = max(0, last - length)
        while first and self._turns[first].mover == self._turns[first + 1].mover:
            first -= 1  # where another player begins to act
        paths = [node.path(1 + last - first) for node in nodes]
        return Group(paths, [[node.move for node in path[1:]] for path in paths], self._turns[first + 1 : last + 1])

    def _change_group(self, group: Group, goal: QuickTurn | None) -> list[Node]:
        """Particles of histories that were changed and fit; with ``goal``, after the turn that follows. The group keeps
        the changes."""
        histories = [(path[0].position, moves) for path, moves in zip(group.paths, group.moves, strict=True)]
        changed = self._form.change_in(histories, group.turns, goal, self._rng)
        group.moves = [moves[: len(group.turns)] for moves, _ in changed]
        fitting = [(path, moves) for path, (moves, fits) in zip(group.paths, changed, strict=True) if fits]
        return self._replay(fitting, group.turns if goal is None else [*group.turns, goal])

    def _replay(
        self, histories: Sequence[tuple[Sequence[Node], Sequence[Move]]], turns: Sequence[QuickTurn]
    ) -> list[Node]:
        """Nodes for histories, each of which begins as the nodes beside it; without those that do not fit."""
        at = [path[0] for path, _ in histories]
        left = list(range(len(histories)))
        is_old = [True] * len(histories)
        for number, turn in enumerate(turns):
            new: list[int] = []
            for one in left:
                path, moves = histories[one]
                is_old[one] = is_old[one] and number + 1 < len(path) and path[number + 1].move == moves[number]
                if is_old[one]:
                    at[one] = path[number + 1]
                else:
                    new.append(one)
            moves_now = [histories[one][1][number] for one in new]
            for one, move, after in zip(
                new, moves_now, self._form.play_in([at[one].position for one in new], moves_now, turn), strict=True
            ):
                if after is None:
                    left.remove(one)
                else:
                    at[one] = Node(after, at[one], move)
        return [at[one] for one in left]

    # When there is none

    def _rescue(self) -> list[Node]:
        found = self._found
        while found.attempts < ATTEMPTS:
            attempt = found.attempts
            found.attempts += 1
            nodes = self._climb() or self._play_again(int(FIRST_WINDOW * GROWTH ** (attempt % ROUND)))
            for _ in range(REPEATS if nodes else 0):
                if len(nodes) >= FEW:
                    break
                nodes = nodes + self._climb()
            if nodes:
                return list({node.position: node for node in nodes}.values())
        return []

    def _candidates(self, number: int) -> list[Node]:
        """Particles after a turn."""
        return self._layers[number].nodes + self._found.extra.get(number, [])

    def _climb(self) -> list[Node]:
        """Particles after the last turn, by changes in histories before it that end nearer and nearer to it."""
        last = len(self._turns) - 1
        before = self._candidates(last - 1)
        if not before:
            return []
        climbing, found = self._found.climbing, list[Node]()
        for number, length in enumerate(LENGTHS):
            if number == len(climbing) or number == self._found.attempts % len(LENGTHS):
                nodes = self._rng.choices(before, k=GROUP)
                climbing[number : number + 1] = [self._begin(nodes, last - 1, length)]
        for _ in range(CLIMBS):
            for group in climbing:
                Deadline.check_thread()
                found += self._change_group(group, self._turns[last])
            if len(found) >= FEW:
                break
        return found

    def _play_again(self, window: int) -> list[Node]:
        """Particles after the last turn, from some after an earlier one."""
        last = len(self._turns) - 1
        first = max(0, last - window)
        while not self._layers[first].nodes:
            first -= 1
        nodes = self._candidates(first)
        weights = [1.0] * len(nodes)
        for number in range(first + 1, last + 1):
            layer = Layer()
            self._expand(nodes, weights, self._turns[number], layer)
            nodes, weights = layer.nodes, layer.weights
            if not nodes:
                return []
            if number < last:
                extra = self._found.extra.setdefault(number, [])
                extra += self._rng.sample(nodes, min(len(nodes), KEPT))
                self._prefer_near(nodes, weights, self._turns[number + 1].mover)
        return nodes

    def _prefer_near(self, nodes: Sequence[Node], weights: list[float], mover: Role) -> None:
        """Give more weight to particles in which more of the last turn is true already: what it shows of the other's
        pieces often holds for some turns before."""
        turn = self._turns[-1]
        if mover != turn.mover:
            return
        for first in range(0, len(nodes), CHUNK):
            Deadline.check_thread()
            positions = [node.position for node in nodes[first : first + CHUNK]]
            for at, nearness in enumerate(self._form.nearness_in(positions, turn), first):
                weights[at] *= nearness


def thin(layer: Layer, rng: Random) -> None:
    """Forget most particles of a turn long ago."""
    if len(layer.nodes) > KEPT:
        kept = rng.choices(range(len(layer.nodes)), layer.weights, k=KEPT)
        layer.nodes, layer.weights, layer.is_whole = [layer.nodes[at] for at in kept], [1 / KEPT] * KEPT, False
