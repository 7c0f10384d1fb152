"""Replays the turns of a match in a sampled world: would the player have perceived what it did perceive?

A world exchanges elements that the player cannot place. Its history is the real one with the same exchange: shuffles
come out differently, and what other players did unseen they did with other elements. An element that the player knew
for a while was itself at that time. Everything that the player perceived, saw and was allowed to do must be the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from ludens.core import LudensError, Move, Role
from ludens.tabletop.actions.basic import Action
from ludens.tabletop.actions.randomness import CHANCES, SEPARATOR, ChanceAction, Outcome, Roll
from ludens.tabletop.hidden.percepts import Turn, is_visible
from ludens.tabletop.hidden.rearranging import with_faces
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.material.equipment import HIDDEN, Dice, Element
from ludens.tabletop.rule_game import SETUP
from ludens.tabletop.table import Table

Images = Mapping[Element, Element]
"""The elements that replace others; those that are missing stay themselves."""
Rolls = Mapping[Dice, tuple[Any, ...]]
"""What hidden dice show instead."""


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
        self._perceived: dict[int, tuple[Any, ...]] = {}

    @property
    def is_complete(self) -> bool:
        """True if the turns are known from the first one."""
        first = self.states[0]
        return first.table is first.game.first

    def turn(self, number: int) -> Turn:
        """The turn that led to the state of this number."""
        turn = self.states[number].turn
        assert turn is not None
        return turn

    def doubtful_turns(self, unknown: int, dice: Sequence[Dice]) -> list[int]:
        """The turns whose effects, or the player's moves afterwards, may depend on elements that it does not know,
        given as bits, or on dice that it does not see; the latest first."""
        hidden = set(dice)
        found = []
        for number in range(len(self.states) - 1, 0, -1):
            turn = self.turn(number)
            unseen = unknown & ~self._known[number]
            if (
                unseen & turn.read
                or not hidden.isdisjoint(turn.read_dice)
                or self._depends(number, unseen)
                or self._is_choice(number, unseen)
            ):
                found.append(number)
            if hidden:
                hidden -= {part.dice for _, action, _ in turn.done for part in action.parts if isinstance(part, Roll)}
        return found

    def _depends(self, number: int, unseen: int) -> bool:
        state = self.states[number]
        return bool(unseen and not state.is_terminal and state.hidden_reads(self.role) & unseen)

    def _is_choice(self, number: int, unseen: int) -> bool:
        """True if somebody chose among elements that the player does not know, and its moves depended on others."""
        previous = self.states[number - 1]
        return any(
            mover != self.role
            and any(element.bit & unseen for element in action.moved_elements())
            and previous.hidden_reads(mover) & unseen
            for mover, action, _ in self.turn(number).done
        )

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
        """True if the player would have perceived something else in a turn."""
        previous = self.states[number - 1]
        table = with_faces(previous.table, dict(images[number - 1]))
        for dice, shown in rolls.items():
            if not self._rolls_after(dice, number - 1):
                table.values[dice.index] = shown
        after = self._play(number, type(previous)(previous.game, table), images[number], rolls)
        return after is None or not self._agrees(number, after)

    def _rolls_after(self, dice: Dice, number: int) -> bool:
        """True if dice were rolled again after a turn."""
        return any(
            isinstance(part, Roll) and part.dice is dice
            for later in range(number + 1, len(self.states))
            for _, action, _ in self.turn(later).done
            for part in action.parts
        )

    def _agrees(self, number: int, after: TableState) -> bool:
        if number not in self._perceived:
            self._perceived[number] = perceived(self.states[number], self.role)
        return perceived(after, self.role) == self._perceived[number]

    def _play(self, number: int, world: TableState, images: Images, rolls: Rolls) -> TableState | None:
        """The state after a turn in a world; None if the turn cannot be played there."""
        turn, after = self.turn(number), self.states[number].table
        joint_move: dict[Role, Move] = {}
        for (mover, action, text), outcomes in zip(turn.done, turn.outcomes, strict=True):
            name = text.partition(SEPARATOR)[0] if outcomes else text
            if mover != self.role and not is_visible(after, turn.before, self.seat, action):
                name = _counterpart(world, mover, action, name, images)
            drawn = self._outcomes(number, action, outcomes, images, rolls)
            joint_move[mover] = f"{name}{SEPARATOR}{drawn}" if outcomes else name
        try:
            return world.play(joint_move)
        except LudensError:
            return None

    def _outcomes(self, number: int, action: Action, outcomes: Sequence[Outcome], images: Images, rolls: Rolls) -> str:
        chances = [part for part in action.parts if isinstance(part, ChanceAction)]
        texts = []
        for part, outcome in zip(chances, outcomes, strict=False):
            drawn = outcome
            if not isinstance(part, Roll):
                drawn = tuple(images.get(element, element) for element in outcome)
            elif part.dice in rolls and not self._rolls_after(part.dice, number):
                drawn = rolls[part.dice]
            texts.append(part.outcome_text(drawn))
        return CHANCES.join(texts)

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
                    _exchange_choice(world, mover, action, images, rng)
            after = self._play(number, world, images, {})
            if after is None or not self._agrees(number, after):
                return None
            world = after
        return images

    def replay(self, faces: Images, rolls: Rolls) -> tuple[TableState | None, int]:
        """The state after all turns in a world; or None, and the first turn that contradicts what was perceived."""
        images = self.images(faces)
        first = self.states[0]
        world: TableState = first
        if not (self.is_complete and first.table.stage == SETUP):  # what lies hidden from the beginning is exchanged
            world = type(first)(first.game, with_faces(first.table, dict(images[0])))
        for number in range(1, len(self.states)):
            after = self._play(number, world, images[number], rolls)
            if after is None or not self._agrees(number, after):
                return None, number
            world = after
        return world, 0

    def first_contradiction(self, world: TableState) -> int | None:
        """The first turn that contradicts what the player perceived, saw or was allowed to do, when a world's own
        history is played again; None if there is none. If only the latest turns of a world are known, these count."""
        imagined = world.history
        skipped = len(self.states) - len(imagined)
        sample = (world.kept or {}).get("sample")
        if skipped and sample is not None:
            return self.replay(*sample)[1] or 1
        again = self.states[0] if imagined[0].table.stage == SETUP else imagined[0]
        for number, state in enumerate(imagined[1:], skipped + 1):
            turn = state.turn
            assert turn is not None
            try:
                again = again.play({mover: text for mover, _, text in turn.done})
            except LudensError:
                return number
            if not self._agrees(number, again):
                return number
        if len(self.states) == 1:  # nothing has happened
            return None
        is_same = _names(again.table) == _names(world.table)
        return None if is_same and self._agrees_now(world) else len(self.states) - 1

    def _agrees_now(self, world: TableState) -> bool:
        """True if the player sees and can do in a world what it really does."""
        return perceived(world, self.role)[1:] == perceived(self.states[-1], self.role)[1:]


def perceived(state: TableState, role: Role) -> tuple[Any, ...]:
    """What a player perceives of the last turn, sees afterwards, and can do."""
    seen: Any = state.view(role)
    return tuple(state.percepts(role)), seen.observation, frozenset(state.legal_moves(role))


def _names(table: Table) -> list[list[str]]:
    """What lies where, by names."""
    places = zip(table.inventory.places, table.contents, strict=True)
    lying = [([element.name for element in contents], place) for place, contents in places]
    return [names if place.is_stack and place.visibility == HIDDEN else sorted(names) for names, place in lying]


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


def _counterpart(world: TableState, mover: Role, action: Action, name: Move, images: Images) -> Move:
    """The move in a world that does with other elements what an unseen action did; the same name if there is none."""
    wanted = Counter(images.get(element, element).name for element in action.moved_elements())
    similar = _similar_choices(world, mover, action)
    if name in similar and wanted == Counter(element.name for element in action.moved_elements()):
        return name
    for text, other in similar.items():
        if Counter(element.name for element in other.moved_elements()) == wanted:
            return text
    return name


def _similar_choices(world: TableState, mover: Role, action: Action) -> dict[Move, Action]:
    """What a player could do in a world that does the same with other elements."""
    try:
        choices = world.actions(mover)
    except LudensError:
        return {}
    places, kinds = action.touched_places(), [type(part) for part in action.parts]
    return {
        text: other
        for text, (other, _) in choices.items()
        if other.touched_places() == places
        and [type(part) for part in other.parts] == kinds
        and len(other.moved_elements()) == len(action.moved_elements())
    }


def _exchange_choice(
    world: TableState, mover: Role, action: Action, images: dict[Element, Element], rng: Random
) -> None:
    """Let a player choose other elements in a world if it could not choose those that replace the real ones."""
    moved = action.moved_elements()
    wanted = Counter(images.get(element, element).name for element in moved)
    similar = [other.moved_elements() for other in _similar_choices(world, mover, action).values()]
    if not similar or any(Counter(element.name for element in other) == wanted for other in similar):
        return
    slots = {face: slot for slot, face in images.items()}
    for element, face in zip(moved, rng.choice(similar), strict=True):
        now = images.get(element, element)
        if now is not face and face in slots and now in slots:
            slot = slots[face]
            images[element], images[slot] = face, now
            slots[face], slots[now] = element, slot
