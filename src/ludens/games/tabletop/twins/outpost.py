"""Outpost for its engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Position, Rule, Table

UNITS, NEAR, NOWHERE = 11, 4, -1
WAIT, TRAIN, SEND = 0, 1, 16


def outpost_twin(
    rule: Rule,
    kinds: Mapping[str, Sequence[int]],
    near: Mapping[Position, Sequence[Position]],
    crystals: Mapping[Position, int],
    bases: Sequence[Position],
    ways: Mapping[str, Mapping[Position, int]],
) -> EngineTwin:
    """The twin of a page: the numbers of each kind of unit, the cells, and how far they are from each site."""
    cells, sites, names = list(near), list(ways), list(kinds)
    number = {cell: at for at, cell in enumerate(cells)}
    settings = [rule.settings["ticks"], len(cells), *(one for row in kinds.values() for one in row)]
    for cell, others in near.items():
        settings += [*(number[other] for other in others), *[NOWHERE] * (NEAR - len(others)), crystals.get(cell, 0)]
    by_name = {cell.name: at for cell, at in number.items()}
    settings += [*(number[base] for base in bases), *(by_name[site] for site in sites)]
    settings += [ways[site].get(cell, len(cells)) for site in sites for cell in cells]

    def position(table: Table) -> list[int]:
        """Ticks, crystals, training, camps, and where each unit is, with its health and goal."""
        players = table.players
        found = [table.get("tick"), *(table.value(table.score(f"crystals {player}")) for player in players)]
        training = [table.get("training", of=player) for player in players]
        found += [names.index(one) + 1 if one else 0 for one in training]
        found += [table.get("left", of=player) for player in players]
        camps = [[unit.index for unit in table.contents[table.assortment(f"camp {one}").index]] for one in players]
        found += [len(camp) for camp in camps]
        for camp in camps:
            found += [*camp, *[0] * (UNITS - len(camp))]
        cell, health, goal = [NOWHERE] * 2 * UNITS, [0] * 2 * UNITS, [NOWHERE] * 2 * UNITS
        for at, place in enumerate(cells):
            for unit in table.contents[place.index]:
                cell[unit.index], health[unit.index] = at, table.get("health", of=unit)
                site = table.get("goal", of=unit)
                goal[unit.index] = sites.index(site) if site else NOWHERE
        return [*found, *cell, *health, *goal]

    def move(table: Table, player: str, number: int) -> str:
        """An order."""
        if number < SEND:
            return "wait" if number == WAIT else f"train {names[number - TRAIN]}"
        unit, site = divmod(number, SEND)
        return f"{table.assortment(f'camp {player}').elements[unit - 1]} {sites[site]}"

    return EngineTwin(package=PACKAGE, engine="outpost", settings=settings, position=position, move=move)
