"""The events of a match: record, terminal and spectators all read this one stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ludens.core import Clock, Decision, JointMove, Message, Move, OptionValue, Role, State, Thinking

NOTES = frozenset({"message", "output"})
"""Kinds of failures that cost a player no move and do not count towards forfeiting."""


@dataclass(frozen=True, slots=True)
class PlayerFailed:
    """A player broke the rules of the match. If it owed a move, the best that it had published was played instead, or a
    random one if it had published none."""

    role: Role
    kind: str
    """``crash``, ``late`` or ``illegal``; or a note: ``message`` (too many or too long) or ``output`` (it printed)."""
    message: str
    turn: int = 0
    """The turn in which it happened; 0 before the first."""
    substituted: bool = False
    """True if a random legal move was made for the role."""


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The players are ready."""

    game: str
    roles: tuple[Role, ...]
    players: Mapping[Role, str]
    """The name of each role's player."""
    settings: Mapping[Role, Mapping[str, OptionValue]]
    """The options of each role's player."""
    clocks: Mapping[Role, Clock]
    seed: int
    rules_hash: str
    """SHA-256 of the text of the rules."""
    messages: bool
    """True if players may send each other messages."""
    forfeit_after: int | None
    """The number of errors with which a player forfeits the match; None for no limit."""
    failures: tuple[PlayerFailed, ...]
    """Players that failed to start in time; they are asked for moves all the same."""
    state: State


@dataclass(frozen=True, slots=True)
class PlayerThinking:
    """A player reports on its search."""

    turn: int
    """The turn it is thinking about."""
    role: Role
    thinking: Thinking


@dataclass(frozen=True, slots=True)
class MessageSent:
    """A player sent a message to others."""

    turn: int
    """The turn that was being played."""
    message: Message


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """A joint move was made."""

    id: int
    """The number of the turn, from 1; never used twice in a match."""
    parent: int
    """The turn that it follows; 0 for the start."""
    joint_move: JointMove
    """The joint move, chance resolved."""
    chosen: JointMove
    """The moves chosen; differs from the joint move only if chance was involved."""
    state: State
    """The state after the move."""
    decisions: Mapping[Role, Decision] = field(default_factory=dict)
    """The decisions of the players that were asked."""
    seconds: Mapping[Role, float] = field(default_factory=dict)
    """Time used by each player that was asked: those with a choice, and those that are always asked."""
    failures: tuple[PlayerFailed, ...] = ()
    arrivals: Mapping[Role, Move] = field(default_factory=dict)
    """In a race, the valid answers in the order of arrival; all but the winner's were refused."""
    percepts: Mapping[Role, Sequence[str]] = field(default_factory=dict)
    """The percepts of each role that has any."""
    earlier: bool = False
    """True if the turn was played before this match continued from it."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A player took its move back; the match continues after an earlier turn."""

    role: Role
    turn: int
    """The turn after which it continues; 0 for the start."""
    state: State
    """The state there."""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over."""

    goals: Mapping[Role, int]
    points: Mapping[Role, float]
    """The raw score."""
    turns: int
    """The number of turns from the start to the end."""
    failures: Mapping[Role, int]
    """How often each role's player failed."""
    reason: str
    """``terminal`` or ``forfeit``; for unfinished matches ``limit`` (of turns) or ``stopped``."""
    forfeited: Role | None = None
    """Who forfeited."""

    @property
    def finished(self) -> bool:
        """False if the match was stopped early."""
        return self.reason in {"terminal", "forfeit"}

    def as_json(self) -> dict[str, Any]:
        """The result as JSON values, as in records."""
        return {
            "goals": dict(self.goals),
            "points": dict(self.points),
            "turns": self.turns,
            "errors": dict(self.failures),
            "reason": self.reason,
            "forfeited": self.forfeited,
            "finished": self.finished,
        }


Event: TypeAlias = MatchStarted | PlayerThinking | MessageSent | PlayerFailed | TurnPlayed | TakenBack | MatchEnded
"""An event of a match."""
