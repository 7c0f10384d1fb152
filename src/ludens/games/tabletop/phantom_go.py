"""Phantom Go: Go in which neither player sees the other's stones, and the referee refuses illegal moves."""

from __future__ import annotations

from ludens.games.tabletop.go import Go
from ludens.tabletop import Action, Do, Option, Position, Refuse, Table, Tell


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

    def stone(self, table: Table) -> list[Action]:
        """Try any point that the player does not know to be illegal, or pass."""
        player = table.current_player
        own = self.stones[self.players.index(player)]
        allowed = self.captures(table)
        actions: list[Action] = []
        for number, point in enumerate(self.points):
            lying = table[point]
            if own in lying or table.has_found(player, point):
                continue
            taken = allowed.get(number)
            if lying:
                action: Action = Refuse("the point is occupied", point)
            elif taken is None:
                action = Refuse("the move is suicide or repeats the board", point)
            else:
                action = Do(self.put, point, *(self.points[stone] for stone in taken))
            actions.append(action.named(point.name))
        actions.append(self.pass_turn(table))
        return actions

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
