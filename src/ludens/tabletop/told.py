"""The view of a player who is only told what it perceives: it keeps one complete table that could be the real one.

Engines behind a protocol have no other. As soon as one table fits all that was told, every other one that does is a
permutation of what the player cannot place, so it is guessed from in the same way as from the real table.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random

from ludens.core import GameError, Move, Role, State
from ludens.tabletop.following import Told, followed
from ludens.tabletop.game import TabletopGame
from ludens.tabletop.guess import Guesser
from ludens.tabletop.view import GuessingView, TableView

RETRIES = 6
"""How often tables are guessed anew from further and further back when no table fits any more."""


class ToldView(GuessingView):
    """What a role knows of a tabletop game whose real table it never sees: its own moves and percepts.

    Views of one match are a chain: `after` gives the next one. Tables are looked for when somebody asks.
    """

    def __init__(self, game: TabletopGame, role: Role) -> None:
        self.game: TabletopGame = game
        self.role = role
        self.previous: ToldView | None = None
        """The view before the last turn; None at the beginning."""
        self.told = Told(role, None, (), None)
        """What the role was told of that turn."""
        self._legal: Sequence[Move] | None = None
        self._table: TableView | None = TableView(game.initial_state(), role)

    def after(self, move: Move | None, percepts: Sequence[str], legal_moves: Sequence[Move] | None = None) -> ToldView:
        """The view after a turn, with the moves that the role has now, if it is told."""
        view = ToldView.__new__(ToldView)
        view.game, view.role, view.previous = self.game, self.role, self
        view._legal, view._table = legal_moves, None
        view.told = Told(self.role, move, tuple(percepts), None if legal_moves is None else frozenset(legal_moves))
        return view

    @property
    def move(self) -> Move | None:
        """The own move in the last turn."""
        return self.told.move

    @property
    def percepts(self) -> tuple[str, ...]:
        """What the role was told after it."""
        return self.told.percepts

    @property
    def legal_moves(self) -> Sequence[Move]:
        """The moves that the role was told; those on a table that fits if it was not."""
        return self.table(Random(0)).legal_moves if self._legal is None else self._legal

    @property
    def guesser(self) -> Guesser:
        """What makes guesses for this player here."""
        return self.table(Random(0)).guesser

    def sample(self, rng: Random) -> State:
        """A complete state that fits all the role was told."""
        return self.table(rng).sample(rng)

    def table(self, rng: Random) -> TableView:
        """The view of the role on a table that fits. Raises `GameError` if none is found."""
        if self._table is None:
            self._fill(rng)
        if self._table is None:
            raise GameError(f"{self.game.name}: no table was found that fits what {self.role} was told")
        return self._table

    def _fill(self, rng: Random) -> None:
        chain = self._history()
        filled = [n for n, view in enumerate(chain) if view._table is not None]
        for attempt in range(RETRIES):
            first = max((n for n in filled if n <= filled[-1] - (2**attempt - 1)), default=0)
            if attempt:
                chain[first]._guess_anew(rng)
            for before, view in itertools.pairwise(chain[first:]):
                assert before._table is not None
                state = followed(before._table.guesser, view.told, rng)
                view._table = None if state is None else TableView(state, self.role)
                if view._table is None:
                    break
            if self._table is not None or (attempt and first == 0):
                return

    def _guess_anew(self, rng: Random) -> None:
        """Take another table that fits."""
        assert self._table is not None
        guesser = self._table.guesser
        self._table = TableView(guesser.with_past(guesser.fresh(rng)), self.role)

    def _history(self) -> list[ToldView]:
        """All views from the beginning, or from the last one that has a table, to this one."""
        found = [self]
        while (before := found[-1].previous) is not None:
            found.append(before)
        return found[::-1]
