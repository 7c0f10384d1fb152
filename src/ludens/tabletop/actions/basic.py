"""Actions: all that can happen on a table. Each is done and undone exactly, can be added to others, and has a text.

The paper's ten are Pass, Move, Mark (the paper's Score; the equipment has that name), FinishPlay, Set, Del, Distribute,
Sort, Shuffle and Roll. In this package, Move, Distribute and Sort are in `moving`, Shuffle and Roll in `randomness`,
FinishPlay in `result`; Show, Tell and Refuse, for games in which players do not see everything, in `telling`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludens.tabletop import knowledge
from ludens.tabletop.actions.wording import value_word, word
from ludens.tabletop.errors import RuleError
from ludens.tabletop.material.at_hand import AT_HAND
from ludens.tabletop.material.equipment import Element, Equipment, Place, Player, Score
from ludens.tabletop.table import DELETED, NEXT, Table


class Action:
    """Something that can be done on a table."""

    __slots__ = ("goes_to", "name")
    is_chance = False
    """True if it needs a random outcome."""

    def __init__(self) -> None:
        self.name = ""
        """The text of the move; by default derived from what it does."""
        self.goes_to = ""
        """The next stage; by default the turn graph decides."""

    def named(self, name: str) -> Action:
        """The same action with this text as a move."""
        self.name = name
        return self

    def then(self, stage: str) -> Action:
        """The same action, followed by this stage."""
        self.goes_to = stage
        return self

    def __add__(self, other: Action | None) -> Action:
        if other is None:
            return self
        if not isinstance(other, Action):
            return NotImplemented
        mine = self._parts if type(self) is Sequence_ else (self,)
        theirs = other._parts if type(other) is Sequence_ else (other,)
        return Sequence_(mine + theirs, self.name or other.name, other.goes_to or self.goes_to)

    @property
    def parts(self) -> tuple[Action, ...]:
        """The actions that it consists of."""
        return (self,)

    @property
    def has_chance(self) -> bool:
        """True if some part of it needs an outcome."""
        return self.is_chance

    def do(self, table: Table) -> None:
        """Change the table. Use `Table.do`, so that it can be undone."""
        raise NotImplementedError

    def text(self, table: Table) -> str:
        """Its text as a move."""
        return self.name or self.short(table)

    def short(self, table: Table) -> str:
        """Its default text."""
        return self.describe()

    def describe(self) -> str:
        """All that it does, in words that `ludens.tabletop.actions.parsing.parse_action` understands."""
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
        """The actions that it consists of."""
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


class Do(Action):
    """Calls a method of the rule when the action is done: ``Do(self.bet, 20)``.

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
        """Do the action that the method returns, and continue with its stage."""
        before, AT_HAND.table = AT_HAND.table, table
        try:
            action = self.method(table, *self.arguments)
        finally:
            AT_HAND.table = before
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
        """The points to add; may be negative."""

    def do(self, table: Table) -> None:
        """Add the points."""
        table.write(table.values, self.score.index, table.values[self.score.index] + self.points)

    def describe(self) -> str:
        """``mark chips +10``."""
        return f"mark {word(self.score)} {self.points:+}"


Owner = Equipment | Table | str | None
"""What can have attributes: equipment, the table (or None), or a player by name."""


class Set(Action):
    """Give attributes to an equipment, the table or a player. Values must be hashable, such as numbers and tuples."""

    __slots__ = ("of", "values")

    def __init__(self, of: Owner, **values: Any) -> None:
        super().__init__()
        self.of: Equipment | str | None = None if isinstance(of, Table) else of
        self.values = values
        if self.of is not None:
            equipment = Player if isinstance(self.of, str) else type(self.of)
            for name in values:
                equipment.check_attribute(name)
        for name, value in values.items():
            try:
                hash(value)
            except TypeError:
                kind = type(value).__name__
                raise RuleError(f"Set(…, {name}=…): a {kind} can change; use a tuple or frozenset instead") from None

    def do(self, table: Table) -> None:
        """Set the attributes."""
        of = table.player(self.of) if isinstance(self.of, str) else self.of
        for name, value in self.values.items():
            table.write_attribute(of, name, value)
            if name == knowledge.FACE and isinstance(of, Element) and not table.is_light:
                knowledge.note_face(table, of)

    def describe(self) -> str:
        """``set A1 visited True``."""
        return f"set {_owner_word(self.of)} " + " ".join(
            f"{name} {value_word(value)}" for name, value in self.values.items()
        )


class Del(Action):
    """Remove attributes from an equipment, the table or a player."""

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
