"""What may be drawn: exactly what a view shows.

The observer has one role's view, several views (then only what all of these roles know is drawn, as for spectators),
or a State, which shows everything, as in the replay of a finished match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from typing import Any, TypeAlias

from ludens.core import Game, GameError, OpenView, PerceptView, Role, State, View
from ludens.gdl.game import GdlState
from ludens.gdl.terms import Term
from ludens.tabletop import Dice, Element, Place, Score, Table, TabletopState
from ludens.tabletop.drawing import BACK
from ludens.tabletop.hidden.view import TableView
from ludens.tabletop.material.inventory import Inventory

Seen: TypeAlias = View | State | Sequence[View]
"""What may be shown: one role's view, the common part of several, or a whole state."""


@dataclass(frozen=True, slots=True)
class FactsSeen:
    """The visible facts of a state of a GDL game."""

    certain: frozenset[Term]
    """Fluents that are true in every state consistent with the knowledge."""
    possible: frozenset[Term]
    """Fluents that are true in some of them."""
    history: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The role's own moves, and its percepts after each."""


class TableSeen:
    """The visible part of a table."""

    def __init__(self, inventory: Inventory, views: Sequence[TableView], table: Table | None = None) -> None:
        self.inventory = inventory
        """The equipment."""
        self._views = views
        self._table = table

    def lying(self, place: Place) -> tuple[Element | None, ...]:
        """The elements at a place, top last; None for a back. If the order is meaningless, backs are first."""
        if self._table is not None:
            return self._table.contents[place.index]
        seen = [view.lying(place) for view in self._views]
        if len(seen) == 1:
            return seen[0]
        common = Counter(seen[0])
        for other in seen[1:]:
            common &= Counter(other)
        known = [element for element in dict.fromkeys(seen[0]) if element for _ in range(common[element])]
        return (None,) * (min(map(len, seen)) - len(known)) + tuple(known)

    def value(self, marker: Score | Dice) -> Any:
        """The value of a score or dice; hidden dice show `ludens.tabletop.drawing.BACK`."""
        if self._table is not None:
            return self._table.value(marker)
        values = [view.value(marker) for view in self._views]
        return next((value for value in values if isinstance(value, tuple) and BACK in value), values[0])

    @property
    def stage(self) -> str:
        """The stage of the play, which all players know."""
        stage: str = self._table.stage if self._table is not None else self._views[0].observation["stage"]
        return stage

    @cached_property
    def attributes(self) -> Mapping[str, Any]:
        """The attributes set during play, as ``East.bid`` or ``table.round``."""
        if self._table is not None:
            return {f"{of or 'table'}.{name}": value for (of, name), value in self._table.attributes.items()}
        seen = [view.observation["attributes"] for view in self._views]
        return {name: value for name, value in seen[0].items() if all(name in other for other in seen)}


def visible_facts(seen: Seen) -> FactsSeen:
    """The visible facts of a state of a GDL game."""
    match seen:
        case GdlState():
            return FactsSeen(seen.facts, seen.facts)
        case OpenView():
            return visible_facts(open_state(seen))
        case PerceptView():
            return _facts_of_belief(seen)
        case View() | State():
            raise GameError(f"a {type(seen).__name__} of {seen.game.name} cannot be drawn: its game is not a GDL game")
        case _:
            known = [visible_facts(view) for view in seen]
            certain = frozenset.intersection(*(one.certain for one in known))
            return FactsSeen(certain, frozenset().union(*(one.possible for one in known)))


def visible_table(seen: Seen) -> TableSeen:
    """The visible part of a table."""
    match seen:
        case TabletopState():
            return TableSeen(seen.game.inventory, (), seen.table)
        case OpenView():
            return visible_table(open_state(seen))
        case TableView():
            return TableSeen(seen.game.inventory, (seen,))
        case View() | State():
            raise GameError(f"a {type(seen).__name__} of {seen.game.name} cannot be drawn: its game has no table")
        case _:
            views = [view for view in seen if isinstance(view, TableView)]
            return TableSeen(views[0].game.inventory, views) if views else visible_table(seen[0])


def open_state(view: OpenView) -> State:
    """The state of a view that shows everything."""
    return view.sample(Random(0))


def observer(seen: Seen) -> Role | None:
    """The observing role; None if there is none."""
    return (seen.role or None) if isinstance(seen, View) else None


_MOST_KEPT = 2_000


@lru_cache(maxsize=64)
def _beliefs(game: Game) -> dict[Hashable, tuple[PerceptView, FactsSeen]]:
    """The cache of beliefs of a game's roles."""
    return {}


def _facts_of_belief(view: PerceptView) -> FactsSeen:
    """The facts in the states of a role's belief, computed from its observations alone with fixed random draws,
    so that equal knowledge gives equal drawings."""
    known = _beliefs(view.game)
    path: tuple[Hashable, ...] = (view.role,)
    own: PerceptView | None = None
    for step in view.history:
        path = (*path, (step.move, step.percepts, tuple(step.received_moves or ())))
        if path in known:
            own, _ = known[path]
            continue
        if own is None:
            own = PerceptView(view.game, view.role, view.game.initial_state(), step.received_moves)
        else:
            own = own.after(step.move, step.percepts, step.received_moves)
        if len(known) >= _MOST_KEPT:
            known.clear()
        known[path] = (own, _certain(own))
    return known[path][1]


def _certain(view: PerceptView) -> FactsSeen:
    facts = [state.facts for state in view.belief(Random(0)) if isinstance(state, GdlState)]
    history = tuple((str(turn.move or ""), turn.percepts) for turn in view.history[1:])
    return FactsSeen(frozenset.intersection(*facts), frozenset().union(*facts), history)
