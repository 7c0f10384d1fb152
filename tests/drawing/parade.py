"""A page with a score sheet: five dice, thrown up to three times, fill one line of the own sheet each turn."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from ludens.tabletop import Action, Dice, Do, FinishPlay, Mark, Roll, Rule, Score, Set, Stage, Table, alternate

NUMBERS = {"ones": 1, "twos": 2, "threes": 3}
ROWS = (*NUMBERS, "full house", "anything")


class Parade(Rule):
    """The most points on the sheet win."""

    name = "Dice parade"
    players: Sequence[Any] = range(1, 5)

    def equipment(self, table: Table) -> None:
        """Dice, and a score for each line of each sheet."""
        table.add(Dice("dice", 5))
        for player in self.players:
            for row in ROWS:
                table.add(Score(f"{row} {player}", owner=player))

    def setup(self, table: Table) -> Action:
        """The table remembers the throws of the turn and the lines that are written."""
        return Set(table, throws=0, written=())

    def turns(self) -> list[Stage]:
        """One after the other."""
        return alternate(self.players, self.choose)

    def choose(self, table: Table) -> list[Action]:
        """Throw some dice again, or write into a line that is empty."""
        player, dice, throws = table.current_player, table.dice("dice"), table.get("throws")
        if throws == 0:
            return [(Roll(dice) + Set(table, throws=1)).then(f"wait {player}")]
        moves: list[Action] = [
            Do(self.write, row).named(f"write {row}") for row in ROWS if (player, row) not in table.get("written")
        ]
        if throws < 3:
            hands = {hand for count in range(5) for hand in combinations(table.value(dice), count)}
            again = [Roll(dice, keep=hand) + Set(table, throws=throws + 1) for hand in sorted(hands)]
            moves += [move.then(f"wait {player}") for move in again]
        return moves

    def write(self, table: Table, row: str) -> Action:
        """Write the points of the dice into a line."""
        player, shown = table.current_player, table.value(table.dice("dice"))
        written = (*table.get("written"), (player, row))
        return Mark(table.score(f"{row} {player}"), _points(row, shown)) + Set(table, throws=0, written=written)

    def result(self, table: Table) -> FinishPlay | None:
        """When all lines are written, the sums count."""
        if len(table.get("written")) < len(ROWS) * len(self.players):
            return None
        sums = {player: sum(table.value(table.score(f"{row} {player}")) for row in ROWS) for player in self.players}
        return FinishPlay(points=sums)


def _points(row: str, shown: tuple[int, ...]) -> int:
    if row in NUMBERS:
        return NUMBERS[row] * shown.count(NUMBERS[row])
    if row == "full house":
        return 25 if sorted(Counter(shown).values()) == [2, 3] else 0
    return sum(shown)
