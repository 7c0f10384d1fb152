"""Deck Duel: both choose a deck in secret, then fight with what they draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass

from ludens.games.tabletop.twins.deck_duel import deck_duel_twin
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Del,
    Do,
    Element,
    EngineTwin,
    FinishPlay,
    Mark,
    Move,
    Option,
    Pass,
    Rule,
    Score,
    Set,
    Shuffle,
    Stage,
    Table,
    everybody,
    stage,
)

COPIES = 2
MOST_MANA, MOST_CREATURES = 6, 5
CHOOSE, SHUFFLE = "choose", "shuffle"
HERO = "hero"


@dataclass(frozen=True, slots=True)
class Card:
    """What a card does."""

    cost: int
    attack: int = 0
    health: int = 0
    """0 for spells."""
    guard: bool = False
    """True if opponents have to attack it before others."""
    swift: bool = False
    """True if it may attack in the turn in which it is played."""
    ranged: bool = False
    """True if its target does not strike back."""
    heals: int = 0
    """The health its own hero gains when it is played."""
    damage: int = 0
    """Damage of a spell to its target."""
    storm: int = 0
    """Damage of a spell to all opposing creatures."""
    draws: int = 0


CARDS = {
    "squire": Card(1, 2, 1),
    "wolf": Card(2, 2, 2, swift=True),
    "archer": Card(2, 2, 1, ranged=True),
    "guard": Card(2, 1, 4, guard=True),
    "knight": Card(3, 3, 3),
    "healer": Card(3, 2, 3, heals=3),
    "giant": Card(5, 6, 6),
    "bolt": Card(2, damage=3),
    "storm": Card(4, storm=2),
    "scroll": Card(2, draws=2),
}


class DeckDuel(Rule):
    """Ten cards of twenty make a deck; creatures stay and attack, spells take effect at once."""

    name = "Deck Duel"
    players = ("Anna", "Bert")
    options = (
        Option("deck", 10, "cards that each player chooses", 4, 20),
        Option("health", 12, "health of a hero at the start", 5, 40),
    )
    chance = True

    def equipment(self, table: Table) -> None:
        """Two cards of each kind for each player; the chosen ones become its deck."""
        for player in self.players:
            cards = [Element(f"{name} of {player}", player=player, title=name) for name in CARDS for _ in range(COPIES)]
            table.add(Assortment(f"pool {player}", cards, owner=player, visibility="owner"))
            table.add(Score(f"health {player}", owner=player, start=self.settings["health"]))
        table.add(Area.hands("deck", self.players, visibility="hidden", stack=True))
        table.add(Area.hands("hand", self.players))
        table.add(Area.hands("field", self.players, visibility="public", stack=True))
        table.add(Area.hands("used", self.players, visibility="public"))

    def setup(self, table: Table) -> Action:
        """No mana yet; empty decks will hurt more and more."""
        action: Action = Set(table, mana=0)
        for player in self.players:
            action += Set(player, turn=0, fatigue=0)
        return action

    def turns(self) -> list[Stage]:
        """Choose at once, shuffle, and take turns."""
        anna, bert = self.players
        first = self.starting_player
        return [
            everybody(CHOOSE, self.players, self.choose, CHOOSE),
            stage(SHUFFLE, (first, self.shuffle, f"turn {first}"), start=False),
            stage(f"turn {anna}", (anna, self.acts, f"turn {anna}"), start=False),
            stage(f"turn {bert}", (bert, self.acts, f"turn {bert}"), start=False),
        ]

    # The decks. Pools are read without table[…]: a chosen card is no evidence about the others.

    def choose(self, table: Table) -> list[Action]:
        """Choose another card from the player's pool."""
        player = table.current_player
        pool = table.contents[table.assortment(f"pool {player}").index]
        is_last = len(CARDS) * COPIES - len(pool) + 1 == self.settings["deck"]
        kinds = {card.title: card for card in reversed(pool)}
        deck = table.hand(player, "deck")
        following = SHUFFLE if is_last else CHOOSE
        return [Move(card, to=deck).then(following).named(title) for title, card in sorted(kinds.items())]

    def shuffle(self, table: Table) -> list[Action]:
        """Shuffle both decks; three cards each."""
        anna, bert = (table.hand(player, "deck") for player in self.players)
        return [(Shuffle(anna) + Shuffle(bert) + Do(self.first_hands)).named(SHUFFLE)]

    def first_hands(self, table: Table) -> Action:
        """Draw the first cards."""
        action: Action = Pass()
        for player in self.players:
            action += Move(table.hand(player, "deck"), to=table.hand(player), count=3)
        return action + Do(self.begin, self.starting_player)

    # Turns

    def begin(self, table: Table, player: str) -> Action:
        """Mana grows by one each turn; draw a card and ready the creatures."""
        turn = table.get("turn", of=player) + 1
        action: Action = Set(player, turn=turn) + Set(table, mana=min(turn, MOST_MANA)) + Do(self.draw, player, 1)
        for creature in table[table.hand(player, "field")]:
            action += Set(creature, ready=True)
        return action.then(f"turn {player}")

    def draw(self, table: Table, player: str, count: int) -> Action:
        """Draw cards; each missing card hurts the hero, more each time."""
        deck = table.hand(player, "deck")
        there = min(count, len(table.contents[deck.index]))
        action: Action = Move(deck, to=table.hand(player), count=there)
        if there == count:
            return action
        fatigue = table.get("fatigue", of=player)
        pain = sum(range(fatigue + 1, fatigue + 1 + count - there))
        return action + Set(player, fatigue=fatigue + count - there) + self.hurt_hero(table, player, pain)

    @staticmethod
    def hurt_hero(table: Table, player: str, damage: int) -> Action:
        """Take from a hero's health."""
        return Mark(table.score(owner=player), -damage)

    def acts(self, table: Table) -> list[Action]:
        """Play a card, attack with a creature, or end the turn."""
        player, other = table.current_player, table.next_player()
        # Bypasses table[…] as well: played cards are seen, and cards not played prove nothing.
        hand = {card.title: card for card in reversed(table.contents[table.hand(player).index])}
        has_room = len(table[table.hand(player, "field")]) < MOST_CREATURES
        actions: list[Action] = []
        for title, card in sorted(hand.items()):
            kind = CARDS[title]
            if kind.cost > table.get("mana") or (kind.health and not has_room):
                continue
            if not kind.damage:
                actions.append(Do(self.play, card, "").named(title))
                continue
            actions += [Do(self.play, card, name).named(f"{title} on {name}") for name, _ in self.targets(table, other)]
        for name, creature in self.targets(table, player):
            if creature is None or not table.get("ready", of=creature):
                continue
            guarded = [one for one in self.targets(table, other) if one[1] is not None and CARDS[one[1].title].guard]
            for target, _ in guarded or self.targets(table, other):
                actions.append(Do(self.strike, name, target).named(f"{name} attacks {target}"))
        return [*actions, Do(self.begin, other).named("end turn")]

    def targets(self, table: Table, player: str) -> Iterator[tuple[str, Element | None]]:
        """The targets on a side by name: creatures with their numbers, and the hero (None)."""
        for number, creature in enumerate(table[table.hand(player, "field")], 1):
            yield f"{creature.title} {number}", creature
        yield HERO, None

    def find(self, table: Table, player: str, name: str) -> Element | None:
        """The creature of a name; None for the hero."""
        return dict(self.targets(table, player))[name]

    def play(self, table: Table, card: Element, target: str) -> Action:
        """Pay for a card and apply its effect."""
        player, other = table.current_player, table.next_player()
        kind = CARDS[card.title]
        action: Action = Set(table, mana=table.get("mana") - kind.cost)
        if kind.health:
            action += Move(card, to=table.hand(player, "field")) + Set(card, ready=kind.swift, damage=0)
        else:
            action += Move(card, to=table.hand(player, "used"))
        if kind.heals:
            health = table.value(table.score(owner=player))
            action += Mark(table.score(owner=player), min(kind.heals, self.settings["health"] - health))
        if kind.damage:
            action += self.hurt(table, other, self.find(table, other, target), kind.damage)
        if kind.storm:
            for creature in table[table.hand(other, "field")]:
                action += self.hurt(table, other, creature, kind.storm)
        if kind.draws:
            action += Do(self.draw, player, kind.draws)
        return action.then(table.stage)

    def strike(self, table: Table, name: str, target: str) -> Action:
        """A creature attacks; another one strikes back."""
        player, other = table.current_player, table.next_player()
        attacker, defender = self.find(table, player, name), self.find(table, other, target)
        assert attacker is not None
        kind = CARDS[attacker.title]
        action: Action = Set(attacker, ready=False) + self.hurt(table, other, defender, kind.attack)
        if defender is not None and not kind.ranged:
            action += self.hurt(table, player, attacker, CARDS[defender.title].attack)
        return action.then(table.stage)

    def hurt(self, table: Table, player: str, creature: Element | None, damage: int) -> Action:
        """Damage a creature, which may fall, or the hero."""
        if creature is None:
            return self.hurt_hero(table, player, damage)
        total = table.get("damage", 0, of=creature) + damage
        if total < CARDS[creature.title].health:
            return Set(creature, damage=total)
        return Del(creature, "damage", "ready") + Move(creature, to=table.hand(player, "used"))

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return deck_duel_twin(self, tuple(CARDS), [astuple(card) for card in CARDS.values()])

    def result(self, table: Table) -> FinishPlay | None:
        """A hero without health has lost."""
        fallen = [player for player in self.players if table.value(table.score(owner=player)) <= 0]
        if not fallen:
            return None
        if len(fallen) == len(self.players):
            return FinishPlay(draw=True)
        return FinishPlay(losers=fallen)
