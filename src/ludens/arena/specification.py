"""The specification of a competition: players, games and format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from ludens.core import BEST_GOAL, LudensError

MOST_MATCHES = 1_000_000
"""Matches of one competition."""


class SpecificationError(LudensError):
    """A competition that cannot be held, or a result that does not belong to it."""


class Format(StrEnum):
    """The pairing system."""

    ROUND_ROBIN = "round-robin"
    """Every pair meets; in games for more than two, every group of that size."""
    SWISS = "swiss"
    """In each round, players with similar scores who have not met yet are paired."""
    KNOCK_OUT = "knock-out"
    """The loser of an encounter is out."""
    LADDER = "ladder"
    """Neighbours meet, and change places if the lower one wins."""
    GAUNTLET = "gauntlet"
    """The first player meets all others."""


@dataclass(frozen=True, slots=True)
class Specification:
    """A competition. Raises `SpecificationError` if it cannot be held."""

    players: tuple[str, ...]
    """Their names, each once; the order is the seeding, the strongest first, and breaks ties."""
    games: tuple[str, ...]
    """Every encounter is played in each of them."""
    format: Format = Format.ROUND_ROBIN
    seats: int = 2
    """The number of players in a match: the roles of the games."""
    rounds: int = 0
    """Rounds of Swiss and ladder; 0 for the default: the binary logarithm of the number of players, or that number."""
    repetitions: int = 1
    """Matches of an encounter in each game; seats are rotated from one to the next."""
    seed: int = 0
    """The master seed of all matches."""

    def __post_init__(self) -> None:
        for problem, is_wrong in (
            (
                "every player needs a unique name",
                len(set(self.players)) < len(self.players) or "" in self.players,
            ),
            ("it needs a game", not self.games),
            ("games must be unique; set repetitions to play one more often", len(set(self.games)) < len(self.games)),
            (
                "seats, repetitions and rounds are positive numbers",
                min(self.seats, self.repetitions) < 1 or self.rounds < 0,
            ),
            (f"the games need at least {self.seats} players, not {len(self.players)}", len(self.players) < self.seats),
            (f"{self.format} needs games for two, not {self.seats}", self.seats != 2 and self.format in _FOR_TWO),
            (f"{self.format} has as many rounds as it needs", self.rounds > 0 and self.format not in _WITH_ROUNDS),
        ):
            if is_wrong:
                raise SpecificationError(f"the competition cannot be held: {problem}")


_FOR_TWO = (Format.KNOCK_OUT, Format.LADDER)
_WITH_ROUNDS = (Format.SWISS, Format.LADDER)


@dataclass(frozen=True, slots=True)
class ScheduledMatch:
    """A scheduled match."""

    name: str
    """``round.encounter.match``, each counted from 1: the same for the same specification and results."""
    round: int
    encounter: int
    """Its number in the round."""
    game: str
    seats: tuple[str, ...]
    """The players in the order of the game's roles."""

    def seed(self, specification: Specification) -> int:
        """The seed of the match, from the competition's seed and its name."""
        return Random(f"{specification.seed} {self.name}").getrandbits(31)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match."""

    goals: tuple[float, ...]
    """The goal of each seat, in the order of the match's seats; 0 to 100."""

    def scores(self) -> tuple[float, ...]:
        """The score of each seat: the share of others with a lower goal, half for equal ones."""
        if len(self.goals) == 1:
            return (self.goals[0] / BEST_GOAL,)
        others = len(self.goals) - 1
        return tuple(
            (sum(goal > other for other in self.goals) + (sum(goal == other for other in self.goals) - 1) / 2) / others
            for goal in self.goals
        )


Results = Mapping[str, Result]
"""Results by the name of the match, in any order."""
