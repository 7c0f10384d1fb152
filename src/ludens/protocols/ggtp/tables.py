"""An engine's own tables: what it knows of the play from what the Rules tell it, move by move or percept by percept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from random import Random

from ludens.core import Game, Move, Observation, PerceptView, Role, State, View
from ludens.protocols.ggtp.play import Play
from ludens.tabletop.game import TabletopGame
from ludens.tabletop.percept_view import TablePerceptView
from ludens.tabletop.sampled_tables import Tables as SampledTables


class Tables(ABC):
    """The knowledge of one role. What the Rules say is played at once; undone turns can be redone."""

    def __init__(self, game: Game, role: Role) -> None:
        self.game = game
        self.role = role

    @property
    @abstractmethod
    def view(self) -> View:
        """What the role knows now."""

    @abstractmethod
    def made_move(self, role: Role, move: Move) -> Observation | None:
        """A move was made; what the role is told if that completes a turn."""

    @abstractmethod
    def percept(self, text: str | None) -> Observation | None:
        """The rule tells something; without text, the turn is complete."""

    def possible_moves(self, moves: Sequence[Move]) -> None:  # noqa: B027 - open tables know
        """The Rules tell what the role can choose from."""

    @abstractmethod
    def undone_move(self) -> bool:
        """The last turn was taken back; False if there was none."""

    @abstractmethod
    def redone_move(self) -> Observation | None:
        """A turn that was taken back was made again, if there is one."""

    @abstractmethod
    def observations(self) -> Iterator[Observation]:
        """What the role was told of all turns so far, for a player that comes later."""

    @abstractmethod
    def states(self, count: int, rng: Random) -> Sequence[State]:
        """The tables: complete states that the role takes for possible."""


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
        """Play it, chance as the Rules drew it."""
        turn = self._play.force(role, move)
        return None if turn is None else self._observation()

    def percept(self, text: str | None) -> Observation | None:
        """Nothing is told beside the moves."""
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
        """What a turn tells, given how many were played with it; the last if left out."""
        number = number or len(self._play.line)
        turn = self._play.turns[self._play.line[number - 1]]
        view = turn.state.view(self.role)
        percepts = tuple(turn.state.percepts(self.role))
        return Observation(number, view, turn.joint_move.get(self.role), turn.joint_move, percepts)


class HiddenTables(Tables):
    """Only the own moves and percepts are known: tables are guessed from them."""

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
        self._guessed: tuple[int, SampledTables] | None = None

    @property
    def view(self) -> View:
        """What the role can believe."""
        return self._views[-1]

    def made_move(self, role: Role, move: Move) -> Observation | None:
        """Remember the own move until the turn is complete."""
        if role == self.role:
            self._move = move
        return None

    def percept(self, text: str | None) -> Observation | None:
        """Remember what was told; without text, take it in."""
        if text is not None:
            self._told.append(text)
            return None
        self._views.append(self._views[-1].after(self._move, tuple(self._told)))
        self._undone.clear()
        self._move, self._told = None, []
        return self._observation()

    def possible_moves(self, moves: Sequence[Move]) -> None:
        """Guesses have to agree with it."""
        if len(self._views) > 1:
            last = self._views[-1]
            self._views[-1] = self._views[-2].after(last.move, last.percepts, moves)

    def undone_move(self) -> bool:
        """Forget the last turn."""
        if len(self._views) == 1:
            return False
        self._undone.append(self._views.pop())
        return True

    def redone_move(self) -> Observation | None:
        """Remember the turn again."""
        if not self._undone:
            return None
        self._views.append(self._undone.pop())
        return self._observation()

    def states(self, count: int, rng: Random) -> Sequence[State]:
        """Guesses; in games in Python they stay the same from question to question, as far as they can be true."""
        view = self.view
        if not isinstance(view, TablePerceptView):
            return [view.sample(rng) for _ in range(count)]
        if self._guessed is None or self._guessed[0] != count:
            self._guessed = count, SampledTables(count, rng)
        guessed = self._guessed[1]
        guessed.observe(view)
        return guessed.states

    def observations(self) -> Iterator[Observation]:
        """The own move and the percepts of each turn."""
        for number in range(1, len(self._views)):
            yield self._observation(number)

    def _observation(self, number: int = -1) -> Observation:
        """What a turn told, by its number; the last if left out."""
        number %= len(self._views)
        view = self._views[number]
        return Observation(number, view, view.move, None, view.percepts)


def tables_of(game: Game, role: Role) -> Tables:
    """The tables of an engine that plays a role."""
    return HiddenTables(game, role) if game.hidden else OpenTables(game, role)
