"""Liar, a page for tests: cards are laid face down under a claim, and whoever doubts wrongly takes the pile.

Cards that a player saw in the pile go into another's hand, and from there face down again.
"""

from __future__ import annotations

from itertools import combinations

from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Distribute,
    Do,
    Element,
    FinishPlay,
    Move,
    Option,
    Rule,
    Set,
    Show,
    Shuffle,
    Stage,
    Table,
    Tell,
    stage,
)

RANKS = "789TJQ"


class Liar(Rule):
    """Three players, one or two cards in each turn."""

    name = "Liar"
    players = ("Anna", "Bert", "Cleo")
    options = (Option("ranks", 6, "ranks, three cards for each player and two ranks", 3, 6),)

    def equipment(self, table: Table) -> None:
        """A pack, hands and a pile."""
        self.ranks = RANKS[: self.settings["ranks"]]
        cards = [Element(f"{rank}{suit}", rank=rank) for rank in self.ranks for suit in "CDHS"]
        table.add(Assortment("pack", cards[: len(cards) // 3 * 3], visibility="hidden"))
        table.add(Area.hands("hand", self.players))
        table.add(Area("table", ["pile"], visibility="hidden", stack=True))

    def setup(self, table: Table) -> Action:
        """All cards are dealt."""
        pack = table.assortment("pack")
        dealt = Distribute(pack, table.area("hand"), each=len(table[pack]) // 3)
        return (Shuffle(pack) + dealt + Set(table, turn=0)).named("deal")

    def turns(self) -> list[Stage]:
        """One lays, the next one believes or doubts, and lays."""
        stages: list[Stage] = []
        for player, after in zip(self.players, (*self.players[1:], self.players[0]), strict=True):
            stages.append(stage(f"{player} lays", (player, self.lay, f"{after} answers"), start=not stages))
            stages.append(stage(f"{player} answers", (player, self.answer, f"{player} lays"), start=False))
        return stages

    def lay(self, table: Table) -> list[Action]:
        """One or two cards, in the order of the hand."""
        player, turn = table.current_player, table.get("turn")
        said = Set(table, turn=turn + 1, claim=self.ranks[turn % len(self.ranks)], liable=player)
        hand = table[table.hand(player)]
        return [
            (Move(cards, to=table.position("pile")) + said + Set(table, laid=count)).named(" ".join(map(str, cards)))
            for count in (1, 2)
            for cards in combinations(hand, count)
        ]

    def answer(self, table: Table) -> list[Action]:
        """Go on, or look."""
        return [Set(table, doubted=False).named("believe"), Do(self.doubt).named("doubt")]

    def doubt(self, table: Table) -> Action:
        """Whoever was wrong takes the pile."""
        pile = list(table[table.position("pile")])
        shown = pile[-table.get("laid") :]
        lied = any(card.rank != table.get("claim") for card in shown)
        loser = table.get("liable") if lied else table.current_player
        return Show(shown) + Move(pile, to=table.hand(loser)) + Tell(f"{loser} takes the pile")

    def result(self, table: Table) -> FinishPlay | None:
        """An empty hand wins once the next player has answered."""
        if not table.stage.endswith("answers"):
            return None
        empty = [player for player in self.players if not table[table.hand(player)]]
        if empty:
            return FinishPlay(winners=empty)
        return FinishPlay(draw=True) if table.get("turn") > 20 else None
