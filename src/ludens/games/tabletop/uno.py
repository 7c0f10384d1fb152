"""Uno with jump-in: a player holding exactly the card just played may play it out of turn.

With the option ``challenge``, a wild draw four may be played while holding a card of the colour, and challenged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludens.games.tabletop.twins.uno import uno_twin
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Distribute,
    Do,
    Element,
    EngineTwin,
    FinishPlay,
    Move,
    Option,
    Pass,
    Rule,
    Set,
    Show,
    Shuffle,
    Stage,
    Table,
    stage,
)

COLOURS = ("red", "yellow", "green", "blue")
DRAW_TWO, SKIP, REVERSE, WILD, WILD_FOUR = "draw two", "skip", "reverse", "wild", "wild draw four"
ACTIONS = (DRAW_TWO, SKIP, REVERSE)
DRAWN = {DRAW_TWO: 2, WILD_FOUR: 4}
"""Cards that the next player has to draw."""
LOST_CHALLENGE = 6
"""Cards that a player draws who challenged an honest wild draw four."""
EACH = 7
SPREAD = 3
"""A lead of this many cards is worth a win probability of 75 %."""


class Uno(Rule):
    """Match colour or face; the first player with no cards left wins the points of the others' cards."""

    name = "Uno"
    players: Sequence[Any] = range(2, 11)
    options = (
        Option("jump_in", True, "whether an identical card may be played out of turn"),
        Option("must_play", True, "whether a player who can play must not draw instead"),
        Option("challenge", False, "whether a wild draw four may be a bluff, and challenged"),
    )

    def equipment(self, table: Table) -> None:
        """The 108 cards, hands, and the open pile."""
        cards = []
        for colour in COLOURS:
            for face in (
                "0",
                *(str(n) for n in range(1, 10) for _ in (1, 2)),
                *(one for one in ACTIONS for _ in (1, 2)),
            ):
                value = int(face) if face.isdecimal() else 20
                cards.append(Element(f"{colour} {face}", colour=colour, face_name=face, worth=value))
        cards += [Element(face, colour="", face_name=face, worth=50) for face in (WILD, WILD_FOUR) for _ in range(4)]
        table.add(Assortment("deck", cards, visibility="hidden"))
        table.add(Area.hands("hand", self.players))
        table.add(Area("table", ["pile"], stack=True))

    def setup(self, table: Table) -> Action:
        """Seven cards for each, and one face up, which counts as played."""
        deck = table.assortment("deck")
        deal = Shuffle(deck) + Distribute(deck, table.area("hand"), each=EACH)
        return (deal + Set(table, step=1, drawn=False) + Do(self.open)).named("deal")

    def open(self, table: Table) -> Action:
        """Turn cards over onto the pile until one has a number."""
        turned: list[Element] = []
        for card in reversed(table["deck"]):
            turned.append(card)
            if card.face_name.isdecimal():
                break
        return Move(turned, to=table.position("pile")) + Set(table, colour=turned[-1].colour)

    def turns(self) -> list[Stage]:
        """A stage for each player's turn, in which the others may jump in."""
        stages = []
        for player in self.players:
            others = [(other, self.jump_in, f"turn {player}") for other in self.players if other != player]
            arcs = others if self.settings["jump_in"] else []
            stages.append(stage(f"turn {player}", (player, self.turn, f"turn {player}"), *arcs))
        if self.settings["challenge"]:
            stages += [stage(f"answer {player}", (player, self.answer, f"turn {player}")) for player in self.players]
        return stages

    # Actions

    def turn(self, table: Table) -> list[Action]:
        """Play a card that matches, or draw one, which may then be played."""
        player = table.current_player
        hand = table[table.hand(player)]
        top, colour = table["pile"][-1], table.get("colour")
        fitting = [card for card in hand if card.colour and (card.colour == colour or card.face_name == top.face_name)]
        may_four = self.settings["challenge"] or not any(card.colour == colour for card in hand)
        wild = [card for card in hand if card.face_name == WILD or (card.face_name == WILD_FOUR and may_four)]
        if table.get("drawn"):
            fitting, wild = ([card for card in kind if card is hand[-1]] for kind in (fitting, wild))
        named: dict[str, Action] = {}
        for card in fitting:
            named.setdefault(card.name, self.play_action(table, card, card.colour))
        for card in wild:
            for wanted in COLOURS:
                named.setdefault(f"{card} for {wanted}", self.play_action(table, card, wanted))
        actions = [action.named(name) for name, action in named.items()]
        if table.get("drawn"):
            return [*actions, Do(self.keep).named("keep")]
        if actions and self.settings["must_play"]:
            return actions
        return [*actions, self.draw_action(table)]

    def jump_in(self, table: Table) -> list[Action]:
        """Play a card identical to the top card, or wait."""
        top = table["pile"][-1]
        same = [card for card in table[table.hand(table.current_player)] if card.name == top.name and card.colour]
        if not same:
            return []
        return [self.play_action(table, same[0], top.colour).named(f"jump in with {top}"), Pass().named("wait")]

    def answer(self, table: Table) -> list[Action]:
        """Accept a wild draw four, or challenge it."""
        accept, challenge = Do(self.draw_cards, DRAWN[WILD_FOUR]), Do(self.challenge)
        few, many = self.refill(table, DRAWN[WILD_FOUR]), self.refill(table, LOST_CHALLENGE)
        return [
            (accept if few is None else few + accept).named("accept"),
            (challenge if many is None else many + challenge).named("challenge"),
        ]

    def priority(self, table: Table, player: str, action: Action) -> int:
        """A card has priority over waiting."""
        return 0 if isinstance(action, Pass) else 1

    # Effects

    def after(self, table: Table, steps: int, step: int) -> str:
        """The stage of the player a number of seats further."""
        return f"turn {table.next_player(steps * step)}"

    def play_action(self, table: Table, card: Element, colour: str) -> Action:
        """The action of playing a card, after refilling the deck if needed."""
        play = Do(self.play, card, colour)
        refill = self.refill(table, DRAWN.get(card.face_name, 0))
        return play if refill is None else refill + play

    def refill(self, table: Table, count: int) -> Action | None:
        """If the deck has fewer cards than needed, the pile except its top is shuffled into it."""
        deck, below = table.assortment("deck"), table["pile"][:-1]
        # Not table[…]: the number of cards left is no evidence of which.
        if len(table.contents[deck.index]) >= count or not below:
            return None
        return Move(below, to=deck, source=table.position("pile")) + Shuffle(deck)

    def play(self, table: Table, card: Element, colour: str) -> Action:
        """Play a card and apply its effect."""
        step = table.get("step")
        action: Action = Move(card, to=table.position("pile"))
        seats = 1
        if card.face_name == REVERSE:
            step = -step
            seats = 2 if len(self.players) == 2 else 1
        elif card.face_name in (SKIP, DRAW_TWO, WILD_FOUR):
            seats = 2
        if (
            card.face_name == WILD_FOUR
            and self.settings["challenge"]
            and len(table[table.hand(table.current_player)]) > 1
        ):
            noted = Set(table, colour=colour, before=table.get("colour"), by=table.current_player, drawn=False)
            return (action + noted).then(f"answer {table.next_player(step)}")
        if card.face_name in DRAWN:
            victim = table.next_player(step)
            count = min(DRAWN[card.face_name], len(table["deck"]))
            action += Move(table.assortment("deck"), to=table.hand(victim), count=count)
        action += Set(table, colour=colour, step=step, drawn=False)
        return action.then(self.after(table, seats, step))

    def draw_cards(self, table: Table, count: int) -> Action:
        """Draw cards and lose the turn."""
        count = min(count, len(table.contents[table.assortment("deck").index]))
        drawn = Move(table.assortment("deck"), to=table.hand(table.current_player), count=count)
        return drawn.then(self.after(table, 1, table.get("step")))

    def challenge(self, table: Table) -> Action:
        """See the hand of the player who played the wild draw four. A player who had the colour draws the cards."""
        bluffer = table.get("by")
        hand = table[table.hand(bluffer)]
        shown: Action = Show(hand, table.current_player)
        if not any(card.colour == table.get("before") for card in hand):
            lost = self.draw_cards(table, LOST_CHALLENGE)
            return (shown + lost).then(lost.goes_to)
        deck = table.assortment("deck")
        count = min(DRAWN[WILD_FOUR], len(table.contents[deck.index]))
        drawn = Move(deck, to=table.hand(bluffer), count=count)
        return (shown + drawn).then(f"turn {table.current_player}")

    def draw_action(self, table: Table) -> Action:
        """Draw a card; if there is none left at all, pass."""
        refill = self.refill(table, 1)
        if refill is not None:
            return (refill + Do(self.draw)).named("draw")
        is_empty = not table.contents[table.assortment("deck").index]
        return Do(self.keep).named("pass") if is_empty else Do(self.draw).named("draw")

    def draw(self, table: Table) -> Action:
        """Draw a card; the turn continues."""
        player = table.current_player
        return (Move(table.assortment("deck"), to=table.hand(player)) + Set(table, drawn=True)).then(f"turn {player}")

    def keep(self, table: Table) -> Action:
        """Keep the drawn card."""
        return Set(table, drawn=False).then(self.after(table, 1, table.get("step")))

    def prospects(self, table: Table) -> dict[str, float]:
        """The player with fewer cards is ahead."""
        return {player: -len(table[table.hand(player)]) / SPREAD for player in self.players}

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return uno_twin(self)

    def result(self, table: Table) -> FinishPlay | None:
        """The first player with no cards left wins."""
        player = table.current_player
        if table[table.hand(player)]:
            return None
        worth = sum(card.worth for other in self.players for card in table[table.hand(other)])
        points = {one: worth if one == player else 0 for one in self.players}
        return FinishPlay(winners=[player], points=points, reason=f"{player} has no cards left")
