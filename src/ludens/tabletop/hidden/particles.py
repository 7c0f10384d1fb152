"""Particles of a player in games with secret places, where worlds are no permutations of what lies on the table.

Every particle is a state whose history the player would have perceived as it did perceive the match. After each turn
they are played on: own moves as they were, moves of others drawn at random until one fits. When few survive, histories
are repaired: an unseen move of another player is replaced, preferably by one at the places that the turn names, and the
turns after it are played again. If that fails within the budget, an earlier turn is resampled with more particles. If
that fails, too, the particles begin anew, with tables that agree with what the player sees now and have no history.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from ludens.core import JointMove, LudensError, Move, Role
from ludens.tabletop.hidden.determinisation import Sampler
from ludens.tabletop.hidden.table_state import TableState

SIZE, FEW = 40, 10
"""Particles that are kept, and how many must be different before histories are repaired."""
MOVES = 12
"""Moves of the others that are tried for a particle in a turn."""
REPAIR_PLAYS, LAST_PLAYS = 150, 600
"""Turns that are played to repair histories if few particles are left, and if none is."""
ONE_REPAIR = 30
"""The same to repair the history of one particle."""
EXACT = 100
"""Up to so many successors are all tried, if nothing is drawn at random."""
RECENT = 40
"""Turns in which moves are replaced."""
NEAR = 0.8
"""The probability that a replaced move is one at the places that the turn names, if there are any."""
KEPT_MOVES = 4
"""Moves that are tried for a turn after a replaced one, the old one first."""
FRESH = 24
"""Tables with which particles begin anew."""
Particles = Sequence[tuple[TableState, float]]
"""States and their weights."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What a player did, perceived and saw in a turn, and what it could do afterwards."""

    role: Role
    move: Move | None
    percepts: tuple[str, ...]
    seen: Mapping[str, Any]
    legal_moves: frozenset[Move]
    places: tuple[str, ...]
    """The places that the turn names."""

    def fits(self, state: TableState) -> bool:
        """True if the player would have observed the same on the way into a state."""
        view: Any = state.view(self.role)
        return (
            tuple(state.percepts(self.role)) == self.percepts
            and view.observation == self.seen
            and frozenset(state.legal_moves(self.role)) == self.legal_moves
        )


def observed_in(state: TableState, role: Role) -> Observed:
    """What a player observed in the last turn; kept with the state."""
    key: Hashable = "observed", role
    found: Observed | None = state.kept.get(key)
    if found is None:
        turn = state.turn
        acted = turn.done if turn is not None else ()
        move = next((text for mover, _, text in acted if mover == role), None)
        percepts = tuple(state.percepts(role))
        names = _pattern(frozenset(place.name for place in state.game.inventory.positions))
        places = tuple(names.findall(" ".join((*percepts, move or ""))))
        view: Any = state.view(role)
        legal = frozenset(state.legal_moves(role))
        found = state.kept[key] = Observed(role, move, percepts, view.observation, legal, places)
    return found


@lru_cache(maxsize=64)
def _pattern(names: frozenset[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))


def advance(world: TableState, observed: Observed, rng: Random) -> TableState | None:
    """A state after one more turn that fits what a player observed; None if none is found."""
    for joint_move in _joint_moves(world, observed, MOVES, rng):
        after = _play(world, joint_move, observed, rng)
        if after is not None:
            return after
    return None


def _play(world: TableState, joint_move: JointMove, observed: Observed, rng: Random) -> TableState | None:
    try:
        after = world.play(world.resolve(joint_move, rng))
    except LudensError:
        return None
    return after if observed.fits(after) else None


def _joint_moves(world: TableState, observed: Observed, most: int, rng: Random) -> Iterable[dict[Role, Move]]:
    """The player's own move, with moves of the others in random order."""
    own = {} if observed.move is None else {observed.role: observed.move}
    others = {role: legal for role in world.game.roles if role != observed.role and (legal := world.legal_moves(role))}
    if world.is_race or len(others) > 1:
        return [{**own, **{role: rng.choice(legal) for role, legal in others.items()}} for _ in range(most)]
    for role, legal in others.items():
        return [{**own, role: move} for move in rng.sample(legal, min(len(legal), most))]
    return [own]


def draw_particle(state: TableState, role: Role, rng: Random) -> TableState:
    """A state that a player considers possible."""
    found = particles(state, role, rng)
    return rng.choices([world for world, _ in found], [weight for _, weight in found])[0]


def particles(state: TableState, role: Role, rng: Random) -> Particles:
    """States that a player considers possible, with their weights; computed turn by turn, and kept with the states of
    the match."""
    key: Hashable = "particles", role
    history = state.history
    first = next((number for number in range(len(history) - 1, 0, -1) if key in history[number].kept), 0)
    if first == 0:
        history[0].kept[key] = [(history[0], 1.0)]
    chain = [observed_in(one, role) for one in history]
    for number in range(first + 1, len(history)):
        before: Particles = history[number - 1].kept[key]
        found = _Step(chain[: number + 1], rng, state.game.chance).follow(before)
        history[number].kept[key] = found or _begin_anew(history[number], role, rng)
    last: Particles = history[-1].kept[key]
    return last


