"""The table: where everything lies in one position of a play, queries about it, and the journal for undo.

A table is copied for each `State`, which costs about two microseconds, and keeps a journal of every change, so that
rules and players may also do actions on it and undo them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from ludens.tabletop.errors import RuleError
from ludens.tabletop.material.areas import Area
from ludens.tabletop.material.at_hand import AT_HAND
from ludens.tabletop.material.equipment import (
    SECRET,
    Assortment,
    Dice,
    Element,
    Equipment,
    Place,
    Player,
    Position,
    Score,
)
from ludens.tabletop.material.inventory import Inventory, declared_value
from ludens.tabletop.watched import Read, Watched

_MISSING = object()
STAGE, ACTOR, RESULT, LAST, RECENT, NEXT, ANNOUNCED, REFUSED = range(8)
"""What `Table.play_state` keeps, by index: the stage, the current player, how the play ended, the last action, the
elements it moved, the stage it continues with, its announcements, and why it was refused."""
_Found = TypeVar("_Found")


class Doable(Protocol):
    """What can be done to a table: a `ludens.tabletop.Action`."""

    def do(self, table: Table) -> None:
        """Change the table."""

    def text(self, table: Table) -> str:
        """Its text as a move."""

    def describe(self) -> str:
        """All that it does, in words."""


class Table:
    """All that a rule sees: the equipment of an inventory, and where it lies."""

    __slots__ = (
        "_journal",
        "_marks",
        "attributes",
        "contents",
        "inventory",
        "known",
        "owners",
        "play_state",
        "reads",
        "revealed",
        "values",
        "where",
        "within",
    )

    def __init__(self, inventory: Inventory) -> None:
        self.inventory = inventory
        """The equipment."""
        self.contents: list[tuple[Element, ...]] = []
        """What lies at each place, the top last."""
        self.where: list[Place | None] = []
        """Where each element lies; endless ones lie anywhere."""
        self.owners: list[str | None] = []
        """The player each element was given to, by `Distribute`."""
        self.values: list[Any] = []
        """The value of each score and each set of dice."""
        self.attributes: dict[tuple[Equipment | None, str], Any] = {}
        """Attributes that were set during the play; those of the table itself belong to None."""
        self.known: list[int] = [0] * len(inventory.names)
        """For each player the elements whose places it knows, as bits."""
        self.within: list[dict[Element, int]] = [{} for _ in inventory.names]
        """For each player the elements of which it knows that they lie where one of these elements lies."""
        self.revealed: list[int] = [0] * len(inventory.names)
        """For each player the secret places whose contents it has found out, as bits."""
        self.play_state: list[Any] = ["", None, None, None, (), None, (), ()]
        self.reads: set[Read] | None = None
        """The places and dice that were looked at, while reads are tracked. How many elements lie at a place that is
        not secret everybody knows, so counting them is not tracked."""
        self._journal: list[tuple[Any, Any, Any]] = []
        self._marks: list[int] = []

    # While Rule.equipment runs

    def add(self, equipment: Area | Assortment | Score | Dice) -> None:
        """Put equipment on the table; only `Rule.equipment` may do so."""
        inventory = self.inventory
        places, elements, markers = len(inventory.places), len(inventory.elements), len(inventory.markers)
        inventory.add(equipment)
        self.contents += [
            place.elements if isinstance(place, Assortment) else () for place in inventory.places[places:]
        ]
        self.where += [None if element.is_endless else element.assortment for element in inventory.elements[elements:]]
        self.owners += [None] * (len(inventory.elements) - elements)
        self.values += [marker.start if isinstance(marker, Score) else () for marker in inventory.markers[markers:]]

    # Who plays

    @property
    def players(self) -> tuple[str, ...]:
        """The names of all players, in order."""
        return self.inventory.names

    @property
    def current_player(self) -> str:
        """Who is to act; in `Rule.result`, who has just acted."""
        player: str = self.play_state[ACTOR]
        return player

    @property
    def stage(self) -> str:
        """The stage of the turn graph that the play is in."""
        stage: str = self.play_state[STAGE]
        return stage

    def player(self, name: str) -> Player:
        """The seat of a player, to keep attributes at."""
        return self.inventory.players[self._seat(name)]

    def partners(self, name: str) -> tuple[str, ...]:
        """The names of a player's partners."""
        return self.inventory.players[self._seat(name)].partners

    def next_player(self, steps: int = 1, after: str | None = None) -> str:
        """Who sits so many seats after a player, by default the current one."""
        names = self.inventory.names
        return names[(self._seat(after or self.current_player) + steps) % len(names)]

    def _seat(self, name: str) -> int:
        try:
            return self.inventory.seats[name]
        except KeyError:
            raise RuleError(f"{name!r} is no player (players: {', '.join(self.inventory.names)})") from None

    @property
    def last_action(self) -> Doable | None:
        """The last action. Only `Rule.result` may read it: positions do not depend on how they came about, so what a
        rule must remember is stored with `Set`."""
        if self.play_state[LAST] is FORGOTTEN:
            raise RuleError("only result() may read last_action; store what later turns need with Set")
        action: Doable | None = self.play_state[LAST]
        return action

    @property
    def last_positions(self) -> list[Place]:
        """Where the last action put elements."""
        return [place for _, _, place in self.play_state[RECENT]]

    # Equipment by name

    def area(self, name: str | None = None) -> Area:
        """An area; without a name, the only one."""
        return _lookup(self.inventory.areas, name, "area")

    def assortment(self, name: str | None = None) -> Assortment:
        """An assortment; without a name, the only one."""
        return _lookup(self.inventory.assortments, name, "assortment")

    def position(self, name: str) -> Position:
        """The position with this name."""
        found = self.inventory.named["place"].get(name)
        if not isinstance(found, Position):
            raise RuleError(f"there is no position {name!r} on the table")
        return found

    def place(self, name: str) -> Place:
        """The position or assortment with this name."""
        found: Place | None = self.inventory.named["place"].get(name)
        if found is None:
            raise RuleError(f"there is no place {name!r} on the table")
        return found

    def hand(self, player: str, area: str = "hand") -> Position:
        """The position of an area that a player owns: its hand, if there is an area of that name."""
        known = self.inventory.hands.get((area, player))
        if known is not None:
            return known
        found: Sequence[Position] = self.inventory.select("position", {"area": area, "owner": player})
        if len(found) != 1:
            raise RuleError(f"{player} owns {len(found)} positions of area {area!r}, not one")
        self.inventory.hands[area, player] = found[0]
        return found[0]

    def score(self, name: str | None = None, *, owner: str | None = None) -> Score:
        """A score marker by name or by the player it belongs to."""
        known = self.inventory.named["marker"]
        for marker in self.inventory.markers if name is None else (known.get(name),):
            if isinstance(marker, Score) and owner in (None, marker.owner):
                return marker
        raise RuleError(f"there is no score {name or ''} of {owner or 'anybody'} on the table")

    def dice(self, name: str | None = None) -> Dice:
        """Dice by name; without one, the first."""
        for marker in self.inventory.markers:
            if isinstance(marker, Dice) and name in (None, marker.name):
                return marker
        raise RuleError(f"there are no dice {name or ''} on the table")

    def has_found(self, player: str, place: Place) -> bool:
        """True if a player has found out what lies at a secret place."""
        return bool(self.revealed[self._seat(player)] >> place.index & 1)

    # Contents

    def __getitem__(self, place: Place | str) -> tuple[Element, ...]:
        """What lies at a place, the top last."""
        here = self.place(place) if isinstance(place, str) else place
        lying = self.contents[here.index]
        if self.reads is None:
            return lying
        if here.visibility == SECRET:
            self.reads.add(here)
            return lying
        return Watched.at(here, lying, self.reads) if lying else lying

    def top(self, place: Place | str) -> Element | None:
        """The top element at a place; None if it is empty."""
        lying = self[place]
        return lying[-1] if lying else None

    def is_empty(self, place: Place | str) -> bool:
        """True if nothing lies at a place."""
        return not self[place]

    def value(self, marker: Score | Dice) -> Any:
        """The value of a score, or the tuple that dice show."""
        if self.reads is not None and isinstance(marker, Dice):
            self.reads.add(marker)
        return self.values[marker.index]

    def place_of(self, element: Element) -> Place | None:
        """Where an element lies; None for endless ones."""
        place = self.where[element.index]
        if self.reads is not None and place is not None:
            self.reads.add((place, element))
        return place

    def get(self, name: str, default: Any = None, *, of: Equipment | str | None = None) -> Any:
        """The present value of an attribute of equipment, of a player's seat or, by default, of the table."""
        if isinstance(of, str):
            of = self.player(of)
        found = self.attributes.get((of, name), _MISSING)
        if found is not _MISSING:
            return default if found is DELETED else found
        if of is None:
            return default
        if name == "owner" and isinstance(of, Element):
            return self.owner(of)
        known = declared_value(of, name)
        return default if known is None else known

    def attribute(self, of: Equipment, name: str) -> Any:
        """The present value of an attribute, as ``card.charge`` reads it. Raises `AttributeError` if there is none."""
        found = self.attributes.get((of, name), _MISSING)
        if found is _MISSING:
            found = of.attributes.get(name, _MISSING)
            if name == "owner" and isinstance(of, Element):
                return self.owner(of)
        if found is _MISSING or found is DELETED:
            raise AttributeError(f"{type(of).__name__} {of.name!r} has no attribute {name!r}")
        return found

    def owner(self, element: Element) -> str | None:
        """The player an element belongs to: by its ``owner``, whom it was given to, or whose place it lies at, or its
        own ``player``."""
        found: str | None = self.attributes.get((element, "owner")) or self.owners[element.index]
        if found is None:
            found = element.attributes.get("owner")
        if found is not None:
            return found
        place = self.where[element.index]
        if self.reads is not None and place is not None:
            self.reads.add((place, element))
        if place is not None and place.owner is not None:
            return place.owner
        player: str | None = self.get("player", of=element)
        return player

    # Queries with restraints

    def positions(self, empty: bool | None = None, **restraints: Any) -> list[Position]:
        """All positions that match: ``empty``, ``area="board"``, or any attribute."""
        inventory, contents = self.inventory, self.contents
        found: Iterable[Position] = (
            self._select("position", inventory.positions, restraints) if restraints else inventory.positions
        )
        if empty is None:
            return list(found)
        if self.reads is not None:
            found = list(found)
            self.reads.update(position for position in found if position.visibility == SECRET)
        if empty:
            return [position for position in found if not contents[position.index]]
        return [position for position in found if contents[position.index]]

    def elements(self, at: Place | str | None = None, **restraints: Any) -> list[Element]:
        """All elements that match: lying ``at`` a place, or with any attributes."""
        if at is not None:
            lying = self[at]
            if not restraints:
                return list(lying)
            return [element for element in lying if self._fits(element, restraints)]
        return list(self._select("element", self.inventory.elements, restraints))

    def element(self, at: Place | str | None = None, **restraints: Any) -> Element:
        """The only element that matches."""
        found = self.elements(at, **restraints)
        if len(found) != 1:
            asked = ", ".join(f"{name}={value!r}" for name, value in restraints.items())
            raise RuleError(f"{len(found)} elements have {asked or 'no restraint'}, and table.element wants one")
        return found[0]

    def _select(self, kind: str, pool: Sequence[_Found], restraints: Mapping[str, Any]) -> Sequence[_Found]:
        if self.inventory.changed.isdisjoint(restraints) and not (kind == "element" and "owner" in restraints):
            found: Sequence[_Found] = self.inventory.select(kind, restraints)
            return found
        return [equipment for equipment in pool if self._fits(equipment, restraints)]  # type: ignore[arg-type]

    def _fits(self, equipment: Equipment, restraints: Mapping[str, Any]) -> bool:
        return all(self.get(name, of=equipment) == value for name, value in restraints.items())

    def has_new_line(
        self, length: int, at: Iterable[Place] | None = None, *, exactly: bool = False, **restraints: Any
    ) -> bool:
        """True if the elements put down last (or those ``at`` some positions) are in an unbroken line of ``length`` or
        more, or of exactly that length, with top elements that match."""
        contents = self.contents
        wanted = set(self._select("element", self.inventory.elements, restraints))
        for place in self.last_positions if at is None else at:
            lying = contents[place.index]
            if not isinstance(place, Position) or not lying or lying[-1] not in wanted:
                continue
            for rays in place.lines:
                run = 1
                for ray in rays:
                    for position in ray:
                        lying = contents[position.index]
                        if not lying or lying[-1] not in wanted:
                            break
                        run += 1
                if run == length or (run > length and not exactly):
                    return True
        return False

    # Do and undo

    def do(self, action: Doable) -> None:
        """Do an action whose chance is resolved; `undo` takes it back."""
        AT_HAND.table = self
        self._marks.append(len(self._journal))
        self.write(self.play_state, RECENT, ())
        action.do(self)

    def undo(self) -> None:
        """Take back the last `do`, exactly."""
        if not self._marks:
            raise RuleError("there is nothing to undo on this table")
        AT_HAND.table = self
        self.roll_back(self._marks.pop())

    def mark(self) -> int:
        """A point in the journal, for `roll_back`."""
        return len(self._journal)

    def roll_back(self, mark: int) -> None:
        """Undo every change since a point in the journal."""
        journal = self._journal
        while len(journal) > mark:
            store, key, old = journal.pop()
            if old is _MISSING:
                del store[key]
            else:
                store[key] = old

    def forget_changes(self) -> None:
        """Empty the journal: nothing so far is undone."""
        self._journal = []
        self._marks = []

    def write(self, store: list[Any], key: int, value: Any) -> None:
        """Change an entry of one of the table's lists, with an entry in the journal."""
        self._journal.append((store, key, store[key]))
        store[key] = value

    def write_attribute(self, of: Equipment | None, name: str, value: Any) -> None:
        """Set an attribute, with an entry in the journal."""
        if of is not None and name not in self.inventory.changed:
            self.inventory.note_change(name)
        key = (of, name)
        self._journal.append((self.attributes, key, self.attributes.get(key, _MISSING)))
        self.attributes[key] = value

    def copy(self) -> Table:
        """A copy with an empty journal."""
        other = Table.__new__(Table)
        other.inventory = self.inventory
        other.contents = self.contents[:]
        other.where = self.where[:]
        other.owners = self.owners[:]
        other.values = self.values[:]
        other.attributes = self.attributes.copy()
        other.known = self.known[:]
        other.within = self.within[:]
        other.revealed = self.revealed[:]
        other.play_state = self.play_state[:]
        other.reads = None
        other._journal = []
        other._marks = []
        return other

    def key(self) -> tuple[Any, ...]:
        """The identity of the position; equal for equal tables."""
        state = self.play_state
        return (
            tuple(self.contents),
            tuple(self.values),
            tuple(self.owners),
            frozenset(self.attributes.items()),
            tuple(self.known),
            tuple(tuple(sorted((e.index, mask) for e, mask in known.items())) for known in self.within),
            tuple(self.revealed),
            state[STAGE],
            state[RESULT],
        )


class _Deleted:
    """Stands for an attribute that `Del` removed although the rule declares it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __reduce__(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return self._name


DELETED = _Deleted("DELETED")
FORGOTTEN = _Deleted("FORGOTTEN")
"""Stands for a last action that may not be read."""


def _lookup(known: Mapping[str, _Found], name: str | None, kind: str) -> _Found:
    if name is None and len(known) == 1:
        return next(iter(known.values()))
    if name is None or name not in known:
        raise RuleError(f"there is no {kind} {name or 'without a name'} on the table ({', '.join(known) or 'none'})")
    return known[name]
