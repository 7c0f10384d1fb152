"""Hex War for its engine."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Position, Rule, Table

STAGES = ("buy", "deploy", "turn")
UNITS, ORDERS, STEPS, MOST_HEXES = 4, 3, 2, 37
NOWHERE = NOBODY = -1
BASE, READY, END = 64, 10000, 10001
FIGHT = BASE * BASE


def hexwar_twin(
    rule: Rule,
    units: Mapping[str, Sequence[int]],
    numbers: Sequence[int],
    near: Mapping[Position, Sequence[Position]],
    terrain: Mapping[Position, tuple[int, int]],
    objectives: Collection[str],
    zones: Mapping[str, Collection[Position]],
) -> EngineTwin:
    """The twin of a page: the numbers of each kind of unit and of the scenario, and what hexes are like."""
    hexes, kinds, players = list(near), list(units), rule.players
    number = {hex_: at for at, hex_ in enumerate(hexes)}
    settings = [len(hexes), *numbers, *(one for row in units.values() for one in row)]
    for hex_, others in near.items():
        zone = next((seat for seat, player in enumerate(players) if hex_ in zones[player]), NOBODY)
        settings += [ord(hex_.name[0]), int(hex_.name[1:]), *terrain[hex_], int(hex_.name in objectives), zone]
        settings += [*(number[other] for other in others), *[NOWHERE] * (6 - len(others))]
    by_name = {hex_.name: at for hex_, at in number.items()}

    def position(table: Table) -> list[int]:
        """The stage, who is to act, rounds, units used, losses, pools, reserves, and the map."""
        stage = STAGES.index(table.stage.split()[0])
        used = [by_name[name] for name in table.get("used")]
        found = [
            stage, players.index(table.current_player) if STAGES[stage] == "turn" else 0, table.get("round"),
            sum(1 << players.index(player) for player in table.get("ready")),
            len(used), *used, *[0] * (ORDERS - len(used)),
        ]  # fmt: skip
        lost = dict.fromkeys(players, 0)
        for counter in table.contents[table.position("lost").index]:
            lost[counter.attributes["player"]] += units[counter.attributes["unit"]][0]
        found += lost.values()
        for places in (
            [table.assortment(f"pool {one}") for one in players],
            [table.hand(one, "reserve") for one in players],
        ):
            for place in places:
                counts = [0] * UNITS
                for counter in table.contents[place.index]:
                    counts[kinds.index(counter.attributes["unit"])] += 1
                found += counts
        unit, steps, held = ([empty] * MOST_HEXES for empty in (0, 0, NOBODY))
        for at, hex_ in enumerate(hexes):
            for counter in table.contents[hex_.index]:
                given = counter.attributes
                unit[at] = 1 + kinds.index(given["unit"]) + UNITS * players.index(given["player"])
                steps[at] = table.get("steps", STEPS, of=counter)
            holder = table.get("held", of=hex_) if hex_.name in objectives else ""
            held[at] = players.index(holder) if holder else NOBODY
        return [*found, *unit, *steps, *held]

    def move(table: Table, player: str, number: int) -> str:
        """A purchase, a place, an order, or a fight."""
        if number in (READY, END):
            return "ready" if number == READY else "end turn"
        first, second = divmod(number % FIGHT, BASE)
        match table.stage.split()[0]:
            case "buy":
                return kinds[second]
            case "deploy":
                return f"{kinds[first]} {hexes[second]}"
            case _:
                return f"{hexes[first]} {'x ' if number >= FIGHT else ''}{hexes[second]}"

    return EngineTwin(package=PACKAGE, engine="hexwar", settings=settings, position=position, move=move)
