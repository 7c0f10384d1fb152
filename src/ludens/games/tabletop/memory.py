"""Memory: pairs of cards lie face down; a player who turns up a pair keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludens.games.tabletop.twins.memory import memory_twin
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Distribute,
    Do,
    Element,
    EngineTwin,
    FinishPlay,
    Mark,
    Move,
    Option,
    Position,
    Rule,
    Score,
    Set,
    Show,
    Shuffle,
    Stage,
    Table,
    stage,
)

NAMES = (
    "apple", "bee", "cat", "drum", "egg", "fox", "goat", "hat", "ink", "jar", "kite", "leaf", "moon", "nut", "owl",
    "pear", "queen", "rose", "sun", "tree", "umbrella", "vase", "whale", "xylophone", "yacht", "zebra", "anchor",
    "bell", "cup", "door", "eye", "fish",
)  # fmt: skip


class Memory(Rule):
    """Players turn two cards in turn; everybody remembers all cards seen."""

    name = "Memory"
    players: Sequence[Any] = range(2, 7)
    options = (
        Option("columns", 6, "cards in a row", 2, 8),
        Option("rows", 4, "rows of cards", 2, 8),
        Option("turns", 400, "pairs turned before the game ends", 1, 5000),
    )

    def equipment(self, table: Table) -> None:
        """Two cards of each picture; if the number of places is odd, one stays empty."""
        columns, rows = self.settings["columns"], self.settings["rows"]
        pictures = NAMES[: columns * rows // 2]
        table.add(Assortment("cards", [Element(name) for name in pictures for _ in "ab"], visibility="hidden"))
        table.add(Area.grid("board", columns, rows, visibility="hidden", picture="cards"))
        table.add(Area.hands("won", self.players, visibility="public"))
        for player in self.players:
            table.add(Score(f"pairs {player}", owner=player))

    def setup(self, table: Table) -> Action:
        """All cards face down."""
        cards = table.assortment("cards")
        places = table.area("board").positions[: len(cards.elements)]
        left = tuple(place.name for place in places)
        deal = Shuffle(cards) + Distribute(cards, places, each=1)
        return (deal + Set(table, left=left, turned="", turn=0)).named("deal")

    def turns(self) -> list[Stage]:
        """Turn a card, and another."""
        following = (*self.players[1:], self.players[0])
        return [
            stage(f"turn {player}", (player, self.cards, f"turn {after}"))
            for player, after in zip(self.players, following, strict=True)
        ]

    def cards(self, table: Table) -> list[Action]:
        """Turn any remaining card."""
        turned = table.get("turned")
        return [Do(self.turn, table.position(name)).named(name) for name in table.get("left") if name != turned]

    def turn(self, table: Table, place: Position) -> Action:
        """Turn a card: the first of two stays, the second decides."""
        player = table.current_player
        card = table[place][0]
        action: Action = Show(card)
        before = table.get("turned")
        if not before:
            return (action + Set(table, turned=place.name)).then(f"turn {player}")
        other = table[before][0]
        action += Set(table, turned="", turn=table.get("turn") + 1)
        if other.name != card.name:
            return action
        left = tuple(name for name in table.get("left") if name not in (before, place.name))
        action += Move((other, card), to=table.hand(player, "won")) + Mark(table.score(owner=player), 1)
        return (action + Set(table, left=left)).then(f"turn {player}")

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return memory_twin(self)

    def result(self, table: Table) -> FinishPlay | None:
        """The player with the most pairs wins."""
        if table.get("left") and table.get("turn") < self.settings["turns"]:
            return None
        return FinishPlay(points={player: table.value(table.score(owner=player)) for player in self.players})
