"""Texts about plays: results, tables, possible moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ludens.core import BEST_GOAL, Move, PerceptView, Role, State
from ludens.gdl.board import BoardPainter
from ludens.gdl.game import GdlGame, GdlState
from ludens.protocols.ggtp.language.grammar import escape, format_list, word
from ludens.protocols.ggtp.language.options import format_value

UNFINISHED = "unfinished"


def moves_text(legal: Mapping[Role, Sequence[Move]]) -> str:
    """The possible moves of each player in one line: ``Cross=A1, B1; Circle=C1``."""
    return "; ".join(f"{escape(word(role), ',;=')}={format_list(moves)}" for role, moves in legal.items())


def pairs_text(pairs: Iterable[tuple[str, str]]) -> str:
    """Names and values in one line: ``Cross=human, Circle=Minimax``."""
    return ", ".join(f"{escape(word(name), ',;=')}={escape(value)}" for name, value in pairs)


def seconds_text(seconds: float) -> str:
    """Seconds to the millisecond, without trailing zeros."""
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


def result_text(state: State) -> str:
    """Winners, losers and draws, with goals, and points where the rule counts any."""
    if not state.is_terminal:
        return UNFINISHED
    goals, points = state.goals, state.points
    return pairs_text(
        (
            role,
            f"{_outcome(goal, goals)} {goal}"
            + ("" if points[role] == goal else f" points {format_value(points[role])}"),
        )
        for role, goal in goals.items()
    )


def _outcome(goal: int, goals: Mapping[Role, int]) -> str:
    best, worst = max(goals.values()), min(goals.values())
    if len(goals) == 1:
        return {BEST_GOAL: "winner", 0: "loser"}.get(goal, "score")
    if best == worst:
        return "draw"
    return "winner" if goal == best else "loser"


def table_text(state: State) -> str:
    """The whole table."""
    if isinstance(state, GdlState) and isinstance(state.game, GdlGame):
        return _block(BoardPainter(state.game).draw(state))
    return _block(str(state))


def _block(text: str) -> str:
    """A text of several lines starts on a new line, so that none follows a symbol."""
    return f"\n{text}" if "\n" in text else text


def view_text(state: State, role: Role) -> str:
    """The table as far as a player knows it; if it knows only percepts, these by turn."""
    view = state.view(role)
    if not state.game.hidden:
        return table_text(state)
    if not isinstance(view, PerceptView):
        return _block(str(view))
    turns = [f"{turn}. {one.move or '-'}: {format_list(one.percepts)}" for turn, one in enumerate(view.history) if turn]
    return _block("\n".join(turns)) or "no percepts yet"
