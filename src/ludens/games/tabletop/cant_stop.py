"""Can't Stop: climb three columns before the others, and do not roll once too often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludens.games.tabletop.twins.cant_stop import cant_stop_twin
from ludens.tabletop import Action, Dice, Do, EngineTwin, FinishPlay, Mark, Pass, Roll, Rule, Score, Stage, Table, stage

LENGTHS = {column: 13 - 2 * abs(7 - column) for column in range(2, 13)}
"""How many steps each column has: 3 for 2 and 12, 13 for 7."""
RUNNERS = 3
TO_WIN = 3


class CantStop(Rule):
    """Four dice make two pairs, whose sums are columns to advance in with three runners."""

    name = "Can't Stop"
    players: Sequence[Any] = range(2, 5)

    def equipment(self, table: Table) -> None:
        """Four dice; where each player and the runners stand in each column."""
        table.add(Dice("dice", 4))
        for player in self.players:
            table.add(Score(f"columns {player}", owner=player))
        for column in LENGTHS:
            table.add(Score(f"runner {column}"))
            for player in self.players:
                table.add(Score(f"{player} {column}"))

    def turns(self) -> list[Stage]:
        """Each player rolls and advances until it stops or can do neither."""
        stages = []
        for number, player in enumerate(self.players):
            after = self.players[(number + 1) % len(self.players)]
            stages.append(stage(f"roll {player}", (player, self.first_roll, f"choose {player}")))
            stages.append(stage(f"choose {player}", (player, self.advance, f"decide {player}"), start=False))
            stages.append(stage(f"decide {player}", (player, self.decide, f"roll {after}"), start=False))
        return stages

    # Queries

    def stands(self, table: Table, player: str, column: int) -> int:
        """The steps that a player has in a column."""
        return int(table.value(table.score(f"{player} {column}")))

    def runner(self, table: Table, column: int) -> int:
        """The step of the runner in a column; 0 if there is none."""
        return int(table.value(table.score(f"runner {column}")))

    def is_open(self, table: Table, column: int) -> bool:
        """True if nobody has won the column, and the runner there is not at its end."""
        length = LENGTHS[column]
        return self.runner(table, column) < length and all(
            self.stands(table, player, column) < length for player in self.players
        )

    def runners(self, table: Table) -> list[int]:
        """The columns in which there are runners."""
        return [column for column in LENGTHS if self.runner(table, column)]

    # Actions

    def first_roll(self, table: Table) -> list[Action]:
        """A turn begins with a roll."""
        return [self.roll(table)]

    def roll(self, table: Table) -> Action:
        """Roll; a player who then cannot advance loses the progress of this turn."""
        return (Roll(table.dice()) + Do(self.look)).named("roll")

    def look(self, table: Table) -> Action:
        """The consequences of a roll."""
        if self.choices(table):
            return Pass().then(f"choose {table.current_player}")
        return self.clear(table).then(f"roll {table.next_player()}")

    def choices(self, table: Table) -> list[tuple[int, ...]]:
        """The columns to advance in, for each way to pair the dice."""
        one, two, three, four = table.value(table.dice())
        running = self.runners(table)
        pairs: dict[tuple[int, ...], None] = {}
        for first, second in ((one + two, three + four), (one + three, two + four), (one + four, two + three)):
            usable = [
                column
                for column in (first, second)
                if self.is_open(table, column) and (column in running or len(running) < RUNNERS)
            ]
            if len(usable) == 2 and first == second:
                twice = self.position(table, first) + 2 <= LENGTHS[first]
                pairs[(first, first) if twice else (first,)] = None
            elif len(usable) == 2 and len({*running, *usable}) <= RUNNERS:
                pairs[tuple(sorted(usable))] = None
            else:
                for column in usable:
                    pairs[(column,)] = None
        return list(pairs)

    def position(self, table: Table, column: int) -> int:
        """The position of the current player's runner, or where it would start."""
        return self.runner(table, column) or self.stands(table, table.current_player, column)

    def advance(self, table: Table) -> list[Action]:
        """Advance in the columns of a pair of sums."""
        return [
            Do(self.move, *columns).named("advance " + " ".join(map(str, columns))) for columns in self.choices(table)
        ]

    def move(self, table: Table, *columns: int) -> Action:
        """Move the runners."""
        action: Action = Pass()
        for column in dict.fromkeys(columns):
            target = self.position(table, column) + columns.count(column)
            action += Mark(table.score(f"runner {column}"), target - self.runner(table, column))
        return action

    def decide(self, table: Table) -> list[Action]:
        """Roll again, or keep the progress."""
        return [self.roll(table), Do(self.stop).named("stop")]

    def stop(self, table: Table) -> Action:
        """Move the player's markers to the runners."""
        player = table.current_player
        action = self.clear(table)
        for column in self.runners(table):
            gained = self.runner(table, column) - self.stands(table, player, column)
            action += Mark(table.score(f"{player} {column}"), gained)
            if self.runner(table, column) == LENGTHS[column]:
                action += Mark(table.score(f"columns {player}"), 1)
        return action

    def clear(self, table: Table) -> Action:
        """Remove the runners."""
        action: Action = Pass()
        for column in self.runners(table):
            action += Mark(table.score(f"runner {column}"), -self.runner(table, column))
        return action

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return cant_stop_twin(self)

    def result(self, table: Table) -> FinishPlay | None:
        """Three columns win."""
        won = [player for player in self.players if table.value(table.score(f"columns {player}")) >= TO_WIN]
        return FinishPlay(winners=won, reason=f"{won[0]} has three columns") if won else None
