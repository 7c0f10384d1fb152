"""Replays the turns of a match in a sampled world: would the player have perceived what it did perceive?

A world exchanges elements that the player cannot place. Its history is the real one with the same exchange: shuffles
come out differently, and what other players did unseen they did with other elements. An element that the player knew
for a while was itself at that time. Everything that the player perceived, saw and was allowed to do must be the same.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from ludens.core import LudensError, Move, Role
from ludens.tabletop.actions.basic import Action, Del, Do, Mark, Pass, Set
from ludens.tabletop.actions.moving import Distribute
from ludens.tabletop.actions.moving import Move as MoveAction
from ludens.tabletop.actions.randomness import CHANCES, SEPARATOR, ChanceAction, Outcome, Roll, Shuffle
from ludens.tabletop.actions.telling import Refuse, Show, Tell
from ludens.tabletop.hidden.evidence import Evidence, bits_of
from ludens.tabletop.hidden.observed import observed_in
from ludens.tabletop.hidden.percepts import Turn, hides_choice, is_visible, percepts_of
from ludens.tabletop.hidden.rearranging import with_faces
from ludens.tabletop.hidden.redoing import redo
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.hidden.unseen_choices import Images, counterpart, elements_of, exchange_choice, is_restricted
from ludens.tabletop.material.equipment import HIDDEN, Dice, Element, Place
from ludens.tabletop.rule_game import SETUP
from ludens.tabletop.table import RESULT, STAGE, Table

Rolls = Mapping[Dice, tuple[Any, ...]]
"""What hidden dice show instead."""
CHOSEN_TURNS, FRESH_STARTS = 30, 20
"""Turns that are played for each turn of the match to make hidden choices anew, and how often all of them are."""
_PLAIN = (Del, Distribute, Do, Mark, MoveAction, Pass, Refuse, Roll, Set, Show, Shuffle, Tell)
"""Actions of which it is known which elements they name."""


class Past:
    """The turns that led to a state, and what one player perceived of them."""

    def __init__(self, state: TableState, role: Role) -> None:
        self.role = role
        self.seat = state.table.inventory.seats[role]
        self.states: Sequence[TableState] = state.history
        """The states from the first that is known to the present one."""
        self._known = [one.table.known[self.seat] for one in self.states]
        self._losses = [
            number for number in range(1, len(self.states)) if self._known[number - 1] & ~self._known[number]
        ]
        """The turns in which the player lost elements from sight."""
        numbers = range(1, len(self.states)) if state.table.inventory.hides_choices else ()
        self.free_turns = [number for number in numbers if self._hides_choice(number)]
        """The turns in which others chose something that no hidden element tells."""
        self._percepts: dict[int, Sequence[str]] = {}
        self._last_rolls: dict[Dice, int] | None = None

    @property
    def is_complete(self) -> bool:
        """True if the turns are known from the first one."""
        first = self.states[0]
        return first.table is first.game.first

    def _hides_choice(self, number: int) -> bool:
        turn, after = self.turn(number), self.states[number].table
        return any(
            mover != self.role and hides_choice(after, turn.before, self.seat, action) for mover, action, _ in turn.done
        )

    @property
    def last_loss(self) -> int:
        """The last turn in which the player lost elements from sight; 0 if there was none."""
        return self._losses[-1] if self._losses else 0

    def turn(self, number: int) -> Turn:
        """The turn that led to the state of this number."""
        turn = self.states[number].turn
        assert turn is not None
        return turn

    def evidence(self) -> Iterable[tuple[int, Evidence]]:
        """The moves that reveal something about what the player does not see, and their turns."""
        for number in range(1, len(self.states)):
            if number in self.free_turns:
                continue
            for evidence in Evidence.of_turn(self.states[number]):
                if evidence.is_hidden_from(self.seat):
                    yield number, evidence

    def doubtful_turns(self, unknown: int, dice: Sequence[Dice]) -> list[int]:
        """The turns whose effects, or the player's moves afterwards, may depend on elements that it does not know,
        given as bits, or on dice that it does not see; the latest first. None from the first on in which a choice was
        hidden."""
        hidden = set(dice)
        found: list[int] = []
        end = self.free_turns[0] if self.free_turns else len(self.states)
        for number in range(len(self.states) - 1, 0, -1):
            if number >= end:
                hidden -= {dice for dice in hidden if self._last_roll(dice) == number}
                continue
            elements, read_dice = self.states[number].turn_reads()
            unseen = unknown & ~self._known[number]
            if unseen & elements or not hidden.isdisjoint(read_dice) or self._is_list_doubtful(number, unseen):
                found.append(number)
            hidden -= {dice for dice in hidden if self._last_roll(dice) == number}
        return found

    def _is_list_doubtful(self, number: int, unseen: int) -> bool:
        """True if the player's moves after a turn, or unseen moves of others in it, depended on unseen elements."""
        return bool(unseen & self._reads_of_list(number, self.role)) or self._is_choice(number, unseen)

    def only_slot(self, number: int, unknown: int) -> int:
        """The only unknown element, as a bit, on which a turn may depend; 0 if there are more, or dice, or choices."""
        elements, read_dice = self.states[number].turn_reads()
        unseen = unknown & ~self._known[number]
        slot = unseen & elements
        is_only = slot.bit_count() == 1 and number > self.last_loss and not read_dice
        return slot if is_only and not self._is_list_doubtful(number, unseen) else 0

    def is_broad(self, number: int, places: int) -> bool:
        """True if a turn since the last loss depends on elements at more than so many places, and on no dice."""
        elements, read_dice = self.states[number].turn_reads()
        if number <= self.last_loss or read_dice:
            return False
        before = self.turn(number).before
        depends = elements | self._reads_of_list(number, self.role)
        return len({before.where[one.index] for one in before.inventory.elements if one.bit & depends}) > places

    def allowed_in(self, number: int, slot: Element, unknown: Sequence[Element]) -> int:
        """The unknown elements, as bits, with which in the place of ``slot`` a turn would have looked the same, if it
        depends on no other one. Kept with the state, by the names of elements."""
        verdicts: dict[str, bool] = self.states[number].kept.setdefault(("allowed", self.role, slot), {})
        found = 0
        for face in unknown:
            if face.name not in verdicts:
                images = [{slot: face, face: slot}] * len(self.states)
                verdicts[face.name] = face.name == slot.name or not self.contradicts(number, images, {})
            if verdicts[face.name]:
                found |= face.bit
        return found

    def _reads_of_list(self, number: int, role: Role) -> int:
        """The elements, as bits, at which the rule looks to list a role's actions in a state."""
        state = self.states[number]
        contents = state.table.contents
        return bits_of(element for place in state.places_read(role) for element in contents[place.index])

    def _is_choice(self, number: int, unseen: int) -> bool:
        """True if somebody chose among elements that the player does not know, and could not have chosen all of them,
        or its moves depended on others."""
        previous = self.states[number - 1]
        return any(
            mover != self.role
            and unseen & bits_of(elements_of(action))
            and (unseen & self._reads_of_list(number - 1, mover) or is_restricted(previous, mover, action))
            for mover, action, _ in self.turn(number).done
        )

    def _last_roll(self, dice: Dice) -> int:
        """The turn in which dice were rolled last; 0 if they were not."""
        if self._last_rolls is None:
            self._last_rolls = {
                part.dice: number
                for number in range(1, len(self.states))
                for _, action, _ in self.turn(number).done
                for part in action.parts
                if isinstance(part, Roll)
            }
        return self._last_rolls.get(dice, 0)

    def images(self, faces: Images) -> list[Images]:
        """What stood for each element in each state, if ``faces`` do so now."""
        found: list[Images] = [faces] * len(self.states)
        now = faces
        for number in reversed(self._losses):
            now = _before_loss(now, self._known[number - 1])
            found[:number] = [now] * number
        return found

    # One turn

    def contradicts(self, number: int, images: Sequence[Images], rolls: Rolls) -> bool:
        """True if a turn would have done something else in a world, or if the player would have perceived something
        else or could do something else afterwards."""
        return self.mismatch(number, images, rolls) > 0

    def mismatch(self, number: int, images: Sequence[Images], rolls: Rolls) -> int:
        """How much of a turn contradicts a world: wrong and missing words of the percepts, and 1 for other things; 0 if
        nothing does."""
        previous, state, turn = self.states[number - 1], self.states[number], self.turn(number)
        before = self._table(number - 1, images[number - 1], rolls)
        played: TableState | None = None
        if self._is_same_action(number, _moved(images[number - 1]) | _moved(images[number])):
            after = before.copy()
            outcomes = tuple(
                self._outcomes(number, action, drawn, images[number], rolls)
                for (_, action, _), drawn in zip(turn.done, turn.outcomes, strict=True)
            )
            try:
                redo(state.game, after, turn.done, turn.goes_to, outcomes)
            except LudensError:
                return 1
            percepts: Sequence[str] = percepts_of(after, Turn(turn.done, outcomes, turn.goes_to, before), self.role)
        else:
            played = self._play(number, type(previous)(previous.game, before), images[number], rolls)
            if played is None:
                return 1
            after, percepts = played.table, played.percepts(self.role)
        if list(percepts) != list(self._perceived(number)):
            return 1 + difference(percepts, self._perceived(number))
        if not is_same_table(after, self._table(number, images[number], rolls)):
            return 1
        if not _moved(images[number]) & self._reads_of_list(number, self.role):
            return 0
        world = played or type(state)(state.game, after)
        return int(set(world.legal_moves(self.role)) != set(state.legal_moves(self.role)))

    def _table(self, number: int, images: Images, rolls: Rolls) -> Table:
        """The table of a state in a world."""
        table = with_faces(self.states[number].table, images)
        for dice, shown in rolls.items():
            if self._last_roll(dice) <= number:
                table.values[dice.index] = shown
        return table

    def _perceived(self, number: int) -> Sequence[str]:
        found = self._percepts.get(number)
        if found is None:
            found = self._percepts[number] = self.states[number].percepts(self.role)
        return found

    def _is_same_action(self, number: int, moved: int) -> bool:
        """True if the actions of a turn name none of the elements that are exchanged, nor depended their lists on
        them."""
        return all(
            all(isinstance(part, _PLAIN) for part in action.parts)
            and not moved & (bits_of(elements_of(action)) | self._reads_of_list(number - 1, mover))
            for mover, action, _ in self.turn(number).done
        )

    def _play(
        self, number: int, world: TableState, images: Images, rolls: Rolls, rng: Random | None = None
    ) -> TableState | None:
        """The state after a turn in a world; None if the turn cannot be played there. With ``rng``, choices that no
        hidden element tells are made anew."""
        turn, after = self.turn(number), self.states[number].table
        joint_move: dict[Role, Move] = {}
        for (mover, action, text), outcomes in zip(turn.done, turn.outcomes, strict=True):
            name = text.partition(SEPARATOR)[0] if outcomes else text
            if mover != self.role and not is_visible(after, turn.before, self.seat, action):
                is_free = rng is not None and hides_choice(after, turn.before, self.seat, action)
                name = counterpart(world, mover, action, name, images, rng if is_free else None)
            if outcomes:
                chances = [part for part in action.parts if isinstance(part, ChanceAction)]
                drawn = self._outcomes(number, action, outcomes, images, rolls)
                shown = [part.outcome_text(one) for part, one in zip(chances, drawn, strict=True)]
                name = f"{name}{SEPARATOR}{CHANCES.join(shown)}"
            joint_move[mover] = name
        try:
            return world.play(joint_move)
        except LudensError:
            return None

    def _outcomes(
        self, number: int, action: Action, outcomes: Sequence[Outcome], images: Images, rolls: Rolls
    ) -> list[Outcome]:
        """The outcomes of chance in a world."""
        found: list[Outcome] = []
        chances = [part for part in action.parts if isinstance(part, ChanceAction)]
        for part, outcome in zip(chances, outcomes, strict=True):
            if not isinstance(part, Roll):
                found.append(tuple(images.get(element, element) for element in outcome))
            elif part.dice in rolls and self._last_roll(part.dice) == number:
                found.append(rolls[part.dice])
            else:
                found.append(outcome)
        return found

    # All turns

    def follow(self, faces: Images, rng: Random) -> dict[Element, Element] | None:
        """A world in which unseen moves that are illegal with ``faces`` are replaced by legal ones that look the same;
        None if some turn contradicts what was perceived nevertheless, or if elements were lost from sight."""
        if self._losses or self.states[0].table.stage != SETUP:
            return None
        images, world = dict(faces), self.states[0]
        for number in range(1, len(self.states)):
            turn, table = self.turn(number), self.states[number].table
            for mover, action, _ in turn.done:
                if mover != self.role and not is_visible(table, turn.before, self.seat, action):
                    exchange_choice(world, mover, action, images, rng)
            after = self._play(number, world, images, {})
            if after is None or list(after.percepts(self.role)) != list(self._perceived(number)):
                return None
            world = after
        return images

    def choose_again(self, faces: Images, rolls: Rolls, rng: Random) -> TableState | None:
        """The state after all turns in a world in which others made the choices anew that no hidden element tells; None
        if none is found. Everything that the player perceived, saw and could do is as it was.

        At first all choices are made anew if some turn does not fit, which draws them as often as they are made; later
        only those from some turn on.
        """
        images = self.images(faces)
        worlds = [self.states[0]]
        left, failures = CHOSEN_TURNS * len(self.states), 0
        while len(worlds) < len(self.states):
            number = len(worlds)
            after = self._play(number, worlds[-1], images[number], rolls, rng)
            left -= 1
            if after is not None and observed_in(self.states[number], self.role).fits(after):
                worlds.append(after)
                continue
            before = [free for free in self.free_turns if free <= number]
            if not before or left <= 0:
                return None
            failures += 1
            del worlds[before[0] if failures <= FRESH_STARTS else rng.choice(before) :]
        return worlds[-1]

    def replay(self, faces: Images, rolls: Rolls, *, must_fit: bool = False) -> TableState | None:
        """The state after all turns in a world; None if some turn cannot be played, or, with ``must_fit``, would have
        been perceived otherwise."""
        images = self.images(faces)
        world = first = self.states[0]
        if not self.is_complete:
            world = type(first)(first.game, with_faces(first.table, images[0]))
        for number in range(1, len(self.states)):
            after = self._play(number, world, images[number], rolls)
            if after is None or (must_fit and list(after.percepts(self.role)) != list(self._perceived(number))):
                return None
            world = after
        return world


