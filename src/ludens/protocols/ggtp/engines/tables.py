"""An engine's tables: its knowledge of the play, from the moves or percepts that the Rules send."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from random import Random

from ludens.core import Game, Move, Observation, PerceptView, Role, State, View
from ludens.protocols.ggtp.plays.play import Play
from ludens.tabletop.game import TabletopGame
from ludens.tabletop.hidden.percept_view import TablePerceptView
from ludens.tabletop.hidden.sampled_tables import Tables as SampledTables


class Tables(ABC):
    """The knowledge of one role. Moves are played at once; undone turns can be redone."""

    def __init__(self, game: Game, role: Role) -> None:
        self.game = game
        self.role = role

    @property
    @abstractmethod
    def view(self) -> View:
        """What the role knows now."""

    @abstractmethod
    def made_move(self, role: Role, move: Move) -> Observation | None:
        """Add a move; returns the observation if that completes a turn."""

    @abstractmethod
    def percept(self, text: str | None) -> Observation | None:
        """Add a percept; without text, the turn is complete."""

    def possible_moves(self, moves: Sequence[Move]) -> None:  # noqa: B027 - open tables know
        """Set the role's legal moves."""

    @abstractmethod
    def undone_move(self) -> bool:
        """Take back the last turn; False if there is none."""

    @abstractmethod
    def redone_move(self) -> Observation | None:
        """Redo a turn that was taken back, if there is one."""

    @abstractmethod
    def observations(self) -> Iterator[Observation]:
        """The observations of all turns so far, for a player that joins later."""

    @abstractmethod
    def states(self, count: int, rng: Random) -> Sequence[State]:
        """The tables: complete states that the role considers possible."""


class OpenTables(Tables):
    """Nothing is hidden: there is one table, and the moves lead to it."""

    def __init__(self, game: Game, role: Role) -> None:
        super().__init__(game, role)
        self._play = Play(game, 0)

    @property
    def view(self) -> View:
        """The state itself."""
        return self._play.state.view(self.role)

    def made_move(self, role: Role, move: Move) -> Observation | None:
        """Play the move, with chance as the Rules drew it."""
        turn = self._play.force(role, move)
        return None if turn is None else self._observation()

    def percept(self, text: str | None) -> Observation | None:
        """Do nothing: moves are enough."""
        return None

    def undone_move(self) -> bool:
        """Go back by one turn."""
        return self._play.step_back()

    def redone_move(self) -> Observation | None:
        """Go forward by one turn."""
        return self._observation() if self._play.step_forward() else None

    def states(self, count: int, rng: Random) -> Sequence[State]:
        """The state."""
        return [self._play.state]

    def observations(self) -> Iterator[Observation]:
        """The moves of each turn."""
        for number in range(1, len(self._play.line) + 1):
            yield self._observation(number)

    def _observation(self, number: int = 0) -> Observation:
        """The observation of a turn, by the number of turns; by default the last."""
        number = number or len(self._play.line)
        turn = self._play.turns[self._play.line[number - 1]]
        view = turn.state.view(self.role)
        percepts = tuple(turn.state.percepts(self.role))
        return Observation(number, view, turn.joint_move.get(self.role), turn.joint_move, percepts)


class HiddenTables(Tables):
    """Only the role's moves and percepts are known: tables are sampled from them."""

    def __init__(self, game: Game, role: Role) -> None:
        super().__init__(game, role)
        initial = game.initial_state()
        first: PerceptView | TablePerceptView = (
            TablePerceptView(game, role)
            if isinstance(game, TabletopGame)
            else PerceptView(game, role, initial, initial.legal_moves(role))
        )
        self._views = [first]
        self._undone: list[PerceptView | TablePerceptView] = []
        self._move: Move | None = None
        self._told: list[str] = []
        self._sampled: tuple[int, SampledTables] | None = None

    @property
    def view(self) -> View:
        """The role's view."""
        return self._views[-1]

    def made_move(self, role: Role, move: Move) -> Observation | None:
        """Store the role's move until the turn is complete."""
        if role == self.role:
            self._move = move
        return None

    def percept(self, text: str | None) -> Observation | None:
        """Store a percept; without text, complete the turn."""
        if text is not None:
            self._told.append(text)
            return None
        self._views.append(self._views[-1].after(self._move, tuple(self._told)))
        self._undone.clear()
        self._move, self._told = None, []
        return self._observation()

    def possible_moves(self, moves: Sequence[Move]) -> None:
        """Set the legal moves, with which sampled states must agree."""
        if len(self._views) > 1:
            last = self._views[-1]
            self._views[-1] = self._views[-2].after(last.move, last.percepts, moves)

    def undone_move(self) -> bool:
        """Drop the last turn."""
        if len(self._views) == 1:
            return False
        self._undone.append(self._views.pop())
        return True

    def redone_move(self) -> Observation | None:
        """Restore the turn."""
        if not self._undone:
            return None
        self._views.append(self._undone.pop())
        return self._observation()

    def states(self, count: int, rng: Random) -> Sequence[State]:
        """Sampled states; in games in Python they are kept between questions as long as they are consistent."""
        view = self.view
        if not isinstance(view, TablePerceptView):
            return [view.sample(rng) for _ in range(count)]
        if self._sampled is None or self._sampled[0] != count:
            self._sampled = count, SampledTables(count, rng)
        sampled = self._sampled[1]
        sampled.observe(view)
        return sampled.states

    def observations(self) -> Iterator[Observation]:
        """The own move and the percepts of each turn."""
        for number in range(1, len(self._views)):
            yield self._observation(number)

    def _observation(self, number: int = -1) -> Observation:
        """The observation of a turn, by its number; by default the last."""
        number %= len(self._views)
        view = self._views[number]
        return Observation(number, view, view.move, None, view.percepts)


def tables_of(game: Game, role: Role) -> Tables:
    """The tables of an engine that plays a role."""
    return HiddenTables(game, role) if game.hidden else OpenTables(game, role)
