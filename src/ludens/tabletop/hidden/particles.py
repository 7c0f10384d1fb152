"""Particles of a player in games with secret places, where worlds are no permutations of what lies on the table.

Every particle is a state whose history the player would have perceived as it did perceive the match. After each turn
they are played on: own moves as they were, moves of others drawn at random until one fits. As long as all states that
are possible are few, all of them are kept. Later, when few different ones survive, more are found by replacing moves in
the histories of others, and when none survives, `Hindsight` plays earlier turns again.

A player at a clock waits for that during half of the time it has left, and each turn gets an equal part of it: when
that is over, the particles found so far are enough. If there is none until the end, or within the budget of
`Hindsight`, worlds are partial (`partial`): they agree with what the player sees now and have no history. The
search for whole ones goes on in the player's next move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from ludens.core import Deadline, JointMove, OutOfTimeError, Role
from ludens.tabletop.hidden.hindsight import Hindsight
from ludens.tabletop.hidden.observed import Observed, joint_moves, likely_moves, observed_in, play_turn
from ludens.tabletop.hidden.partial import partial_worlds
from ludens.tabletop.hidden.quick_particles import draw_quick_world, latest_worlds
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.quick_form import QuickForm

SIZE, FEW = 40, 15
"""Particles that are kept, and how many different ones must be left before others are sought."""
MOVES = 12
"""Moves of the others that are tried for a particle in a turn."""
EXACT, WHOLE = 200, 60
"""Up to so many successors are all tried, if nothing is drawn at random, and all that fit are kept."""
REFILLS, ONE_REPAIR = 20, 4
"""Histories of which moves are replaced if few particles are left, and to repair a single one."""
SHARE = 0.5
"""The part of the time left to a player that particles may take."""
Particles = Sequence[tuple[TableState, float]]
"""States and their weights."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The particles after a turn."""

    particles: Particles
    is_whole: bool
    """True if these are all states that are possible."""

    @property
    def states(self) -> list[TableState]:
        """The states, without their weights."""
        return [state for state, _ in self.particles]


def draw_particle(state: TableState, role: Role, rng: Random) -> TableState:
    """A state that a player considers possible."""
    form = state.game.quick_form
    found = (_particles_in_time if form is None else partial(_quick_in_time, form))(state, role, rng).particles
    return rng.choices([world for world, _ in found], [weight for _, weight in found])[0]


def _particles_in_time(state: TableState, role: Role, rng: Random) -> Layer:
    """The particles, or partial worlds if it takes too long to find them."""
    key: Hashable = "partial", role
    late: Layer | None = state.kept.get(key)
    if late is not None and Deadline.of_thread() is not None:
        return late
    deadline = Deadline.share(SHARE)
    try:
        with deadline.enforced():
            return particles(state, role, rng)
    except OutOfTimeError:
        before = next(layer for one in reversed(state.history) if (layer := one.kept.get(("particles", role))))
        found = state.kept[key] = _partial(state, role, before.states, rng)
        return found


def _quick_in_time(form: QuickForm, state: TableState, role: Role, rng: Random) -> Layer:
    """A world, or partial ones if it takes too long to find it."""
    key: Hashable = "partial", role
    late: Layer | None = state.kept.get(key)
    if late is not None and Deadline.of_thread() is not None:
        return late
    deadline = Deadline.share(SHARE)
    try:
        with deadline.enforced():
            world = draw_quick_world(state, form, role, rng)
    except OutOfTimeError:
        world = None
    if world is not None:
        return Layer([(world, 1.0)], False)
    found = state.kept[key] = _partial(state, role, latest_worlds(state, role), rng)
    return found


def _partial(state: TableState, role: Role, before: Sequence[TableState], rng: Random) -> Layer:
    worlds = partial_worlds(state, role, before, rng)
    return Layer([(world, 1 / len(worlds)) for world in worlds], False)


def particles(state: TableState, role: Role, rng: Random) -> Layer:
    """States that a player considers possible, with their weights; computed turn by turn, and kept with the states of
    the match. Raises `OutOfTimeError` at the deadline of the thread; what was found until then is kept."""
    key: Hashable = "particles", role
    history = state.history
    first = next((number for number in range(len(history) - 1, 0, -1) if key in history[number].kept), 0)
    if first == 0:
        history[0].kept[key] = Layer([(history[0], 1.0)], True)
    chain = [observed_in(one, role) for one in history]
    for number in range(first + 1, len(history)):
        layers: list[Layer] = [one.kept[key] for one in history[:number]]
        part = Deadline.share(1 / (1 + len(history) - number))
        found = _Step(chain[: number + 1], layers, rng, history[number].kept, part).follow(state.game.chance)
        history[number].kept[key] = found or _partial(history[number], role, layers[-1].states, rng)
    last: Layer = history[-1].kept[key]
    return last


