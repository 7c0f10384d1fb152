"""What one role may know of a match: all that a player receives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from random import Random
from typing import TYPE_CHECKING

from ludens.core.errors import GameError

if TYPE_CHECKING:
    from ludens.core.game import Game, Move, Role, State


class View(ABC):
    """One role's knowledge of the current position."""

    game: Game
    """The game being played."""
    role: Role
    """Whose knowledge this is."""

    @property
    @abstractmethod
    def legal_moves(self) -> Sequence[Move]:
        """The moves that the role can choose from now."""

    @property
    def information(self) -> Hashable:
        """The information set as a key, for players that keep statistics by it.

        None if a view does not know, so that all count as the same.
        """
        return None

    @abstractmethod
    def sample(self, rng: Random) -> State:
        """A complete state that is consistent with all the role knows, drawn with ``rng``.

        Where nothing is hidden it is the state itself.
        """


class Worlds(ABC):
    """The complete states that a role considers possible, kept from turn to turn by its player."""

    @abstractmethod
    def observe(self, view: View) -> None:
        """Update the states to what the role knows now."""

    @abstractmethod
    def draw(self) -> State:
        """One of the states."""


class SampledWorlds(Worlds):
    """Draws every state from the view, which caches its belief."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._view: View | None = None

    def observe(self, view: View) -> None:
        """Draw from this view from now on."""
        self._view = view

    def draw(self) -> State:
        """A sample."""
        if self._view is None:
            raise GameError("there are no worlds before the first view: call observe first")
        return self._view.sample(self._rng)


class StateView(View):
    """A view that holds the state, and shows what the role may know of it."""

    def __init__(self, state: State, role: Role) -> None:
        self.game = state.game
        self.role = role
        self._state = state

    @property
    def legal_moves(self) -> Sequence[Move]:
        """The moves that the role can choose from now."""
        return self._state.legal_moves(self.role)


class OpenView(StateView):
    """The view of a game in which every role sees everything."""

    @property
    def information(self) -> Hashable:
        """The state itself."""
        return self._state

    def sample(self, rng: Random) -> State:
        """The state itself."""
        return self._state
