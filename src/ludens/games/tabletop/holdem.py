"""Texas Hold'em, limit and no-limit, for two to nine players: one hand or a session, with side pots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludens.games.tabletop.shared.holdem_record import CALL, FOLD, NOTHING_RECORDED, RAISE, add_to_record
from ludens.games.tabletop.shared.sensible_hands import SensibleHands
from ludens.games.tabletop.twins.holdem import holdem_twin
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Distribute,
    Do,
    Each,
    EngineTwin,
    FinishPlay,
    Mark,
    Move,
    Option,
    Pass,
    RuleError,
    Score,
    Set,
    Show,
    Shuffle,
    Stage,
    Table,
    french_deck,
    stage,
)
from ludens.tabletop.poker import hand_name, strength

NO_LIMIT, LIMIT = "no limit", "limit"
STREETS = (0, 3, 1, 1)
"""Community cards dealt before each street."""
BETWEEN_HANDS = ("deal",)
"""Who has to act while the next hand is not dealt."""


class Holdem(SensibleHands):
    """Two hole cards each, five community cards, four rounds of betting."""

    name = "Texas Hold'em"
    players: Sequence[Any] = range(2, 10)
    options = (
        Option("betting", NO_LIMIT, "how much may be raised", choices=(NO_LIMIT, LIMIT)),
        Option("stack", 100, "chips of each player at the start", 4, 100_000),
        Option("blind", 2, "the big blind; the small one is half of it", 2, 1000),
        Option(
            "hands", 1, "hands that are played with the same chips; a session ends early if one player has all", 1, 1000
        ),
        Option("rise", 0, "hands after which the blinds double, 0 for never", 0, 1000),
        Option("stacks", "", "chips of each player, if they differ: 50-100-200"),
    )

    def equipment(self, table: Table) -> None:
        """A deck, hands, the board; chips, each player's bet in this street, and the bets of earlier streets."""
        stacks = self.stacks()
        self.points_range = (0, sum(stacks.values()))
        deck = self.deck()
        table.add(deck)
        self.cards = deck.elements
        table.add(Area.hands("hand", self.players))
        table.add(Area("table", ["board"]))
        for player in self.players:
            table.add(Score(f"chips {player}", owner=player, start=stacks[player]))
        for player in self.players:
            table.add(Score(f"bet {player}"))
        table.add(Score("pot"))

    def deck(self) -> Assortment:
        """The deck."""
        return french_deck()

    def stacks(self) -> dict[str, int]:
        """The chips of each player at the start."""
        given = str(self.settings["stacks"])
        if not given:
            return dict.fromkeys(self.players, int(self.settings["stack"]))
        chips = given.split("-")
        if len(chips) != len(self.players) or not all(one.isdecimal() and int(one) > 0 for one in chips):
            raise RuleError(f"stacks={given}: {len(self.players)} numbers of chips are needed, such as 50-100")
        return dict(zip(self.players, map(int, chips), strict=True))

    def turns(self) -> list[Stage]:
        """A stage for each player, and one for each dealer of the next hand; actions decide who is next."""
        bets = [stage(f"bet {player}", (player, self.bet, f"bet {player}")) for player in self.players]
        deals = [
            stage(f"deal {player}", (player, self.next_hand, f"bet {player}"), start=False) for player in self.players
        ]
        return bets + deals if self.settings["hands"] > 1 else bets

    # The beginning

    def setup(self, table: Table) -> Action:
        """The first hand."""
        first = self.players.index(self.starting_player)
        return self.deal(table, (*self.players[first:], *self.players[:first]), 0, Pass())

    def next_hand(self, table: Table) -> list[Action]:
        """The next hand of a session: the small blind moves on to the next player who has chips."""
        gather: Action = self.clear(table)
        for place in (*(table.hand(player) for player in self.players), table.position("board")):
            gather += Move(place, to=table.assortment("deck"), count=None)
        return [self.deal(table, self.seats_of_next_hand(table), table.get("hand") + 1, gather)]

    def seats_of_next_hand(self, table: Table) -> tuple[str, ...]:
        """The players who have chips, from the next small blind on."""
        first = self.players.index(table.get("seats")[0]) + 1
        order = (*self.players[first:], *self.players[:first])
        return tuple(player for player in order if self.chips(table, player) > 0)

    def blind_of(self, hand: int) -> int:
        """The big blind of a hand."""
        rise = int(self.settings["rise"])
        return int(self.settings["blind"]) << (hand // rise if rise else 0)

    def deal(self, table: Table, seats: tuple[str, ...], hand: int, gather: Action) -> Action:
        """Gather the cards, deal two to each, and take the blinds. ``seats`` are from the small blind on."""
        deck = table.assortment("deck")
        small, big, *others = seats
        blind = self.blind_of(hand)
        stacks = {player: self.chips(table, player) for player in self.players}
        paid = {small: min(blind // 2, stacks[small]), big: min(blind, stacks[big])}
        turns = tuple(player for player in (*others, small, big) if paid.get(player, 0) < stacks[player])
        if turns == (big,) and paid[small] <= paid[big]:
            turns = ()  # the big blind has nothing to answer
        deal = gather + Shuffle(deck) + Distribute(deck, [table.hand(player) for player in seats], each=2)
        blinds = self.pay(table, small, paid[small]) + self.pay(table, big, paid[big])
        ready: Action = Set(table, street=0, pending=turns, raised=blind, bets=1, folded=(), high=blind, acts=())
        ready += Set(table, hand=hand, seats=seats, stacks=tuple(stacks.values()))
        if not turns:  # the blinds took everything: nobody has anything to decide
            ready += self.lay_open(table, sum(STREETS)) + Do(self.settle)
        return (deal + blinds + ready).named("deal").then(f"bet {(*turns, small)[0]}")

    def clear(self, table: Table) -> Action:
        """What was shown and won in the last hand is forgotten; what players did is counted."""
        action: Action = Pass()
        for player in self.players:
            record = add_to_record(self.record(table, player), table.get("acts"), player)
            action += Set(player, shows=None, wins=None, record=record)
        return action

    def record(self, table: Table, player: str) -> tuple[int, ...]:
        """What a player did in earlier hands of the session."""
        return tuple(table.get("record", NOTHING_RECORDED, of=player))

    # Betting

    def chips(self, table: Table, player: str) -> int:
        """The remaining chips of a player."""
        return int(table.value(table.score(f"chips {player}")))

    def in_street(self, table: Table, player: str) -> int:
        """The bet of a player in this street."""
        return int(table.value(table.score(f"bet {player}")))

    def pay(self, table: Table, player: str, amount: int) -> Action:
        """Chips of a player go into the pot."""
        return Mark(table.score(f"chips {player}"), -amount) + Mark(table.score(f"bet {player}"), amount)

    def bet(self, table: Table) -> Sequence[Action]:
        """Fold, check or call, raise."""
        owed = table.get("high") - self.in_street(table, table.current_player)
        totals: list[int | str] = ["fold", "call"] if owed > 0 else ["check"]
        return Each(totals + self.raises(table), self.bet_action)

    def bet_action(self, total: int | str) -> Action:
        """The action of folding, checking or calling, or of raising to a total."""
        if isinstance(total, str):
            return Do(self.fold if total == "fold" else self.call).named(total)
        return Do(self.raise_to, total).named(f"raise to {total}")

    def raises(self, table: Table) -> list[int]:
        """The totals of this street that a raise may reach."""
        player = table.current_player
        high = table.get("high")
        most = self.chips(table, player) + self.in_street(table, player)
        others = [one for one in self.active(table) if one != player and self.chips(table, one) > 0]
        if most <= high or not others:
            return []
        if self.most_bets:
            step = self.blind_of(table.get("hand")) * (1 if table.get("street") < 2 else 2)
            return [min(high + step, most)] if table.get("bets") < self.most_bets else []
        least = high + table.get("raised")
        return list(range(least, most + 1)) if least <= most else [most]

    @property
    def most_bets(self) -> int:
        """The maximum number of bets in one street, the big blind included; 0 without limit."""
        return 4 if self.settings["betting"] == LIMIT else 0

    def active(self, table: Table) -> list[str]:
        """The players who have not folded, from the small blind on."""
        folded = table.get("folded")
        return [player for player in table.get("seats") if player not in folded]

    def fold(self, table: Table) -> Action:
        """Give up the hand."""
        player = table.current_player
        folded = self.note(table, FOLD) + Set(table, folded=(*table.get("folded"), player))
        return self.go_on(table, folded, self.still_to_act(table), [player])

    def call(self, table: Table) -> Action:
        """Match the highest bet, or go all in."""
        player = table.current_player
        owed = self.owed(table, player)
        paid = self.pay(table, player, owed) if owed else Pass()
        return self.go_on(table, self.note(table, CALL) + paid, self.still_to_act(table), [])

    def raise_to(self, table: Table, total: int) -> Action:
        """Bet more than the others; all who can must answer."""
        player = table.current_player
        high = table.get("high")
        order = table.get("seats")
        at = order.index(player)
        after = [one for one in (*order[at + 1 :], *order[:at]) if one not in table.get("folded")]
        answer = tuple(one for one in after if self.chips(table, one) > 0)
        paid = self.note(table, RAISE) + self.pay(table, player, total - self.in_street(table, player))
        noted = Set(table, high=total, raised=max(total - high, table.get("raised")), bets=table.get("bets") + 1)
        return self.go_on(table, paid + noted, answer, [])

    def note(self, table: Table, what: int) -> Action:
        """Write down what the player did, for those who wonder what hand it has."""
        player = table.current_player
        pot = sum(self.paid(table).values())
        act = (player, what, table.get("street"), self.owed(table, player), pot, int(bool(self.raises(table))))
        return Set(table, acts=(*table.get("acts"), act))

    def still_to_act(self, table: Table) -> tuple[str, ...]:
        """The players who still have to act in this street after the current one."""
        return tuple(player for player in table.get("pending")[1:] if self.chips(table, player) > 0)

    def go_on(self, table: Table, action: Action, pending: tuple[str, ...], gone: list[str]) -> Action:
        """The action, and what follows from it: the next player, the next street, or the end."""
        left = [player for player in self.active(table) if player not in gone]
        if len(left) == 1:
            return action + Do(self.settle)
        if pending:
            return (action + Set(table, pending=pending)).then(f"bet {pending[0]}")
        mark = table.mark()
        action.do(table)
        able = [player for player in left if self.chips(table, player) > 0]
        table.roll_back(mark)
        street = table.get("street")
        if street == len(STREETS) - 1:
            return action + Do(self.settle)
        collected = action
        for player in self.players:
            collected += Do(self.collect, player)
        if len(able) < 2:
            return collected + self.lay_open(table, sum(STREETS[street + 1 :])) + Do(self.settle)
        turns = self.turns_of_street(table, able)
        blind = self.blind_of(table.get("hand"))
        ready = Set(table, street=street + 1, pending=turns, raised=blind, bets=0, high=0)
        return (collected + self.lay_open(table, STREETS[street + 1]) + ready).then(f"bet {turns[0]}")

    def turns_of_street(self, table: Table, able: list[str]) -> tuple[str, ...]:
        """The small blind begins, with two players the big one."""
        return tuple(able) if len(table.get("seats")) > 2 else tuple(reversed(able))

    def collect(self, table: Table, player: str) -> Action:
        """Move a bet of this street to the pot."""
        bet = self.in_street(table, player)
        return Mark(table.score(f"bet {player}"), -bet) + Mark(table.score("pot"), bet)

    def lay_open(self, table: Table, count: int) -> Action:
        """Deal community cards."""
        return Move(table.assortment("deck"), table.position("board"), count=count)

    # The end

    def settle(self, table: Table) -> Action:
        """The last player who did not fold, or the best hands, take the pots. Hands are shown before they are compared;
        in a session the next hand follows."""
        active = self.active(table)
        strengths = {player: self.strength(table, player) for player in active} if len(active) > 1 else {}
        won = self.shares(self.paid(table), active, strengths)
        action: Action = Set(table, pending=())
        for player in self.players:
            action += Do(self.collect, player)
        for player, rank in strengths.items():
            action += Show(table[table.hand(player)]) + Set(player, shows=hand_name(rank))
        action += Mark(table.score("pot"), -sum(won.values()))
        for player in self.players:
            if won[player]:
                action += Mark(table.score(f"chips {player}"), won[player]) + Set(player, wins=won[player])
        with_chips = [player for player in self.players if self.chips(table, player) + won[player] > 0]
        if table.get("hand") + 1 == self.settings["hands"] or len(with_chips) == 1:
            return action
        return (action + Set(table, pending=BETWEEN_HANDS)).then(f"deal {with_chips[0]}")

    def twin(self) -> EngineTwin | None:
        """An engine in C++."""
        return holdem_twin(self, self.most_bets, sum(self.stacks().values()), self.cards)

    def result(self, table: Table) -> FinishPlay | None:
        """The chips of each player, after the last hand."""
        if table.get("pending"):
            return None
        return FinishPlay(points={player: self.chips(table, player) for player in self.players})

    def paid(self, table: Table) -> dict[str, int]:
        """The chips that each player put into the pots of this hand."""
        stacks = zip(self.players, table.get("stacks"), strict=True)
        return {player: stack - self.chips(table, player) for player, stack in stacks}

    def shares(self, paid: dict[str, int], active: list[str], strengths: Mapping[str, int]) -> dict[str, int]:
        """What each player takes from the pots, by the strengths of the hands."""
        won = dict.fromkeys(self.players, 0)
        for pot, rivals in self.pots(paid, active):
            best = max(strengths.get(player, 0) for player in rivals)
            winners = [player for player in active if player in rivals and strengths.get(player, 0) == best]
            share, odd = divmod(pot, len(winners))
            for number, player in enumerate(winners):
                won[player] += share + (number < odd)
        return won

    def strength(self, table: Table, player: str) -> int:
        """The rank of a player's hand."""
        return strength((*table[table.hand(player)], *table["board"]))

    @staticmethod
    def pots(paid: dict[str, int], active: list[str]) -> list[tuple[int, list[str]]]:
        """The main pot and the side pots, each with those who can win it."""
        pots = []
        below = 0
        for level in sorted({paid[player] for player in active}):
            size = sum(min(amount, level) - min(amount, below) for amount in paid.values())
            pots.append((size, [player for player in active if paid[player] >= level]))
            below = level
        rest = sum(amount - min(amount, below) for amount in paid.values())
        size, rivals = pots[-1]
        pots[-1] = (size + rest, rivals)
        return pots
