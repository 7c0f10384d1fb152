"""The crosstable: the score of each pair of players in their common matches."""

from __future__ import annotations

from collections.abc import Iterable

from ludens.arena.played_match import PlayedMatch, duel_score


class Crosstable:
    """The scores of all pairs. In matches of more than two, each pair counts by its higher goal."""

    def __init__(self, matches: Iterable[PlayedMatch]) -> None:
        self._scores: dict[tuple[str, str], list[float]] = {}
        for played in matches:
            present = list(dict.fromkeys(played.players))
            for first in present:
                for second in present:
                    if first != second:
                        self._scores.setdefault((first, second), []).append(duel_score(played, first, second))
        names = sorted({name for name, _ in self._scores})
        self.players = sorted(names, key=lambda name: (-self.points(name), name))
        """All players who met anyone, most points first."""

    def score(self, first: str, second: str) -> tuple[float, int] | None:
        """The first's share of points against the second, and the number of matches; None if they never met."""
        scores = self._scores.get((first, second))
        return (sum(scores) / len(scores), len(scores)) if scores else None

    @property
    def groups(self) -> list[list[str]]:
        """The players in groups connected by matches, directly or through others, the largest first; players of
        different groups cannot be compared."""
        group_of = {name: {name} for name in self.players}
        for first, second in self._scores:
            if group_of[first] is not group_of[second]:
                group_of[first] |= group_of[second]
                group_of.update(dict.fromkeys(group_of[second], group_of[first]))
        groups = {id(group): [name for name in self.players if name in group] for group in group_of.values()}
        return sorted(groups.values(), key=len, reverse=True)

    def points(self, player: str) -> float:
        """A player's total points."""
        return sum(sum(scores) for (name, _), scores in self._scores.items() if name == player)

    def played(self, player: str) -> int:
        """The number of pairings of a player."""
        return sum(len(scores) for (name, _), scores in self._scores.items() if name == player)
