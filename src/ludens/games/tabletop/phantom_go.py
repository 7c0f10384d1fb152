"""Phantom Go: Go in which neither player sees the other's stones, and the referee refuses illegal moves."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.games.tabletop.go import Go
from ludens.tabletop import Action, Do, Each, Option, Position, Refuse, Table, Tell


class PhantomGo(Go):
    """A player tries a point; if the referee refuses, it tries another."""

    name = "Phantom Go"
    options = (
        Option("size", 7, "points along a side of the board", 2, 19),
        Option("komi", 0.5, "points that White gets", -400.0, 400.0),
        Option("turns", 0, "turns before the board is scored as it is; 0 means two per point", 0, 5000),
    )
    visibility = "secret"
    secrets = ("board", "past")

    def stone(self, table: Table) -> Sequence[Action]:
        """Try any point that the player does not know to be illegal, or pass."""
        player = table.current_player
        own = self.stones[self.players.index(player)]
        allowed = self.captures(table)
        contents = [table[point] for point in self.points]
        open_to_try = [
            number
            for number, point in enumerate(self.points)
            if own not in contents[number] and not table.has_found(player, point)
        ]

        def make(number: int | None) -> Action:
            if number is None:
                return self.pass_turn(table)
            point, taken = self.points[number], allowed.get(number)
            if contents[number]:
                action: Action = Refuse("the point is occupied", point)
            elif taken is None:
                action = Refuse("the move is suicide or repeats the board", point)
            else:
                action = Do(self.put, point, *(self.points[stone] for stone in taken))
            return action.named(point.name)

        return Each([*open_to_try, None], make)

    def put(self, table: Table, point: Position, *taken: Position) -> Action:
        """Place a stone; the referee announces captured stones."""
        action = super().put(table, point, *taken)
        if taken:
            names = " ".join(stone.name for stone in taken)
            action += Tell(f"{table.current_player} takes {names}")
        return action

    def possible(self, table: Table) -> bool:
        """No chain is without liberties."""
        return all(liberties for _, liberties in self.chains(self.colours(table)))
