"""The position of a match, tracked from the messages of the server."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ludens.core import IllegalMoveError, JointMove, Move, Observation, PerceptView, Role, View
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.terms import arguments, signature, sort_key
from ludens.gdl.write import kif
from ludens.protocols.ggp.messages import MessageError, Moves, News, Percepts

_DOES = ("does", 2)


class Position(ABC):
    """What one role knows of a match."""

    view: View
    """What the role knows now."""

    def __init__(self, game: GdlGame, role: Role) -> None:
        self._game = game
        self._role = role
        self.turn = 0
        """How many turns were played."""

    @abstractmethod
    def advance(self, news: News, answered: Move | None) -> Observation | None:
        """Advance by the news; None if there are none, or they are known already.

        ``answered`` is the role's last answer. Raises `LudensError`, unchanged, if they contradict the rules.
        """

    def _is_new(self, news: Percepts) -> bool:
        """Whether a message that numbers its turn is about the next one. Raises `MessageError` if one was missed."""
        if news.turn > self.turn + 1:
            raise MessageError(f"turn {news.turn} is reported after turn {self.turn}")
        return news.turn == self.turn + 1


class OpenPosition(Position):
    """A match in which nothing is hidden: the state is known."""

    def __init__(self, game: GdlGame, role: Role) -> None:
        super().__init__(game, role)
        self._state: GdlState = game.initial_state()
        self.view = self._state.view(role)

    def advance(self, news: News, answered: Move | None) -> Observation | None:
        """Play the joint move, given as a list or as percepts."""
        joint_move = self._joint_move(news)
        if joint_move is None:
            return None
        self._state = self._state.play(joint_move)
        self.view = self._state.view(self._role)
        self.turn += 1
        return Observation(self.turn, self.view, joint_move[self._role], joint_move)

    def _joint_move(self, news: News) -> JointMove | None:
        roles = self._game.role_terms
        if isinstance(news, Moves):
            if not news.moves:
                return None
            if len(news.moves) != len(roles):
                raise MessageError(f"{len(news.moves)} moves for {len(roles)} roles")
            return dict(zip(roles, news.moves, strict=True))
        if not self._is_new(news):
            return None
        seen = [arguments(term) for percept in news.percepts if signature(term := self._game.read(percept)) == _DOES]
        done = {kif(role): kif(move) for role, move in seen}
        if set(done) != set(roles):
            raise MessageError("without hidden information, the percepts must be (does ROLE MOVE) for every role")
        return {role: done[role] for role in roles}


class HiddenPosition(Position):
    """A match with hidden information: only the role's own moves and percepts are known."""

    def __init__(self, game: GdlGame, role: Role) -> None:
        super().__init__(game, role)
        initial = game.initial_state()
        self._view = PerceptView(game, role, initial, initial.legal_moves(role))
        self._state: GdlState | None = initial
        """The whole state, as long as the server sends joint moves."""
        self.view = self._view

    def advance(self, news: News, answered: Move | None) -> Observation | None:
        """Add the role's own move and percepts.

        A server may also send the joint move, one move for each role, from which the percepts follow. An old form of
        the message has only the percepts.
        """
        if isinstance(news, Moves):
            if news.moves is None:
                return None
            after = self._after_joint_move(news.moves)
            self._state = after
            if after is not None:
                index = list(self._game.role_terms).index(self._role)
                move, told = kif(self._game.read(news.moves[index])), tuple(after.percepts(self._role))
            elif answered is None:
                return None
            else:
                move, told = answered, news.moves
        elif self._is_new(news):
            self._state = None
            move, told = kif(self._game.read(news.move or "")), news.percepts
        else:
            return None
        percepts = tuple(map(kif, sorted(map(self._game.read, told), key=sort_key)))
        self.view = self._view = self._view.after(move, percepts)
        self.turn += 1
        return Observation(self.turn, self.view, move, None, percepts)

    def _after_joint_move(self, moves: Sequence[str]) -> GdlState | None:
        """The state after a joint move; None if it cannot be one, or the state before is not known."""
        roles = list(self._game.role_terms)
        if self._state is None or len(moves) != len(roles):
            return None
        try:
            return self._state.play(dict(zip(roles, moves, strict=True)))
        except IllegalMoveError:
            return None


def initial_position(game: GdlGame, role: Role) -> Position:
    """Where a match begins for a role."""
    return HiddenPosition(game, role) if game.hidden else OpenPosition(game, role)
