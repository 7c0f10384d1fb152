"""The inventory: all equipment of a game, numbered and shared by all its tables, with cached queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any

from ludens.tabletop.errors import RuleError
from ludens.tabletop.material.areas import Area
from ludens.tabletop.material.equipment import (
    HIDDEN,
    OTHERS,
    OWNER,
    PARTNERS,
    PUBLIC,
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

Restraints = Mapping[str, Any]


class Inventory:
    """All equipment of a game. It grows only while `Rule.equipment` runs."""

    def __init__(self, players: Sequence[str], partners: Sequence[Sequence[str]] = ()) -> None:
        sides = {name: tuple(other for other in side if other != name) for side in partners for name in side}
        self.players = tuple(Player(name, sides.get(name, ())) for name in players)
        """The seats, in order."""
        self.names = tuple(players)
        """Their names."""
        self.seats: dict[str, int] = {name: number for number, name in enumerate(players)}
        """The number of each player."""
        for number, player in enumerate(self.players):
            player.index, player.inventory = number, self
        self.areas: dict[str, Area] = {}
        self.assortments: dict[str, Assortment] = {}
        self.places: list[Place] = []
        """Positions and assortments; a table keeps what lies there in this order."""
        self.elements: list[Element] = []
        self.markers: list[Score | Dice] = []
        """Scores and dice; a table keeps their values in this order."""
        self.positions: tuple[Position, ...] = ()
        """All positions of all areas."""
        self.named: dict[str, dict[str, Any]] = {"place": {}, "element": {}, "marker": {}}
        """Equipment by kind and name; elements of one name are in a list."""
        self.changed: set[str] = set()
        """Names of attributes that some `Set` or `Del` has changed; all others are read from the inventory."""
        self.sees: list[int] = []
        """For each place, the players that see faces there, as bits; their own elements in secret places apart."""
        self.hands: dict[tuple[str, str], Position] = {}
        """Cache: the only position of an area that a player owns."""
        self.game: Any = None
        """The game that it belongs to, which it is pickled with."""
        self.is_hidden = False
        """True if some place does not show everything to everybody."""
        self.has_secrets = False
        """True if there are secret places."""
        self.private: frozenset[str] = frozenset()
        """Names of attributes of players that only that player knows."""
        self.secrets: frozenset[str] = frozenset()
        """Names of attributes of the table that nobody knows."""
        self._static: dict[tuple[str, tuple[tuple[str, Any], ...]], tuple[Any, ...]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return attrgetter("inventory"), (self.game,)

    @cached_property
    def has_backs(self) -> bool:
        """True if there are places where some see backs."""
        return any(place.visibility not in (PUBLIC, SECRET) for place in self.places)

    @cached_property
    def hides_choices(self) -> bool:
        """True if choices may be hidden that no exchange of elements explains: of attributes, or of endless elements
        that are laid face down."""
        has_endless = any(element.is_endless for element in self.elements)
        return bool(self.private or self.secrets) or (self.has_backs and has_endless)

    @cached_property
    def is_dealt(self) -> bool:
        """True if elements or dice may be hidden in other ways than by choices: by chance."""
        has_others = any(not element.is_endless for element in self.elements)
        return (self.has_backs and has_others) or any(
            isinstance(marker, Dice) and marker.visibility != PUBLIC for marker in self.markers
        )

    def add(self, equipment: Equipment) -> None:
        """Put equipment on the table."""
        match equipment:
            case Area():
                equipment.inventory = self
                self._register(self.areas, equipment, "area")
                for position in equipment.positions:
                    self._add_place(position)
                self.positions += equipment.positions
            case Assortment():
                self._register(self.assortments, equipment, "assortment")
                self._add_place(equipment)
                for element in equipment.elements:
                    self._add_element(element, equipment)
            case Score() | Dice():
                equipment.index, equipment.inventory = len(self.markers), self
                self._register(self.named["marker"], equipment, "score or dice")
                if equipment.owner is not None:
                    self._check_owner(equipment.name, equipment.owner)
                self.is_hidden |= isinstance(equipment, Dice) and equipment.visibility != PUBLIC
                self.markers.append(equipment)
            case _:
                kinds = "an Area, an Assortment, Dice or a Score"
                raise RuleError(f"table.add takes {kinds}, not {equipment!r}")

    def _add_place(self, place: Place) -> None:
        if place.owner is not None:
            self._check_owner(place.name, place.owner)
        place.index, place.inventory = len(self.places), self
        self._register(self.named["place"], place, "place")
        self.places.append(place)
        self.sees.append(self._viewers(place))
        self.is_hidden |= place.visibility != PUBLIC
        self.has_secrets |= place.visibility == SECRET

    def _check_owner(self, name: str, owner: str) -> None:
        if owner not in self.seats:
            raise RuleError(f"{name!r} belongs to {owner!r}, who is no player ({', '.join(self.names)})")

    def _viewers(self, place: Place) -> int:
        if place.visibility == PUBLIC:
            return (1 << len(self.names)) - 1
        if place.visibility in (HIDDEN, SECRET) or place.owner is None:
            return 0
        own = self.seats[place.owner]
        if place.visibility == OTHERS:
            return ((1 << len(self.names)) - 1) & ~(1 << own)
        partners = self.players[own].partners if place.visibility == PARTNERS else ()
        assert place.visibility in (OWNER, PARTNERS)
        return 1 << own | sum(1 << self.seats[name] for name in partners)

    def _add_element(self, element: Element, assortment: Assortment) -> None:
        if element.assortment is not None:
            raise RuleError(f"element {element.name!r} is in two assortments")
        element.assortment = assortment
        element.is_endless = assortment.is_endless
        element.index, element.inventory = len(self.elements), self
        element.bit = 1 << element.index
        self.named["element"].setdefault(element.name, []).append(element)
        self.elements.append(element)

    @staticmethod
    def _register(known: dict[str, Any], equipment: Equipment, kind: str) -> None:
        if equipment.name in known:
            raise RuleError(f"there are two of the name {equipment.name!r}: each {kind} needs a name of its own")
        known[equipment.name] = equipment

    def note_change(self, name: str) -> None:
        """Some `Set` or `Del` changes this attribute, so that it depends on the table."""
        self.changed.add(name)
        equipment: Sequence[Equipment]
        for equipment in (self.players, tuple(self.areas.values()), self.places, self.elements, self.markers):
            for one in equipment:
                one.note_change(name)

    def select(self, kind: str, restraints: Restraints) -> tuple[Any, ...]:
        """All elements or positions with these attributes, as the rule declared them."""
        try:
            key = (kind, tuple(restraints.items()))
            matches = self._static.get(key)
        except TypeError:  # a value that cannot be hashed
            return self._find_matches(kind, restraints)
        if matches is None:
            matches = self._static[key] = self._find_matches(kind, restraints)
        return matches

    def _find_matches(self, kind: str, restraints: Restraints) -> tuple[Any, ...]:
        pool: Sequence[Equipment] = self.elements if kind == "element" else self.positions
        wanted = restraints.items()
        return tuple(
            equipment for equipment in pool if all(declared_value(equipment, name) == value for name, value in wanted)
        )


def declared_value(equipment: Equipment, name: str) -> Any:
    """The value of an attribute as the rule declared it; None if it did not."""
    if name in equipment.attributes:
        return equipment.attributes[name]
    if name == "name":
        return equipment.name
    if name == "owner" and isinstance(equipment, Place):
        return equipment.owner
    if name == "area" and isinstance(equipment, Position):
        return equipment.area.name
    if name == "assortment" and isinstance(equipment, Element) and equipment.assortment is not None:
        return equipment.assortment.name
    return None
