"""Estates: a race round a board with streets to buy, build on, trade and pay rent for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ludens.games.tabletop.shared import estates_board as board
from ludens.games.tabletop.shared.estates_bank import Bank
from ludens.games.tabletop.shared.estates_board import BY_NAME, GROUPS, MOST_HOUSES, NUMBER, SQUARES, Square
from ludens.games.tabletop.twins.estates import estates_twin
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Dice,
    Do,
    Element,
    EngineTwin,
    FinishPlay,
    Mark,
    Move,
    Option,
    Pass,
    Roll,
    Score,
    Set,
    Stage,
    Table,
    everybody,
    stage,
)

MONEY, WAGES, BAIL = 150, 20, 15
GIFT, FEE, BIRTHDAY, REPAIR = 20, 15, 10, 5
MOST_DOUBLES, MOST_PRISON = 3, 3
AUCTION = "auction"
SHARES = (0.5, 0.75, 1.0, 1.25)
"""Bids in an auction, as fractions of the price."""
OFFERS = (1.0, 1.5, 2.0)
"""Offers for another player's street, as fractions of its price."""


class Estates(Bank):
    """A bankrupt player is out; the last one left, or at the end the richest, wins."""

    name = "Estates"
    players: Sequence[Any] = range(2, 6)
    options = (
        Option("rounds", 60, "turns per player before the richest wins", 1, 1000),
        Option("trade", True, "whether streets may be bought from each other and swapped"),
    )

    def equipment(self, table: Table) -> None:
        """The ring of squares, a piece and money for each, two dice and the die of fate."""
        ring = Area.ring("board", [square.name for square in SQUARES], picture="ring")
        for square in SQUARES:
            ring[square.name].attributes["terrain"] = square.group
        table.add(ring)
        pieces = [Element(f"piece {number + 1}", player=player) for number, player in enumerate(self.players)]
        table.add(Assortment("box", pieces))
        for player in self.players:
            table.add(Score(f"money {player}", owner=player, start=MONEY))
        table.add(Dice("dice", 2, ordered=True))
        table.add(Dice("fate", 1, len(board.FATES)))
        self.pieces = dict(zip(self.players, pieces, strict=True))

    def setup(self, table: Table) -> Action:
        """All begin on the start square."""
        action: Action = Set(table, turn=0, doubles=0, offered=False, offer=(), out=(), auction=())
        for player in self.players:
            action += Move(self.pieces[player], to=table.position("Start")) + Set(player, prison=0, bid=0)
        for square in SQUARES:
            if square.can_be_owned:
                action += Set(table.position(square.name), landlord="", houses=0)
        return action

    def turns(self) -> list[Stage]:
        """Before the dice, answers to offers, buying, and auctions of unbought streets."""
        stages = []
        for player in self.players:
            for name, method in (("turn", self.turn), ("answer", self.answer), ("buy", self.buy)):
                stages.append(stage(f"{name} {player}", (player, method, f"turn {player}")))
        return [*stages, everybody(AUCTION, self.players, self.bids, AUCTION)]

    # Before the dice

    def turn(self, table: Table) -> list[Action]:
        """Build, make one offer, and roll; in prison pay or try for a double."""
        player = table.current_player
        roll = Roll(table.dice("dice")) + Roll(table.dice("fate"))
        actions: list[Action] = []
        if table.get("prison", of=player):
            actions.append((roll + Do(self.break_out)).named("roll for a double"))
            if self.money(table, player) >= BAIL:
                actions.append((roll + Do(self.bail)).named("pay bail and roll"))
            return actions
        actions.append((roll + Do(self.move_by_dice)).named("roll"))
        actions += [Do(self.build, name).named(f"build on {name}") for name in self.buildable(table, player)]
        if self.settings["trade"] and not table.get("offered"):
            actions += self.offers(table, player)
        return actions

    def buildable(self, table: Table, player: str) -> Iterator[str]:
        """Streets of complete groups on which the next house may be built, evenly."""
        for group, names in GROUPS.items():
            if BY_NAME[names[0]].sort != board.STREET or not self.has_group(table, player, group):
                continue
            least = min(self.houses(table, name) for name in names)
            for name in names:
                is_next = self.houses(table, name) == least < MOST_HOUSES
                if is_next and self.money(table, player) >= BY_NAME[name].house_price:
                    yield name

    def build(self, table: Table, name: str) -> Action:
        """Pay for a house."""
        player = table.current_player
        paid = Mark(table.score(f"money {player}"), -BY_NAME[name].house_price)
        return (paid + Set(table.position(name), houses=self.houses(table, name) + 1)).then(table.stage)

    # Trade

    def tradable(self, table: Table, player: str) -> list[str]:
        """Streets that a player could trade: none of a group with houses."""
        return [
            name
            for name in self.streets_of(table, player)
            if not any(self.houses(table, other) for other in GROUPS[BY_NAME[name].group])
        ]

    def offers(self, table: Table, player: str) -> list[Action]:
        """Money for another player's street, or a street for one of another group."""
        streets = self.tradable(table, player)
        actions: list[Action] = []
        for other in self.active(table):
            for wanted in self.tradable(table, other) if other != player else ():
                for part in OFFERS:
                    price = int(BY_NAME[wanted].price * part)
                    if price <= self.money(table, player):
                        actions.append(Do(self.propose, other, wanted, "", price).named(f"offer {price} for {wanted}"))
                for given in streets:
                    if BY_NAME[given].group != BY_NAME[wanted].group:
                        actions.append(Do(self.propose, other, wanted, given, 0).named(f"offer {given} for {wanted}"))
        return actions

    def propose(self, table: Table, other: str, wanted: str, given: str, price: int) -> Action:
        """Let another answer."""
        offer = (table.current_player, wanted, given, price)
        return Set(table, offer=offer, offered=True).then(f"answer {other}")

    def answer(self, table: Table) -> list[Action]:
        """Accept or decline an offer."""
        back = f"turn {table.get('offer')[0]}"
        return [Do(self.accept).then(back).named("accept"), Set(table, offer=()).then(back).named("decline")]

    def accept(self, table: Table) -> Action:
        """Streets and money change hands."""
        player = table.current_player
        other, wanted, given, price = table.get("offer")
        action: Action = Set(table.position(wanted), landlord=other) + Set(table, offer=())
        if given:
            action += Set(table.position(given), landlord=player)
        if price:
            action += Mark(table.score(f"money {player}"), price) + Mark(table.score(f"money {other}"), -price)
        return action.then(f"turn {other}")

    # The dice

    def move_by_dice(self, table: Table) -> Action:
        """Move; the third double in a row sends the player to prison."""
        one, two = table.value(table.dice("dice"))
        doubles = table.get("doubles") + 1 if one == two else 0
        if doubles == MOST_DOUBLES:
            return self.arrest(table)
        return Set(table, doubles=doubles) + self.advance(table, one + two)

    def break_out(self, table: Table) -> Action:
        """A double frees the player; after three tries bail is due."""
        player = table.current_player
        one, two = table.value(table.dice("dice"))
        tries = table.get("prison", of=player)
        if one == two:
            return Set(player, prison=0) + self.advance(table, one + two)
        if tries < MOST_PRISON:
            return Set(player, prison=tries + 1) + Do(self.end_turn, player)
        return Set(player, prison=0) + self.pay(table, player, BAIL, "") + Do(self.walk, one + two)

    def bail(self, table: Table) -> Action:
        """Pay, and move as usual."""
        player = table.current_player
        paid = Set(player, prison=0) + Mark(table.score(f"money {player}"), -BAIL)
        return paid + self.advance(table, sum(table.value(table.dice("dice"))))

    def walk(self, table: Table, steps: int) -> Action:
        """Move, unless the player could not pay bail."""
        player = table.current_player
        return Do(self.end_turn, player) if player in table.get("out") else self.advance(table, steps)

    def advance(self, table: Table, steps: int) -> Action:
        """Advance by a number of squares; wages for passing the start."""
        player = table.current_player
        place = table.place_of(self.pieces[player])
        assert place is not None
        target = NUMBER[place.name] + steps
        action: Action = Move(self.pieces[player], to=table.position(SQUARES[target % len(SQUARES)].name))
        if target >= len(SQUARES):
            action += Mark(table.score(f"money {player}"), WAGES)
        return action + Do(self.land)

    def land(self, table: Table) -> Action:
        """The effect of a square."""
        player = table.current_player
        place = table.place_of(self.pieces[player])
        assert place is not None
        square = BY_NAME[place.name]
        if square.sort == board.TAX:
            return self.pay(table, player, square.price, "") + Do(self.end_turn, player)
        if square.sort == board.TO_PRISON:
            return self.arrest(table)
        if square.sort == board.FATE:
            return self.fate(table, player)
        if square.can_be_owned:
            return self.visit(table, player, square)
        return Do(self.end_turn, player)

    def visit(self, table: Table, player: str, square: Square) -> Action:
        """Buy an unowned street, or pay rent to its owner."""
        owner = self.landlord(table, square.name)
        if not owner:
            return Pass().then(f"buy {player}")
        if owner == player:
            return Do(self.end_turn, player)
        names = GROUPS[square.group]
        count = sum(self.landlord(table, name) == owner for name in names)
        rent = square.rent(self.houses(table, square.name), count, len(names))
        return self.pay(table, player, rent, owner) + Do(self.end_turn, player)

    def fate(self, table: Table, player: str) -> Action:
        """The effect of the fate die."""
        score = table.score(f"money {player}")
        match board.FATES[table.value(table.dice("fate"))[0] - 1]:
            case board.GIFT:
                return Mark(score, GIFT) + Do(self.end_turn, player)
            case board.FEE:
                return self.pay(table, player, FEE, "") + Do(self.end_turn, player)
            case board.HOME:
                home = Move(self.pieces[player], to=table.position("Start")) + Mark(score, WAGES)
                return home + Do(self.end_turn, player)
            case board.JAIL:
                return self.arrest(table)
            case board.BIRTHDAY:
                action: Action = Pass()
                for other in self.active(table):
                    gift = min(BIRTHDAY, self.money(table, other))
                    if other != player:
                        action += Mark(table.score(f"money {other}"), -gift) + Mark(score, gift)
                return action + Do(self.end_turn, player)
        houses = sum(self.houses(table, name) for name in self.streets_of(table, player))
        return self.pay(table, player, REPAIR * houses, "") + Do(self.end_turn, player)

    def arrest(self, table: Table) -> Action:
        """Go to prison at once; the turn is over."""
        player = table.current_player
        moved = Move(self.pieces[player], to=table.position("Prison")) + Set(player, prison=1)
        return moved + Set(table, doubles=0) + Do(self.end_turn, player)

    def end_turn(self, table: Table, player: str) -> Action:
        """A double gives another turn; otherwise the next player's begins."""
        if table.get("doubles") and player in self.active(table) and not table.get("prison", of=player):
            return Pass().then(f"turn {player}")
        following = table.next_player(after=player)
        while following in table.get("out"):
            following = table.next_player(after=following)
        return Set(table, turn=table.get("turn") + 1, doubles=0, offered=False).then(f"turn {following}")

    def buy(self, table: Table) -> list[Action]:
        """Buy the square at its price, or let it be auctioned."""
        player = table.current_player
        place = table.place_of(self.pieces[player])
        assert place is not None
        square = BY_NAME[place.name]
        actions: list[Action] = [Set(table, auction=(player, square.name)).then(AUCTION).named("decline")]
        if self.money(table, player) >= square.price:
            bought = Set(place, landlord=player) + Mark(table.score(f"money {player}"), -square.price)
            actions.insert(0, (bought + Do(self.end_turn, player)).named("buy"))
        return actions

    # The auction

    def bids(self, table: Table) -> list[Action]:
        """Simultaneous bids for a street that was not bought; bidding is optional."""
        player = table.current_player
        if player not in self.active(table):
            return []
        price = BY_NAME[table.get("auction")[1]].price
        amounts = [0, *(int(price * part) for part in SHARES)]
        return [
            Do(self.bid, amount).named(f"bid {amount}" if amount else "pass")
            for amount in amounts
            if amount <= self.money(table, player)
        ]

    def bid(self, table: Table, amount: int) -> Action:
        """Record a bid; after the last one the hammer falls."""
        player = table.current_player
        action: Action = Set(player, bid=amount)
        return action + Do(self.hammer) if player == self.active(table)[-1] else action

    def hammer(self, table: Table) -> Action:
        """The highest bid gets the street; among equals, the first player after the one who did not buy it."""
        seller, name = table.get("auction")
        order = [table.next_player(steps, after=seller) for steps in range(len(self.players))]
        bidders = [player for player in order if player in self.active(table)]
        winner = max(bidders, key=lambda player: table.get("bid", of=player))
        amount = table.get("bid", of=winner)
        action: Action = Pass()
        if amount:
            action += Set(table.position(name), landlord=winner) + Mark(table.score(f"money {winner}"), -amount)
        return action + Do(self.end_turn, seller)

    # The end

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return estates_twin(self)

    def result(self, table: Table) -> FinishPlay | None:
        """The last player who is not bankrupt wins; after the last round the richest."""
        active = self.active(table)
        is_over = table.get("turn") >= self.settings["rounds"] * len(self.players)
        if len(active) > 1 and not is_over:
            return None
        return FinishPlay(points={player: self.wealth(table, player) for player in self.players})
