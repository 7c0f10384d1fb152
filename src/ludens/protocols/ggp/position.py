"""Where a match stands, as a player behind HTTP can know it from the messages of the server."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ludens.core import JointMove, Move, Observation, Role, State, View
from ludens.gdl.game import GdlGame
from ludens.gdl.terms import arguments, signature
from ludens.gdl.write import kif
from ludens.protocols.ggp.messages import MessageError, Moves, News
from ludens.protocols.ggp.roles import roles_in_order

_DOES = ("does", 2)


class Position(ABC):
    """What one role knows of a match."""

    view: View
    """What the role knows now."""
    turn: int = 0
    """How many turns were played."""

    @abstractmethod
    def advance(self, news: News, answered: Move | None) -> Observation | None:
        """Take in what happened; None if nothing did.

        ``answered`` is the role's last answer. Raises `LudensError`, and stays as it was, if it cannot have happened.
        """


class OpenPosition(Position):
    """A match in which nothing is hidden: the state is known."""

    def __init__(self, game: GdlGame, role: Role) -> None:
        self._game = game
        self._role = role
        self._state: State = game.initial_state()
        self.view = self._state.view(role)

    def advance(self, news: News, answered: Move | None) -> Observation | None:
        """Play everybody's moves, told as a list or as percepts."""
        joint_move = self._told(news)
        if joint_move is None:
            return None
        self._state = self._state.play(joint_move)
        self.view = self._state.view(self._role)
        self.turn += 1
        return Observation(self.turn, self.view, joint_move[self._role], joint_move)

    def _told(self, news: News) -> JointMove | None:
        roles = roles_in_order(self._game)
        if isinstance(news, Moves):
            if not news.moves:
                return None
            if len(news.moves) != len(roles):
                raise MessageError(f"{len(news.moves)} moves for {len(roles)} roles")
            return dict(zip(roles, news.moves, strict=True))
        if news.move is None:
            return None
        seen = [arguments(term) for percept in news.percepts if signature(term := self._game.read(percept)) == _DOES]
        done = {kif(role): kif(move) for role, move in seen}
        if set(done) != set(roles):
            raise MessageError("without hidden information, the percepts must be (does ROLE MOVE) for every role")
        return {role: done[role] for role in roles}
