"""The standings: scores, and the scores of opponents."""

from __future__ import annotations

from dataclasses import dataclass

from ludens.arena.formats.rounds import Hall
from ludens.arena.specification import Format


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the table."""

    player: str
    score: float
    """A point for a win, half for a draw; with more than two players, the share of others with a lower goal."""
    matches: int
    wins: int
    draws: int
    losses: int
    byes: int
    """Rounds without an encounter; in a Swiss competition each counts as a win."""
    opposition: float
    """The sum of the opponents' scores over all matches, which breaks ties (Buchholz)."""


_ALONE = 99.5
"""The goal to beat in games for one player: only 100 wins, and there are no draws."""


class _Tally:
    def __init__(self) -> None:
        self.score = 0.0
        self.matches = self.wins = self.draws = self.losses = self.byes = 0
        self.opponents: list[str] = []


def standings(hall: Hall) -> tuple[Standing, ...]:
    """The table, best first; ties are broken by the seeding."""
    specification = hall.specification
    tallies = {player: _Tally() for player in specification.players}
    for match in hall.matches:
        result = hall.results.get(match.name)
        if result is None:
            continue
        best, worst = max(result.goals), min(result.goals) if len(result.goals) > 1 else _ALONE
        for player, score, goal in zip(match.seats, result.scores(), result.goals, strict=True):
            tally = tallies[player]
            tally.score += score
            tally.matches += 1
            tally.opponents += [other for other in match.seats if other != player]
            tally.draws += best == worst
            tally.wins += goal == best > worst
            tally.losses += goal < best or best < worst
    for player in (player for each in hall.rounds for player in each.byes):
        tallies[player].byes += 1
        if specification.format is Format.SWISS:
            tallies[player].score += len(specification.games) * specification.repetitions
    table = [
        Standing(
            player,
            tally.score,
            tally.matches,
            tally.wins,
            tally.draws,
            tally.losses,
            tally.byes,
            sum(tallies[other].score for other in tally.opponents),
        )
        for player, tally in tallies.items()
    ]
    seeding = {player: place for place, player in enumerate(specification.players)}
    return tuple(sorted(table, key=lambda one: (-one.score, -one.opposition, seeding[one.player])))
