"""One turn further on a guessed table: what a player was told of the turn happens on it, and it is repaired to fit."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ludens.core import IllegalMoveError, Move, Role
from ludens.tabletop.coherence import Sight, make_legal, make_seen, newly_known, unlike
from ludens.tabletop.equipment import Dice, Element, Place, Position
from ludens.tabletop.guess import Guess, Guesser
from ludens.tabletop.percepts import AT, UNSEEN
from ludens.tabletop.randomness import CHANCES, SEPARATOR, outcomes_text
from ludens.tabletop.state import TabletopState

ATTEMPTS = 40
"""Guesses that are repaired before a turn is given up."""
REPAIRS = 8
"""How often one of them is changed."""
WALKS, STEPS = 30, 12
"""Where that does not do and places are secret: how often what lies there is guessed once more, near to what was told,
and how often some of it is exchanged then."""
CROWD = 0.75
"""How likely each place next to what was told is to be filled then."""
MOST_PLAYS = 60
"""Ways in which others may have moved unseen that are tried on each."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a player is told of a turn."""

    role: Role
    """Who is told."""
    move: Move | None
    """Its own move; None if it made none."""
    percepts: tuple[str, ...]
    """What it perceived."""
    legal_moves: frozenset[Move] | None
    """What it can choose from now; None if it is not told."""

    @property
    def moves(self) -> Mapping[str, str]:
        """What each role did, as far as that was seen."""
        return dict(text.partition(": ")[::2] for text in self.percepts)

    def fits(self, state: TabletopState) -> bool:
        """True if the player would have been told the same on the way into a state, and has the same moves there."""
        if tuple(state.percepts(self.role)) != self.percepts:
            return False
        return self.legal_moves is None or frozenset(state.legal_moves(self.role)) == self.legal_moves

    def distance(self, state: TabletopState) -> int:
        """How many words of what the player would have been told on the way into a state are wrong or missing."""
        mine, other = (Counter(" ".join(texts).split()) for texts in (self.percepts, state.percepts(self.role)))
        return (mine - other).total() + (other - mine).total()

    def places(self, state: TabletopState) -> set[Place]:
        """The positions that are named in what the player was told, and those next to them."""
        named = state.game.kit.named["place"]
        words = " ".join(self.percepts).split()
        found = {place for word in words if isinstance(place := named.get(word), Position)}
        return found | {other for place in found for other in place.neighbours}

    def dice(self, guesser: Guesser) -> Iterator[tuple[Dice, tuple[Any, ...]]]:
        """The dice of others that were shown in this turn, and how they had fallen."""
        for text in self.percepts:
            faces, separator, name = text.rpartition(AT)
            for dice in guesser.cups if separator else ():
                known = {str(face): face for face in dice.faces}
                if dice.name == name and all(face in known for face in faces.split()):
                    yield dice, dice.shown([known[face] for face in faces.split()])

    def sights(self, state: TabletopState) -> Counter[Sight]:
        """The elements that came into sight, and where."""
        kit = state.game.kit
        found: Counter[Sight] = Counter()
        for text in self.percepts:
            name, separator, place = text.rpartition(AT)
            if separator and name in kit.named["element"] and place in kit.named["place"]:
                found[name, place] += 1
        return found


def followed(guesser: Guesser, told: Told, rng: Random) -> TabletopState | None:
    """The state after a turn that a player was told of, on a table that fits; None if none is found.

    The guesser's own table is kept if it fits. Otherwise it is repaired, and at last others are guessed.
    """
    for attempt in range(ATTEMPTS):
        guess = guesser.fresh(rng) if attempt else guesser.truth()
        found = _repaired(guesser, guess, told, rng)
        if found is not None:
            return found
    walks = (_wandered(guesser, told, rng) for _ in range(WALKS if len(guesser.unseen) > 1 else 0))
    return next((found for found in walks if found is not None), None)


def _repaired(guesser: Guesser, guess: Guess, told: Told, rng: Random) -> TabletopState | None:
    """What a guess leads to, changed where it contradicts what was told."""
    wanted = told.sights(guesser.state)
    guess.rolled.update(told.dice(guesser))
    for number in range(REPAIRS):
        for role, text in told.moves.items():
            if role != told.role and role in guesser.state.game.roles:
                make_legal(guesser, guess, role, text.partition(SEPARATOR)[0], rng)
        is_own_table = guess == guesser.truth()
        if not is_own_table and (number or not guesser.unseen) and not guesser.agrees(guess):
            return None
        after: TabletopState | None = None
        world = guesser.state if is_own_table else guesser.with_past(guess)
        for after in _plays(world, told, rng):
            fitting = after if told.fits(after) else _with_chance(world, after, told, wanted, guesser.seat)
            if fitting is not None:
                return fitting
        if after is None or not make_seen(guesser, guess, wanted, after, rng):
            return None
    return None


