"""What one player sees of a table, and the states that it considers possible."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Any

from ludens.core import Move, Role, State, StateView, View
from ludens.tabletop import drawing
from ludens.tabletop.hidden.determinisation import Sampler
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.knowledge import viewers
from ludens.tabletop.material.equipment import PUBLIC, SECRET, Dice, Element, Place, Player, Score
from ludens.tabletop.rule_game import RuleGame


class SamplingView(View):
    """A view from which complete tables can be sampled."""

    @property
    @abstractmethod
    def sampler(self) -> Sampler:
        """Draws determinisations for this player."""


class TableView(StateView, SamplingView):
    """One player's knowledge of a position."""

    game: RuleGame
    _state: TableState

    def __init__(self, state: TableState, role: Role) -> None:
        super().__init__(state, role)
        self._seat = state.table.inventory.seats[role]
        self._sampler: Sampler | None = None

    @property
    def sampler(self) -> Sampler:
        """Draws determinisations for this player."""
        if self._sampler is None:
            self._sampler = Sampler(self._state, self.role)
        return self._sampler

    def sample(self, rng: Random) -> State:
        """A complete state that agrees with all the player knows."""
        return self.sampler.world(self.sampler.draw(rng))

    def shows(self, place: Place, element: Element) -> bool:
        """True if the player knows that this element lies there."""
        table = self._state.table
        if place.visibility == SECRET and table.revealed[self._seat] >> place.index & 1:
            return True
        known = table.known[self._seat] & element.bit and not element.is_endless
        return bool(known or viewers(table, element, place) >> self._seat & 1)

    def counts(self, place: Place, element: Element) -> bool:
        """True if the player knows that something lies there."""
        return place.visibility != SECRET or self.shows(place, element)

    def lying(self, place: Place) -> tuple[Element | None, ...]:
        """What the player sees at a place, the top last; None for a back. If backs are possible and the order means
        nothing, backs are first and the others in the order of the inventory."""
        seen = [
            element if self.shows(place, element) else None
            for element in self._state.table.contents[place.index]
            if self.counts(place, element)
        ]
        keeps_order = place.is_stack or place.visibility == PUBLIC
        return tuple(seen if keeps_order else sorted(seen, key=lambda element: element.index if element else -1))

    def value(self, marker: Score | Dice) -> Any:
        """The value of a score, or what dice show as far as the player sees them."""
        value = self._state.table.value(marker)
        if isinstance(marker, Dice) and marker.is_hidden_from(self.role):
            return (drawing.BACK,) * len(value)
        return value

    @property
    def information(self) -> Hashable:
        """All that the player sees."""
        seen = self.observation
        parts = (frozenset(seen[part].items()) for part in ("places", "values", "attributes"))
        return (self.role, seen["stage"], *parts)

    @property
    def observation(self) -> Mapping[str, Any]:
        """All that the player sees: what lies where, scores, dice and attributes, and the stage of the play."""
        table = self._state.table
        lying: dict[str, tuple[str, ...]] = {}
        for place in table.inventory.places:
            seen = [
                element.name if self.shows(place, element) else drawing.BACK
                for element in table.contents[place.index]
                if self.counts(place, element)
            ]
            if seen:
                lying[place.name] = tuple(seen if place.is_stack else sorted(seen))
        return {
            "places": lying,
            "values": {marker.name: self.value(marker) for marker in table.inventory.markers},
            "attributes": self._attributes(),
            "stage": table.stage,
        }

    def _attributes(self) -> dict[str, Any]:
        """What was set during the play, of elements only if the player knows where they lie."""
        table = self._state.table
        rule = self._state.game.rule
        hidden, private = set(rule.secrets), set(rule.private)
        return {
            f"{of or 'table'}.{name}": value
            for (of, name), value in table.attributes.items()
            if name not in hidden
            and (not isinstance(of, Element) or table.known[self._seat] & of.bit)
            and not (name in private and isinstance(of, Player) and of.name != self.role)
        }

    def __str__(self) -> str:
        return drawing.draw(self._state.table, self.shows, self.counts, self.value)


class PublicView(TableView):
    """What spectators see: what is open to all players, without what single players have found out."""

    def __init__(self, state: TableState) -> None:
        super().__init__(state, state.game.roles[0])
        self.role = ""

    @property
    def legal_moves(self) -> Sequence[Move]:
        """Always empty."""
        return ()

    def shows(self, place: Place, element: Element) -> bool:
        """True if all players see that this element lies there."""
        table = self._state.table
        return viewers(table, element, place) == (1 << len(table.inventory.names)) - 1

    def value(self, marker: Score | Dice) -> Any:
        """The value of a score, or of dice that everybody sees."""
        value = self._state.table.value(marker)
        return (drawing.BACK,) * len(value) if isinstance(marker, Dice) and marker.visibility != PUBLIC else value

    def _attributes(self) -> dict[str, Any]:
        """What was set during the play and is no secret, of elements only if they lie open."""
        table, rule = self._state.table, self._state.game.rule
        hidden = {*rule.secrets, *rule.private}
        return {
            f"{of or 'table'}.{name}": value
            for (of, name), value in table.attributes.items()
            if name not in hidden and (not isinstance(of, Element) or self._lies_open(of))
        }

    def _lies_open(self, element: Element) -> bool:
        place = self._state.table.where[element.index]
        return place is not None and self.shows(place, element)
