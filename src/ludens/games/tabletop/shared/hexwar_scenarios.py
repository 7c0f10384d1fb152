"""Units, terrain and scenarios of the hex wargame: the tables of its rule."""

from __future__ import annotations

from dataclasses import dataclass

BLUE, RED = "Blue", "Red"
SIDE = 4
"""Hexes along each side of the map; rows are numbered from Blue's edge, 1, to Red's, 7."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A kind of unit."""

    name: str
    cost: int
    """Its price, and its value when destroyed."""
    attack: int
    defence: int
    reach: int
    """How far it can fire, in hexes."""
    speed: int
    """Movement points."""
    available: int
    """The maximum number per side."""


UNITS = {
    unit.name: unit
    for unit in (
        Unit("infantry", 2, 2, 3, 1, 2, 6),
        Unit("armour", 4, 4, 3, 1, 3, 4),
        Unit("artillery", 3, 3, 1, 3, 1, 3),
        Unit("recon", 1, 1, 1, 1, 4, 3),
    )
}
SYMBOL = {"infantry": "I", "armour": "A", "artillery": "G", "recon": "S"}


@dataclass(frozen=True, slots=True)
class Terrain:
    """A kind of terrain."""

    cost: int
    """Movement points to enter it; 0 if it is impassable."""
    cover: int
    """Its defence bonus."""


CLEAR, WOODS, HILL, TOWN, LAKE = "clear", "woods", "hill", "town", "lake"
TERRAIN = {
    CLEAR: Terrain(1, 0),
    WOODS: Terrain(2, 1),
    HILL: Terrain(2, 2),
    TOWN: Terrain(1, 2),
    LAKE: Terrain(0, 0),
}


@dataclass(frozen=True, slots=True)
class Scenario:
    """Objectives, map and budgets of a battle."""

    rounds: int
    budget: dict[str, int]
    rows: dict[str, tuple[int, ...]]
    """Where each side deploys."""
    terrain: dict[str, str]
    """Hexes that are not clear."""
    objectives: dict[str, str]
    """Hexes that are worth points, and who holds them at first."""
    worth: int
    """Points for each objective held at the end."""


SCENARIOS = {
    "meeting": Scenario(
        8,
        {BLUE: 14, RED: 14},
        {BLUE: (1, 2), RED: (6, 7)},
        {"D4": TOWN, "B4": WOODS, "F4": WOODS, "C5": HILL, "E3": HILL, "D5": WOODS, "D3": WOODS},
        {"D4": "", "B4": "", "F4": ""},
        4,
    ),
    "assault": Scenario(
        8,
        {BLUE: 18, RED: 11},
        {BLUE: (1, 2), RED: (4, 5, 6)},
        {"D4": TOWN, "C5": TOWN, "C4": WOODS, "E4": HILL, "A4": LAKE, "G4": LAKE, "D3": WOODS, "D6": WOODS},
        {"D4": RED, "C5": RED, "B7": RED},
        5,
    ),
    "breakthrough": Scenario(
        10,
        {BLUE: 16, RED: 12},
        {BLUE: (1,), RED: (4, 5)},
        {"B4": WOODS, "F4": WOODS, "D4": HILL, "B5": LAKE, "E5": WOODS, "C6": WOODS, "D2": WOODS, "F2": WOODS},
        {"A7": RED, "B7": RED, "C7": RED, "D7": RED},
        3,
    ),
}
