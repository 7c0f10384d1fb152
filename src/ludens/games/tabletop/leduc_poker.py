"""Leduc poker: six cards, two rounds of betting, one community card."""

from __future__ import annotations

from ludens.games.tabletop.twins.leduc_poker import leduc_twin
from ludens.tabletop import (
    Action,
    Area,
    Distribute,
    Do,
    EngineTwin,
    FinishPlay,
    Mark,
    Move,
    Pass,
    Rule,
    Score,
    Set,
    Shuffle,
    Stage,
    Table,
    alternate,
    french_deck,
    waiting,
)

STEPS = (2, 4)
"""The size of a raise in each round."""
MOST_RAISES = 2


class LeducPoker(Rule):
    """A pair with the open card wins, otherwise the higher card."""

    name = "Leduc poker"
    players = ("First", "Second")
    zero_sum = True
    points_range = (-13, 13)

    def equipment(self, table: Table) -> None:
        """Two each of jack, queen and king."""
        table.add(french_deck(ranks="JQK", suits="HS"))
        table.add(Area.hands("hand", self.players))
        table.add(Area("table", ["board"]))
        for player in self.players:
            table.add(Score(f"paid {player}", start=1))

    def setup(self, table: Table) -> Action:
        """One card for each."""
        deck = table.assortment("deck")
        deal = Shuffle(deck) + Distribute(deck, table.area("hand"), each=1)
        return (deal + Set(table, round=0, raises=0, checked=False, folded=None)).named("deal")

    def turns(self) -> list[Stage]:
        """One after the other, the first player first in both rounds."""
        return alternate(self.players, self.bet)

    def stake(self, table: Table, player: str) -> int:
        """The chips that a player has paid."""
        return int(table.value(table.score(f"paid {player}")))

    def debt(self, table: Table) -> int:
        """The chips that the current player must pay to stay in."""
        return self.stake(table, table.next_player()) - self.stake(table, table.current_player)

    def bet(self, table: Table) -> list[Action]:
        """Fold, call, raise."""
        actions: list[Action] = [Do(self.call).named("call")]
        if self.debt(table):
            actions.insert(0, Set(table, folded=table.current_player).named("fold"))
        if table.get("raises") < MOST_RAISES:
            actions.append(Do(self.raise_).named("raise"))
        return actions

    def raise_(self, table: Table) -> Action:
        """Call and add the raise of this round."""
        cost = self.debt(table) + STEPS[table.get("round")]
        pay = Mark(table.score(f"paid {table.current_player}"), cost)
        return pay + Set(table, raises=table.get("raises") + 1, checked=True)

    def call(self, table: Table) -> Action:
        """Call or check. If the other has acted, the round is over."""
        debt = self.debt(table)
        pay = Mark(table.score(f"paid {table.current_player}"), debt) if debt else Pass()
        if not table.get("checked"):
            return pay + Set(table, checked=True)
        if table.get("round"):
            return pay + Set(table, round=2)
        lay = Move(table.assortment("deck"), table.position("board"))
        return (pay + lay + Set(table, round=1, raises=0, checked=False)).then(waiting(self.players[0]))

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return leduc_twin(self, STEPS, MOST_RAISES)

    def result(self, table: Table) -> FinishPlay | None:
        """A player who folded loses its chips; otherwise the cards decide."""
        folded = table.get("folded")
        if not folded and table.get("round") < 2:
            return None
        first, second = self.players
        if folded:
            gain = self.stake(table, folded)
            gain = gain if folded == second else -gain
        else:
            strengths = [self.strength(table, player) for player in self.players]
            sign = (strengths[0] > strengths[1]) - (strengths[0] < strengths[1])
            gain = sign * self.stake(table, first)
        return FinishPlay(points={first: gain, second: -gain})

    @staticmethod
    def strength(table: Table, player: str) -> tuple[bool, int]:
        """Whether there is a pair, and the rank of the card."""
        card = table[table.hand(player)][0]
        return card.rank == table["board"][0].rank, card.rank
