"""Outpost: a real-time strategy game in miniature. Time goes in ticks, and both give an order in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass

from ludens.games.tabletop.shared.ways import distances
from ludens.games.tabletop.twins.outpost import outpost_twin
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Do,
    Element,
    EngineTwin,
    FinishPlay,
    Mark,
    Move,
    Option,
    Pass,
    Position,
    Rule,
    Score,
    Set,
    Stage,
    Table,
    everybody,
)

BLUE, RED = "Blue", "Red"
WORKER, SOLDIER, BASE = "worker", "soldier", "base"
TICK = "tick"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of unit."""

    cost: int
    ticks: int
    """Ticks of training."""
    health: int
    most: int
    """The maximum number per player."""


KINDS = {WORKER: Kind(3, 2, 2, 4), SOLDIER: Kind(4, 3, 4, 6), BASE: Kind(0, 0, 12, 1)}
ROWS = (
    "..c*c..",
    "w.#.#.w",
    "b.....b",
    "w.#.#.w",
    "..c*c..",
)
"""The map from above: crystals (c, and rich ones *), rocks (#), bases and the first workers."""
COLUMNS = "ABCDEFG"
TERRAIN = {"c": "crystal", "*": "rich crystal", "#": "rock"}
YIELD = {"c": 1, "*": 2}
SITES = ("B3", "F3", "D3", "C1", "C5", "E1", "E5", "D1", "D5")
"""The sites to which units can be sent."""
FIRST_CRYSTALS = 4
SPREAD = 8
"""A lead of this many points is worth a win probability of 75 %."""


