"""What happens in a match, as values: record, terminal and spectators all read this one stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ludens.core import Clock, Decision, Move, OptionValue, Role, State


@dataclass(frozen=True, slots=True)
class PlayerFailed:
    """A player crashed, was late, or answered with an illegal move, for which a random one was played instead."""

    role: Role
    kind: str
    """``crash``, ``late`` or ``illegal``."""
    message: str


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The players are ready."""

    game: str
    roles: tuple[Role, ...]
    players: Mapping[Role, str]
    """The name of each role's player."""
    settings: Mapping[Role, Mapping[str, OptionValue]]
    """The options of each role's player."""
    clock: Clock
    seed: int
    rules_hash: str
    """SHA-256 of the text of the rules."""
    failures: tuple[PlayerFailed, ...]
    """Players that could not get ready in time; they are asked for moves all the same."""
    state: State


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """A joint move was made."""

    id: int
    """The number of the turn, from 1."""
    parent: int
    """The turn that it follows; 0 for the start."""
    joint_move: Mapping[Role, Move]
    decisions: Mapping[Role, Decision]
    """What the players that had a choice thought."""
    seconds: Mapping[Role, float]
    """Time used by each player that had a choice."""
    failures: tuple[PlayerFailed, ...]
    state: State
    """The state after the move."""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over."""

    goals: Mapping[Role, int]
    turns: int
    failures: Mapping[Role, int]
    """How often each role's player failed."""
    finished: bool
    """False if the match was stopped by its limit of turns before a terminal state."""


Event: TypeAlias = MatchStarted | TurnPlayed | MatchEnded
