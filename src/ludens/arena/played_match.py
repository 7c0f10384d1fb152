"""Matches to play and played matches, as plain values for other processes and the store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ludens.core import Role
from ludens.referee.summary import Summary


@dataclass(frozen=True, slots=True)
class Task:
    """One match to be played."""

    key: str
    """The unique key of the match in its tournament."""
    game: str
    """The name or path of the game, with parameters."""
    seats: tuple[tuple[str, str], ...]
    """For each role, in their order: the name of the player in the tournament, and the player with its options."""
    clock: float
    """Seconds for each move."""
    start_clock: float
    """Seconds before the first move."""
    seed: int


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match."""

    key: str
    game: str
    roles: tuple[Role, ...]
    players: tuple[str, ...]
    """The players, in the order of roles."""
    goals: tuple[int, ...]
    points: tuple[float, ...]
    errors: tuple[int, ...]
    """The number of timeouts, illegal moves and crashes of each player."""
    turns: int
    seconds: float
    clock: float
    seed: int
    reason: str
    """Why it ended, as in the record."""
    record: bytes = field(default=b"", repr=False)
    """The record, compressed by gzip."""

    def goal_of(self, player: str) -> float:
        """The mean goal of a player, who may have several roles."""
        goals = [goal for name, goal in zip(self.players, self.goals, strict=True) if name == player]
        return sum(goals) / len(goals)

    def standings(self) -> dict[str, float]:
        """The goal of each player."""
        return {player: self.goal_of(player) for player in dict.fromkeys(self.players)}


def duel_score(played: PlayedMatch, first: str, second: str) -> float:
    """The first player's score in a match against the second: 1, 0.5 or 0."""
    own, other = played.goal_of(first), played.goal_of(second)
    return 0.5 if own == other else float(own > other)


def summary_of(matches: Iterable[PlayedMatch]) -> Summary:
    """Each player's results, without matches of a player against itself."""
    matches = list(matches)
    summary = Summary(sorted({name for played in matches for name in played.players}))
    for played in matches:
        if len(set(played.players)) == len(played.players):
            seats = dict(zip(played.roles, played.players, strict=True))
            goals = dict(zip(played.roles, played.goals, strict=True))
            summary.add(seats, goals, dict(zip(played.roles, played.errors, strict=True)))
    return summary


def by_game(matches: Sequence[PlayedMatch]) -> Mapping[str, list[PlayedMatch]]:
    """The matches of each game, in the order in which games first appear."""
    groups: dict[str, list[PlayedMatch]] = {}
    for played in matches:
        groups.setdefault(played.game, []).append(played)
    return groups
