"""Clocks of a play: seconds for each move and for all moves of a player."""

from __future__ import annotations

from dataclasses import dataclass

from ludens.core import Role
from ludens.protocols.ggtp.plays.play import Play


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a player may think; 0 for no limit."""

    move: float
    """Seconds for each move."""
    game: float
    """Seconds for all moves."""


class Clocks:
    """The time that each player has used, turn by turn: taking a move back restores its time."""

    def __init__(self) -> None:
        self.own: dict[Role, TimeControl] = {}
        """The time controls of players that differ from the common one."""
        self._used: dict[int, dict[Role, float]] = {}
        self._running: dict[Role, float] = {}

    def begin(self) -> None:
        """Reset all clocks for a new play."""
        self._used = {}
        self._running = {}

    def add(self, role: Role, seconds: float) -> None:
        """Add a player's time for the current turn."""
        self._running[role] = self._running.get(role, 0.0) + seconds

    def end_turn(self, play: Play) -> None:
        """Book the time used on the turn that was played."""
        turn = play.turns[play.current]
        before = self._used.get(turn.parent, {})
        self._used[turn.id] = before | {role: before.get(role, 0.0) + more for role, more in self._running.items()}
        self._running = {}

    def withdraw_turn(self) -> None:
        """Drop the time of an incomplete turn."""
        self._running = {}

    def used(self, turn: int, role: Role) -> float:
        """Seconds that a player had used after a turn, 0 for the start."""
        return self._used.get(turn, {}).get(role, 0.0)

    def set_used(self, turn: int, role: Role, seconds: float) -> None:
        """Set the seconds that a player had used after a turn."""
        self._used[turn] = self._used.get(turn, {}) | {role: seconds}

    def left(self, play: Play, role: Role, control: TimeControl) -> float | None:
        """Seconds that a player has for all remaining moves; None if there is no limit."""
        if not control.game:
            return None
        return max(0.0, control.game - self.used(play.current, role) - self._running.get(role, 0.0))

    def delay(self, play: Play, role: Role, control: TimeControl) -> float | None:
        """Seconds that a player has for its move; None if there is no limit."""
        limits = [max(0.0, control.move - self._running.get(role, 0.0))] if control.move else []
        left = self.left(play, role, control)
        if left is not None:
            limits.append(left)
        return round(min(limits), 3) if limits else None
