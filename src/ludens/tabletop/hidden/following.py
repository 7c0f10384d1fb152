"""Advances a sampled table by one turn: plays what a player perceived of the turn, and repairs the table to fit."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ludens.core import Deadline, IllegalMoveError, Move, Role
from ludens.tabletop.actions.randomness import CHANCES, SEPARATOR, outcomes_text
from ludens.tabletop.hidden.coherence import Sight, make_legal, match_sights, mismatches, new_sights
from ludens.tabletop.hidden.determinisation import Determinisation, Sampler
from ludens.tabletop.hidden.percepts import AT, UNSEEN
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.material.equipment import Dice, Element, Place, Position

ATTEMPTS = 40
"""Samples that are repaired before giving up."""
REPAIRS = 8
"""How often each sample is repaired."""
WALKS, STEPS = 30, 12
"""Fallback for secret places: fresh samples with their contents near the places perceived, and swaps in each."""
CROWD = 0.75
"""The probability that the fallback fills a place next to those perceived."""
MOST_PLAYS = 60
"""Unseen joint moves of the others that are tried on each sample."""


@dataclass(frozen=True, slots=True)
class TurnPercepts:
    """What a player perceives of a turn."""

    role: Role
    """The player's role."""
    move: Move | None
    """Its own move; None if it made none."""
    percepts: tuple[str, ...]
    """What it perceived."""
    legal_moves: frozenset[Move] | None
    """Its legal moves now; None if they are unknown."""

    @property
    def moves(self) -> Mapping[str, str]:
        """What each role did, as far as that was seen."""
        return dict(text.partition(": ")[::2] for text in self.percepts)

    def fits(self, state: TableState) -> bool:
        """True if the player would have perceived the same on the way into a state, and has the same moves there."""
        if tuple(state.percepts(self.role)) != self.percepts:
            return False
        return self.legal_moves is None or frozenset(state.legal_moves(self.role)) == self.legal_moves

    def distance(self, state: TableState) -> int:
        """How many words of the percepts on the way into a state are wrong or missing."""
        mine, other = (Counter(" ".join(texts).split()) for texts in (self.percepts, state.percepts(self.role)))
        return (mine - other).total() + (other - mine).total()

    def places(self, state: TableState) -> set[Place]:
        """The positions that the percepts name, and their neighbours."""
        named = state.game.inventory.named["place"]
        words = " ".join(self.percepts).split()
        found = {place for word in words if isinstance(place := named.get(word), Position)}
        return found | {other for place in found for other in place.neighbours}

    def dice(self, sampler: Sampler) -> Iterator[tuple[Dice, tuple[Any, ...]]]:
        """The dice of others that were shown in this turn, and how they had fallen."""
        for text in self.percepts:
            faces, separator, name = text.rpartition(AT)
            for dice in sampler.cups if separator else ():
                known = {str(face): face for face in dice.faces}
                if dice.name == name and all(face in known for face in faces.split()):
                    yield dice, dice.shown([known[face] for face in faces.split()])

    def sights(self, state: TableState) -> Counter[Sight]:
        """The elements that came into sight, and where."""
        inventory = state.game.inventory
        found: Counter[Sight] = Counter()
        for text in self.percepts:
            name, separator, place = text.rpartition(AT)
            if separator and name in inventory.named["element"] and place in inventory.named["place"]:
                found[name, place] += 1
        return found


def follow_turn(sampler: Sampler, observed: TurnPercepts, rng: Random) -> TableState | None:
    """The state after a turn that a player perceived, on a table that fits; None if none is found.

    The sampler's own table is kept if it fits. Otherwise it is repaired, and at last others are sampled. Raises
    `OutOfTimeError` at the deadline of the thread.
    """
    for attempt in range(ATTEMPTS):
        Deadline.check_thread()
        sample = sampler.draw(rng) if attempt else sampler.truth()
        found = _repair(sampler, sample, observed, rng)
        if found is not None:
            return found
    walks = (_search_nearby(sampler, observed, rng) for _ in range(WALKS if len(sampler.unseen) > 1 else 0))
    return next((found for found in walks if found is not None), None)


def _repair(sampler: Sampler, sample: Determinisation, observed: TurnPercepts, rng: Random) -> TableState | None:
    """The state after the turn on a sample, changed where it contradicts the percepts."""
    wanted = observed.sights(sampler.state)
    sample.rolled.update(observed.dice(sampler))
    for number in range(REPAIRS):
        for role, text in observed.moves.items():
            if role != observed.role and role in sampler.state.game.roles:
                make_legal(sampler, sample, role, text.partition(SEPARATOR)[0], rng)
        is_own_table = sample == sampler.truth()
        if not is_own_table and (number or not sampler.unseen) and not sampler.agrees(sample):
            return None
        after: TableState | None = None
        world = sampler.state if is_own_table else sampler.world(sample)
        for after in _successors(world, observed, rng):
            fitting = after if observed.fits(after) else _adjust_chance(world, after, observed, wanted, sampler.seat)
            if fitting is not None:
                return fitting
        if after is None or not match_sights(sampler, sample, wanted, after, rng):
            return None
    return None


