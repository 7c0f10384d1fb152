"""Particles in the quick form of a page: thousands of positions, each with the moves that led there.

After each turn, a particle is followed by the moves of the other player that fit what was perceived, each as likely as
that player was to choose it at random: its share of all moves. While all possible positions are few, all of them are
kept, with their exact probabilities; of more, some are drawn.

When few different particles are left, more are made by replacing a few moves in the histories of others (`_change`).
When none is left, moves are replaced in the histories before the turn, and earlier turns are played again, beginning
earlier and earlier.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from random import Random

from ludens.core import Deadline, Move, Role
from ludens.tabletop.hidden.hindsight import draw_late
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.quick_form import QuickForm, QuickTurn

SIZE, FEW = 3000, 100
"""Particles that are kept, and how many different ones must be left before others are sought."""
CHUNK = 500
"""Positions in which a turn is tried before the clock is looked at."""
REFILLS = 40
"""Histories of which moves are replaced if few particles are left."""
RECENT, KEPT = 48, 40
"""Turns whose particles are all kept, and how many are kept of earlier ones."""
EARLY_TURNS = 60
"""How many turns ago moves are replaced at most."""
FIRST_WINDOW, GROWTH, ROUND, ATTEMPTS = 4, 1.6, 9, 36
"""Turns that are played again in the first attempt of a rescue, how many times more in the next one, attempts until it
begins with a few again, and attempts before giving up."""
CHANGES = 100
"""Histories of which moves are replaced in an attempt."""
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
            if self._turns[-1].move is not None and 0 < len(found.nodes) < FEW and not found.is_whole:
                self._refill(part)
            if not before.nodes:
                found.attempts = ATTEMPTS - ROUND  # the search for the turn before gave up already
        if not found.nodes:
            found.nodes = self._rescue()
            found.weights = [1.0] * len(found.nodes)
            found.is_whole = False
            if 0 < len(found.nodes) < FEW:  # otherwise all later particles would have nearly the same history
                self._refill(part)
        total = sum(found.weights)
        found.weights = [weight / total for weight in found.weights]
        found.is_done = True
        found.extra = {}

    def _expand(
        self,
        nodes: Sequence[Node],
        weights: Sequence[float],
        turn: QuickTurn,
        found: Layer,
        part: Deadline | None = None,
    ) -> None:
        """Play a turn in all particles."""
        order = self._rng.sample(range(len(nodes)), len(nodes))
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
        """Some of the moves, drawn by their weights, in each particle without repetition."""
        rng = self._rng
        step = sum(len(moves) * weight for _, moves, weight in options) / SIZE
        found: list[Option] = []
        at, passed = step * rng.random(), 0.0
        for node, moves, weight in options:
            passed += len(moves) * weight
            count = 0
            while at < passed:
                count += 1
                at += step
            if count:
                drawn = rng.sample(moves, min(count, len(moves)))
                found.append((node, drawn, count * step / len(drawn)))
        return found

    def _refill(self, part: Deadline) -> None:
        """Add particles with other moves in their histories."""
        found = self._found
        known = {node.position for node in found.nodes}
        mean = sum(found.weights) / len(found.weights)
        last = len(self._turns) - 1
        for node in self._rng.choices(found.nodes, found.weights, k=REFILLS):
            if part.remaining() <= 0 or len(known) >= FEW:
                return
            changed = self._change(node, last)
            if changed is not None and changed.position not in known:
                known.add(changed.position)
                found.nodes.append(changed)
                found.weights.append(mean)

    def _change(self, node: Node, last: int, goal: int | None = None) -> Node | None:
        """A history with one or more moves of the other replaced, from the particle after turn ``last``, up to turn
        ``goal``, which is the same or the next; None if it does not fit."""
        Deadline.check_thread()
        rng, form = self._rng, self._form
        path = node.path(1 + EARLY_TURNS)
        first = last - len(path) + 1  # the turn after which the path begins
        replaced = self._draw_turns(first + 1, last)
        if not replaced:
            return None
        at = path[replaced[0] - 1 - first]
        for number in range(replaced[0], (last if goal is None else goal) + 1):
            turn = self._turns[number]
            old = path[number - first] if number <= last else None
            move: Move | None
            if turn.move is not None:
                move = turn.move
            elif old is None or number in replaced:
                move = None
            else:
                move = old.move
            after = None if move is None else form.play(at.position, move, turn)
            if after is None and turn.move is None:
                moves, _ = form.replies(at.position, turn)
                if moves:
                    move = rng.choice(moves)
                    after = form.play(at.position, move, turn)
            if after is None or move is None:
                return None
            if old is not None and after == old.position and number > replaced[-1]:
                return None
            at = Node(after, at, move)
        return at

    def _draw_turns(self, first: int, last: int) -> list[int]:
        """Some turns of the other to replace, mostly late ones."""
        return draw_late([number for number in range(first, last + 1) if self._turns[number].move is None], self._rng)

    # When there is none

    def _rescue(self) -> list[Node]:
        found = self._found
        while found.attempts < ATTEMPTS:
            attempt = found.attempts
            found.attempts += 1
            window = int(FIRST_WINDOW * GROWTH ** (attempt % ROUND))
            nodes = self._change_last() or self._play_again(window)
            for _ in range(REPEATS if nodes else 0):
                if len(nodes) >= FEW:
                    break
                nodes = nodes + self._play_again(window)
            if nodes:
                return list({node.position: node for node in nodes}.values())
        return []

    def _candidates(self, number: int) -> list[Node]:
        """Particles after a turn."""
        return self._layers[number].nodes + self._found.extra.get(number, [])

    def _change_last(self) -> list[Node]:
        """Particles after the last turn, by changes in histories before it."""
        last = len(self._turns) - 1
        before = self._candidates(last - 1)
        if not before:
            return []
        found: list[Node] = []
        for node in self._rng.choices(before, k=CHANGES):
            changed = self._change(node, last - 1, last)
            if changed is not None:
                found.append(changed)
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
