"""Particles of a player in games with secret places, where worlds are no permutations of what lies on the table.

Every particle is a state whose history the player would have perceived as it did perceive the match. After each turn
they are played on: own moves as they were, moves of others drawn at random until one fits. As long as all states that
are possible are few, all of them are kept. Later, when few survive, more are found by replacing moves in the histories
of others, and when none survives, `Hindsight` plays earlier turns again. If that fails within its budget, too, the
particles begin anew, with tables that agree with what the player sees now and have no history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random

from ludens.core import Role
from ludens.tabletop.hidden.determinisation import Sampler
from ludens.tabletop.hidden.hindsight import Hindsight
from ludens.tabletop.hidden.observed import Observed, joint_moves, observed_in, play_turn
from ludens.tabletop.hidden.table_state import TableState

SIZE, FEW = 40, 10
"""Particles that are kept, and how many must be left before others are sought."""
MOVES = 12
"""Moves of the others that are tried for a particle in a turn."""
EXACT = 100
"""Up to so many successors are all tried, if nothing is drawn at random."""
REFILLS, ONE_REPAIR = 20, 4
"""Histories of which moves are replaced if few particles are left, and to repair a single one."""
FRESH = 24
"""Tables with which particles begin anew."""
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
    found = particles(state, role, rng).particles
    return rng.choices([world for world, _ in found], [weight for _, weight in found])[0]


def particles(state: TableState, role: Role, rng: Random) -> Layer:
    """States that a player considers possible, with their weights; computed turn by turn, and kept with the states of
    the match."""
    key: Hashable = "particles", role
    history = state.history
    first = next((number for number in range(len(history) - 1, 0, -1) if key in history[number].kept), 0)
    if first == 0:
        history[0].kept[key] = Layer([(history[0], 1.0)], True)
    chain = [observed_in(one, role) for one in history]
    for number in range(first + 1, len(history)):
        layers: list[Layer] = [one.kept[key] for one in history[:number]]
        found = _Step(chain[: number + 1], layers, rng).follow(state.game.chance)
        history[number].kept[key] = found or _begin_anew(history[number], role, rng)
    last: Layer = history[-1].kept[key]
    return last


def follow(world: TableState, state: TableState, role: Role, rng: Random) -> TableState | None:
    """A particle of an earlier state of the match, played on to this one; None if it does not fit any more."""
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
    for joint_move in joint_moves(world, observed, MOVES, rng):
        after = play_turn(world, joint_move, observed, rng)
        if after is not None:
            return after
    return None


class _Step:
    """One turn of the filter."""

    def __init__(self, chain: Sequence[Observed], layers: Sequence[Layer], rng: Random) -> None:
        self._chain = chain
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
                exact = [
                    (after, weight)
                    for world, weight, joint_move in options
                    if (after := play_turn(world, joint_move, self._now, self._rng)) is not None
                ]
                return Layer(exact, True) if len(exact) <= SIZE else Layer(self._resample(exact), False)
        found = self._sample(before.particles)
        return Layer([(world, 1 / len(found)) for world in found], False) if found else None

    def _resample(self, weighted: Particles) -> Particles:
        """Particles drawn by their weights."""
        states, weights = zip(*weighted, strict=True)
        drawn = Counter(self._rng.choices(range(len(states)), weights, k=SIZE))
        return [(states[number], count / SIZE) for number, count in drawn.items()]

    def _sample(self, before: Particles) -> list[TableState]:
        """Successors of some particles, and of changed ones if these are few."""
        states = [world for world, _ in before]
        if self._now.move is None:  # else one successor each
            states = self._rng.choices(states, [weight for _, weight in before], k=SIZE)
        found = [after for world in states if (after := advance(world, self._now, self._rng)) is not None]
        if len(found) >= FEW:
            return found
        hindsight = Hindsight(self._chain, [layer.states for layer in self._layers], self._rng)
        if found:
            return found + hindsight.change(states, REFILLS, FEW - len(found))
        again = hindsight.find()
        return self._rng.sample(again, min(len(again), SIZE))


def _begin_anew(state: TableState, role: Role, rng: Random) -> Layer:
    """Tables that agree with what the player sees, and nothing else."""
    sampler = Sampler(state, role)
    tables = [sampler.table_of(sampler.draw(rng)) for _ in range(FRESH)]
    return Layer([(type(state)(state.game, table), 1 / FRESH) for table in tables], False)