def follow(world: TableState, state: TableState, role: Role, rng: Random) -> TableState | None:
    """A particle of an earlier state of the match, played on to this one; None if it does not fit any more."""
    history, known = state.history, len(world.history)
    if history[0].table is not world.history[0].table or known > len(history):
        return None
    chain = [observed_in(one, role) for one in history]
    for number in range(known, len(history)):
        after = advance(world, chain[number], rng) or _Step(chain[: number + 1], rng).repair(world)
        if after is None:
            return None
        world = after
    return world


class _Step:
    """One turn of the filter."""

    def __init__(self, chain: Sequence[Observed], rng: Random, is_drawn: bool = False) -> None:
        self._chain = chain
        self._now = chain[-1]
        self._rng = rng
        self._is_drawn = is_drawn
        self._plays = 0

    def follow(self, before: Particles) -> Particles:
        """The particles after the turn: all of them if they are few, else a sample."""
        if len(before) <= EXACT and not self._is_drawn:
            options = [
                (world, weight / len(moves), joint_move)
                for world, weight in before
                for moves in (list(_joint_moves(world, self._now, EXACT + 1, self._rng)),)
                for joint_move in moves
            ]
            if len(options) <= EXACT:
                exact = [
                    (after, weight)
                    for world, weight, joint_move in options
                    if (after := _play(world, joint_move, self._now, self._rng)) is not None
                ]
                if exact:
                    return exact if len(exact) <= SIZE else self._resample(exact)
        found = self._sample(before)
        return [(world, 1 / len(found)) for world in found]

    def _resample(self, weighted: Particles) -> Particles:
        """Particles drawn by their weights."""
        states, weights = zip(*weighted, strict=True)
        drawn = Counter(self._rng.choices(range(len(states)), weights, k=SIZE))
        return [(states[number], count / SIZE) for number, count in drawn.items()]

    def _sample(self, before: Particles) -> list[TableState]:
        """Successors of some particles, and of repaired ones if these are few."""
        if self._now.move is not None:
            states = [world for world, _ in before]  # one successor each
        else:
            states = self._rng.choices([world for world, _ in before], [weight for _, weight in before], k=SIZE)
        found = [after for world in states if (after := advance(world, self._now, self._rng)) is not None]
        enough = min(FEW, len(before)) if self._now.move is not None else FEW
        self._plays = 0
        while len(found) < enough and self._plays < (REPAIR_PLAYS if found else LAST_PLAYS):
            self._plays += 1
            after = self._change(self._rng.choice(before)[0].history)
            if after is not None:
                found.append(after)
        return found

    def repair(self, world: TableState) -> TableState | None:
        """A state after the turn in a history that differs from a world's in few moves; None if none is found."""
        history = world.history
        while self._plays < ONE_REPAIR:
            self._plays += 1
            after = self._change(history)
            if after is not None:
                return after
        return None

    def _change(self, states: Sequence[TableState]) -> TableState | None:
        """The state after the turn in a history with another move; None if it does not fit."""
        turns = len(states) - 1
        skipped = len(self._chain) - len(states) - 1  # turns before the history of the particle begins
        choices = [
            number for number in range(max(1, turns - RECENT), turns + 1) if self._chain[skipped + number].move is None
        ]
        if not choices:
            return None
        replaced = self._rng.choice(choices)
        world = self._replace(states[replaced - 1], skipped + replaced)
        for number in range(replaced + 1, turns + 2):
            if world is None:
                return None
            turn = states[number].turn if number <= turns else None
            world = self._again(world, skipped + number, None if turn is None else turn.joint_move)
        return world

    def _replace(self, world: TableState, number: int) -> TableState | None:
        """A state after a turn with another move of the others, mostly one at the places of the present turn."""
        places = self._now.places if self._rng.random() < NEAR else ()
        options = list(_joint_moves(world, self._chain[number], 200, self._rng))
        near = [one for one in options if any(name in move for move in one.values() for name in places)]
        for joint_move in (near or options)[:KEPT_MOVES]:
            self._plays += 1
            after = _play(world, joint_move, self._chain[number], self._rng)
            if after is not None:
                return after
        return None

    def _again(self, world: TableState, number: int, old: JointMove | None) -> TableState | None:
        """A state after a later turn: by its old moves if they fit, else by others."""
        observed = self._chain[number]
        if old is not None:
            self._plays += 1
            after = _play(world, old, observed, self._rng)
            if after is not None or observed.move is not None:
                return after
        for joint_move in _joint_moves(world, observed, MOVES if old is None else KEPT_MOVES, self._rng):
            self._plays += 1
            after = _play(world, joint_move, observed, self._rng)
            if after is not None:
                return after
        return None


def _begin_anew(state: TableState, role: Role, rng: Random) -> Particles:
    """Tables that agree with what the player sees, and nothing else."""
    sampler = Sampler(state, role)
    return [(type(state)(state.game, sampler.table_of(sampler.draw(rng))), 1 / FRESH) for _ in range(FRESH)]
