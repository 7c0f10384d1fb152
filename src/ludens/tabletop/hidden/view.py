"""What one player sees of a table, and the states that it considers possible."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Any

from ludens.core import Move, Role, State, StateView, View
from ludens.tabletop import drawing
from ludens.tabletop.hidden.determinisation import Sampler
from ludens.tabletop.hidden.information import Information, canonical_text
from ludens.tabletop.hidden.particles import draw_particle, follow
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

    @property
    def has_belief(self) -> bool:
        """True if samples are particles, and no determinisations."""
        return False

    def follow(self, world: TableState, rng: Random) -> TableState | None:
        """A particle of an earlier view, played on to this one; None if it does not fit any more."""
        return None


class TableView(StateView, SamplingView):
    """One player's knowledge of a position."""

    game: RuleGame
    _state: TableState

    def __init__(self, state: TableState, role: Role, is_sampled: bool = False) -> None:
        super().__init__(state, role)
        self._seat = state.table.inventory.seats[role]
        self._sampler: Sampler | None = None
        self._is_sampled = is_sampled
        """True if the state is a sample itself, and not the real one."""

    @property
    def sampler(self) -> Sampler:
        """Draws determinisations for this player."""
        if self._sampler is None:
            self._sampler = Sampler(self._state, self.role, self._is_sampled)
        return self._sampler

    def sample(self, rng: Random) -> State:
        """A complete state that agrees with all the player knows."""
        if self.has_belief:
            return draw_particle(self._state, self.role, rng)
        return self.sampler.world(self.sampler.draw(rng))

    @property
    def has_belief(self) -> bool:
        """True in games in which only choices are hidden, of places or others, if it is known how the state came
        about."""
        inventory = self.game.inventory
        has_choices = inventory.has_secrets or (inventory.hides_choices and not inventory.is_dealt)
        if self._is_sampled or not has_choices:
            return False
        return self._state.has_history

    def follow(self, world: TableState, rng: Random) -> TableState | None:
        """A particle of an earlier view, played on to this one; None if it does not fit any more."""
        return follow(world, self._state, self.role, rng)

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
        if _keeps_order(place):
            return tuple(seen)
        return tuple(sorted(seen, key=lambda element: element.index if element else -1))

    def value(self, marker: Score | Dice) -> Any:
        """The value of a score, or what dice show as far as the player sees them."""
        value = self._state.table.value(marker)
        if isinstance(marker, Dice) and marker.is_hidden_from(self.role):
            return (drawing.BACK,) * len(value)
        return value

    @property
    def information(self) -> Hashable:
        """The player's own moves and percepts, and what it saw and could do after each turn."""
        key = "information", self.role
        waiting: list[TableState] = []
        at: TableState | None = self._state
        found: Information | None = None
        while at is not None and found is None:
            found = at.kept.get(key)
            if found is None:
                waiting.append(at)
                at = at.recorded_previous
                if (observed := waiting[-1].kept.get(("sampled for", self.role))) is not None:
                    waiting.pop()  # the player cannot tell a sampled state from the one that it was sampled in
                    at = observed
        for state in reversed(waiting):
            seen = TableView(state, self.role).observation
            text = self.role if state.recorded_previous is None else ", ".join(state.percepts(self.role))
            found = state.kept[key] = Information(found, text, seen, state.legal_moves(self.role))
        self._state.kept[key] = found
        return found

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
                lying[place.name] = tuple(seen if _keeps_order(place) else sorted(seen))
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


def _keeps_order(place: Place) -> bool:
    """True if players see in which order elements lie at a place."""
    return place.is_ordered or place.visibility == PUBLIC


class PublicView(TableView):
    """What spectators see: what is open to all players, without what single players have found out."""

    def __init__(self, state: TableState) -> None:
        super().__init__(state, state.game.roles[0])
        self.role = ""

    @property
    def legal_moves(self) -> Sequence[Move]:
        """Always empty."""
        return ()

    @property
    def information(self) -> Hashable:
        """What spectators see now."""
        return canonical_text(self.observation)

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
