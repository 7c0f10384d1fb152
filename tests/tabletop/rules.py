"""Small rules that the tests of the model share."""

from __future__ import annotations

from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Dice,
    Distribute,
    Do,
    Element,
    FinishPlay,
    Mark,
    Move,
    Pass,
    Roll,
    Rule,
    Score,
    Set,
    Shuffle,
    Stage,
    Table,
    TabletopGame,
    alternate,
    everybody,
    stage,
)


class HighCard(Rule):
    """Six cards, two for each of two players and two left; each plays one, the higher wins."""

    name = "High card"
    players = ("Anna", "Bert")

    def equipment(self, table: Table) -> None:
        table.add(Assortment("deck", [Element(f"c{n}", rank=n) for n in range(6)], visibility="hidden"))
        table.add(Area.hands("hand", self.players))
        table.add(Area("table", ["played"]))

    def setup(self, table: Table) -> Action:
        return Shuffle(table.assortment("deck")) + Distribute(table.assortment("deck"), table.area("hand"), 2)

    def turns(self) -> list[Stage]:
        return alternate(self.players, self.card)

    def card(self, table: Table) -> list[Action]:
        hand = table.hand(table.current_player)
        return [Move(card, to=table.position("played")).named(card.name) for card in table[hand]]

    def result(self, table: Table) -> FinishPlay | None:
        played = table["played"]
        if len(played) < 2:
            return None
        anna, bert = played
        return FinishPlay(winners=["Anna" if anna.rank > bert.rank else "Bert"])


class Suits(Rule):
    """Three players must follow suit if they can; a whole hand of four cards is played out."""

    name = "Suits"
    players = ("A", "B", "C")

    def equipment(self, table: Table) -> None:
        cards = [Element(f"{suit}{n}", suit=suit, rank=n) for suit in "RGB" for n in range(4)]
        table.add(Assortment("deck", cards, visibility="hidden"))
        table.add(Area.hands("hand", self.players))
        table.add(Area("table", ["trick", "gone"]))

    def setup(self, table: Table) -> Action:
        return Shuffle(table.assortment("deck")) + Distribute(table.assortment("deck"), table.area("hand"))

    def turns(self) -> list[Stage]:
        return alternate(self.players, self.card)

    def card(self, table: Table) -> list[Action]:
        hand = table[table.hand(table.current_player)]
        trick = table["trick"]
        following = [card for card in hand if trick and card.suit == trick[0].suit]
        clear = Move(trick, to=table.position("gone")) if len(trick) == 2 else None
        return [
            (
                Move(card, to=table.position("trick"))
                + (Move((*trick, card), to=table.position("gone")) if clear else None)
            ).named(card.name)
            for card in following or hand
        ]

    def result(self, table: Table) -> FinishPlay | None:
        if any(table[table.hand(player)] for player in self.players):
            return None
        return FinishPlay(draw=True)


class Race(Rule):
    """Everybody may grab or wait in a race; grabbing has priority, and C's most of all."""

    name = "Race"
    players = ("A", "B", "C")

    def equipment(self, table: Table) -> None:
        table.add(Area("table", ["middle"]))
        for player in self.players:
            table.add(Score(f"points {player}", owner=player))

    def turns(self) -> list[Stage]:
        return [stage("grab", *((player, self.grab, "grab") for player in self.players))]

    def grab(self, table: Table) -> list[Action]:
        return [Mark(table.score(owner=table.current_player), 1).named("grab"), Pass()]

    def priority(self, table: Table, player: str, action: Action) -> int:
        if isinstance(action, Pass):
            return 0
        return 2 if player == "C" else 1

    def result(self, table: Table) -> FinishPlay | None:
        points = {player: table.value(table.score(owner=player)) for player in self.players}
        return FinishPlay(points=points) if max(points.values()) >= 2 else None


class Together(Rule):
    """Both choose a number at once; the dice are added to each, the higher sum wins."""

    name = "Together"
    players = ("A", "B")

    def equipment(self, table: Table) -> None:
        table.add(Dice("dice", 2))
        for player in self.players:
            table.add(Score(f"sum {player}", owner=player))

    def turns(self) -> list[Stage]:
        return [everybody("choose", self.players, self.choose, "roll"), stage("roll", ("A", self.roll, "choose"))]

    def choose(self, table: Table) -> list[Action]:
        score = table.score(owner=table.current_player)
        return [Mark(score, number).named(str(number)) for number in (1, 2, 3)]

    def roll(self, table: Table) -> list[Action]:
        return [Roll(table.dice()) + Set(table, rolled=True)]

    def result(self, table: Table) -> FinishPlay | None:
        if not table.get("rolled"):
            return None
        low, high = table.value(table.dice())
        first, second = (table.value(table.score(owner=player)) for player in self.players)
        return FinishPlay(points={"A": first + low, "B": second + high})


def game(rule: Rule) -> TabletopGame:
    return TabletopGame(rule)


class Backwards(Rule):
    """Each of three players holds two cards that only the others see, and plays one of them blindly."""

    name = "Backwards"
    players = ("Anna", "Bert", "Carl")

    def equipment(self, table: Table) -> None:
        table.add(Assortment("deck", [Element(f"c{n}", rank=n) for n in range(8)], visibility="hidden"))
        table.add(Area.hands("hand", self.players, visibility="everybody but the owner", stack=True))
        table.add(Area("table", ["played"]))

    def setup(self, table: Table) -> Action:
        return Shuffle(table.assortment("deck")) + Distribute(table.assortment("deck"), table.area("hand"), 2)

    def turns(self) -> list[Stage]:
        return alternate(self.players, self.card)

    def card(self, table: Table) -> list[Action]:
        count = len(table[table.hand(table.current_player)])
        return [Do(self.play, number).named(f"play {number}") for number in range(1, count + 1)]

    def play(self, table: Table, number: int) -> Action:
        return Move(table[table.hand(table.current_player)][number - 1], to=table.position("played"))

    def result(self, table: Table) -> FinishPlay | None:
        played = table["played"]
        if len(played) < 3:
            return None
        return FinishPlay(points={name: card.rank for name, card in zip(self.players, played, strict=True)})