def _wandered(guesser: Guesser, told: Told, rng: Random) -> TabletopState | None:
    """What a table leads to on which unseen places were exchanged until what it tells is what was told."""
    guess = guesser.fresh(rng)
    _crowd(guesser, guess, told.places(guesser.state), rng)
    least: float = math.inf
    for _ in range(STEPS):
        tried = guess.copy()
        here, there = rng.sample(guesser.unseen, 2)
        tried.placed[here], tried.placed[there] = guess.placed[there], guess.placed[here]
        distance: float = math.inf
        for after in _plays(guesser.with_past(tried), told, rng) if guesser.agrees(tried) else ():
            if told.fits(after):
                return after
            distance = min(distance, told.distance(after))
        if distance <= least:
            guess, least = tried, distance
    return None


def _crowd(guesser: Guesser, guess: Guess, places: set[Place], rng: Random) -> None:
    """Exchange what lies at secret places so that much of it lies at some of these."""
    placed = guess.placed
    for place in [place for place in guesser.unseen if place in places and not placed[place] and rng.random() < CROWD]:
        elsewhere = [other for other in guesser.unseen if placed[other] and other not in places]
        if elsewhere:
            other = rng.choice(elsewhere)
            placed[place], placed[other] = placed[other], placed[place]


def _plays(world: TabletopState, told: Told, rng: Random) -> Iterator[TabletopState]:
    """What a turn may have led to on a table, by the moves that others may have made."""
    moves = told.moves
    options: dict[Role, Sequence[Move]] = {}
    for role in world.game.roles:
        legal = world.legal_moves(role)
        if not legal or (world.is_race and role not in moves):
            continue
        name, separator, outcome = moves.get(role, "").partition(SEPARATOR)
        if role == told.role:
            if told.move is None or told.move not in legal:
                return
            name = told.move
        drawn = f"{SEPARATOR}{outcome}" if separator and UNSEEN not in outcome else ""
        options[role] = [f"{name}{drawn}"] if name in legal else rng.sample(legal, len(legal))
    if not options:
        return
    for chosen in itertools.islice(itertools.product(*options.values()), MOST_PLAYS):
        joint_move = dict(zip(options, chosen, strict=True))
        try:
            resolved = world.resolve(joint_move, rng)
            yield world.play({role: _as_seen(move, moves.get(role, "")) for role, move in resolved.items()})
        except IllegalMoveError:  # chance cannot have come to that on this table
            continue


def _as_seen(resolved: Move, told: str) -> Move:
    """A move that was drawn, with what was seen of how chance came out."""
    name, separator, outcome = resolved.partition(SEPARATOR)
    seen = told.partition(SEPARATOR)[2].split(CHANCES)
    if not separator or len(seen) < 2:
        return resolved
    drawn = outcome.split(CHANCES)
    parts = [one if other == UNSEEN else other for one, other in zip(drawn, seen, strict=False)]
    return f"{name}{SEPARATOR}{CHANCES.join(parts)}"


def _with_chance(
    world: TabletopState, after: TabletopState, told: Told, wanted: Counter[Sight], seat: int
) -> TabletopState | None:
    """Where chance was not seen: what the turn leads to if it came to what was seen then."""
    if not any(UNSEEN in text.partition(SEPARATOR)[2] for text in told.moves.values()):
        return None
    for _ in range(REPAIRS):
        assert after.turn is not None
        pairs = unlike(wanted, newly_known(after, seat))
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
    return after if told.fits(after) else None


def _exchange(outcomes: Sequence[list[Any]], name: str, wrong: Element, after: TabletopState, seat: int) -> bool:
    """Let an element of some name come out where a wrong one did."""
    known = after.table.known[seat]
    for outcome in outcomes:
        if wrong in outcome:
            unseen = [element for element in outcome if element.name == name and not known & element.bit]
            for right in unseen[:1]:
                here, there = outcome.index(wrong), outcome.index(right)
                outcome[here], outcome[there] = right, wrong
                return True
    return False
