"""Actions for games with hidden information: Show, Tell and Refuse."""

from __future__ import annotations

from collections.abc import Iterable

from ludens.tabletop import knowledge
from ludens.tabletop.actions.basic import Action
from ludens.tabletop.actions.wording import word, words
from ludens.tabletop.material.equipment import Element, Place
from ludens.tabletop.table import ANNOUNCED, NEXT, REFUSED, Table


class Show(Action):
    """Show elements to some players, or to all, from now on."""

    __slots__ = ("elements", "players")

    def __init__(self, elements: Element | Iterable[Element], players: str | Iterable[str] | None = None) -> None:
        super().__init__()
        self.elements = (elements,) if isinstance(elements, Element) else tuple(elements)
        self.players = None if players is None else (players,) if isinstance(players, str) else tuple(players)

    def do(self, table: Table) -> None:
        """Reveal the elements."""
        if table.is_light:
            return
        for player in self.players or table.players:
            for element in self.elements:
                knowledge.learn(table, table.inventory.seats[player], element)

    def describe(self) -> str:
        """``show 3S to North``."""
        return f"show {words(self.elements)} to {words(self.players) if self.players else 'all'}"

    def moved_elements(self) -> tuple[Element, ...]:
        """The elements that it shows."""
        return self.elements


class Tell(Action):
    """Announce something to some players, or to all, as an umpire does."""

    __slots__ = ("message", "players")

    def __init__(self, message: str, players: str | Iterable[str] | None = None) -> None:
        super().__init__()
        self.message = message
        self.players = None if players is None else (players,) if isinstance(players, str) else tuple(players)

    def do(self, table: Table) -> None:
        """Add it to the announcements of this turn."""
        heard = (self.message, self.players or table.players)
        table.write(table.play_state, ANNOUNCED, (*table.play_state[ANNOUNCED], heard))

    def describe(self) -> str:
        """``tell "check" to White``."""
        return f"tell {word(self.message)} to {words(self.players) if self.players else 'all'}"


class Refuse(Action):
    """Refuse a move that its player had to try: nothing else happens, and the player moves again."""

    __slots__ = ("place", "reason")

    def __init__(self, reason: str, place: Place | None = None) -> None:
        super().__init__()
        self.reason = reason
        self.place = place
        """The place that is revealed to the player."""

    def do(self, table: Table) -> None:
        """Record the refusal, and stay in the stage."""
        table.write(table.play_state, REFUSED, (table.current_player, self.reason))
        table.write(table.play_state, NEXT, table.stage)
        if self.place is not None:
            knowledge.find_out(table, table.inventory.seats[table.current_player], self.place)

    def describe(self) -> str:
        """``refuse "the point is occupied" at C3``."""
        return f"refuse {word(self.reason)}" + ("" if self.place is None else f" at {word(self.place)}")
