"""Chinese Poker: the paper's third game. Four players arrange thirteen cards into three poker hands."""

from __future__ import annotations

from operator import attrgetter

from ludens.games.tabletop.twins.chinese_poker import chinese_poker_twin
from ludens.tabletop import (
    Action,
    Area,
    Distribute,
    EngineTwin,
    FinishPlay,
    Move,
    Option,
    Rule,
    Shuffle,
    Stage,
    Table,
    everybody,
    french_deck,
)
from ludens.tabletop.poker import strength

ROWS = {"front": 3, "middle": 5, "back": 5}
"""How many cards each row has, the weakest first."""


class ChinesePoker(Rule):
    """Rows are compared pairwise; a hand whose rows are out of order loses everything."""

    name = "Chinese Poker"
    players = ("North", "East", "South", "West")
    options = (Option("scoop", 3, "points for winning all three rows against a player", 0, 20),)

    def equipment(self, table: Table) -> None:
        """A deck; for each player a hand and three rows that only it sees."""
        deck = french_deck()
        table.add(deck)
        self.cards = deck.elements
        for area in ("hand", *ROWS):
            table.add(Area.hands(area, self.players))

    def setup(self, table: Table) -> Action:
        """Deal all cards."""
        deck = table.assortment("deck")
        return (Shuffle(deck) + Distribute(deck, table.area("hand"))).named("deal")

    def turns(self) -> list[Stage]:
        """All arrange at the same time, card by card."""
        return [everybody("arrange", self.players, self.arrange, "arrange")]

    def arrange(self, table: Table) -> list[Action]:
        """Put the highest remaining card into a row that has room; the last row takes the rest."""
        player = table.current_player
        hand = table[table.hand(player)]
        rows = [row for row, size in ROWS.items() if len(table[table.hand(player, row)]) < size]
        if len(rows) < 2:
            return [Move(hand, to=table.hand(player, row)).named(f"the rest to {row}") for row in rows]
        card = max(hand, key=attrgetter("index"))
        return [Move(card, to=table.hand(player, row)).named(f"{card.name} to {row}") for row in rows]

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return chinese_poker_twin(self, self.cards)

    def result(self, table: Table) -> FinishPlay | None:
        """Compare all pairs of players."""
        if any(table[table.hand(player)] for player in self.players):
            return None
        hands = {player: [strength(table[table.hand(player, row)]) for row in ROWS] for player in self.players}
        points = dict.fromkeys(self.players, 0)
        for player in self.players:
            for other in self.players:
                points[player] += self.compare(hands[player], hands[other])
        return FinishPlay(points=points)

    def compare(self, own: list[int], other: list[int]) -> int:
        """The points that a player wins from another."""
        bonus = int(self.settings["scoop"])
        fouls = own != sorted(own), other != sorted(other)
        if any(fouls):
            return (fouls[1] - fouls[0]) * (len(ROWS) + bonus)
        rows = sum((mine > theirs) - (mine < theirs) for mine, theirs in zip(own, other, strict=True))
        scoop = bonus if abs(rows) == len(ROWS) else 0
        return rows + (scoop if rows > 0 else -scoop)
