"""Equipment: the paper's equipments, which take any attribute and know what belongs to them.

Equipment does not change during a play; where elements lie, what scores stand at and which attributes were set is
kept by the `Table`, so that all tables of a game share one inventory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from ludens.tabletop.errors import RuleError
from ludens.tabletop.material.at_hand import AT_HAND

PUBLIC = "public"
"""Everybody sees what lies there."""
OWNER = "owner"
"""The owner of the place sees faces, the others backs."""
PARTNERS = "owner and partner"
"""The owner and its partners see faces, the others backs."""
OTHERS = "everybody but the owner"
"""All see faces except the owner, who sees backs, as with the cards of Hanabi."""
HIDDEN = "hidden"
"""Everybody sees backs: a face-down deck."""
SECRET = "secret"
"""Each player sees its own elements there, and not even that there are others."""
VISIBILITIES = (PUBLIC, OWNER, PARTNERS, OTHERS, HIDDEN, SECRET)


class Equipment:
    """Anything on a table. Attributes given by keyword can be read as ``card.suit`` and used in queries.

    Declared attributes are in ``__dict__``, too, so that reading them is fast. Those that `Set` or `Del` has changed on
    some table are not (`note_change`): they are read from the table that the rule works on.
    """

    __slots__ = ("__dict__", "attributes", "index", "inventory", "name")

    queried: ClassVar[str] = ""
    """A word that means something else in queries, so that no attribute can have its name."""

    def __init__(self, name: str, **attributes: Any) -> None:
        for own in attributes:
            self.check_attribute(own)
        self.name = name
        """The name; unique among its kind."""
        self.attributes: dict[str, Any] = attributes
        """The attributes declared by the rule; `Set` and `Del` override them on a table."""
        self.index = -1
        """Its number among its kind, once it is on a table."""
        self.inventory: Any = None
        """All equipment of its game."""
        self.__dict__.update(attributes)

    @classmethod
    def check_attribute(cls, name: str) -> None:
        """Raise `RuleError` if a rule cannot have an attribute of this name, because the kit has one."""
        if hasattr(cls, name) or name == cls.queried:
            raise RuleError(
                f"{cls.__name__} has {name!r} already, with a meaning of its own; name the attribute otherwise"
            )

    def note_change(self, name: str) -> None:
        """From now on, read an attribute from the table that the rule works on."""
        self.__dict__.pop(name, None)

    def __getattr__(self, name: str) -> Any:
        try:
            inventory, declared = (
                object.__getattribute__(self, "inventory"),
                object.__getattribute__(self, "attributes"),
            )
        except AttributeError:  # while it is made
            raise AttributeError(name) from None
        if inventory is not None and (name in inventory.changed or (name == "owner" and isinstance(self, Element))):
            table = AT_HAND.table
            if table is None or table.inventory is not inventory:
                hint = f"read it with table.get({name!r}, of=…)"
                raise AttributeError(f"{name!r} of {self.name!r} changes during the play; outside of a rule, {hint}")
            return table.attribute(self, name)
        if name in declared:
            return declared[name]
        raise AttributeError(f"{type(self).__name__} {self.name!r} has no attribute {name!r}")

    def __reduce__(self) -> Any:
        return _restore, (self.inventory, _store(self), self.index)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def __str__(self) -> str:
        return self.name


def _restore(inventory: Any, store: str, index: int) -> Equipment:
    """Unpickle equipment."""
    found: Equipment = getattr(inventory, store)[index]
    return found


def _store(equipment: Equipment) -> str:
    """Where the inventory has it."""
    match equipment:
        case Player():
            return "players"
        case Element():
            return "elements"
        case Place():
            return "places"
        case _:
            return "markers"


class Player(Equipment):
    """A seat at the table; rules name players by their names, and ask the table for this to keep attributes."""

    __slots__ = ("partners",)

    def __init__(self, name: str, partners: Sequence[str] = ()) -> None:
        super().__init__(name)
        self.partners = tuple(partners)
        """The names of the players on the same side."""


class Element(Equipment):
    """A card, piece, stone or tile."""

    __slots__ = ("assortment", "bit", "is_endless")

    queried = "at"

    def __init__(self, name: str, **attributes: Any) -> None:
        super().__init__(name, **attributes)
        self.assortment: Assortment | None = None
        """The assortment that it comes from."""
        self.bit = 0
        """``1 << index``, for sets of elements."""
        self.is_endless = False
        """True if the supply is unlimited."""
        self.note_change("owner")  # it changes with the place


class Place(Equipment):
    """Where elements can lie: a position of an area, or an assortment."""

    __slots__ = ("is_ordered", "is_stack", "owner", "visibility")

    def __init__(
        self, name: str, *, owner: str | None = None, visibility: str = PUBLIC, stack: bool = False, **attributes: Any
    ) -> None:
        super().__init__(name, **attributes)
        if visibility not in VISIBILITIES:
            raise RuleError(f"{name}: visibility is one of {', '.join(map(repr, VISIBILITIES))}, not {visibility!r}")
        if visibility in (OWNER, PARTNERS, OTHERS) and owner is None:
            raise RuleError(f"{name}: visibility {visibility!r} needs an owner")
        self.owner = owner
        """The player it belongs to, if any."""
        self.visibility = visibility
        """Who sees what lies there."""
        self.is_stack = stack
        """True if the order matters and only the top (the last element) is taken, as from a deck."""
        self.is_ordered = stack or visibility == OTHERS
        """True if players follow which element is which: in stacks, and where owners know their own by their places."""


class Direction:
    """An oriented and labelled arc from a position to another."""

    __slots__ = ("name", "orientation", "source", "target")

    def __init__(self, name: str, source: Position, target: Position, orientation: int) -> None:
        self.name = name
        """The label; both orientations of a line share it."""
        self.source = source
        self.target = target
        self.orientation = orientation
        """1 as the area declares it, -1 the way back."""

    def opposite(self) -> Direction | None:
        """The direction of the same line that leads on from here the other way round, if there is one."""
        return next(iter(self.source.directions(self.name, -self.orientation)), None)

    def __repr__(self) -> str:
        return f"Direction({self.name!r}, {self.source} -> {self.target}, {self.orientation:+d})"


class Position(Place):
    """A node of an area's graph. It may be empty, hold one element, or an ordered list of them."""

    __slots__ = ("_directions", "_lines", "area", "coordinates")

    queried = "empty"

    def __init__(self, name: str, coordinates: tuple[float, ...] = (), **attributes: Any) -> None:
        super().__init__(name, **attributes)
        self.coordinates = coordinates
        """Where it is drawn."""
        self.area: Equipment
        """The area that it belongs to."""
        self._directions: list[Direction] = []
        self._lines: tuple[tuple[tuple[Position, ...], tuple[Position, ...]], ...] | None = None

    def directions(self, name: str | None = None, orientation: int | None = None) -> list[Direction]:
        """The directions from here, optionally by label and orientation (1 or -1)."""
        return [
            direction
            for direction in self._directions
            if name in (None, direction.name) and orientation in (None, direction.orientation)
        ]

    def step(self, name: str, orientation: int = 1) -> Position | None:
        """The next position in a direction, or None at the edge."""
        for direction in self._directions:
            if direction.name == name and direction.orientation == orientation:
                return direction.target
        return None

    @property
    def neighbours(self) -> list[Position]:
        """The positions one step away."""
        return list(dict.fromkeys(direction.target for direction in self._directions))

    def ray(self, direction: Direction) -> tuple[Position, ...]:
        """All positions from here in a direction, up to the edge or until it returns."""
        found: list[Position] = []
        here: Position | None = direction.target
        while here is not None and here is not self and here not in found:
            found.append(here)
            here = here.step(direction.name, direction.orientation)
        return tuple(found)

    @property
    def lines(self) -> tuple[tuple[tuple[Position, ...], tuple[Position, ...]], ...]:
        """The lines through here: for each label the positions one way and the other way."""
        if self._lines is None:
            rays: dict[str, list[tuple[Position, ...]]] = {}
            for direction in self._directions:
                rays.setdefault(direction.name, [(), ()])[direction.orientation < 0] = self.ray(direction)
            self._lines = tuple((there, back) for there, back in rays.values())
        return self._lines

    def connect(self, name: str, target: Position) -> None:
        """Add a direction to another position, and the way back."""
        self._directions.append(Direction(name, self, target, 1))
        target._directions.append(Direction(name, target, self, -1))


