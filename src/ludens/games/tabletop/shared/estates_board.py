"""The board of Estates: squares in order, prices and rents of streets, and fates."""

from __future__ import annotations

from dataclasses import dataclass

START, STREET, STATION, TAX, FATE, PRISON, REST, TO_PRISON = (
    "start", "street", "station", "tax", "fate", "prison", "rest", "to prison",
)  # fmt: skip
MOST_HOUSES = 3
_RENT = (1, 4, 8, 14)
"""Times the base rent, by houses."""


@dataclass(frozen=True, slots=True)
class Square:
    """A square of the board."""

    name: str
    sort: str
    price: int = 0
    """The price of a street or station, or the amount of a tax."""
    group: str = ""
    """Streets of one group are built on together."""

    @property
    def can_be_owned(self) -> bool:
        """True for streets and stations."""
        return self.sort in (STREET, STATION)

    @property
    def house_price(self) -> int:
        """The price of a house."""
        return self.price // 2

    def rent(self, houses: int, owned: int, size: int) -> int:
        """The rent, by number of houses and by how much of the group the owner has."""
        if self.sort == STATION:
            return 10 if owned == 1 else 25
        base = max(self.price // 10, 1) * _RENT[houses]
        return base * 2 if owned == size and not houses else base


SQUARES = (
    Square("Start", START),
    Square("Mill Lane", STREET, 30, "brown"),
    Square("First Fate", FATE),
    Square("Ford Lane", STREET, 30, "brown"),
    Square("North Station", STATION, 50, "stations"),
    Square("Elm Street", STREET, 50, "green"),
    Square("Prison", PRISON),
    Square("Oak Street", STREET, 50, "green"),
    Square("Toll", TAX, 20),
    Square("Ash Street", STREET, 60, "green"),
    Square("Lake Road", STREET, 70, "blue"),
    Square("Second Fate", FATE),
    Square("Inn", REST),
    Square("River Road", STREET, 70, "blue"),
    Square("South Station", STATION, 50, "stations"),
    Square("Sea Road", STREET, 80, "blue"),
    Square("Rose Alley", STREET, 90, "red"),
    Square("Third Fate", FATE),
    Square("Constable", TO_PRISON),
    Square("Lily Alley", STREET, 90, "red"),
    Square("Tithe", TAX, 30),
    Square("Iris Alley", STREET, 100, "red"),
    Square("Palace Square", STREET, 120, "gold"),
    Square("Opera Square", STREET, 140, "gold"),
)
BY_NAME = {square.name: square for square in SQUARES}
NUMBER = {square.name: number for number, square in enumerate(SQUARES)}
GROUPS: dict[str, list[str]] = {}
for _square in SQUARES:
    if _square.group:
        GROUPS.setdefault(_square.group, []).append(_square.name)

GIFT, FEE, HOME, JAIL, BIRTHDAY, REPAIRS = "gift", "fee", "home", "jail", "birthday", "repairs"
FATES = (GIFT, FEE, HOME, JAIL, BIRTHDAY, REPAIRS)
"""Fates by the number on the die."""
