"""The view of a player who receives only percepts: it keeps one complete table that could be the real one.

Engines behind a protocol have no other. Once one table fits all percepts, every other one that fits is a permutation of
what the player cannot place, so sampling works as it does from the real table.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random

from ludens.core import GameError, Move, Role, State
from ludens.tabletop.game import TabletopGame
from ludens.tabletop.hidden.determinisation import Sampler
from ludens.tabletop.hidden.following import TurnPercepts, follow_turn
from ludens.tabletop.hidden.view import SamplingView, TableView

RETRIES = 6
"""How often tables are resampled, from earlier and earlier turns, when no table fits any more."""


class TablePerceptView(SamplingView):
    """What a role knows of a tabletop game whose real table it never sees: its own moves and percepts.

    Views of one match form a chain: `after` returns the next one. Tables are computed on demand.
    """

    def __init__(self, game: TabletopGame, role: Role) -> None:
        self.game: TabletopGame = game
        self.role = role
        self.previous: TablePerceptView | None = None
        """The view before the last turn; None at the beginning."""
        self.observed = TurnPercepts(role, None, (), None)
        """What the role perceived of that turn."""
        self._legal: Sequence[Move] | None = None
        self._table: TableView | None = TableView(game.initial_state(), role, is_sampled=True)

    def after(
        self, move: Move | None, percepts: Sequence[str], legal_moves: Sequence[Move] | None = None
    ) -> TablePerceptView:
        """The view after a turn, with the role's legal moves now, if they are known."""
        view = TablePerceptView.__new__(TablePerceptView)
        view.game, view.role, view.previous = self.game, self.role, self
        view._legal, view._table = legal_moves, None
        view.observed = TurnPercepts(
            self.role, move, tuple(percepts), None if legal_moves is None else frozenset(legal_moves)
        )
        return view

    @property
    def move(self) -> Move | None:
        """The role's own move in the last turn."""
        return self.observed.move

    @property
    def percepts(self) -> tuple[str, ...]:
        """What the role perceived of the last turn."""
        return self.observed.percepts

    @property
    def legal_moves(self) -> Sequence[Move]:
        """The legal moves that the role received; without them, those on a table that fits."""
        return self.table(Random(0)).legal_moves if self._legal is None else self._legal

    @property
    def sampler(self) -> Sampler:
        """Draws determinisations for this player."""
        return self.table(Random(0)).sampler

    def sample(self, rng: Random) -> State:
        """A complete state that fits all the role perceived."""
        return self.table(rng).sample(rng)

    def table(self, rng: Random) -> TableView:
        """The view of the role on a table that fits. Raises `GameError` if none is found."""
        if self._table is None:
            self._fill(rng)
        if self._table is None:
            raise GameError(f"{self.game.name}: found no table that fits the percepts of {self.role}")
        return self._table

    def _fill(self, rng: Random) -> None:
        chain = self._history()
        filled = [n for n, view in enumerate(chain) if view._table is not None]
        for attempt in range(RETRIES):
            first = max((n for n in filled if n <= filled[-1] - (2**attempt - 1)), default=0)
            if attempt:
                chain[first]._resample(rng)
            for before, view in itertools.pairwise(chain[first:]):
                assert before._table is not None
                state = follow_turn(before._table.sampler, view.observed, rng)
                view._table = None if state is None else TableView(state, self.role, is_sampled=True)
                if view._table is None:
                    break
            if self._table is not None or (attempt and first == 0):
                return

    def _resample(self, rng: Random) -> None:
        """Draw another table that fits."""
        assert self._table is not None
        sampler = self._table.sampler
        self._table = TableView(sampler.world(sampler.draw(rng)), self.role, is_sampled=True)

    def _history(self) -> list[TablePerceptView]:
        """All views from the beginning to this one."""
        chain = [self]
        while (before := chain[-1].previous) is not None:
            chain.append(before)
        return chain[::-1]
