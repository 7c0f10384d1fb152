"""Each against each: how players fared in the matches in which both took part."""

from __future__ import annotations

from collections.abc import Iterable

from ludens.arena.played import Played, duel_score


class Crosstable:
    """The scores of all pairs. In matches of more than two, each pair counts by who had the higher goal."""

    def __init__(self, matches: Iterable[Played]) -> None:
        self._scores: dict[tuple[str, str], list[float]] = {}
        for played in matches:
            present = list(dict.fromkeys(played.players))
            for first in present:
                for second in present:
                    if first != second:
                        self._scores.setdefault((first, second), []).append(duel_score(played, first, second))
        names = sorted({name for name, _ in self._scores})
        self.players = sorted(names, key=lambda name: (-self.points(name), name))
        """All who met somebody, those with the most points first."""

    def score(self, first: str, second: str) -> tuple[float, int] | None:
        """The first's share of points against the second, and in how many matches; None if they never met."""
        scores = self._scores.get((first, second))
        return (sum(scores) / len(scores), len(scores)) if scores else None

    def points(self, player: str) -> float:
        """All that a player made against anybody."""
        return sum(sum(scores) for (name, _), scores in self._scores.items() if name == player)

    def played(self, player: str) -> int:
        """Meetings of a player with anybody."""
        return sum(len(scores) for (name, _), scores in self._scores.items() if name == player)