class Outpost(Rule):
    """Workers gather crystals to pay for soldiers; a player without a base loses."""

    name = "Outpost"
    players = (BLUE, RED)
    options = (Option("ticks", 150, "ticks before bases and armies are counted", 10, 2000),)

    def equipment(self, table: Table) -> None:
        """The map, and all units that can be trained."""
        table.add(Area.grid("map", COLUMNS, len(ROWS), "EN", picture="tiles"))
        signs = {
            f"{column}{len(ROWS) - row}": sign
            for row, line in enumerate(ROWS)
            for column, sign in zip(COLUMNS, line, strict=True)
        }
        for cell in table.area("map").positions:
            cell.attributes["terrain"] = TERRAIN.get(signs[cell.name], "clear")
        self.cells = [cell for cell in table.area("map").positions if signs[cell.name] != "#"]
        self.near = {cell: [other for other in cell.neighbours if signs[other.name] != "#"] for cell in self.cells}
        self.crystals = {table.position(name): YIELD[sign] for name, sign in signs.items() if sign in YIELD}
        self.start = {
            player: {
                sign: [
                    table.position(name) for name, there in sorted(signs.items()) if there == sign and name[0] == side
                ]
                for sign in "bw"
            }
            for player, side in ((BLUE, COLUMNS[0]), (RED, COLUMNS[-1]))
        }
        for player in self.players:
            units = [
                Element(f"{player[0]}{kind[0]}{number + 1}", player=player, sort=kind)
                for kind in KINDS
                for number in range(KINDS[kind].most)
            ]
            table.add(Assortment(f"camp {player}", units))
            table.add(Score(f"crystals {player}", start=FIRST_CRYSTALS))
        self.ways = {name: distances(table.position(name), self.near) for name in SITES}

    def setup(self, table: Table) -> Action:
        """A base and two workers each."""
        action: Action = Set(table, tick=0)
        for player in self.players:
            units = [unit for unit in table[f"camp {player}"] if unit.sort != SOLDIER]
            workers = [unit for unit in units if unit.sort == WORKER]
            bases = [unit for unit in units if unit.sort == BASE]
            places = [
                *zip(workers, self.start[player]["w"], strict=False),
                *zip(bases, self.start[player]["b"], strict=True),
            ]
            for unit, cell in places:
                action += Move(unit, to=cell) + Set(unit, health=KINDS[unit.sort].health, goal="")
            action += Set(player, training="", left=0)
        return action

    def turns(self) -> list[Stage]:
        """Every tick both give one order at the same time."""
        return [everybody(TICK, self.players, self.orders, TICK)]

    # Orders

    def units(self, table: Table, player: str | None = None) -> Iterator[tuple[Element, Position]]:
        """All units on the map, or those of a player, with their cells."""
        for cell in self.cells:
            for unit in table.contents[cell.index]:
                if player in (None, unit.player):
                    yield unit, cell

    def orders(self, table: Table) -> list[Action]:
        """Wait, train, or send a unit to a site; units continue with their last order."""
        player = table.current_player
        actions: list[Action] = [Do(self.wait).named("wait")]
        if not table.get("training", of=player):
            sorts = [unit.sort for unit, _ in self.units(table, player)]
            for name in (WORKER, SOLDIER):
                kind = KINDS[name]
                if kind.cost <= self.stock(table, player) and sorts.count(name) < kind.most:
                    actions.append(Do(self.train, name).named(f"train {name}"))
        for unit, cell in self.units(table, player):
            if unit.sort == BASE:
                continue
            now = table.get("goal", of=unit) or cell.name
            actions += [Do(self.send, unit, site).named(f"{unit} {site}") for site in SITES if site != now]
        return actions

    @staticmethod
    def stock(table: Table, player: str) -> int:
        """How many crystals a player has."""
        count: int = table.value(table.score(f"crystals {player}"))
        return count

    def add_order(self, table: Table, action: Action) -> Action:
        """Add an order; after that of the last player, time advances."""
        return action + Do(self.tick) if table.current_player == self.players[-1] else action

    def wait(self, table: Table) -> Action:
        """Give no order."""
        return self.add_order(table, Pass())

    def train(self, table: Table, name: str) -> Action:
        """Pay for a unit; it leaves the base some ticks later."""
        player = table.current_player
        paid = self.pay(table, player, -KINDS[name].cost)
        return self.add_order(table, paid + Set(player, training=name, left=KINDS[name].ticks))

    @staticmethod
    def pay(table: Table, player: str, count: int) -> Action:
        """Add to a player's crystals, or take from them."""
        return Mark(table.score(f"crystals {player}"), count)

    def send(self, table: Table, unit: Element, site: str) -> Action:
        """Set a unit's target."""
        return self.add_order(table, Set(unit, goal=site))

    # The effects of a tick

    def tick(self, table: Table) -> Action:
        """Units step, soldiers strike, crystals come in, and units get ready, in this order, for both at once."""
        return (
            Set(table, tick=table.get("tick") + 1)
            + Do(self.march)
            + Do(self.strike)
            + Do(self.gather)
            + Do(self.finish)
        )

    def march(self, table: Table) -> Action:
        """Every unit takes a step towards its target, unless another wants the same free cell."""
        wishes: dict[Position, list[Element]] = {}
        for unit, cell in self.units(table):
            goal = table.get("goal", of=unit)
            if not goal or unit.sort == BASE:
                continue
            ways = self.ways[goal]
            for other in self.near[cell]:
                if ways[other] < ways[cell] and not table.contents[other.index]:
                    wishes.setdefault(other, []).append(unit)
                    break
        action: Action = Pass()
        for cell, wanting in wishes.items():
            if len(wanting) == 1:
                action += Move(wanting[0], to=cell)
        return action

    def strike(self, table: Table) -> Action:
        """Every soldier hits one enemy beside it: soldiers first, then workers, then the base; the weakest first."""
        health = {unit: table.get("health", of=unit) for unit, _ in self.units(table)}
        hits: dict[Element, int] = {}
        for unit, cell in self.units(table):
            if unit.sort == SOLDIER:
                target = self.target(table, unit, cell, health)
                if target is not None:
                    hits[target] = hits.get(target, 0) + 1
        action: Action = Pass()
        for unit, count in hits.items():
            left = health[unit] - count
            action += Set(unit, health=left)
            if left <= 0:
                action += Move(unit, to=table.assortment(f"camp {unit.player}"))
        return action

    def target(self, table: Table, soldier: Element, cell: Position, health: dict[Element, int]) -> Element | None:
        """The target of a soldier."""
        order = (SOLDIER, WORKER, BASE)
        beside = [unit for other in self.near[cell] for unit in table.contents[other.index]]
        enemies = [unit for unit in beside if unit.player != soldier.player]
        return min(enemies, key=lambda unit: (order.index(unit.sort), health[unit], unit.index), default=None)

    def gather(self, table: Table) -> Action:
        """Workers on crystals gather them."""
        action: Action = Pass()
        for unit, cell in self.units(table):
            if unit.sort == WORKER and cell in self.crystals:
                action += self.pay(table, unit.player, self.crystals[cell])
        return action

    def finish(self, table: Table) -> Action:
        """Trained units leave the base as soon as there is a free cell beside it."""
        action: Action = Pass()
        for player in self.players:
            name, left = table.get("training", of=player), table.get("left", of=player) - 1
            if not name:
                continue
            base = self.start[player]["b"][0]
            free = [cell for cell in self.near[base] if not table.contents[cell.index]]
            if left > 0 or not free:
                action += Set(player, left=max(left, 1))
                continue
            unit = next(unit for unit in table[f"camp {player}"] if unit.sort == name)
            action += Move(unit, to=free[0]) + Set(unit, health=KINDS[name].health, goal="")
            action += Set(player, training="", left=0)
        return action

    # The end

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        kinds = {name: astuple(kind) for name, kind in KINDS.items()}
        bases = [self.start[player]["b"][0] for player in self.players]
        return outpost_twin(self, kinds, self.near, self.crystals, bases, self.ways)

    def result(self, table: Table) -> FinishPlay | None:
        """A player without a base loses; after the last tick the points decide."""
        standing = [unit.player for unit, _ in self.units(table) if unit.sort == BASE]
        if len(standing) == len(self.players) and table.get("tick") < self.settings["ticks"]:
            return None
        points = {player: self.worth(table, player) for player in self.players}
        if len(standing) == 1:
            return FinishPlay(winners=standing, points=points)
        return FinishPlay(points=points)

    def prospects(self, table: Table) -> dict[str, float]:
        """The player with more points is ahead."""
        return {player: self.worth(table, player) / SPREAD for player in self.players}

    def worth(self, table: Table, player: str) -> int:
        """Ten points for each health point of the base, the cost of units, and crystals."""
        army: Sequence[tuple[Element, Position]] = list(self.units(table, player))
        health = sum(table.get("health", of=unit) for unit, _ in army if unit.sort == BASE)
        return int(10 * health + sum(KINDS[unit.sort].cost for unit, _ in army) + self.stock(table, player))
