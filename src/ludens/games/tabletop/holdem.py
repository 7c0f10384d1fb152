"""Texas Hold'em, limit and no-limit, for two to nine players: one hand, with side pots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Distribute,
    Do,
    FinishPlay,
    Mark,
    Move,
    Option,
    Pass,
    Rule,
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
MOST_BETS = 4
"""The maximum number of bets in one street of a limit game, the big blind included."""
STREETS = (0, 3, 1, 1)
"""Community cards dealt before each street."""


class Holdem(Rule):
    """Two hole cards each, five community cards, four rounds of betting."""

    name = "Texas Hold'em"
    players: Sequence[Any] = range(2, 10)
    options = (
        Option("betting", NO_LIMIT, "how much may be raised", choices=(NO_LIMIT, LIMIT)),
        Option("stack", 100, "chips of each player at the start", 4, 100_000),
        Option("blind", 2, "the big blind; the small one is half of it", 2, 1000),
    )

    def equipment(self, table: Table) -> None:
        """A deck, hands, the board; chips, each player's bet in this street, and the bets of earlier streets."""
        stack = int(self.settings["stack"])
        self.points_range = (0, stack * len(self.players))
        table.add(self.deck())
        table.add(Area.hands("hand", self.players))
        table.add(Area("table", ["board"]))
        for player in self.players:
            table.add(Score(f"chips {player}", owner=player, start=stack))
        for player in self.players:
            table.add(Score(f"bet {player}"))
        table.add(Score("pot"))

    def deck(self) -> Assortment:
        """The deck."""
        return french_deck()

    def turns(self) -> list[Stage]:
        """A stage for each player; actions decide who is next."""
        return [stage(f"bet {player}", (player, self.bet, f"bet {player}")) for player in self.players]

    # The beginning

    def order(self) -> list[str]:
        """Players from the small blind on."""
        first = self.players.index(self.starting_player)
        return [*self.players[first:], *self.players[:first]]

    def setup(self, table: Table) -> Action:
        """Deal two cards to each, and take the blinds."""
        deck = table.assortment("deck")
        small, big, *others = self.order()
        stack, blind = int(self.settings["stack"]), int(self.settings["blind"])
        paid = {small: min(blind // 2, stack), big: min(blind, stack)}
        turns = tuple(player for player in (*others, small, big) if paid.get(player, 0) < stack)
        deal = Shuffle(deck) + Distribute(deck, [table.hand(player) for player in self.order()], each=2)
        blinds = self.pay(table, small, paid[small]) + self.pay(table, big, paid[big])
        ready: Action = Set(table, street=0, pending=turns, raised=blind, bets=1, folded=(), high=blind)
        if not turns:  # the blinds took everything: nobody has anything to decide
            ready += self.lay_open(table, sum(STREETS)) + Do(self.showdown)
        return (deal + blinds + ready).named("deal").then(f"bet {(*turns, small)[0]}")

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

    def bet(self, table: Table) -> list[Action]:
        """Fold, check or call, raise."""
        player = table.current_player
        chips, own = self.chips(table, player), self.in_street(table, player)
        high = table.get("high")
        owed = high - own
        actions: list[Action] = []
        if owed > 0:
            actions.append(Do(self.fold).named("fold"))
        actions.append(Do(self.call).named("call" if owed > 0 else "check"))
        others = [one for one in self.active(table) if one != player and self.chips(table, one) > 0]
        if chips > owed and others:
            actions += [
                Do(self.raise_to, total).named(f"raise to {total}") for total in self.raises(table, chips + own)
            ]
        return actions

    def raises(self, table: Table, most: int) -> list[int]:
        """The totals of this street that a raise may reach, if the player can bet up to ``most``."""
        high = table.get("high")
        if self.settings["betting"] == LIMIT:
            step = int(self.settings["blind"]) * (1 if table.get("street") < 2 else 2)
            return [min(high + step, most)] if table.get("bets") < MOST_BETS else []
        least = high + table.get("raised")
        return list(range(least, most + 1)) if least <= most else [most]

    def active(self, table: Table) -> list[str]:
        """The players who have not folded, from the small blind on."""
        folded = table.get("folded")
        return [player for player in self.order() if player not in folded]

    def fold(self, table: Table) -> Action:
        """Give up the hand."""
        player = table.current_player
        return self.go_on(table, Set(table, folded=(*table.get("folded"), player)), self.still_to_act(table), [player])

    def call(self, table: Table) -> Action:
        """Match the highest bet, or go all in."""
        player = table.current_player
        owed = min(table.get("high") - self.in_street(table, player), self.chips(table, player))
        return self.go_on(table, self.pay(table, player, owed) if owed else Pass(), self.still_to_act(table), [])

    def raise_to(self, table: Table, total: int) -> Action:
        """Bet more than the others; all who can must answer."""
        player = table.current_player
        high = table.get("high")
        order = self.order()
        at = order.index(player)
        after = [one for one in (*order[at + 1 :], *order[:at]) if one not in table.get("folded")]
        answer = tuple(one for one in after if self.chips(table, one) > 0)
        paid = self.pay(table, player, total - self.in_street(table, player))
        noted = Set(table, high=total, raised=max(total - high, table.get("raised")), bets=table.get("bets") + 1)
        return self.go_on(table, paid + noted, answer, [])

    def still_to_act(self, table: Table) -> tuple[str, ...]:
        """The players who still have to act in this street after the current one."""
        return tuple(player for player in table.get("pending")[1:] if self.chips(table, player) > 0)

    def go_on(self, table: Table, action: Action, pending: tuple[str, ...], gone: list[str]) -> Action:
        """The action, and what follows from it: the next player, the next street, or the end."""
        left = [player for player in self.active(table) if player not in gone]
        if len(left) == 1:
            return action + Set(table, pending=()) + Do(self.showdown)
        if pending:
            return (action + Set(table, pending=pending)).then(f"bet {pending[0]}")
        mark = table.mark()
        action.do(table)
        able = [player for player in left if self.chips(table, player) > 0]
        table.roll_back(mark)
        street = table.get("street")
        if street == len(STREETS) - 1:
            return action + Set(table, pending=()) + Do(self.showdown)
        collected = action
        for player in self.players:
            collected += Do(self.collect, player)
        if len(able) < 2:
            rest = self.lay_open(table, sum(STREETS[street + 1 :]))
            return collected + rest + Set(table, pending=()) + Do(self.showdown)
        turns = self.turns_of_street(able)
        ready = Set(table, street=street + 1, pending=turns, raised=int(self.settings["blind"]), bets=0, high=0)
        return (collected + self.lay_open(table, STREETS[street + 1]) + ready).then(f"bet {turns[0]}")

    def turns_of_street(self, able: list[str]) -> tuple[str, ...]:
        """The small blind begins, with two players the big one."""
        return tuple(able) if len(self.players) > 2 else tuple(reversed(able))

    def collect(self, table: Table, player: str) -> Action:
        """Move a bet of this street to the pot."""
        bet = self.in_street(table, player)
        return Mark(table.score(f"bet {player}"), -bet) + Mark(table.score("pot"), bet)

    def lay_open(self, table: Table, count: int) -> Action:
        """Deal community cards."""
        return Move(table.assortment("deck"), table.position("board"), count=count)

    # The end

    def showdown(self, table: Table) -> Action:
        """Everything is in the pot; if several players are left, they show their cards. The pots are paid."""
        active = self.active(table)
        action: Action = Pass()
        for player in self.players:
            action += self.collect(table, player)
        if len(active) > 1:
            for player in active:
                action += Show(table[table.hand(player)]) + Set(player, shows=hand_name(self.strength(table, player)))
        for player, chips in self.winnings(table).items():
            if chips:
                action += Set(player, wins=chips)
        return action

    def paid(self, table: Table) -> dict[str, int]:
        """The chips that each player put into the pots."""
        return {player: int(self.settings["stack"]) - self.chips(table, player) for player in self.players}

    def winnings(self, table: Table) -> dict[str, int]:
        """The last player who did not fold, or the best hands, take the pots."""
        active = self.active(table)
        strengths = {player: self.strength(table, player) for player in active} if len(active) > 1 else {}
        return self.shares(self.paid(table), active, strengths)

    def shares(self, paid: dict[str, int], active: list[str], strengths: Mapping[str, int]) -> dict[str, int]:
        """What each player takes from the pots, by the strengths of the hands."""
        won = dict.fromkeys(self.players, 0)
        for pot, rivals in self.pots(paid, active):
            best = max(strengths.get(player, 0) for player in rivals)
            winners = [player for player in self.order() if player in rivals and strengths.get(player, 0) == best]
            share, odd = divmod(pot, len(winners))
            for number, player in enumerate(winners):
                won[player] += share + (number < odd)
        return won

    def result(self, table: Table) -> FinishPlay | None:
        """Over when nobody has to act."""
        if table.get("pending"):
            return None
        won = self.winnings(table)
        return FinishPlay(points={player: self.chips(table, player) + won[player] for player in self.players})

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

    # Playouts

    def playout(self, table: Table, rng: Random) -> Sequence[float]:
        """Everybody checks and calls to the end: the hands decide, not who folds or raises at random."""
        if not any(table[table.hand(player)] for player in self.players):
            return [100 / len(self.players)] * len(self.players)
        stack, high = int(self.settings["stack"]), table.get("high")
        active, paid = self.active(table), self.paid(table)
        for player in active:
            paid[player] = min(stack, paid[player] + max(0, high - self.in_street(table, player)))
        board = table["board"]
        board = (*board, *rng.sample(table["deck"], sum(STREETS) - len(board)))
        strengths = {player: strength((*table[table.hand(player)], *board)) for player in active}
        won = self.shares(paid, active, strengths)
        most = stack * len(self.players)
        return [100 * (stack - paid[player] + won[player]) / most for player in self.players]
