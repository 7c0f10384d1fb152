"""Determinisation: samples complete states that agree with all that a player knows.

What a player does not know is which element lies in which unknown place. A determinisation is therefore a permutation
of the elements that it cannot place, applied to the real table, and for secret places a new arrangement of what lies in
those it cannot see. Past turns are evidence: a determinisation is refuted if a move of another player is illegal in it,
or if a turn played again in it would have looked different to the player (`replay`). Samples are drawn uniformly and
rejected if they are refuted. Where that takes too long, one that is not refuted is searched by swaps that leave fewer
and fewer contradictions, and more swaps that keep it free of them give further samples. The real table is never used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from ludens.core import Deadline, OutOfTimeError, Role
from ludens.tabletop.hidden.constraints import Constraints
from ludens.tabletop.hidden.matching import random_matching
from ludens.tabletop.hidden.percepts import LazyTurn, Turn
from ludens.tabletop.hidden.rearranging import with_faces
from ludens.tabletop.hidden.replay import Past
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.hidden.unseen_choices import Images
from ludens.tabletop.knowledge import viewers
from ludens.tabletop.material.equipment import SECRET, Dice, Element, Place, Player
from ludens.tabletop.rule import Rule
from ludens.tabletop.table import Table

DRAWS = 1000
"""Uniform draws that may fail before falling back to swaps; most fail at the first element that cannot lie there."""
LATER_DRAWS = 20
"""The same once a thousand have failed."""
TRIES = 200
"""Uniform draws that the rule checks before that fallback."""
SWAPS = 10
"""Swaps per unknown element in the fallback."""
CHECKED_SWAPS, MOST_CHECKED_SWAPS = 3, 60
"""Swaps per unknown element if the rule has to check each, and at most."""
REPLAYS = 8
"""Samples whose unseen moves are replaced, turn by turn, by legal ones that look the same."""
SEARCHES, SEARCH_SWAPS = 200, 400
"""Searches for a sample without contradictions, and swaps in each."""
SHARE, LATER_SHARE = 0.5, 0.02
"""The part of the time left to a player that a draw may take, and the same once a draw has used it up."""


@dataclass(slots=True)
class Determinisation:
    """One way to fill in what a player does not see."""

    faces: dict[Element, Element]
    """For each element that the player cannot place: the element that lies there instead."""
    placed: dict[Place, tuple[Element, ...]]
    """The contents of each secret place that the player cannot see."""
    rolled: dict[Dice, tuple[Any, ...]]
    """The values of dice that the player cannot see."""
    played: TableState | None = None
    """The state after all turns, if they were played again."""

    def copy(self) -> Determinisation:
        """A copy that may be changed."""
        return Determinisation(dict(self.faces), dict(self.placed), dict(self.rolled))


class Sampler:
    """Draws determinisations for one player in one state."""

    def __init__(self, state: TableState, role: Role, is_sampled: bool = False) -> None:
        table = state.table
        self.state = state
        self.role = role
        self.seat = table.inventory.seats[role]
        self.past = Past(state, role)
        """How the state came about."""
        known = table.known[self.seat]
        self.unknown: list[Element] = [
            element for element in table.inventory.elements if not (known & element.bit or element.is_endless)
        ]
        """The elements that the player cannot place; none at the beginning, where everybody knows the rules."""
        if self.past.is_complete and len(self.past.states) == 1:
            self.unknown = []
        self.mask = sum(element.bit for element in self.unknown)
        self.unseen: list[Place] = unseen_places(table, self.seat)
        """The secret places of which the player does not know what lies there."""
        self.cups: list[Dice] = [
            marker for marker in table.inventory.markers if isinstance(marker, Dice) and marker.is_hidden_from(role)
        ]
        """The dice that the player does not see."""
        is_doubtful = self.past.last_loss or self.past.free_turns
        self._is_played = bool(is_doubtful) and self.past.is_complete and not self.unseen
        """True if all turns are played again in each sample: which elements lay where before some were lost from sight
        is known only approximately, and so is the order in which hands were held and put down; and others may have
        chosen what no element tells."""
        self._rng = Random(0)
        """Makes such choices; that of the present draw."""
        self._constraints = Constraints(self.past, self.unknown, self.cups, table.within[self.seat])
        self.may_lie = self._constraints.may_lie
        """True if an element may lie in the place of another."""
        self._has_own_test = type(state.game.rule).possible is not Rule.possible
        self._found = self.truth() if is_sampled else None
        """A sample without contradictions, to swap elements in; the state itself if it is a sample."""
        self._is_narrowed = not self._has_own_test or bool(self.unseen or self.cups)
        """True once it was tried to turn the rule's own test into constraints on single elements."""
        self._tries = TRIES
        """Uniform draws that the rule checks; few once all of them were refuted."""
        self.misses = 0
        """Samples with contradictions that were drawn because no other was found, or not in time."""
        self._share = SHARE
        """The part of a player's time that a draw may take."""

    # Samples

    def truth(self) -> Determinisation:
        """The real table as a determinisation."""
        table = self.state.table
        return Determinisation(
            {element: element for element in self.unknown},
            {place: table.contents[place.index] for place in self.unseen},
            {dice: table.value(dice) for dice in self.cups},
        )

    @property
    def is_over_budget(self) -> bool:
        """True if uniform draws have failed, so that samples are repaired or swapped."""
        return self._tries < TRIES

    def draw(self, rng: Random) -> Determinisation:
        """A sample that agrees with all the player knows; uniform, unless uniform draws keep failing. If none is found
        at all, or not before half of a player's time is over (`Deadline.share`), the one with the fewest
        contradictions, which `misses` counts."""
        self._rng = rng
        deadline = Deadline.share(self._share)
        sample = self._draw_checked(rng, deadline)
        constraints = self._constraints
        while not constraints.is_trust_right(sample.faces, sample.rolled, rng) and deadline.remaining() > 0:
            self._found = None
            sample = self._draw_checked(rng, deadline)
        return sample

    def _draw_checked(self, rng: Random, deadline: Deadline) -> Determinisation:
        sample = self._draw_by_rejection(rng, deadline)
        if sample is None and not self._is_narrowed and self._narrow_by_rule(rng, deadline):
            self._tries = TRIES
            sample = self._draw_by_rejection(rng, deadline)
        if sample is not None:
            return sample
        if self._found is None and self._constraints.is_narrow and self.agrees(matched := self._draw_matching(rng)):
            self._found = matched
        if self._found is None and self.past.is_complete:
            for _ in range(REPLAYS):
                if deadline.remaining() <= 0:
                    break
                faces = self.past.follow(self._draw_matching(rng).faces, rng)
                if faces is not None and self.agrees(repaired := Determinisation(faces, {}, self.roll(rng))):
                    return repaired
        if self._found is None:
            sample, contradictions = self._search(rng, deadline)
            if contradictions:
                self.misses += 1
                if deadline.remaining() <= 0:
                    self._share = LATER_SHARE
                return sample
            self._found = sample
        self._found = self._mix(self._found.copy(), rng)
        return self._found.copy()

    def _narrow_by_rule(self, rng: Random, deadline: Deadline) -> bool:
        """Constrain unknown elements by the rule's own test; False if that yields nothing."""

        def fits(faces: Images) -> bool:
            return self.state.game.is_possible(with_faces(self.state.table, faces))

        try:
            found = self._constraints.narrow(fits, rng, deadline)
        except OutOfTimeError:  # the next draw tries again
            return False
        self._is_narrowed = True
        return found

    def _draw_by_rejection(self, rng: Random, deadline: Deadline) -> Determinisation | None:
        """A uniform sample; None if too many were refuted."""
        tries = 0
        for _ in range(DRAWS if self._tries == TRIES else LATER_DRAWS):
            if deadline.remaining() <= 0:
                return None
            sample = self._draw_uniform(rng)
            if sample is None:
                continue
            if not self._asks_rule() or self.agrees(sample):
                return sample
            tries += 1
            if tries == self._tries:
                break
        if deadline.remaining() > 0:
            self._tries = 1
        return None

    def _search(self, rng: Random, deadline: Deadline) -> tuple[Determinisation, int]:
        """A sample without contradictions, found by swaps; or the one with the fewest, and their number."""
        best: tuple[Determinisation, int] | None = None
        for _ in range(SEARCHES):
            sample = self._draw_matching(rng)
            count = self._contradictions(sample)
            for _ in range(SEARCH_SWAPS if count else 0):
                if deadline.remaining() <= 0:
                    break
                tried = sample.copy()
                self._change(tried, rng)
                left = self._contradictions(tried)
                if left <= count:
                    sample, count = tried, left
                if not count:
                    break
            if best is None or count < best[1]:
                best = sample, count
            if not count or deadline.remaining() <= 0:
                break
        assert best is not None
        return best

    def _change(self, sample: Determinisation, rng: Random) -> None:
        """Swap two elements, the contents of two unseen places, or roll a die again."""
        faces, placed = sample.faces, sample.placed
        if len(self.unseen) > 1 and (not self.unknown or rng.random() < len(self.unseen) / len(self.unknown)):
            here, there = rng.sample(self.unseen, 2)
            placed[here], placed[there] = placed[there], placed[here]
        elif len(self.unknown) > 1:
            one, other = rng.sample(self.unknown, 2)
            if self.may_lie(one, faces[other]) and self.may_lie(other, faces[one]):
                swap(faces, one, other)
        if self.cups and (not self.unknown or rng.random() < len(self.cups) / len(self.unknown)):
            dice = rng.choice(self.cups)
            shown = list(sample.rolled[dice])
            if shown:
                shown[rng.randrange(len(shown))] = rng.choice(dice.faces)
                sample.rolled[dice] = dice.shown(shown)

    def _contradictions(self, sample: Determinisation) -> int:
        """How much of what the player knows contradicts a sample in which everything lies where it may."""
        is_impossible = self._has_own_test and not self.state.game.is_possible(self.table_of(sample))
        found = is_impossible + self._constraints.contradictions(sample.faces, sample.rolled)
        return found or not self._plays(sample)

    def _draw_matching(self, rng: Random) -> Determinisation:
        """A sample in which every element lies where it may, by augmenting paths in random order."""
        faces = random_matching(self.unknown, self._constraints.allowed.__contains__, self.may_lie, rng)
        contents = self.state.table.contents
        lying = [contents[place.index] for place in self.unseen]
        rng.shuffle(lying)
        return Determinisation(faces, dict(zip(self.unseen, lying, strict=True)), self.roll(rng))

    def roll(self, rng: Random) -> dict[Dice, tuple[Any, ...]]:
        """Random values of the dice under other players' cups."""
        values = self.state.table.values
        return {dice: dice.shown([rng.choice(dice.faces) for _ in values[dice.index]]) for dice in self.cups}

    def repair(self, sample: Determinisation, rng: Random) -> Determinisation | None:
        """An earlier sample, changed as little as the player's present knowledge demands; None if that fails.

        An element that was seen is swapped with the one sampled in its place, which keeps uniform samples uniform.
        Elements that were lost from sight are swapped into a random place, and elements that cannot lie where they
        were sampled into a place where they can.
        """
        faces = dict(sample.faces)
        for element in [slot for slot in faces if not self.mask & slot.bit]:
            _take_out(faces, element)
        for element in self.unknown:
            if element not in faces:
                faces[element] = element
                swap(faces, element, rng.choice(list(faces)))
        for slot in self._constraints.allowed:
            if not self.may_lie(slot, faces[slot]):
                good = [
                    other
                    for other in self.unknown
                    if self.may_lie(slot, faces[other]) and self.may_lie(other, faces[slot])
                ]
                if good:
                    swap(faces, slot, rng.choice(good))
        repaired = Determinisation(faces, self._rearrange(sample.placed, rng), self.roll(rng))
        return repaired if self.agrees(repaired) else None

    def _draw_uniform(self, rng: Random) -> Determinisation | None:
        """A uniform arrangement of the unknown elements; None if something lies where it cannot.

        Constrained places are filled first, so that wrong arrangements are rejected early.
        """
        left = self.unknown[:]
        faces: dict[Element, Element] = {}
        for slot, mask in self._constraints.ordered:
            number = int(rng.random() * len(left))
            face = left[number]
            if not face.bit & mask:
                return None
            left[number] = left[-1]
            left.pop()
            faces[slot] = face
        rng.shuffle(left)
        faces.update(
            zip([slot for slot in self.unknown if slot not in faces] if faces else self.unknown, left, strict=True)
        )
        contents = self.state.table.contents
        pool = [contents[place.index] for place in self.unseen]
        rng.shuffle(pool)
        return Determinisation(faces, dict(zip(self.unseen, pool, strict=True)), self.roll(rng))

    def _mix(self, sample: Determinisation, rng: Random) -> Determinisation:
        """A consistent sample after many random swaps, each of which keeps it consistent."""
        faces, placed, rolled = sample.faces, sample.placed, sample.rolled
        for dice, shown in self.roll(rng).items():
            before, rolled[dice] = rolled[dice], shown
            if self._asks_rule() and not self.agrees(sample):
                rolled[dice] = before
        count = len(self.unknown)
        for _ in range(min(CHECKED_SWAPS * count, MOST_CHECKED_SWAPS) if self._asks_rule() else SWAPS * count):
            one, other = rng.choice(self.unknown), rng.choice(self.unknown)
            if self.may_lie(one, faces[other]) and self.may_lie(other, faces[one]):
                swap(faces, one, other)
                if self._asks_rule() and not self.agrees(sample):
                    swap(faces, one, other)
        for _ in range(CHECKED_SWAPS * len(self.unseen)):
            here, there = rng.choice(self.unseen), rng.choice(self.unseen)
            if placed[here] == placed[there]:
                continue
            placed[here], placed[there] = placed[there], placed[here]
            if not self.agrees(sample):
                placed[here], placed[there] = placed[there], placed[here]
        return sample

    def _rearrange(self, before: dict[Place, tuple[Element, ...]], rng: Random) -> dict[Place, tuple[Element, ...]]:
        """The contents of the unseen places: as sampled before, as far as the elements in play allow it."""
        contents = self.state.table.contents
        pool = [contents[place.index] for place in self.unseen]
        rng.shuffle(pool)
        placed: dict[Place, tuple[Element, ...]] = {}
        for place in rng.sample(self.unseen, len(self.unseen)):
            lying = before.get(place)
            if lying is not None and lying in pool:
                pool.remove(lying)
                placed[place] = lying
        for place in self.unseen:
            if place not in placed:
                placed[place] = pool.pop()
        return placed

    # Checking them

    def agrees(self, sample: Determinisation) -> bool:
        """True if the rules call the sampled table possible, and all moves of others would have been legal on it."""
        if not self._constraints.are_met(sample.faces):
            return False
        if self._has_own_test and not self.state.game.is_possible(self.table_of(sample)):
            return False
        if self._constraints.asks_rule and self._constraints.is_refuted(sample.faces, sample.rolled):
            return False
        return self._plays(sample)

    def _plays(self, sample: Determinisation) -> bool:
        """True if all turns, played again in a sample, are perceived as they were, or if that need not be tried."""
        if self._is_played:
            sample.played = self._played(sample)
        return not self._is_played or sample.played is not None

    def _played(self, sample: Determinisation) -> TableState | None:
        if self.past.free_turns:
            return self.past.choose_again(sample.faces, sample.rolled, self._rng)
        return self.past.replay(sample.faces, sample.rolled, must_fit=True)

    def _asks_rule(self) -> bool:
        """True if the rule has to check each sample."""
        return self._has_own_test or self._constraints.asks_rule or self._is_played

    def table_of(self, sample: Determinisation) -> Table:
        """The sampled table."""
        table = with_faces(self.state.table, sample.faces)
        for place, lying in sample.placed.items():
            table.contents[place.index] = lying
            for element in lying:
                if not element.is_endless:
                    table.where[element.index] = place
        for dice, shown in sample.rolled.items():
            table.values[dice.index] = shown
        if self.unknown or self.unseen:
            self._reset_unknown_attributes(table)
        return table

    def _reset_unknown_attributes(self, table: Table) -> None:
        """Reset attributes that the player does not know to their initial values."""
        rule, first = self.state.game.rule, self.state.game.first.attributes
        others = [player for player in table.inventory.players if player.name != self.role]
        hidden: list[tuple[Player | None, str]] = [(None, name) for name in rule.secrets]
        hidden += [(player, name) for player in others for name in rule.private]
        for key in hidden:
            table.attributes.pop(key, None)
            if key in first:
                table.attributes[key] = first[key]

    def world(self, sample: Determinisation) -> TableState:
        """The sampled state. Its history is found when it is asked for."""
        world = None
        if self._is_played:
            world = sample.played or self._played(sample)
        if world is None:
            last = LazyTurn(partial(self._last_turn, sample))
            world = type(self.state)(self.state.game, self.table_of(sample), last)
        world.kept["sampled for", self.role] = self.state
        return world

    def _last_turn(self, sample: Determinisation) -> Turn | None:
        """The last turn of a sample's own history; None if it has none."""
        after = None if sample.placed else self.past.replay(sample.faces, sample.rolled)
        return None if after is None else after.turn


def unseen_places(table: Table, seat: int) -> list[Place]:
    """The secret places of which a player does not know what lies there."""
    return [
        place
        for place in table.inventory.places
        if place.visibility == SECRET
        and not table.revealed[seat] >> place.index & 1
        and not any(viewers(table, element, place) >> seat & 1 for element in table.contents[place.index])
    ]


def _take_out(faces: dict[Element, Element], element: Element) -> None:
    """Put an element into its own place; the one sampled there goes to where the element was sampled."""
    displaced = faces.pop(element)
    if displaced is not element:
        slot = next(slot for slot, face in faces.items() if face is element)
        faces[slot] = displaced


def swap(faces: dict[Element, Element], one: Element, other: Element) -> None:
    """Swap the elements sampled in two places."""
    faces[one], faces[other] = faces[other], faces[one]