class Assortment(Place):
    """The elements of a game, or some of them: a deck, a stock of stones. They lie here until they are moved.

    ``elements`` are Elements, or rows of values whose names are in ``layout``, as in the paper.
    """

    __slots__ = ("elements", "is_endless")

    def __init__(
        self,
        name: str,
        elements: Iterable[Element | Sequence[Any]],
        layout: Sequence[str] = (),
        *,
        endless: bool = False,
        owner: str | None = None,
        visibility: str = PUBLIC,
        stack: bool = True,
        **attributes: Any,
    ) -> None:
        super().__init__(name, owner=owner, visibility=visibility, stack=stack, **attributes)
        self.elements = tuple(_element(name, given, layout) for given in elements)
        """All its elements, wherever they lie."""
        self.is_endless = endless
        """True if the supply of each element is unlimited."""


def _element(assortment: str, given: Element | Sequence[Any], layout: Sequence[str]) -> Element:
    if isinstance(given, Element):
        return given
    values: Mapping[str, Any] = dict(zip(layout, given, strict=False))
    if "name" not in values or len(given) != len(layout):
        raise RuleError(f"assortment {assortment!r}: {given!r} does not fit the layout {list(layout)!r} (with a name)")
    return Element(**values)


class Dice(Equipment):
    """Some dice that are rolled together; ``faces`` are what they can show. The value is a tuple, sorted unless
    ``ordered``. With visibility ``"owner"`` they lie under a cup: only the owner sees what they show."""

    __slots__ = ("count", "faces", "is_ordered", "owner", "visibility")

    def __init__(
        self,
        name: str,
        count: int = 1,
        faces: int | Sequence[Any] = 6,
        *,
        ordered: bool = False,
        owner: str | None = None,
        visibility: str = PUBLIC,
        **attributes: Any,
    ) -> None:
        super().__init__(name, **attributes)
        if visibility not in (PUBLIC, OWNER):
            raise RuleError(f"{name}: dice are {PUBLIC!r} or seen by their {OWNER!r}, not {visibility!r}")
        if visibility == OWNER and owner is None:
            raise RuleError(f"{name}: visibility {visibility!r} needs an owner")
        self.count = count
        """The number of dice."""
        self.faces: tuple[Any, ...] = tuple(range(1, faces + 1)) if isinstance(faces, int) else tuple(faces)
        """The faces of each die, all equally likely."""
        self.is_ordered = ordered
        """True if it matters which die shows what."""
        self.owner = owner
        """The player they belong to, if any."""
        self.visibility = visibility
        """``"public"``, or ``"owner"`` if only the owner sees what they show."""

    def shown(self, faces: Sequence[Any]) -> tuple[Any, ...]:
        """The value of a roll: sorted unless the order matters."""
        return tuple(faces) if self.is_ordered else tuple(sorted(faces))

    def is_hidden_from(self, player: str) -> bool:
        """True if a player does not see what they show."""
        return self.visibility == OWNER and self.owner != player


class Score(Equipment):
    """A score marker, of one player if it has an owner."""

    __slots__ = ("owner", "start")

    def __init__(self, name: str, owner: str | None = None, start: float = 0, **attributes: Any) -> None:
        super().__init__(name, **attributes)
        self.owner = owner
        """The player whose score it is, if it is one player's."""
        self.start = start
        """The initial value."""
