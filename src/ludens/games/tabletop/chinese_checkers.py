"""Chinese checkers: two to six players cross a star by steps and chains of jumps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludens.games.tabletop.shared.ways import distances
from ludens.games.tabletop.twins.chinese_checkers import chinese_checkers_twin
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Do,
    Each,
    Element,
    EngineTwin,
    FinishPlay,
    Move,
    Option,
    Pass,
    Position,
    Rule,
    Set,
    Stage,
    Table,
    alternate,
)

POINTS = 6
SPREAD = 6
"""A lead of this many steps is worth a win probability of 75 %."""
SEATS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
"""The starting points of the star by number of players, clockwise from the topmost."""


class ChineseCheckers(Rule):
    """Bring all pegs into the opposite point."""

    name = "Chinese Checkers"
    players: Sequence[Any] = range(2, 7)
    options = (
        Option("size", 4, "holes along the side of a point", 1, 5),
        Option("turns", 150, "moves per player before pegs that have arrived are counted", 1, 5000),
    )

    def equipment(self, table: Table) -> None:
        """The star, and pegs of as many colours as there are players."""
        table.add(Area.star("board", self.settings["size"], picture="star"))
        self.holes: tuple[Position, ...] = table.area("board").positions
        self.steps = {hole: tuple(direction.target for direction in hole.directions()) for hole in self.holes}
        self.jumps = {
            hole: tuple(
                (direction.target, beyond)
                for direction in hole.directions()
                if (beyond := direction.target.step(direction.name, direction.orientation)) is not None
            )
            for hole in self.holes
        }
        self.pegs = {player: Element(str(number + 1), player=player) for number, player in enumerate(self.players)}
        table.add(Assortment("pegs", self.pegs.values(), endless=True))
        starts = SEATS[len(self.players)]
        self.home = {player: self.holes_of(point) for player, point in zip(self.players, starts, strict=True)}
        self.target = {
            player: frozenset(self.holes_of((point + POINTS // 2) % POINTS))
            for player, point in zip(self.players, starts, strict=True)
        }

        tips = {point: min(self.holes_of(point), key=lambda hole: len(self.steps[hole])) for point in range(POINTS)}
        self.ways = {
            player: distances(tips[(point + POINTS // 2) % POINTS], self.steps)
            for player, point in zip(self.players, starts, strict=True)
        }
        """For each player how far each hole is from the tip of the opposite point."""

    def holes_of(self, point: int) -> list[Position]:
        """The holes of a point of the star."""
        return [hole for hole in self.holes if hole.point == point]

    def setup(self, table: Table) -> Action:
        """Each player fills its own point."""
        action: Action = Set(table, turn=0)
        for player, holes in self.home.items():
            for hole in holes:
                action += Move(self.pegs[player], to=hole)
        return action

    def turns(self) -> list[Stage]:
        """Clockwise."""
        return alternate(self.players, self.moves)

    def moves(self, table: Table) -> Sequence[Action]:
        """Step to a neighbouring hole, or jump any number of times; a peg that has arrived stays in its point."""
        player = table.current_player
        own, target = (self.pegs[player],), self.target[player]
        contents = table.contents
        full = {hole for hole in self.holes if contents[hole.index]}
        ways = [
            (hole, to)
            for hole in self.holes
            if contents[hole.index] == own
            for to in self.targets_of(hole, full)
            if hole not in target or to in target
        ]
        return Each(ways, self.go_action) if ways else [(Pass() + self.count(table)).named("pass")]

    def go_action(self, way: tuple[Position, Position]) -> Action:
        """The action of a move."""
        hole, to = way
        return Do(self.go, hole, to).named(f"{hole.name} {to.name}")

    @staticmethod
    def count(table: Table) -> Action:
        """Count a turn."""
        return Set(table, turn=table.get("turn") + 1)

    def go(self, table: Table, source: Position, target: Position) -> Action:
        """Move a peg."""
        return Move(self.pegs[table.current_player], to=target, source=source) + self.count(table)

    def targets_of(self, hole: Position, full: set[Position]) -> list[Position]:
        """The holes that a peg can reach in one move."""
        jumped = [hole]
        seen = {hole}
        for here in jumped:
            for over, beyond in self.jumps[here]:
                # The peg itself has left its hole, so it cannot jump over it.
                if beyond not in seen and over in full and over is not hole and beyond not in full:
                    seen.add(beyond)
                    jumped.append(beyond)
        return [*jumped[1:], *(step for step in self.steps[hole] if step not in full and step not in seen)]

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return chinese_checkers_twin(self, self.holes, self.target, self.ways)

    def result(self, table: Table) -> FinishPlay | None:
        """The first player with all pegs in the opposite point wins; at the end, the one with the most there."""
        player = table.current_player
        if self.arrived_count(table, player) == len(self.home[player]):
            return FinishPlay(winners=[player], reason=f"all pegs of {player} have arrived")
        if table.get("turn") < self.settings["turns"] * len(self.players):
            return None
        return FinishPlay(points={one: self.arrived_count(table, one) for one in self.players})

    def prospects(self, table: Table) -> dict[str, float]:
        """The player whose pegs are nearer to their target is ahead."""
        contents = table.contents
        return {
            player: -sum(steps for hole, steps in ways.items() if contents[hole.index] == (self.pegs[player],)) / SPREAD
            for player, ways in self.ways.items()
        }

    def arrived_count(self, table: Table, player: str) -> int:
        """How many pegs of a player have arrived."""
        return sum(self.pegs[player] in table.contents[hole.index] for hole in self.target[player])
