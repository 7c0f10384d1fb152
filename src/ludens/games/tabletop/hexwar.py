"""Hex War: buy an army in secret, deploy it face down, and fight for hexes with dice."""

from __future__ import annotations

from ludens.games.tabletop.shared.hexwar_scenarios import BLUE, LAKE, RED, SCENARIOS, SIDE, SYMBOL, TERRAIN, UNITS
from ludens.games.tabletop.twins.hexwar import hexwar_twin
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Dice,
    Do,
    Element,
    EngineTwin,
    FinishPlay,
    Move,
    Option,
    Position,
    Roll,
    Rule,
    Set,
    Show,
    Stage,
    Table,
    everybody,
    stage,
)

BUY, DEPLOY = "buy", "deploy"
ORDERS = 3
"""Units that a side may use in a turn."""
SUPPORT = 2
"""The most that friends beside the target add to an attack."""
STEPS = 2
REPULSED, HIT, ROUTED = 1, 5, 7
"""Combat totals up to which the attacker loses a step, and from which the defender loses one or two."""


class HexWar(Rule):
    """Two armies whose counters lie face down until they fight."""

    name = "Hex War"
    players = (BLUE, RED)
    options = (Option("scenario", "meeting", "the objectives and forces", choices=tuple(SCENARIOS)),)

    def equipment(self, table: Table) -> None:
        """The map, a die, and for each side the counters that it can buy and those it has bought."""
        self.scenario = SCENARIOS[self.settings["scenario"]]
        board = Area.hexagon("map", SIDE, visibility="hidden", stack=True, picture="hexes")
        for hex_ in board.positions:
            hex_.attributes["terrain"] = self.scenario.terrain.get(hex_.name, "clear")
        table.add(board)
        for player in self.players:
            counters = [
                Element(f"{player[0]}{SYMBOL[unit.name]}", player=player, unit=unit.name)
                for unit in UNITS.values()
                for _ in range(unit.available)
            ]
            table.add(Assortment(f"pool {player}", counters, owner=player, visibility="owner"))
        table.add(Area.hands("reserve", self.players))
        table.add(Area("beside the map", ["lost"]))
        table.add(Dice("die"))
        self.land = [hex_ for hex_ in board.positions if hex_.terrain != LAKE]
        self.near = {hex_: [other for other in hex_.neighbours if other.terrain != LAKE] for hex_ in self.land}
        self.zone = {
            player: [hex_ for hex_ in self.land if int(hex_.name[1:]) in rows]
            for player, rows in self.scenario.rows.items()
        }

    def setup(self, table: Table) -> Action:
        """Objectives start with their holders in the scenario."""
        action: Action = Set(table, round=1, used=(), ready=())
        for name, holder in self.scenario.objectives.items():
            action += Set(table.position(name), held=holder)
        return action

    def turns(self) -> list[Stage]:
        """Buy and deploy at once, then turns of three orders."""
        return [
            everybody(BUY, self.players, self.purchases, BUY),
            everybody(DEPLOY, self.players, self.deployments, DEPLOY),
            stage(f"turn {BLUE}", (BLUE, self.orders, f"turn {BLUE}"), start=False),
            stage(f"turn {RED}", (RED, self.orders, f"turn {RED}"), start=False),
        ]

    # Before the battle. Pools are read without table[…]: `possible` checks the budget.

    def pool(self, table: Table, player: str) -> tuple[Element, ...]:
        """The counters that a side has not bought."""
        return table.contents[table.assortment(f"pool {player}").index]

    def expenses(self, table: Table, player: str) -> int:
        """The cost of a side's purchases."""
        everything = sum(unit.cost * unit.available for unit in UNITS.values())
        return everything - sum(UNITS[counter.unit].cost for counter in self.pool(table, player))

    def purchases(self, table: Table) -> list[Action]:
        """Buy a unit within the budget, or be ready; a ready side waits."""
        player = table.current_player
        done = Do(self.be_ready, DEPLOY).named("ready")
        if player in table.get("ready"):
            return [done]
        left = self.scenario.budget[player] - self.expenses(table, player)
        kinds = {counter.unit: counter for counter in reversed(self.pool(table, player))}
        zone, bought = self.zone[player], table.contents[table.hand(player, "reserve").index]
        actions: list[Action] = [
            Do(self.buy, counter).named(unit)
            for unit, counter in sorted(kinds.items())
            if UNITS[unit].cost <= left and len(bought) < len(zone)
        ]
        return [*actions, done] if bought else actions

    def buy(self, table: Table, counter: Element) -> Action:
        """Take a counter into the reserve."""
        return Move(counter, to=table.hand(table.current_player, "reserve")).then(BUY)

    def be_ready(self, table: Table, following: str) -> Action:
        """Wait for the other; when both are ready, the play continues. Red's action is done last, so it decides."""
        ready = (*(name for name in table.get("ready") if name != table.current_player), table.current_player)
        if len(ready) < len(self.players):
            return Set(table, ready=ready).then(table.stage)
        return Set(table, ready=() if table.current_player == RED else ready).then(following)

    def deployments(self, table: Table) -> list[Action]:
        """Deploy a counter face down in the side's zone; a side with none left waits."""
        player = table.current_player
        reserve = table.contents[table.hand(player, "reserve").index]
        if not reserve:
            return [Do(self.be_ready, f"turn {BLUE}").named("ready")]
        kinds = {counter.unit: counter for counter in reversed(reserve)}
        free = [hex_ for hex_ in self.zone[player] if not table.contents[hex_.index]]
        return [
            (Move(counter, to=hex_) + Set(hex_, held=player)).then(DEPLOY).named(f"{unit} {hex_}")
            for unit, counter in sorted(kinds.items())
            for hex_ in free
        ]

    # Orders

    def at(self, table: Table, hex_: Position) -> Element | None:
        """The counter on a hex; everybody sees its owner."""
        lying = table.contents[hex_.index]
        return lying[0] if lying else None

    def orders(self, table: Table) -> list[Action]:
        """Move or fight with a unit that was not used in this turn, or end the turn."""
        player = table.current_player
        used = table.get("used")
        actions: list[Action] = []
        for hex_ in self.land:
            counter = self.at(table, hex_)
            if counter is None or counter.player != player or hex_.name in used:
                continue
            for target in self.reachable(table, hex_, counter):
                actions.append(Do(self.march, hex_, target).named(f"{hex_} {target}"))
            for target in self.targets(table, hex_, counter):
                fight = Roll(table.dice("die")) + Do(self.fight, hex_, target)
                actions.append(fight.named(f"{hex_} x {target}"))
        return [*actions, Do(self.end_turn).named("end turn")]

    def reachable(self, table: Table, start: Position, counter: Element) -> dict[Position, int]:
        """The hexes that a unit can reach, with movement costs; it must stop beside an enemy."""
        speed = UNITS[counter.unit].speed
        best = {start: speed}
        pending = [start]
        for here in pending:
            if here is not start and self.is_beside_enemy(table, here, counter.player):
                continue
            for there in self.near[here]:
                left = best[here] - TERRAIN[there.terrain].cost
                if left >= 0 and left > best.get(there, -1) and self.at(table, there) is None:
                    best[there] = left
                    pending.append(there)
        return {hex_: speed - best[hex_] for hex_ in self.land if hex_ in best and hex_ is not start}

    def is_beside_enemy(self, table: Table, hex_: Position, player: str) -> bool:
        """True if an enemy stands next to a hex."""
        return any((other := self.at(table, near)) is not None and other.player != player for near in self.near[hex_])

    def targets(self, table: Table, hex_: Position, counter: Element) -> list[Position]:
        """Enemies that a unit can fire at."""
        reach = UNITS[counter.unit].reach
        return [
            other
            for other in self.land
            if (there := self.at(table, other)) is not None
            and there.player != counter.player
            and distance(hex_, other) <= reach
        ]

    def march(self, table: Table, source: Position, target: Position) -> Action:
        """Move a unit; it holds the hex. Its distance is recorded, since it rules out slower kinds."""
        counter = table[source][0]
        cost = max(self.reachable(table, source, counter)[target], table.get("marched", 0, of=counter))
        action = Move(counter, to=target) + Set(target, held=counter.player) + Set(counter, marched=cost)
        return action + Do(self.use, target)

    def use(self, table: Table, hex_: Position) -> Action:
        """Note that a unit was used; with the last order the turn ends."""
        used = (*table.get("used"), hex_.name)
        if len(used) == ORDERS:
            return self.end_turn(table)
        return Set(table, used=used).then(table.stage)

    def end_turn(self, table: Table) -> Action:
        """The other side gives orders; after Red's turn a round is over."""
        is_over = table.current_player == RED
        return Set(table, used=(), round=table.get("round") + is_over).then(f"turn {table.next_player()}")

    # Fighting

    def fight(self, table: Table, source: Position, target: Position) -> Action:
        """Both units are shown; the die decides, with strength, support and cover."""
        attacker, defender = table[source][0], table[target][0]
        score = table.value(table.dice("die"))[0] + self.difference(table, source, target)
        action: Action = Show((attacker, defender))
        if score <= REPULSED and distance(source, target) == 1:
            action += self.hit(table, attacker, 1)
            return action + Do(self.use, source)
        losses = STEPS if score >= ROUTED else 1 if score >= HIT else 0
        if not losses:
            return action + Do(self.use, source)
        action += self.hit(table, defender, losses)
        if losses >= self.steps(table, defender) and distance(source, target) == 1:
            action += Move(attacker, to=target) + Set(target, held=attacker.player)
            return action + Do(self.use, target)
        return action + Do(self.use, source)

    def difference(self, table: Table, source: Position, target: Position) -> int:
        """Attack plus support, minus defence and cover."""
        attacker, defender = table[source][0], table[target][0]
        friends = sum(
            (other := self.at(table, near)) is not None and other.player == attacker.player and near is not source
            for near in self.near[target]
        )
        attack = UNITS[attacker.unit].attack - (STEPS - self.steps(table, attacker)) + min(friends, SUPPORT)
        defence = UNITS[defender.unit].defence - (STEPS - self.steps(table, defender))
        return int(attack - defence - TERRAIN[target.terrain].cover)

    @staticmethod
    def steps(table: Table, counter: Element) -> int:
        """How many losses a unit can still take."""
        steps: int = table.get("steps", STEPS, of=counter)
        return steps

    def hit(self, table: Table, counter: Element, losses: int) -> Action:
        """A unit loses steps; without any it is destroyed."""
        left = self.steps(table, counter) - losses
        return Set(counter, steps=left) if left > 0 else Move(counter, to=table.position("lost"))

    def possible(self, table: Table) -> bool:
        """No unit has marched farther than it can, and no side has exceeded its budget."""
        marched = ((of, cost) for (of, name), cost in table.attributes.items() if name == "marched")
        if any(isinstance(of, Element) and UNITS[of.unit].speed < cost for of, cost in marched):
            return False
        return all(self.expenses(table, player) <= self.scenario.budget[player] for player in self.players)

    # The end

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        scenario = self.scenario
        units = {unit.name: (unit.cost, unit.attack, unit.defence, unit.reach, unit.speed) for unit in UNITS.values()}
        numbers = [scenario.rounds, scenario.worth, *(scenario.budget[player] for player in self.players)]
        terrain = {hex_: (TERRAIN[hex_.terrain].cost, TERRAIN[hex_.terrain].cover) for hex_ in self.land}
        return hexwar_twin(self, units, numbers, self.near, terrain, scenario.objectives, self.zone)

    def result(self, table: Table) -> FinishPlay | None:
        """Points for objectives and destroyed units; at once if one side has nothing left."""
        if table.stage in (BUY, DEPLOY):
            return None
        standing = {counter.player for hex_ in self.land if (counter := self.at(table, hex_)) is not None}
        if len(standing) == 2 and table.get("round") <= self.scenario.rounds:
            return None
        points = {player: self.points(table, player) for player in self.players}
        if len(standing) == 1:
            return FinishPlay(winners=standing, points=points)
        return FinishPlay(points=points)

    def points(self, table: Table, player: str) -> int:
        """The points of a side so far."""
        held = sum(table.get("held", of=table.position(name)) == player for name in self.scenario.objectives)
        destroyed = sum(UNITS[counter.unit].cost for counter in table["lost"] if counter.player != player)
        return int(held * self.scenario.worth + destroyed)


def distance(one: Position, other: Position) -> int:
    """The distance of two hexes."""
    across, up = column(other) - column(one), int(other.name[1:]) - int(one.name[1:])
    return max(abs(across), abs(up), abs(across + up))


def column(hex_: Position) -> int:
    """The number of a hex's column."""
    return ord(hex_.name[0]) - ord("A")
