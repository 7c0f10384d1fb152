"""What happens in a match, as values: record, terminal and spectators all read this one stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ludens.core import Clock, Decision, JointMove, Message, Move, OptionValue, Role, State, Thinking

NOTES = frozenset({"message", "output"})
"""Kinds of failures that cost a player no move and do not count towards forfeiting."""


@dataclass(frozen=True, slots=True)
class PlayerFailed:
    """A player broke the rules of the match; if it owed a move, a random legal one was played instead."""

    role: Role
    kind: str
    """``crash``, ``late`` or ``illegal``; or a note: ``message`` (too many or too long) or ``output`` (it printed)."""
    message: str
    turn: int = 0
    """The turn in which it happened; 0 while getting ready."""
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
    """The number of errors with which a player forfeits the match, if there is one."""
    failures: tuple[PlayerFailed, ...]
    """Players that could not get ready in time; they are asked for moves all the same."""
    state: State


@dataclass(frozen=True, slots=True)
class PlayerThinking:
    """A player tells how its search stands."""

    turn: int
    """The turn that it thinks about."""
    role: Role
    thinking: Thinking


@dataclass(frozen=True, slots=True)
class MessageSent:
    """A player said something to others."""

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
    """What was played, chance resolved."""
    chosen: JointMove
    """What the roles chose; differs from the joint move only by what chance made of it."""
    state: State
    """The state after the move."""
    decisions: Mapping[Role, Decision] = field(default_factory=dict)
    """What the players that were asked thought."""
    seconds: Mapping[Role, float] = field(default_factory=dict)
    """Time used by each player that was asked: those with a choice, and those that are always asked."""
    failures: tuple[PlayerFailed, ...] = ()
    arrivals: Mapping[Role, Move] = field(default_factory=dict)
    """In a race, the valid answers in the order of their arrival; those that did not win were refused."""
    percepts: Mapping[Role, Sequence[str]] = field(default_factory=dict)
    """What the rules told each role, where they told it anything."""
    earlier: bool = False
    """True if the turn was played before, and this match goes on from there."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A player took its move back; the match goes on after an earlier turn."""

    role: Role
    turn: int
    """The turn after which it goes on; 0 for the start."""
    state: State
    """The state there."""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over."""

    goals: Mapping[Role, int]
    points: Mapping[Role, float]
    """The raw score."""
    turns: int
    """How many turns lead to the end."""
    failures: Mapping[Role, int]
    """How often each role's player failed."""
    reason: str
    """``terminal``, ``forfeit``; or, before it was decided, ``limit`` (of turns) or ``stopped`` (by somebody)."""
    forfeited: Role | None = None
    """Who forfeited."""

    @property
    def finished(self) -> bool:
        """False if the match was cut off before it was decided."""
        return self.reason in {"terminal", "forfeit"}

    def as_json(self) -> dict[str, Any]:
        """What the match came to, for machines: as records, commands and pages have it."""
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
"""Whatever happens in a match."""