def follow(world: TableState, state: TableState, role: Role, rng: Random) -> TableState | None:
    """A particle of an earlier state of the match, played on to this one; None if it does not fit any more."""
    if state.game.quick_form is not None:
        return None  # others are found faster than this one is repaired
    history, known = state.history, len(world.history)
    if history[0].table is not world.history[0].table or known > len(history):
        return None
    chain = [observed_in(one, role) for one in history]
    for number in range(known, len(history)):
        hindsight = Hindsight(chain[: number + 1], (), rng)
        after = advance(world, chain[number], rng) or next(iter(hindsight.change([world], ONE_REPAIR, 1)), None)
        if after is None:
            return None
        world = after
    return world


def advance(world: TableState, observed: Observed, rng: Random) -> TableState | None:
    """A state after one more turn that fits what a player observed; None if none is found."""
    Deadline.check_thread()
    for joint_move in likely_moves(world, observed, MOVES, rng):
        after = play_turn(world, joint_move, observed, rng)
        if after is not None:
            return after
    return None


class _Step:
    """One turn of the filter."""

    def __init__(
        self, chain: Sequence[Observed], layers: Sequence[Layer], rng: Random, kept: dict[Hashable, Any], part: Deadline
    ) -> None:
        """``kept`` belongs to the state after the turn; when ``part`` is over, the particles found are enough."""
        self._part = part
        self._chain = chain
        self._kept = kept
        self._now = chain[-1]
        self._layers = layers
        self._rng = rng

    def follow(self, is_drawn: bool) -> Layer | None:
        """The particles after the turn; None if there are none. ``is_drawn`` says that turns have random outcomes."""
        before = self._layers[-1]
        if before.is_whole and not is_drawn:
            options = [
                (world, weight / len(moves), joint_move)
                for world, weight in before.particles
                for moves in (list(joint_moves(world, self._now, EXACT + 1, self._rng)),)
                for joint_move in moves
            ]
            if len(options) <= EXACT:
                return self._try_all(options)
        found = self._sample(before.particles)
        return Layer([(world, 1 / len(found)) for world in found], False) if found else None

    def _try_all(self, options: Sequence[tuple[TableState, float, JointMove]]) -> Layer:
        """All particles after the turn, or some of them if it takes too long."""
        found: list[tuple[TableState, float]] = []
        tried = 0
        for world, weight, joint_move in self._rng.sample(options, len(options)):
            if found and self._part.remaining() <= 0:
                break
            Deadline.check_thread()
            tried += 1
            after = play_turn(world, joint_move, self._now, self._rng)
            if after is not None:
                found.append((after, weight))
        merged = self._merge(found)
        if len(merged) > WHOLE:
            return Layer(self._resample(merged), False)
        return Layer(merged, tried == len(options))

    def _merge(self, weighted: Iterable[tuple[TableState, float]]) -> Particles:
        """One state of each position, drawn by its weight."""
        found: dict[Hashable, tuple[TableState, float]] = {}
        for state, weight in weighted:
            kept, total = found.get(state.position, (state, 0.0))
            total += weight
            found[state.position] = (state if self._rng.random() * total < weight else kept), total
        return list(found.values())

    def _resample(self, weighted: Particles) -> Particles:
        """Particles drawn by their weights."""
        states, weights = zip(*weighted, strict=True)
        drawn = Counter(self._rng.choices(range(len(states)), weights, k=SIZE))
        return [(states[number], count / SIZE) for number, count in drawn.items()]

    def _sample(self, before: Particles) -> list[TableState]:
        """Successors of some particles, and of changed ones if these are few."""
        states = [world for world, _ in before]
        if not self._now.is_open:  # else one successor each
            states = self._rng.choices(states, [weight for _, weight in before], k=SIZE)
        found: list[TableState] = []
        for world in self._rng.sample(states, len(states)):
            if found and self._part.remaining() <= 0:
                return found
            after = advance(world, self._now, self._rng)
            if after is not None:
                found.append(after)
        different = len({after.position for after in found})
        if different >= FEW or (self._now.is_open and len(found) == len(states)):  # or none was lost
            return found
        if found:
            hindsight = Hindsight(self._chain, (), self._rng)
            survivors = [previous for after in found if (previous := after.previous) is not None]
            return found + hindsight.change([*states, *survivors * len(states)], REFILLS, FEW - different)
        again = self._hindsight().find()
        return self._rng.sample(again, min(len(again), SIZE))

    def _hindsight(self) -> Hindsight:
        """The search for histories that fit this turn, which goes on where it was interrupted."""
        key: Hashable = "hindsight", self._now.role
        found: Hindsight | None = self._kept.get(key)
        if found is None:
            layers = [layer.states for layer in self._layers]
            found = self._kept[key] = Hindsight(self._chain, layers, self._rng)
        return found