def _search_nearby(sampler: Sampler, observed: TurnPercepts, rng: Random) -> TableState | None:
    """The state after the turn on a sample whose unseen places are swapped until it yields the same percepts."""
    sample = sampler.draw(rng)
    _crowd(sampler, sample, observed.places(sampler.state), rng)
    least: float = math.inf
    for _ in range(STEPS):
        Deadline.check_thread()
        tried = sample.copy()
        here, there = rng.sample(sampler.unseen, 2)
        tried.placed[here], tried.placed[there] = sample.placed[there], sample.placed[here]
        distance: float = math.inf
        for after in _successors(sampler.world(tried), observed, rng) if sampler.agrees(tried) else ():
            if observed.fits(after):
                return after
            distance = min(distance, observed.distance(after))
        if distance <= least:
            sample, least = tried, distance
    return None


def _crowd(sampler: Sampler, sample: Determinisation, places: set[Place], rng: Random) -> None:
    """Move elements from other secret places to many of these."""
    placed = sample.placed
    for place in [place for place in sampler.unseen if place in places and not placed[place] and rng.random() < CROWD]:
        elsewhere = [other for other in sampler.unseen if placed[other] and other not in places]
        if elsewhere:
            other = rng.choice(elsewhere)
            placed[place], placed[other] = placed[other], placed[place]


def _successors(world: TableState, observed: TurnPercepts, rng: Random) -> Iterator[TableState]:
    """The states that a turn may have led to on a table, by the moves that others may have made."""
    moves = observed.moves
    options: dict[Role, Sequence[Move]] = {}
    for role in world.game.roles:
        legal = world.legal_moves(role)
        if not legal or (world.is_race and role not in moves):
            continue
        name, separator, outcome = moves.get(role, "").partition(SEPARATOR)
        if role == observed.role:
            if observed.move is None or observed.move not in legal:
                return
            name = observed.move
        drawn = f"{SEPARATOR}{outcome}" if separator and UNSEEN not in outcome else ""
        options[role] = [f"{name}{drawn}"] if name in legal else rng.sample(legal, len(legal))
    if not options:
        return
    for chosen in itertools.islice(itertools.product(*options.values()), MOST_PLAYS):
        joint_move = dict(zip(options, chosen, strict=True))
        try:
            resolved = world.resolve(joint_move, rng)
            yield world.play(
                {role: _insert_seen_outcomes(move, moves.get(role, "")) for role, move in resolved.items()}
            )
        except IllegalMoveError:  # this outcome is impossible on this table
            continue


def _insert_seen_outcomes(resolved: Move, observed: str) -> Move:
    """A resolved move, with the outcomes of chance that the player saw."""
    name, separator, outcome = resolved.partition(SEPARATOR)
    seen = observed.partition(SEPARATOR)[2].split(CHANCES)
    if not separator or len(seen) < 2:
        return resolved
    drawn = outcome.split(CHANCES)
    parts = [one if other == UNSEEN else other for one, other in zip(drawn, seen, strict=False)]
    return f"{name}{SEPARATOR}{CHANCES.join(parts)}"


def _adjust_chance(
    world: TableState, after: TableState, observed: TurnPercepts, wanted: Counter[Sight], seat: int
) -> TableState | None:
    """If outcomes of chance were hidden: the state after the turn with outcomes that explain what was seen."""
    if not any(UNSEEN in text.partition(SEPARATOR)[2] for text in observed.moves.values()):
        return None
    for _ in range(REPAIRS):
        assert after.turn is not None
        pairs = mismatches(wanted, new_sights(after, seat))
        if not pairs:
            break
        outcomes = [[list(outcome) for outcome in drawn] for drawn in after.turn.outcomes]
        for name, wrong in pairs:
            if not _exchange([outcome for drawn in outcomes for outcome in drawn], name, wrong, after, seat):
                return None
        after = world.play(
            {
                role: f"{move.partition(SEPARATOR)[0]}{SEPARATOR}{outcomes_text(action, list(map(tuple, drawn)))}"
                if drawn
                else move
                for (role, action, move), drawn in zip(after.turn.done, outcomes, strict=True)
            }
        )
    return after if observed.fits(after) else None


def _exchange(outcomes: Sequence[list[Any]], name: str, wrong: Element, after: TableState, seat: int) -> bool:
    """Swap an element of some name with a wrong one in the outcomes."""
    known = after.table.known[seat]
    for outcome in outcomes:
        if wrong in outcome:
            unseen = [element for element in outcome if element.name == name and not known & element.bit]
            for right in unseen[:1]:
                here, there = outcome.index(wrong), outcome.index(right)
                outcome[here], outcome[there] = right, wrong
                return True
    return False
