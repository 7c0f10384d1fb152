"""The Lab's board: a match of the rules as they are written now, replayed from its turns at every change."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from ludens.core import Clock, Deadline, GameError, JointMove, LudensError, Role, State
from ludens.drawing import clicks, draw
from ludens.drawing.notation import writer_of
from ludens.gdl.game import GdlState
from ludens.gdl.interpreter.game import InterpretedGame
from ludens.gdl.rules import RuleSheet
from ludens.gdl.why import explain
from ludens.web.lab.diagnostics import MOST_TURNS, NAME

OPPONENT = "flat"
"""Who plays the other roles: good enough to try rules, and at once ready."""
OPPONENT_SECONDS = 0.3
_SEED = 1


class LiveBoard:
    """A match of the rules in the editor between a person and players."""

    def __init__(self, sheet: RuleSheet, role: Role, turns: Sequence[JointMove]) -> None:
        self._game = InterpretedGame(sheet, NAME)
        self.role = role if role in self._game.roles else self._game.roles[0]
        self.state: State = self._game.initial_state()
        self.turns: list[JointMove] = []
        self._chosen: list[int] = []
        for turn in turns[:MOST_TURNS]:
            try:
                self._play(dict(turn))
            except LudensError:  # the rules have changed since: what is still legal is kept
                break

    def play(self, move: str) -> None:
        """Play the person's move; the others choose theirs, and everybody goes on until the person has a choice."""
        if move not in self.state.legal_moves(self.role):
            raise GameError(f"{move} is not a legal move of {self.role}")
        self._play(self._others() | {self.role: move})

    def go_on(self) -> None:
        """Play until the person has a choice."""
        while len(self.turns) < MOST_TURNS and not self.state.is_terminal:
            legal = self.state.legal_moves(self.role)
            if len(legal) > 1:
                return
            self._play(self._others() | {self.role: legal[0]})

    def _others(self) -> dict[Role, str]:
        chosen = {}
        for role in self._game.roles:
            if role != self.role:
                legal = self.state.legal_moves(role)
                chosen[role] = str(legal[0] if len(legal) == 1 else self._choose(role))
        return chosen

    def _choose(self, role: Role) -> str:
        from ludens.players import make_player  # noqa: PLC0415 - the first board need not wait for the players

        player = make_player(OPPONENT)
        player.start(self._game, role, _SEED, Clock(OPPONENT_SECONDS, OPPONENT_SECONDS))
        try:
            return player.choose(self.state.view(role), Deadline(OPPONENT_SECONDS)).move
        finally:
            player.stop()

    def _play(self, joint_move: JointMove) -> None:
        legal = self.state.legal_moves(self.role)
        # Each turn has a generator of its own, so that replaying turns gives the same draws.
        self.state = self.state.sample(joint_move, Random(len(self.turns)))
        if len(legal) > 1:
            self._chosen.append(len(self.turns))
        self.turns.append({role: str(move) for role, move in joint_move.items()})

    def as_json(self) -> dict[str, Any]:
        """What the page shows: the drawing, the moves, the turns so far."""
        over = self.state.is_terminal
        view = self.state.view(self.role)
        legal = () if over else view.legal_moves
        spots = clicks(self._game, view, legal)
        texts = writer_of(self._game).texts(view)
        return {
            "svg": draw(self._game, view).inline,
            "roles": list(self._game.roles),
            "role": self.role,
            "over": over,
            "goals": dict(self.state.goals) if over else None,
            "turns": self.turns,
            "chosen": self._chosen,
            "moves": [{"move": move, "label": texts[move], "spots": spots.get(move, ())} for move in legal],
        }

    def why(self, fact: str) -> dict[str, Any]:
        """Why a fact holds in this position, or does not."""
        assert isinstance(self.state, GdlState)
        return explain(self.state, self._game.read(fact)).as_json()
