"""What each player perceives of a turn, derived from the visibility of places."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ludens.core import JointMove, Move, Role
from ludens.tabletop.actions.basic import Action, Del, Do, Set
from ludens.tabletop.actions.moving import Move as MoveAction
from ludens.tabletop.actions.randomness import SEPARATOR, ChanceAction, Outcome, Roll, Shuffle, outcomes_text
from ludens.tabletop.actions.telling import Refuse
from ludens.tabletop.knowledge import viewers
from ludens.tabletop.material.equipment import PUBLIC, SECRET, Element, Place, Player
from ludens.tabletop.table import ANNOUNCED, REFUSED, Table

UNSEEN = "?"
"""Stands for what a player does not see."""
AT = " at "
"""Separates an element that comes into sight from its place."""


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """What was done on the way into a state."""

    done: tuple[tuple[Role, Action, Move], ...]
    """The players that acted, their actions and the texts of these."""
    outcomes: tuple[list[Outcome], ...]
    """The outcomes of chance in each."""
    goes_to: tuple[str, ...]
    """The stage that follows each, unless the action decides when it is done."""
    before: Table
    """The table before it."""
    earlier: Turn | LazyTurn | None = None
    """The turn before it, if it is known."""
    kept: dict[Hashable, Any] = field(default_factory=dict)
    """What was computed about the state before it."""

    @property
    def joint_move(self) -> JointMove:
        """The moves of the players that acted, with the outcomes of chance."""
        return {
            mover: f"{text.partition(SEPARATOR)[0]}{SEPARATOR}{outcomes_text(action, drawn)}" if drawn else text
            for (mover, action, text), drawn in zip(self.done, self.outcomes, strict=True)
        }


class LazyTurn:
    """A turn that is found when somebody asks for it; None if it is not found."""

    __slots__ = ("_find", "_found")

    def __init__(self, find: Callable[[], Turn | None]) -> None:
        self._find: Callable[[], Turn | None] | None = find
        self._found: Turn | None = None

    def resolve(self) -> Turn | None:
        """The turn."""
        if self._find is not None:
            self._found, self._find = self._find(), None
        return self._found


def percepts_of(table: Table, turn: Turn | None, role: Role) -> list[str]:
    """What a player perceives of the turn that led to a table: moves as far as it sees them, what it sees now and did
    not know, announcements, and whether its move was refused."""
    found: list[str] = []
    if turn is not None:
        seat = table.inventory.seats[role]
        for (mover, action, text), outcomes in zip(turn.done, turn.outcomes, strict=True):
            found.append(f"{mover}: {_visible_text(table, turn.before, seat, mover == role, action, text, outcomes)}")
        found += [f"{element}{AT}{table.where[element.index]}" for element in new_elements(table, turn, seat)]
    found += [message for message, hearers in table.play_state[ANNOUNCED] if role in hearers]
    refused = table.play_state[REFUSED]
    if refused and refused[0] == role:
        found.append(f"refused: {refused[1]}")
    return found


def new_elements(table: Table, turn: Turn | None, seat: int) -> list[Element]:
    """The elements whose places a player learned in the turn that led to a table: those that it did not know before,
    and those that were shuffled and came to light again."""
    if turn is None:
        return []
    before = turn.before
    new = table.known[seat] & ~before.known[seat]
    if any(isinstance(part, Shuffle) for _, action, _ in turn.done for part in action.parts):
        moved = [one.bit for one in table.inventory.elements if table.where[one.index] is not before.where[one.index]]
        new |= table.known[seat] & sum(moved)
    found = [element for element in table.inventory.elements if element.bit & new]
    first = table.inventory.named["element"]
    return sorted(found, key=lambda element: first[element.name][0].index)


def _visible_text(
    table: Table, before: Table, seat: int, is_own: bool, action: Action, text: Move, outcomes: list[Outcome]
) -> str:
    name = text.partition(SEPARATOR)[0] if action.has_chance else text
    is_seen = is_own or is_visible(table, before, seat, action)
    shown = name if is_seen else ", ".join(_outline(part) for part in action.parts)
    chances = [part for part in action.parts if isinstance(part, ChanceAction)]
    seen = list(_visible_outcomes(table, seat, chances, outcomes))
    return f"{shown}{SEPARATOR}{' ; '.join(seen)}" if seen else shown


def is_visible(table: Table, before: Table, seat: int, action: Action) -> bool:
    """True if a player may see the whole text of another's action."""
    if any(isinstance(part, Refuse) for part in action.parts):
        return False
    if any(place.visibility == SECRET for place in action.touched_places()):
        return False
    if hides_choice(table, before, seat, action):
        return False
    known = table.known[seat]
    return all(
        element.is_endless or known & element.bit or _was_seen(before, seat, element)
        for element in action.moved_elements()
    )


def hides_choice(table: Table, before: Table, seat: int, action: Action) -> bool:
    """True if an action chose something that a player does not see and that no hidden element tells: an attribute that
    only others know, or endless elements that were laid face down."""
    return table.inventory.hides_choices and any(_hides_choice(table, before, seat, part) for part in action.parts)


def _hides_choice(table: Table, before: Table, seat: int, part: Action) -> bool:
    match part:
        case Set() | Del():
            names = part.values if isinstance(part, Set) else part.names
            if part.of is None:
                return not table.inventory.secrets.isdisjoint(names)
            player = part.of.name if isinstance(part.of, Player) else part.of
            is_own = player == table.inventory.names[seat]
            return isinstance(player, str) and not is_own and not table.inventory.private.isdisjoint(names)
        case MoveAction():
            return _endless_backs(table, seat, part.to) != _endless_backs(before, seat, part.to)
        case Do():
            return _private(table, seat) != _private(before, seat) or any(
                _endless_backs(table, seat, place) != _endless_backs(before, seat, place)
                for place in table.inventory.places
            )
    return False


def _endless_backs(table: Table, seat: int, place: Place) -> list[Element]:
    """The endless elements of which a player sees only backs at a place."""
    if place.visibility in (PUBLIC, SECRET) or table.inventory.sees[place.index] >> seat & 1:
        return []
    return [element for element in table.contents[place.index] if element.is_endless]


def _private(table: Table, seat: int) -> dict[tuple[str, str], Any]:
    """The attributes of other players that only they know."""
    own, private = table.inventory.names[seat], table.inventory.private
    return {
        (of.name, name): value
        for (of, name), value in table.attributes.items()
        if name in private and isinstance(of, Player) and of.name != own
    }


def _was_seen(before: Table, seat: int, element: Element) -> bool:
    """True if a player saw an element where it lay, and did not just infer that it lay there."""
    place = before.where[element.index]
    return place is not None and bool(viewers(before, element, place) >> seat & 1)


def _outline(part: Action) -> str:
    """An action without the elements it moves and the secret places it touches."""
    if any(place.visibility == SECRET for place in part.touched_places()):
        return "moves"
    if isinstance(part, MoveAction):
        return f"{max(len(part.elements), 1)} to {part.to}"
    return "is refused" if isinstance(part, Refuse) else type(part).__name__.lower()


def _visible_outcomes(table: Table, seat: int, chances: list[ChanceAction], outcomes: list[Outcome]) -> Iterator[str]:
    for part, outcome in zip(chances, outcomes, strict=True):
        if isinstance(part, Shuffle):
            is_seen = bool(table.inventory.sees[part.place.index] >> seat & 1)
        else:
            is_seen = not (isinstance(part, Roll) and part.dice.is_hidden_from(table.inventory.names[seat]))
        if not is_seen:
            yield UNSEEN
        else:
            yield part.outcome_text(outcome)
