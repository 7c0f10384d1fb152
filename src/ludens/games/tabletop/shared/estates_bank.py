"""The bank of Estates: who owns what, and how debts are paid."""

from __future__ import annotations

from collections.abc import Iterator

from ludens.games.tabletop.shared.estates_board import BY_NAME, GROUPS, NUMBER, SQUARES
from ludens.tabletop import Action, Element, Mark, Move, Pass, Rule, Set, Table


class Bank(Rule):
    """Queries and actions about money and streets in Estates. Streets have attributes ``landlord`` and ``houses``,
    the table lists players who are ``out``, and each player has a score ``money NAME``."""

    pieces: dict[str, Element]
    """The piece of each player."""

    @staticmethod
    def money(table: Table, player: str) -> int:
        """The cash of a player."""
        count: int = table.value(table.score(f"money {player}"))
        return count

    @staticmethod
    def landlord(table: Table, name: str) -> str:
        """The owner of a street; empty if it has none."""
        owner: str = table.get("landlord", of=table.position(name))
        return owner

    @staticmethod
    def houses(table: Table, name: str) -> int:
        """The number of houses on a street."""
        count: int = table.get("houses", of=table.position(name))
        return count

    def streets_of(self, table: Table, player: str) -> list[str]:
        """The streets of a player."""
        return [
            square.name for square in SQUARES if square.can_be_owned and self.landlord(table, square.name) == player
        ]

    def active(self, table: Table) -> list[str]:
        """The players who are not bankrupt."""
        return [player for player in self.players if player not in table.get("out")]

    def has_group(self, table: Table, player: str, group: str) -> bool:
        """True if all streets of a group belong to a player."""
        return all(self.landlord(table, name) == player for name in GROUPS[group])

    def wealth(self, table: Table, player: str) -> int:
        """Money, streets and houses at their price; nothing for a bankrupt player."""
        if player not in self.active(table):
            return 0
        names = self.streets_of(table, player)
        streets = sum(BY_NAME[name].price + self.houses(table, name) * BY_NAME[name].house_price for name in names)
        return self.money(table, player) + streets

    def pay(self, table: Table, player: str, amount: int, to: str) -> Action:
        """Pay, selling houses and then streets to the bank for half their price; a player who cannot is bankrupt."""
        cash = self.money(table, player)
        action: Action = Pass()
        for name, worth, is_house in self.saleable(table, player):
            if cash >= amount:
                break
            cash += worth
            place = table.position(name)
            action += Set(place, houses=0) if is_house else Set(place, landlord="")
        paid = min(cash, amount)
        action += Mark(table.score(f"money {player}"), cash - paid - self.money(table, player))
        if to:
            action += Mark(table.score(f"money {to}"), paid)
        if cash < amount:
            action += Set(table, out=(*table.get("out"), player))
            action += Move(self.pieces[player], to=table.assortment("box"))
        return action

    def saleable(self, table: Table, player: str) -> Iterator[tuple[str, int, bool]]:
        """Sales to the bank in order: all houses of a street, then streets, the cheapest first."""
        names = sorted(self.streets_of(table, player), key=lambda name: (BY_NAME[name].price, NUMBER[name]))
        for name in names:
            if count := self.houses(table, name):
                yield name, count * (BY_NAME[name].house_price // 2), True
        for name in names:
            yield name, BY_NAME[name].price // 2, False
