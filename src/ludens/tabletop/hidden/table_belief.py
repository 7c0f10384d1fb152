"""Beliefs of players in games with secret places, where worlds are no permutations of what lies on the table.

Every state of the belief has a history that the player could have perceived as it did (`ludens.core.belief`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludens.core import PerceptView, Role, State
from ludens.tabletop.actions.randomness import SEPARATOR
from ludens.tabletop.hidden.table_state import TableState


class TableBelief(PerceptView):
    """What a player believes from its own moves and percepts, and what it saw after each turn."""

    seen: Mapping[str, Any]
    """What the player sees now."""

    def _fits(self, state: State) -> bool:
        view: Any = state.view(self.role)
        return super()._fits(state) and bool(view.observation == self.seen)


def belief_of(state: TableState, role: Role) -> TableBelief:
    """What a role believes in a state whose history is known; kept with the states of that history."""
    waiting: list[TableState] = []
    at: TableState | None = state
    belief: TableBelief | None = None
    while at is not None and belief is None:
        belief = (at.kept or {}).get(("belief", role))
        if belief is None:
            waiting.append(at)
            at = None if at.turn is None else at.turn.previous
    for one in reversed(waiting):
        turn, legal, view = one.turn, tuple(one.legal_moves(role)), one.view(role)
        if belief is None or turn is None:
            belief = TableBelief(one.game, role, one, legal)
        else:
            own = next((text.partition(SEPARATOR)[0] for mover, _, text in turn.done if mover == role), None)
            belief = belief.after(own, one.percepts(role), legal)
        seen: Any = view
        belief.seen = seen.observation
        one.kept = {**(one.kept or {}), ("belief", role): belief}
    assert belief is not None
    return belief
