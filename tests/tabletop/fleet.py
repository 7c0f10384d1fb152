"""Fleet, a page for tests: ships in secret places, and shots of which everybody hears what they hit."""

from __future__ import annotations

from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Do,
    Element,
    FinishPlay,
    Move,
    Option,
    Position,
    Rule,
    Set,
    Stage,
    Table,
    Tell,
    everybody,
    stage,
)


class Fleet(Rule):
    """Both place their ships at once; whoever sinks all of the other's first wins."""

    name = "Fleet"
    players = ("North", "South")
    zero_sum = True
    options = (
        Option("size", 4, "rows and columns of a sea", 3, 8),
        Option("ships", 2, "ships of a player", 1, 4),
        Option("visibility", "secret", "whether the other sees that something lies there", choices=("secret", "owner")),
    )

    def equipment(self, table: Table) -> None:
        """A sea and ships for each player; the second ship is as long as the first, later ones are longer."""
        size, self.ships = self.settings["size"], self.settings["ships"]
        for player in self.players:
            columns = [f"{player[0]}{letter}" for letter in "ABCDEFGH"[:size]]
            seen = self.settings["visibility"]
            table.add(Area.grid(f"sea {player}", columns, size, owner=player, visibility=seen))
            parts = [
                Element(f"{player[0]}{ship}{part}", player=player, ship=ship)
                for ship in range(self.ships)
                for part in "abcd"[: 2 + ship // 2]
            ]
            table.add(Assortment(f"port {player}", parts, owner=player, visibility=seen))

    def turns(self) -> list[Stage]:
        """Ships are placed one after the other, both players at once."""
        names = [f"place {ship}" for ship in range(self.ships)]
        return [
            *(
                everybody(name, self.players, self.place, after)
                for name, after in zip(names, [*names[1:], "North shoots"], strict=True)
            ),
            stage("North shoots", ("North", self.shoot, "South shoots"), start=False),
            stage("South shoots", ("South", self.shoot, "North shoots"), start=False),
        ]

    def place(self, table: Table) -> list[Action]:
        """Put a ship into empty squares in a row."""
        player = table.current_player
        parts = table.elements(player=player, ship=int(table.stage.split()[1]))
        found: list[Action] = []
        for first in table.positions(area=f"sea {player}"):
            for way in "NE":
                squares = [first]
                while len(squares) < len(parts) and (after := squares[-1].step(way)) is not None:
                    squares.append(after)
                if len(squares) == len(parts) and all(map(table.is_empty, squares)):
                    moves = [Move(part, to=square) for part, square in zip(parts, squares, strict=True)]
                    found.append(sum(moves[1:], start=moves[0]).named(f"{first.name} {way}"))
        return found

    def shoot(self, table: Table) -> list[Action]:
        """Name a square of the other's sea."""
        shots = table.get("shots", (), of=table.current_player)
        squares = table.positions(area=f"sea {table.next_player()}")
        return [Do(self.hit, square).named(f"fire {square.name}") for square in squares if square.name not in shots]

    def hit(self, table: Table, square: Position) -> Action:
        """What a shot does."""
        shots = (*table.get("shots", (), of=table.current_player), square.name)
        struck = table.top(square)
        answer = "water"
        if struck is not None:
            sea = table.positions(area=f"sea {table.next_player()}")
            ship = [one.name for one in sea if (part := table.top(one)) is not None and part.ship == struck.ship]
            answer = "sunk" if set(ship) <= set(shots) else "hit"
        return Set(table.current_player, shots=shots) + Tell(answer)

    def result(self, table: Table) -> FinishPlay | None:
        """The match is over when all ships of a player are sunk."""
        player = table.current_player
        shots = table.get("shots", (), of=player)
        ships = [one for one in table.positions(area=f"sea {table.next_player()}") if table.top(one) is not None]
        return FinishPlay(winners=[player]) if ships and all(one.name in shots for one in ships) else None