def keeps_order(place: Place) -> bool:
    """True if the order of elements at a place matters and is not seen: in a face-down pile."""
    return place.is_stack and place.visibility == HIDDEN


def is_same_table(one: Table, other: Table) -> bool:
    """True if elements of the same names lie at the same places, with the same values and attributes."""
    if one.values != other.values or any(one.play_state[entry] != other.play_state[entry] for entry in (STAGE, RESULT)):
        return False
    if one.contents == other.contents and one.attributes == other.attributes:
        return True
    for place, these, those in zip(one.inventory.places, one.contents, other.contents, strict=True):
        if these != those:
            names = [element.name for element in these], [element.name for element in those]
            if names[0] != names[1] and (keeps_order(place) or sorted(names[0]) != sorted(names[1])):
                return False
    return _attributes(one) == _attributes(other)


def _attributes(table: Table) -> Counter[tuple[str, str, Any]]:
    return Counter((str(of), name, value) for (of, name), value in table.attributes.items())


def difference(these: Sequence[str], those: Sequence[str]) -> int:
    """How many words are in one of two texts only, line by line."""
    count = 0
    for one, other in itertools.zip_longest(these, those, fillvalue=""):
        mine, theirs = Counter(one.split()), Counter(other.split())
        count += (mine - theirs).total() + (theirs - mine).total()
    return count


def _moved(images: Images) -> int:
    """The elements that are exchanged, as bits."""
    return bits_of(element for element, face in images.items() if element is not face)


def _before_loss(images: Images, known: int) -> Images:
    """The images before a turn in which known elements were lost from sight: known ones are themselves, and what
    replaces one of them is replaced by what it had replaced."""
    fixed = {element for element, face in images.items() if element is not face and known & element.bit}
    if not fixed:
        return images
    found = {}
    for element, face in images.items():
        if element not in fixed:
            original = face
            while original in fixed:
                original = images[original]
            found[element] = original
    return found
