"""Kuhn's poker: three cards, one bet."""

from __future__ import annotations

from ludens.games.tabletop.twins.kuhn_poker import kuhn_twin
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Distribute,
    Element,
    EngineTwin,
    FinishPlay,
    Mark,
    Rule,
    Score,
    Set,
    Shuffle,
    Stage,
    Table,
    alternate,
)


class KuhnPoker(Rule):
    """Each has paid one chip and has one card; the higher card wins unless its owner folded."""

    name = "Kuhn poker"
    players = ("First", "Second")
    zero_sum = True
    points_range = (-2, 2)

    def equipment(self, table: Table) -> None:
        """Jack, queen and king."""
        cards = [Element(name, rank=rank) for rank, name in enumerate(("J", "Q", "K"))]
        table.add(Assortment("deck", cards, visibility="hidden"))
        table.add(Area.hands("hand", self.players))
        for player in self.players:
            table.add(Score(f"paid {player}", start=1))

    def setup(self, table: Table) -> Action:
        """One card for each."""
        deck = table.assortment("deck")
        return (Shuffle(deck) + Distribute(deck, table.area("hand"), each=1) + Set(table, said=())).named("deal")

    def turns(self) -> list[Stage]:
        """One after the other."""
        return alternate(self.players, self.speak)

    def speak(self, table: Table) -> list[Action]:
        """Bet (or call) a chip, or pass."""
        actions = table.get("said")
        pay = Mark(table.score(f"paid {table.current_player}"), 1)
        return [
            Set(table, said=(*actions, "pass")).named("pass"),
            (pay + Set(table, said=(*actions, "bet"))).named("bet"),
        ]

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return kuhn_twin(self)

    def result(self, table: Table) -> FinishPlay | None:
        """Two of the same word are a showdown; a pass after a bet folds."""
        actions = table.get("said")
        if len(actions) < 2 or actions == ("pass", "bet"):
            return None
        first, second = (table[table.hand(player)][0].rank for player in self.players)
        winner = 0 if first > second else 1
        if actions[-1] == "pass" and actions[-2] == "bet":
            winner = self.players.index(table.next_player())
        stake = min(table.value(table.score(f"paid {player}")) for player in self.players)
        return FinishPlay(points={player: stake if n == winner else -stake for n, player in enumerate(self.players)})
