"""Actions: all that can happen on a table. Each is done and undone exactly, can be added to others, and has a text.

The paper's ten are Pass, Move, Mark (the paper's Score; the equipment has that name), FinishPlay, Set, Del, Distribute,
Sort, Shuffle and Roll, the last two in `ludens.tabletop.randomness`. Show, Tell and Refuse are for games in which
players do not see everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ludens.tabletop import knowledge
from ludens.tabletop.areas import Area
from ludens.tabletop.equipment import Assortment, Element, Equipment, Place, Position, Score
from ludens.tabletop.errors import RuleError
from ludens.tabletop.result import PlayResult
from ludens.tabletop.table import DELETED, NEXT, RECENT, REFUSED, RESULT, TOLD, Table
from ludens.tabletop.wording import value_word, word, words


class Action:
    """Something that can be done on a table."""

    __slots__ = ("goes_to", "name")
    is_chance = False
    """True if doing it needs an outcome drawn at random."""

    def __init__(self) -> None:
        self.name = ""
        """What the rule calls it as a move; made from what it does if left empty."""
        self.goes_to = ""
        """The stage that the play goes to next; the turn graph decides if left empty."""

    def named(self, name: str) -> Action:
        """The same action under another name, by which players choose it."""
        self.name = name
        return self

    def then(self, stage: str) -> Action:
        """The same action, after which the play goes on in this stage."""
        self.goes_to = stage
        return self

    def __add__(self, other: Action | None) -> Action:
        if other is None:
            return self
        if not isinstance(other, Action):
            return NotImplemented
        return Sequence_((*self.parts, *other.parts), self.name or other.name, other.goes_to or self.goes_to)

    @property
    def parts(self) -> tuple[Action, ...]:
        """The single actions of which it consists."""
        return (self,)

    @property
    def has_chance(self) -> bool:
        """True if some part of it needs an outcome."""
        return self.is_chance

    def do(self, table: Table) -> None:
        """Change the table. Use `Table.do`, so that it can be undone."""
        raise NotImplementedError

    def text(self, table: Table) -> str:
        """What players call it."""
        return self.name or self.short(table)

    def short(self, table: Table) -> str:
        """The text that it has if the rule gives it none."""
        return self.describe()

    def describe(self) -> str:
        """All that it does, in words that `ludens.tabletop.wording.parse_action` understands."""
        raise NotImplementedError

    def moved_elements(self) -> tuple[Element, ...]:
        """The elements that it names, whose identity not everybody may see."""
        return ()

    def touched_places(self) -> tuple[Place, ...]:
        """The places that it names, which not everybody may see."""
        return ()

    def __repr__(self) -> str:
        return f"<{self.describe()}>"


class Sequence_(Action):  # noqa: N801 - `Sequence` is Python's; nobody names this class
    """Actions done one after the other, made with ``+``."""

    __slots__ = ("_parts",)

    def __init__(self, parts: tuple[Action, ...], name: str, goes_to: str) -> None:
        self._parts = parts
        self.name = name
        self.goes_to = goes_to

    @property
    def parts(self) -> tuple[Action, ...]:
        """The single actions of which it consists."""
        return self._parts

    @property
    def has_chance(self) -> bool:
        """True if some part of it needs an outcome."""
        return any(part.is_chance for part in self._parts)

    def do(self, table: Table) -> None:
        """Do all parts."""
        for part in self._parts:
            part.do(table)

    def short(self, table: Table) -> str:
        """The texts of its parts."""
        return " + ".join(part.text(table) for part in self._parts)

    def describe(self) -> str:
        """What its parts do."""
        return " + ".join(part.describe() for part in self._parts)

    def moved_elements(self) -> tuple[Element, ...]:
        """The elements that its parts name."""
        return tuple(element for part in self._parts for element in part.moved_elements())

    def touched_places(self) -> tuple[Place, ...]:
        """The places that its parts name."""
        return tuple(place for part in self._parts for place in part.touched_places())


class Pass(Action):
    """Do nothing."""

    __slots__ = ()

    def do(self, table: Table) -> None:
        """Nothing."""

    def describe(self) -> str:
        """The word ``pass``."""
        return "pass"


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
            if table.kit.is_hidden:
                knowledge.note_move(table, element, source, to, before)
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
        elements = ()
    if not all(type(one) is Element for one in elements) or not isinstance(what, Iterable):
        raise RuleError(f"Move takes an Element, several, or a place, not {what!r}")
    return elements


def _without(lying: tuple[Element, ...], element: Element, place: Place) -> tuple[Element, ...]:
    if lying and lying[-1] is element:
        return lying[:-1]
    for number, other in enumerate(lying):
        if other is element:
            return lying[:number] + lying[number + 1 :]
    raise RuleError(f"{element} does not lie at {place}, so it cannot be moved from there")


class Do(Action):
    """What a method of the rule makes of the table when the time comes: ``Do(self.bet, 20)``.

    Listing many such actions is cheap, because the method, which gets the table and the arguments and returns an
    action, is only called for the one that is chosen. Arguments are numbers, texts or equipment.
    """

    __slots__ = ("arguments", "method")

    def __init__(self, method: Callable[..., Action], *arguments: Any) -> None:
        self.name = ""
        self.goes_to = ""
        self.method = method
        self.arguments = arguments

    def do(self, table: Table) -> None:
        """Do what the method returns, and go on where that wants to."""
        action = self.method(table, *self.arguments)
        if not isinstance(action, Action):
            raise RuleError(f"{self.method.__qualname__}() must return an action, not {action!r}")
        action.do(table)
        if action.goes_to:
            table.write(table.play_state, NEXT, action.goes_to)

    def short(self, table: Table) -> str:
        """The name of the method and its arguments."""
        return " ".join([self.method.__name__.replace("_", " "), *map(str, self.arguments)])

    def describe(self) -> str:
        """``do bet 20``."""
        words_ = [word(one) if isinstance(one, Equipment) else value_word(one) for one in self.arguments]
        return " ".join(["do", self.method.__name__, *words_])

    def moved_elements(self) -> tuple[Element, ...]:
        """The elements among its arguments."""
        return tuple(one for one in self.arguments if isinstance(one, Element))

    def touched_places(self) -> tuple[Place, ...]:
        """The places among its arguments."""
        return tuple(one for one in self.arguments if isinstance(one, Place))


class Mark(Action):
    """Mark points in a score (the paper's action Score)."""

    __slots__ = ("points", "score")

    def __init__(self, score: Score, points: float) -> None:
        super().__init__()
        if not isinstance(score, Score):
            raise RuleError(f"Mark takes a Score of the table, not {score!r}")
        self.score = score
        self.points = points
        """What is added; less than 0 takes away."""

    def do(self, table: Table) -> None:
        """Add the points."""
        table.write(table.values, self.score.index, table.values[self.score.index] + self.points)

    def describe(self) -> str:
        """``mark chips +10``."""
        return f"mark {word(self.score)} {self.points:+}"


class FinishPlay(Action):
    """The play is over: with winners, losers, a draw, ranks (best first) or points.

    Goals follow from the first of these that is given: winners, draw, ranks, losers, points.
    """

    __slots__ = ("draw", "losers", "points", "ranks", "winners")

    def __init__(
        self,
        winners: Iterable[str] = (),
        losers: Iterable[str] = (),
        *,
        draw: bool = False,
        ranks: Iterable[str | Iterable[str]] = (),
        points: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__()
        self.winners = (winners,) if isinstance(winners, str) else tuple(winners)
        self.losers = (losers,) if isinstance(losers, str) else tuple(losers)
        self.draw = draw
        self.ranks = tuple((rank,) if isinstance(rank, str) else tuple(rank) for rank in ranks)
        self.points = None if points is None else dict(points)
        if not (self.winners or self.losers or draw or self.ranks or self.points is not None):
            raise RuleError("FinishPlay needs winners, losers, draw=True, ranks or points")

    def do(self, table: Table) -> None:
        """End the play."""
        table.write(table.play_state, RESULT, PlayResult.of(self, table.players))

    def describe(self) -> str:
        """``finish winners Cross``."""
        parts = ["finish"]
        if self.winners:
            parts.append(f"winners {words(self.winners)}")
        if self.losers:
            parts.append(f"losers {words(self.losers)}")
        if self.draw:
            parts.append("draw")
        if self.ranks:
            parts.append("ranks " + " | ".join(words(rank) for rank in self.ranks))
        if self.points is not None:
            parts.append(
                "points " + " ".join(f"{word(name)} {value_word(points)}" for name, points in self.points.items())
            )
        return " ".join(parts)


Owner = Equipment | Table | str | None
"""What can have attributes: equipment, the table (or None), or a player by name."""


class Set(Action):
    """Give attributes to an equipment, the table or a player. Values must be hashable, such as numbers and tuples."""

    __slots__ = ("of", "values")

    def __init__(self, of: Owner, **values: Any) -> None:
        super().__init__()
        self.of: Equipment | str | None = None if isinstance(of, Table) else of
        self.values = values
        for name, value in values.items():
            try:
                hash(value)
            except TypeError:
                kind = type(value).__name__
                raise RuleError(f"Set(…, {name}=…): a {kind} may change; keep a tuple or frozenset instead") from None

    def do(self, table: Table) -> None:
        """Set the attributes."""
        of = table.player(self.of) if isinstance(self.of, str) else self.of
        for name, value in self.values.items():
            table.write_attribute(of, name, value)
            if name == knowledge.FACE and isinstance(of, Element):
                knowledge.note_face(table, of)

    def describe(self) -> str:
        """``set A1 visited True``."""
        return f"set {_owner_word(self.of)} " + " ".join(
            f"{name} {value_word(value)}" for name, value in self.values.items()
        )


class Del(Action):
    """Take attributes away from an equipment, the table or a player."""

    __slots__ = ("names", "of")

    def __init__(self, of: Owner, *names: str) -> None:
        super().__init__()
        self.of: Equipment | str | None = None if isinstance(of, Table) else of
        self.names = names

    def do(self, table: Table) -> None:
        """Remove the attributes."""
        of = table.player(self.of) if isinstance(self.of, str) else self.of
        for name in self.names:
            table.write_attribute(of, name, DELETED)

    def describe(self) -> str:
        """``del A1 visited``."""
        return f"del {_owner_word(self.of)} " + " ".join(self.names)


def _owner_word(of: Equipment | str | None) -> str:
    if of is None:
        return "table"
    return f"player {word(of)}" if isinstance(of, str) else word(of)


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


class Show(Action):
    """Let some players, or all, see elements where they lie, from now on."""

    __slots__ = ("elements", "players")

    def __init__(self, elements: Element | Iterable[Element], players: str | Iterable[str] | None = None) -> None:
        super().__init__()
        self.elements = (elements,) if isinstance(elements, Element) else tuple(elements)
        self.players = None if players is None else (players,) if isinstance(players, str) else tuple(players)

    def do(self, table: Table) -> None:
        """Let them know."""
        for player in self.players or table.players:
            for element in self.elements:
                knowledge.learn(table, table.kit.seats[player], element)

    def describe(self) -> str:
        """``show 3S to North``."""
        return f"show {words(self.elements)} to {words(self.players) if self.players else 'all'}"

    def moved_elements(self) -> tuple[Element, ...]:
        """The elements that it shows."""
        return self.elements


class Tell(Action):
    """Say something to some players, or to all: an umpire's announcement."""

    __slots__ = ("message", "players")

    def __init__(self, message: str, players: str | Iterable[str] | None = None) -> None:
        super().__init__()
        self.message = message
        self.players = None if players is None else (players,) if isinstance(players, str) else tuple(players)

    def do(self, table: Table) -> None:
        """Add it to what players hear in this turn."""
        heard = (self.message, self.players or table.players)
        table.write(table.play_state, TOLD, (*table.play_state[TOLD], heard))

    def describe(self) -> str:
        """``tell "check" to White``."""
        return f"tell {word(self.message)} to {words(self.players) if self.players else 'all'}"


class Refuse(Action):
    """The referee does not allow a move that its player had to try: nothing happens but this, and it moves again."""

    __slots__ = ("place", "reason")

    def __init__(self, reason: str, place: Place | None = None) -> None:
        super().__init__()
        self.reason = reason
        self.place = place
        """The place of which the player now knows what lies there."""

    def do(self, table: Table) -> None:
        """Note the refusal, and stay in the stage."""
        table.write(table.play_state, REFUSED, (table.current_player, self.reason))
        table.write(table.play_state, NEXT, table.stage)
        if self.place is not None:
            knowledge.find_out(table, table.kit.seats[table.current_player], self.place)

    def describe(self) -> str:
        """``refuse "the point is occupied" at C3``."""
        return f"refuse {word(self.reason)}" + ("" if self.place is None else f" at {word(self.place)}")
