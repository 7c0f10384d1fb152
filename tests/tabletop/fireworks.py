"""A game like Hanabi: players see all cards but their own, give each other hints, and build piles together."""

from __future__ import annotations

from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Distribute,
    Do,
    Element,
    FinishPlay,
    Mark,
    Move,
    Option,
    Rule,
    Score,
    Shuffle,
    Stage,
    Table,
    Tell,
    alternate,
)


class Fireworks(Rule):
    """Three cards each; a player hints, plays or discards."""

    name = "Fireworks"
    players = ("Anna", "Bert")
    options = (Option("hand", 3, "cards of each player", 1, 5), Option("colours", 3, "colours", 1, 5))

    def equipment(self, table: Table) -> None:
        """A deck, hands that only the partner sees, piles, hints and fuses."""
        self.colours = ("red", "blue", "green", "white", "gold")[: int(self.settings["colours"])]
        cards = [
            Element(f"{colour} {rank}", colour=colour, rank=rank) for colour in self.colours for rank in (1, 1, 2, 2, 3)
        ]
        table.add(Assortment("deck", cards, visibility="hidden", stack=True))
        for player, other in zip(self.players, self.players[::-1], strict=True):
            table.add(Area(f"cards of {player}", [f"cards {player}"], owner=other, visibility="owner", stack=True))
        table.add(Area("piles", list(self.colours)))
        table.add(Area("discards", ["heap"]))
        table.add(Score("hints", start=4))
        table.add(Score("fuses", start=3))

    def setup(self, table: Table) -> Action:
        """Deal."""
        deck = table.assortment("deck")
        places = [table.position(f"cards {player}") for player in self.players]
        return (Shuffle(deck) + Distribute(deck, places, each=int(self.settings["hand"]))).named("deal")

    def turns(self) -> list[Stage]:
        """In turn."""
        return alternate(self.players, self.act)

    def act(self, table: Table) -> list[Action]:
        """A hint that names all cards of a colour or rank, a card played, or one discarded."""
        player, other = table.current_player, table.next_player()
        found: list[Action] = []
        if table.value(table.score("hints")):
            theirs = table[f"cards {other}"]
            for kind in sorted({card.colour for card in theirs} | {card.rank for card in theirs}, key=str):
                found.append(Do(self.hint, other, kind).named(f"hint {kind}"))
        count = len(table[f"cards {player}"])
        found += [Do(self.play, number).named(f"play {number}") for number in range(count)]
        found += [Do(self.discard, number).named(f"discard {number}") for number in range(count)]
        return found

    def hint(self, table: Table, other: str, kind: str | int) -> Action:
        """Name the places of all cards of a kind."""
        at = [str(n) for n, card in enumerate(table[f"cards {other}"]) if kind in (card.colour, card.rank)]
        return Mark(table.score("hints"), -1) + Tell(f"{kind}: {' '.join(at)}")

    def play(self, table: Table, number: int) -> Action:
        """Add a card to its pile, or lose a fuse."""
        card = table[f"cards {table.current_player}"][number]
        if len(table[card.colour]) == card.rank - 1:
            return self.drawn(table, Move(card, to=table.position(card.colour)))
        return self.drawn(table, Move(card, to=table.position("heap")) + Mark(table.score("fuses"), -1))

    def discard(self, table: Table, number: int) -> Action:
        """Throw a card away for one more hint."""
        card = table[f"cards {table.current_player}"][number]
        return self.drawn(table, Move(card, to=table.position("heap")) + Mark(table.score("hints"), 1))

    def drawn(self, table: Table, action: Action) -> Action:
        """And draw one."""
        deck = table.assortment("deck")
        return action + Move(deck, to=table.position(f"cards {table.current_player}")) if table[deck] else action

    def result(self, table: Table) -> FinishPlay | None:
        """Over when the fuses or the cards are used up."""
        is_over = not table.value(table.score("fuses")) or any(not table[f"cards {player}"] for player in self.players)
        if not is_over:
            return None
        points = sum(len(table[colour]) for colour in self.colours)
        return FinishPlay(points=dict.fromkeys(self.players, points))
