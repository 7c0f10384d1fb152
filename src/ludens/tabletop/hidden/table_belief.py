"""Beliefs of players in games with secret places, where worlds are no permutations of what lies on the table.

Every state of a belief has a history that the player would have perceived as it did. When few states survive a turn,
histories are repaired: an unseen move of another player is replaced, preferably by one at the places that the turn
names, and the turns after it are played again. If that fails within its budget, the belief begins anew with tables that
agree with what the player sees now, whose histories begin with this turn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from ludens.core import JointMove, LudensError, Move, PerceptView, Role, State
from ludens.core.belief import BELIEF_SIZE
from ludens.tabletop.actions.randomness import SEPARATOR
from ludens.tabletop.hidden.determinisation import Sampler
from ludens.tabletop.hidden.table_state import TableState

FEW = 24
"""With fewer states than this, histories are repaired."""
REPAIRS, MOST_REPAIRS = 40, 400
"""Attempts at repairing a history if few states are left, and if none is."""
RECENT = 24
"""Turns in which moves are replaced."""
KEPT = 0.9
"""The probability that a move after a replaced one stays the same, where it can."""
TRIED_MOVES = 6
"""Moves of the others that are tried in a turn."""
FRESH = 24
"""Tables with which a belief begins anew."""


class TableBelief(PerceptView):
    """What a player believes from its own moves and percepts, and what it saw after each turn."""

    state: TableState
    """The position; only what the player sees of it is used."""
    seen: Mapping[str, Any]
    """What the player sees now."""
    is_fresh: bool = False
    """True if the belief began anew here, because no history was found within the budget."""

    def _fits(self, state: State) -> bool:
        view: Any = state.view(self.role)
        return super()._fits(state) and bool(view.observation == self.seen)

    def _fill(self, rng: Random) -> None:
        chain: list[Any] = self.history
        start = max(number for number, view in enumerate(chain) if view._states)
        for number in range(start + 1, len(chain)):
            before, view = chain[number - 1], chain[number]
            found = view._successors(before._states, rng, BELIEF_SIZE)
            if not found or len(found) < min(FEW, len(before._states)):
                found = view._repair(chain[: number + 1], found, rng)
            view._states = found or view._begin_anew(rng)

    def _repair(self, chain: Sequence[TableBelief], found: dict[State, float], rng: Random) -> dict[State, float]:
        """More states that fit after this turn, by changing the histories of states before it."""
        before = list(chain[-2]._states)
        share = 1 / max(len(found), 1)
        for attempt in range(MOST_REPAIRS):
            if len(found) >= FEW or (found and attempt >= REPAIRS):
                break
            state = rng.choice(before)
            assert isinstance(state, TableState)
            after = self._change_history(chain, state.history, rng)
            if after is not None:
                found.setdefault(after, share)
        total = sum(found.values())
        return {state: weight / total for state, weight in found.items()}

    def _change_history(
        self, chain: Sequence[TableBelief], states: Sequence[TableState], rng: Random
    ) -> TableState | None:
        """The state after this turn in a history with another move; None if it does not fit."""
        turns = len(states) - 1
        replaced = turns - int(rng.random() ** 2 * min(turns, RECENT)) if turns else 1
        world: TableState | None = states[replaced - 1]
        near = _names_pattern(self).findall(" ".join((*self.percepts, self.move or "")))
        for number in range(replaced, turns + 2):
            view = chain[len(chain) - 2 - turns + number]
            turn = states[number].turn if number <= turns else None
            old = {mover: text for mover, _, text in turn.done} if turn is not None else None
            assert world is not None
            world = view._step(world, None if number == replaced else old, near, rng)
            if world is None:
                return None
        return world

    def _step(self, world: TableState, old: JointMove | None, near: Sequence[str], rng: Random) -> TableState | None:
        """A state after this turn that fits: after the old moves, or after others."""
        for attempt in range(TRIED_MOVES):
            if old is not None and attempt == 0 and rng.random() < KEPT:
                joint_move = old
            else:
                joint_move = self._draw_moves(world, near, rng)
            try:
                after = world.play(world.resolve(joint_move, rng))
            except LudensError:
                continue
            if self._fits(after):
                return after
            if self.move is not None and len(joint_move) == 1:
                return None  # the player's own move alone: nothing else can be tried
        return None

    def _draw_moves(self, world: TableState, near: Sequence[str], rng: Random) -> dict[Role, Move]:
        """The player's own move, and random ones of the others, half of them at some places if there are any."""
        drawn: dict[Role, Move] = {} if self.move is None else {self.role: self.move}
        for role in world.game.roles:
            legal = world.legal_moves(role) if role != self.role else ()
            if legal:
                close = [move for move in legal if any(name in move for name in near)] if rng.random() < 0.5 else []
                drawn[role] = rng.choice(close or legal)
        return drawn

    def _begin_anew(self, rng: Random) -> dict[State, float]:
        """Tables that agree with what the player sees, and nothing else."""
        sampler = Sampler(self.state, self.role)
        self.is_fresh = True
        found: dict[State, float] = {}
        for _ in range(FRESH):
            table = sampler.table_of(sampler.draw(rng))
            found[type(self.state)(self.state.game, table)] = 1 / FRESH
        return {state: 1 / len(found) for state in found}


@lru_cache(maxsize=64)
def _pattern(names: frozenset[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))


def _names_pattern(belief: TableBelief) -> re.Pattern[str]:
    """Finds names of positions in a text."""
    return _pattern(frozenset(position.name for position in belief.state.game.inventory.positions))


def belief_of(state: TableState, role: Role) -> TableBelief:
    """What a role believes in a state whose history is known; kept with the states of that history."""
    waiting: list[TableState] = []
    at: TableState | None = state
    belief: TableBelief | None = None
    while at is not None and belief is None:
        belief = at.kept.get(("belief", role))
        if belief is None:
            waiting.append(at)
            at = at.previous
    for one in reversed(waiting):
        turn, legal = one.turn, tuple(one.legal_moves(role))
        if belief is None or turn is None:
            belief = TableBelief(one.game, role, one, legal)
        else:
            own = next((text.partition(SEPARATOR)[0] for mover, _, text in turn.done if mover == role), None)
            belief = belief.after(own, one.percepts(role), legal)
        view: Any = one.view(role)
        belief.state, belief.seen = one, view.observation
        one.kept["belief", role] = belief
    assert belief is not None
    return belief
