"""Totem: cards are turned one by one, and the first to see a match grabs the totem."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludens.games.tabletop.twins.totem import totem_twin
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
    Shuffle,
    Stage,
    Table,
    stage,
)

SHAPES = (
    "anchor", "bow", "circle", "drop", "eye", "flame", "gear", "heart", "infinity", "jug", "knot", "leaf", "moon",
    "net", "oval", "pyramid",
)  # fmt: skip
COLOURS = ("red", "yellow", "green", "purple")
COLOUR, INWARD, OUTWARD = "colours count", "all grab", "all turn"
SPECIAL = (COLOUR, INWARD, OUTWARD)
COPIES = 2
"""Cards of each special kind."""
SPREAD = 8
"""A lead of this many cards is worth a win probability of 75 %."""
GRAB, WAIT = "grab", "wait"
REACT = "react"


class Totem(Rule):
    """A race of eyes and hands: the first answer counts."""

    name = "Totem"
    players: Sequence[Any] = range(2, 9)
    options = (
        Option("shapes", 12, "shapes, each in four colours", 4, len(SHAPES)),
        Option("turns", 300, "turned cards before the player with the fewest cards wins", 10, 5000),
    )

    def equipment(self, table: Table) -> None:
        """Cards, a face-down stack and an open pile for each, and the pot below the totem."""
        cards = [
            Element(f"{colour} {shape}", shape=shape, colour=colour)
            for shape in SHAPES[: self.settings["shapes"]]
            for colour in COLOURS
        ]
        cards += [Element(name, shape=name, colour="") for name in SPECIAL for _ in range(COPIES)]
        self.kinds = [(card.attributes["shape"], card.attributes["colour"]) for card in cards]
        table.add(Assortment("cards", cards, visibility="hidden"))
        table.add(Area.hands("stack", self.players, visibility="hidden", stack=True))
        table.add(Area.hands("pile", self.players, visibility="public", stack=True))
        table.add(Area("middle", ["pot"]))
        table.add(Area("beside the table", ["aside"], visibility="hidden", stack=True))

    def setup(self, table: Table) -> Action:
        """The same number of cards for each; the rest goes into the pot."""
        cards = table.assortment("cards")
        each = len(cards.elements) // len(self.players)
        deal = Shuffle(cards) + Distribute(cards, table.area("stack"), each=each)
        rest = Move(cards, to=table.position("pot"), count=None)
        return (deal + rest + Set(table, turn=0, by_colour=False, turned="")).named("deal")

    def turns(self) -> list[Stage]:
        """A player turns a card, and all may react."""
        turning = [stage(f"turn {player}", (player, self.turn, REACT)) for player in self.players]
        react = stage(REACT, *((player, self.react, REACT) for player in self.players), start=False)
        return [*turning, react]

    def priority(self, table: Table, player: str, action: Action) -> int:
        """Grabs have priority over waiting, and the first of them counts."""
        return int(action.name == GRAB)

    # Turning cards

    def turn(self, table: Table) -> list[Action]:
        """Turn the next card."""
        return [Do(self.flip).named("turn a card")]

    def flip(self, table: Table) -> Action:
        """Turn the top card; a special card makes all players turn one."""
        player = table.current_player
        top = table.contents[table.hand(player, "stack").index][-1]
        action: Action = Set(table, turn=table.get("turn") + 1, turned=player)
        action += Move(table.hand(player, "stack"), to=table.hand(player, "pile"))
        if top.shape == COLOUR:
            action += Set(table, by_colour=True)
        if top.shape == OUTWARD:
            for other in self.players:
                left = len(table.contents[table.hand(other, "stack").index]) - (other == player)
                if left:
                    action += Move(table.hand(other, "stack"), to=table.hand(other, "pile"))
        return action.then(REACT)

    # Reacting

    def tops(self, table: Table) -> dict[str, Element]:
        """The card on top of each open pile."""
        return {player: top for player in self.players if (top := table.top(table.hand(player, "pile"))) is not None}

    def rivals(self, table: Table, player: str) -> list[str]:
        """The players whose top card matches a player's, by shape or, while colours count, by colour."""
        tops = self.tops(table)
        top = tops.get(player)
        if top is None or top.shape in SPECIAL:
            return []
        what = "colour" if table.get("by_colour") else "shape"
        return [
            other
            for other, card in tops.items()
            if other != player and card.shape not in SPECIAL and getattr(card, what) == getattr(top, what)
        ]

    def is_for_all(self, table: Table) -> bool:
        """True if the card that was just turned lets everybody grab."""
        top = table.top(table.hand(table.get("turned"), "pile"))
        return top is not None and top.shape == INWARD

    def react(self, table: Table) -> list[Action]:
        """Grab the totem, or wait."""
        return [Do(self.go_on).named(WAIT), Do(self.grab).named(GRAB)]

    def grab(self, table: Table) -> Action:
        """A correct grab gives the player's cards away; a wrong one takes all open cards."""
        player = table.current_player
        pile = table.hand(player, "pile")
        if self.is_for_all(table):
            return Move(pile, to=table.position("pot"), count=None) + Set(table, turned=player) + Do(self.go_on)
        rivals = self.rivals(table, player)
        if not rivals:
            open_cards = [card for other in self.players for card in table[table.hand(other, "pile")]]
            return self.take_cards(table, player, [*open_cards, *table["pot"]]) + Do(self.after_duel, player)
        cards = [*table[pile], *table["pot"]]
        action: Action = Pass()
        for number, rival in enumerate(rivals):
            # Several losers share the winner's cards as evenly as possible.
            shared = cards[number :: len(rivals)]
            action += self.take_cards(table, rival, [*table[table.hand(rival, "pile")], *shared])
        return action + Do(self.after_duel, rivals[0])

    @staticmethod
    def take_cards(table: Table, player: str, cards: Sequence[Element]) -> Action:
        """Put cards under a player's stack."""
        stack, aside = table.hand(player, "stack"), table.position("aside")
        return (
            Move(stack, to=aside, count=None) + Move(cards, to=stack) + Move(aside, to=stack, count=None)
            if cards
            else Pass()
        )

    def after_duel(self, table: Table, loser: str) -> Action:
        """Shapes count again; the loser turns the next card."""
        return Set(table, by_colour=False).then(self.next_turn(table, loser))

    def go_on(self, table: Table) -> Action:
        """The next player turns a card."""
        return Pass().then(self.next_turn(table, table.next_player(after=table.get("turned"))))

    def next_turn(self, table: Table, first: str) -> str:
        """The turn of the first player from here on who has cards to turn; if nobody has, the play is over anyway."""
        order = [table.next_player(steps, after=first) for steps in range(len(self.players))]
        return f"turn {next((one for one in order if table.contents[table.hand(one, 'stack').index]), first)}"

    # The end

    def card_count(self, table: Table, player: str) -> int:
        """The number of cards that a player still has."""
        return sum(len(table.contents[table.hand(player, area).index]) for area in ("stack", "pile"))

    def prospects(self, table: Table) -> dict[str, float]:
        """The player with fewer cards is ahead."""
        return {player: -self.card_count(table, player) / SPREAD for player in self.players}

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return totem_twin(self, self.kinds, SPECIAL)

    def result(self, table: Table) -> FinishPlay | None:
        """A player with no cards left wins; if no card can be turned any more, the one with the fewest."""
        held = {player: self.card_count(table, player) for player in self.players}
        if not all(held.values()):
            return FinishPlay(winners=[player for player, count in held.items() if not count])
        can_go_on = any(table.contents[table.hand(player, "stack").index] for player in self.players)
        is_reaction_due = table.stage != REACT
        if is_reaction_due or (can_go_on and table.get("turn") < self.settings["turns"]):
            return None
        return FinishPlay(points={player: -count for player, count in held.items()})
