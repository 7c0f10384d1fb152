"""Actions that change where elements lie: Move, Distribute and Sort."""

from __future__ import annotations

from collections.abc import Iterable

from ludens.tabletop import knowledge
from ludens.tabletop.actions.basic import Action
from ludens.tabletop.actions.wording import word, words
from ludens.tabletop.errors import RuleError
from ludens.tabletop.material.areas import Area
from ludens.tabletop.material.equipment import Assortment, Element, Place, Position
from ludens.tabletop.table import RECENT, Table


class Move(Action):
    """Move elements to a place: one, several, or so many from the top of a place (``count=None`` for all).

    ``source`` is needed for endless elements that already lie somewhere; others are found.
    """

    __slots__ = ("count", "elements", "source", "to")

    def __init__(
        self,
        what: Element | Iterable[Element] | Place,
        to: Place,
        *,
        source: Place | None = None,
        count: int | None = 1,
    ) -> None:
        self.name = ""
        self.goes_to = ""
        self.to = to
        self.source = source
        self.count = count
        self.elements: tuple[Element, ...]
        if isinstance(what, Element):
            self.elements = (what,)
        elif isinstance(what, Place):
            self.elements = ()
            self.source = what
        else:
            self.elements = _several(what)
            if not self.elements:
                self.count = 0
        if not isinstance(to, Place):
            raise RuleError(f"Move(…, to={to!r}): elements move to a Position or an Assortment")

    def do(self, table: Table) -> None:
        """Take the elements from where they lie, and put them on top at the target."""
        to = self.to
        contents, state = table.contents, table.play_state
        elements = self.elements
        if not elements and self.source is not None:
            lying = contents[self.source.index]
            elements = lying if self.count is None else lying[len(lying) - self.count :][::-1]
            if self.count is not None and self.count > len(lying):
                raise RuleError(f"{self.describe()}: only {len(lying)} lie there")
        recent = state[RECENT]
        for element in elements:
            source = self.source or table.where[element.index]
            before: tuple[Element, ...] = ()
            if source is not None:
                before = contents[source.index]
                if not (isinstance(source, Assortment) and source.is_endless):
                    table.write(contents, source.index, _without(before, element, source))
            if not element.is_endless:
                table.write(table.where, element.index, to)
            if not (element.is_endless and isinstance(to, Assortment)):
                table.write(contents, to.index, (*contents[to.index], element))
            recent += ((element, source, to),)
            if table.inventory.is_hidden:
                if not table.is_light:
                    knowledge.note_move(table, element, source, to, before)
                elif table.inventory.has_secrets:
                    knowledge.forget_places(table, source, to)
        table.write(state, RECENT, recent)

    def short(self, table: Table) -> str:
        """The target, after the source on a board and the elements elsewhere."""
        if not self.elements:
            return f"{self.source} to {self.to}"
        source = self.source or table.where[self.elements[0].index]
        if self.elements[0].is_endless and self.source is None:
            return self.to.name
        if isinstance(source, Position) and source.directions():
            return f"{source} {self.to}"
        return f"{' '.join(element.name for element in self.elements)} to {self.to}"

    def describe(self) -> str:
        """``move X from A1 to B1``."""
        what = words(self.elements) if self.elements else "all" if self.count is None else str(self.count)
        source = f" from {word(self.source)}" if self.source is not None else ""
        return f"move {what}{source} to {word(self.to)}"

    def moved_elements(self) -> tuple[Element, ...]:
        """The elements that it names."""
        return self.elements

    def touched_places(self) -> tuple[Place, ...]:
        """The target, and the source if it is named."""
        return (self.to,) if self.source is None else (self.to, self.source)


def _several(what: Iterable[Element]) -> tuple[Element, ...]:
    try:
        elements = tuple(what)
    except TypeError:
        raise RuleError(f"Move takes an Element, several, or a place, not {what!r}") from None
    for one in elements:
        if type(one) is not Element:
            raise RuleError(f"Move takes an Element, several, or a place, not {what!r}")
    return elements


def _without(lying: tuple[Element, ...], element: Element, place: Place) -> tuple[Element, ...]:
    if lying and lying[-1] is element:
        return lying[:-1]
    for number, other in enumerate(lying):
        if other is element:
            return lying[:number] + lying[number + 1 :]
    raise RuleError(f"{element} does not lie at {place}, so it cannot be moved from there")


class Distribute(Action):
    """Give elements from the top of a place to several places in turn, ``each`` to every one, or all there are.

    Each element then belongs to the owner of the place that it came to.
    """

    __slots__ = ("each", "source", "targets")

    def __init__(self, source: Place, targets: Iterable[Place] | Area, each: int | None = None) -> None:
        super().__init__()
        self.source = source
        self.targets: tuple[Place, ...] = targets.positions if isinstance(targets, Area) else tuple(targets)
        self.each = each
        if not self.targets:
            raise RuleError("Distribute needs places to give to")

    def do(self, table: Table) -> None:
        """Give one to each place in turn."""
        lying = table.contents[self.source.index]
        total = len(lying) if self.each is None else self.each * len(self.targets)
        if total > len(lying):
            raise RuleError(f"{self.describe()}: only {len(lying)} lie there")
        for number, element in enumerate(reversed(lying[len(lying) - total :])):
            target = self.targets[number % len(self.targets)]
            Move(element, target, source=self.source).do(table)
            if not element.is_endless:
                table.write(table.owners, element.index, target.owner)

    def short(self, table: Table) -> str:
        """The word ``deal``."""
        return "deal"

    def describe(self) -> str:
        """``distribute deck to North East each 13``."""
        each = "" if self.each is None else f" each {self.each}"
        return f"distribute {word(self.source)} to {words(self.targets)}{each}"


class Sort(Action):
    """Sort what lies at a place by attributes."""

    __slots__ = ("by", "place")

    def __init__(self, place: Place, *by: str) -> None:
        super().__init__()
        self.place = place
        self.by = by

    def do(self, table: Table) -> None:
        """Sort it."""
        lying = table.contents[self.place.index]
        ordered = sorted(lying, key=lambda element: tuple(table.get(name, of=element) for name in self.by))
        table.write(table.contents, self.place.index, tuple(ordered))

    def describe(self) -> str:
        """``sort hand by suit rank``."""
        return f"sort {word(self.place)} by {' '.join(self.by)}"
