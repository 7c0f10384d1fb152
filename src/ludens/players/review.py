"""Judges the moves of a match: what each was worth, what the best one would have been, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ludens.core import (
    BEST_GOAL,
    Clock,
    CpuDeadline,
    Game,
    JointMove,
    Move,
    MoveReport,
    Player,
    Role,
    SomeMovesView,
    State,
    View,
)
from ludens.players.registry import make_player

BEST, GOOD, UNSURE, MISTAKE, BLUNDER = "best", "good", "unsure", "mistake", "blunder"
"""Verdicts on a move."""
_MISTAKE, _BLUNDER, _GOOD = 10.0, 30.0, 5.0
"""Points that a mistake and a blunder lose at least, and a good move at most."""
_FIRST_SHARE = 0.6
"""The share of the time for all moves; the rest is for the one that was made."""
_START_SECONDS = 10.0
_STARVED = 5.0
"""Seconds for each CPU second on a machine that does something else: then the search is cut short."""
_WIDTH = 1.96 * BEST_GOAL / 2
"""The half-width of an interval of 95 % around one result of two that are as likely."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a move was worth."""

    turn: int
    """The turn in which it was made, from 1."""
    role: Role
    move: Move
    value: float
    """The expected goal of the role after it."""
    best: Move
    """The best move."""
    best_value: float
    margin: float
    """The half-width of an interval of 95 % around what the move lost; 0 if that is exact."""
    is_exact: bool
    """True if both values are proven."""

    @property
    def loss(self) -> float:
        """The points that the best move would have made more: the regret."""
        return max(0.0, self.best_value - self.value)

    @property
    def verdict(self) -> str:
        """`BEST`, `GOOD`, `MISTAKE` or `BLUNDER`, where the search is sure; otherwise `UNSURE`."""
        if self.move == self.best or (self.is_exact and self.loss == 0):
            return BEST
        if self.loss - self.margin >= _BLUNDER:
            return BLUNDER
        if self.loss - self.margin >= _MISTAKE:
            return MISTAKE
        return GOOD if self.loss + self.margin <= _GOOD else UNSURE

    def as_json(self) -> dict[str, Any]:
        """The judgement as JSON values."""
        numbers = {"value": self.value, "best_value": self.best_value, "margin": self.margin, "loss": self.loss}
        return asdict(self) | {key: round(value, 2) for key, value in numbers.items()} | {"verdict": self.verdict}


def review(game: Game, turns: Sequence[JointMove], seconds: float, seed: int = 0) -> Iterator[Judgement]:
    """Judge every move of a line of play that was a choice, each in about ``seconds`` of CPU time.

    The moves of chance are as in the line. With hidden information a move is judged by what its role knew.
    """
    players: dict[Role, Player] = {}
    try:
        state = game.initial_state()
        for number, joint_move in enumerate(turns, start=1):
            for role, move in joint_move.items():
                if role in game.roles and len(state.legal_moves(role)) > 1:
                    if role not in players:
                        players[role] = _start(game, role, seconds, seed)
                    yield _judge(players[role], state, role, move, number, seconds)
            state = state.play(joint_move)
    finally:
        for player in players.values():
            player.stop()


def judge_last(game: Game, turns: Sequence[JointMove], role: Role, seconds: float, seed: int = 0) -> Judgement | None:
    """Judge the last move of a role that was a choice, in about ``seconds``; None if there was none."""
    state, last = game.initial_state(), None
    for number, joint_move in enumerate(turns, start=1):
        if role in joint_move and len(state.legal_moves(role)) > 1:
            last = number, state, joint_move[role]
        state = state.play(joint_move)
    if last is None:
        return None
    player = _start(game, role, seconds, seed)
    try:
        number, before, move = last
        return _judge(player, before, role, move, number, seconds)
    finally:
        player.stop()


def choices(game: Game, turns: Sequence[JointMove]) -> int:
    """The number of moves that `review` judges."""
    state, count = game.initial_state(), 0
    for joint_move in turns:
        count += sum(role in game.roles and len(state.legal_moves(role)) > 1 for role in joint_move)
        state = state.play(joint_move)
    return count


def _start(game: Game, role: Role, seconds: float, seed: int) -> Player:
    player = make_player("ismcts" if game.hidden else "mcts")
    player.start(game, role, seed, Clock(seconds, _START_SECONDS))
    return player


def _judge(player: Player, state: State, role: Role, move: Move, turn: int, seconds: float) -> Judgement:
    reports = _search(player, state.view(role), _FIRST_SHARE * seconds)
    best = max(reports.values(), key=lambda report: (_value(report), report.visits))
    made = reports.get(move, MoveReport(move))
    if made.move != best.move and not (made.proven and best.proven):
        if not state.game.hidden:
            only = SomeMovesView(state, role, [move])
            made = _search(player, only, (1 - _FIRST_SHARE) * seconds).get(move, made)
        if _value(made) > _value(best):  # a longer look at it was kinder
            best = made
    is_exact = made.proven and best.proven
    margin = 0.0 if is_exact else math.hypot(_margin(made), _margin(best))
    return Judgement(turn, role, move, _value(made), best.move, _value(best), margin, is_exact)


def _search(player: Player, view: View, seconds: float) -> Mapping[Move, MoveReport]:
    decision = player.choose(view, CpuDeadline(seconds, _STARVED * seconds))
    found = {report.move: report for report in decision.thinking.moves}
    return found or {decision.move: MoveReport(decision.move, decision.thinking.value)}


def _value(report: MoveReport) -> float:
    return BEST_GOAL / 2 if report.value is None else report.value


def _margin(report: MoveReport) -> float:
    return 0.0 if report.proven else _WIDTH / math.sqrt(max(1, report.visits))
