"""Hearts: avoid hearts and the queen of spades, unless you take them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

from ludens.games.tabletop.shared import trick_twin
from ludens.games.tabletop.shared.trick_play import TrickPlay, top
from ludens.games.tabletop.shared.trick_twin import TrickRules
from ludens.games.tabletop.shared.tricks import DEAL, TrickTaking
from ludens.tabletop import (
    Action,
    Area,
    Do,
    Each,
    Element,
    Mark,
    Move,
    Option,
    Pass,
    Score,
    Set,
    Show,
    Stage,
    Table,
    everybody,
    french_deck,
    stage,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEFT, RIGHT, ACROSS, KEEP, ROTATING = "left", "right", "across", "keep", "rotating"
STEPS = {LEFT: 1, RIGHT: 3, ACROSS: 2, KEEP: 0}
"""How many seats further cards are passed."""
EACH, PASSED, MOON = 13, 3, 26
PASS = "pass cards"
RANKS = range(2, 15)
QUEEN, JACK = ("S", 12), ("D", 11)
AVOIDED = """
(<= (avoided ?c) leading (true first) (card ?c) (distinct ?c c2))
(<= (avoided ?c) leading (not (true first)) (not (true broken)) (suit_of ?c h))
(<= (avoided ?c) (not leading) (true first) (suit_of ?c h))
(<= (avoided s12) (not leading) (true first))
"""
"""In GDL."""


class Hearts(TrickTaking):
    """Four players, each for itself; points are bad."""

    name = "Hearts"
    players = ("North", "East", "South", "West")
    options = (
        Option("hands", 1, "number of hands", 1, 20),
        Option("passing", ROTATING, "to whom three cards are passed", choices=(ROTATING, *STEPS)),
        Option("queen_breaks", False, "whether playing the queen of spades breaks hearts"),
        Option("jack", False, "whether the jack of diamonds cancels ten points"),
    )

    def equipment(self, table: Table) -> None:
        """The cards, places for those that are passed, and scores below zero."""
        table.add(french_deck())
        self.lay_tricks(table)
        table.add(Area.hands("passed", self.players))
        for player in self.players:
            table.add(Score(f"points {player}", owner=player))

    def setup(self, table: Table) -> Action:
        """The first deal."""
        return (self.shuffle_and_deal(table, EACH) + Set(table, hand=0, broken=False) + Do(self.start_hand)).named(
            "deal"
        )

    def turns(self) -> list[Stage]:
        """Deal, pass cards, play."""
        return [
            everybody(PASS, self.players, self.passing, PASS),
            *self.card_stages(),
            stage(DEAL, (self.starting_player, self.deal, PASS), start=False),
        ]

    def deal(self, table: Table) -> list[Action]:
        """Another hand."""
        again = self.shuffle_and_deal(table, EACH) + Set(table, hand=table.get("hand") + 1, broken=False)
        return [(again + Do(self.start_hand)).named("deal")]

    def start_hand(self, table: Table) -> Action:
        """Pass cards, or play at once in a hand without passing."""
        if self.steps(table):
            return Pass().then(PASS)
        return self.begin(table)

    # Passing

    def steps(self, table: Table) -> int:
        """How many seats further cards are passed in this hand."""
        passing: str = self.settings["passing"]
        if passing == ROTATING:
            passing = list(STEPS)[table.get("hand") % len(STEPS)]
        return STEPS[passing]

    def passing(self, table: Table) -> Sequence[Action]:
        """Three cards, laid down until all have chosen."""
        player = table.current_player
        place = table.hand(player, "passed")
        # Not table[…], which would be recorded as evidence: passed cards reveal nothing about the others.
        hand = sorted(table.contents[self.hands[player].index], key=lambda card: card.index)

        def lay(cards: tuple[Element, ...]) -> Action:
            action: Action = Move(cards, to=place)
            if player == self.players[-1]:
                action += Do(self.take_up)
            return action.named(" ".join(card.name for card in cards))

        return Each(list(combinations(hand, PASSED)), lay)

    def take_up(self, table: Table) -> Action:
        """Players take the cards passed to them."""
        steps = self.steps(table)
        action: Action | None = None
        for player in self.players:
            receiver = table.next_player(steps, after=player)
            action = Move(table.hand(player, "passed"), to=self.hands[receiver], count=None) + action
        assert action is not None
        return action + Do(self.begin)

    def begin(self, table: Table) -> Action:
        """The holder of the two of clubs shows it and must lead it."""
        two = table.element(name="2C")
        holder = next(player for player in self.players if two in table[self.hands[player]])
        return Show(two).then(f"play {holder}")

    # Playing

    def card(self, table: Table) -> Sequence[Action]:
        """Follow suit; lead no hearts before they are broken; give no points in the first trick."""
        player = self.seat(table)
        hand = table[self.hands[player]]
        trick = table[self.trick]
        cards = self.following(table, player)
        is_first = not any(table[table.hand(one, "won")] for one in self.players)
        if not trick:
            if is_first:
                cards = [card for card in hand if card.name == "2C"] or hand
            elif not table.get("broken"):
                cards = [card for card in hand if card.suit != "H"] or hand
        elif is_first:
            cards = [card for card in cards if not self.is_bad(card)] or cards
        return self.cards_of(cards)

    @staticmethod
    def is_bad(card: Element) -> bool:
        """True if the card counts points."""
        return bool(card.suit == "H" or card.name == "QS")

    def play(self, table: Table, card: Element) -> Action:
        """Hearts are broken by the first of them."""
        if not table.get("broken") and (card.suit == "H" or (self.settings["queen_breaks"] and card.name == "QS")):
            return Set(table, broken=True) + super().play(table, card)
        return super().play(table, card)

    def after_trick(self, table: Table, winner: str) -> Action:
        """The winner leads; after the last trick points are scored."""
        if table[self.hands[winner]]:
            return Pass().then(f"play {winner}")
        action: Action | None = None
        for player, points in self.penalties(table).items():
            action = Mark(table.score(owner=player), -points) + action
        assert action is not None
        return action.then(DEAL)

    def penalties(self, table: Table) -> Mapping[str, int]:
        """A point for each heart and thirteen for the queen of spades; all of them give 26 to the others."""
        won: dict[str, Sequence[Element]] = {player: table[table.hand(player, "won")] for player in self.players}
        points = {
            player: sum(13 if card.name == "QS" else 1 for card in cards if self.is_bad(card))
            for player, cards in won.items()
        }
        if MOON in points.values():
            points = {player: MOON - count for player, count in points.items()}
        if self.settings["jack"]:
            for player, cards in won.items():
                points[player] -= 10 * any(card.name == "JD" for card in cards)
        return points

    # The twin

    def trick_rules(self) -> TrickRules:
        """Hearts are not led before they are broken; the first trick begins with the two of clubs, without points."""
        breaking = [("H", rank) for rank in RANKS] + ([QUEEN] if self.settings["queen_breaks"] else [])
        return TrickRules(dict.fromkeys("CDHS", RANKS), breaking, AVOIDED)

    def twin_covers(self, table: Table) -> bool:
        """The last hand."""
        return bool(table.get("hand") + 1 == self.settings["hands"])

    def twin_points(self, table: Table, flags: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The scores so far, less the penalties."""
        import numpy as np  # noqa: PLC0415 - rules are loaded without it

        won = self.won_by_seat(flags).astype(np.float64)
        cards = trick_twin.won_cards(self.trick_rules())
        points: NDArray[np.float64] = won @ np.array([13 if card == QUEEN else card[0] == "H" for card in cards], float)
        moon = (points == MOON).any(axis=1, keepdims=True)
        points = np.where(moon, MOON - points, points)
        if self.settings["jack"]:
            points = points - 10 * won[:, :, cards.index(JACK)]
        before = np.array([table.value(table.score(owner=player)) for player in self.players], np.float64)
        scores: NDArray[np.float64] = before - points
        return scores

    # Sensible players

    def danger(self, table: Table, hand: Sequence[Element], card: Element) -> float:
        """How much a player wants to be rid of a card: high spades that few others guard, then high cards."""
        if card.suit == "S":
            guards = sum(other.suit == "S" for other in hand)
            return 30 - 3 * guards + (card.name == "QS") if card.rank > 11 else 0
        low = sum(other.suit == card.suit and other.rank < 8 for other in hand)
        return float(card.rank + (card.suit == "H") - 2 * min(low, 3))

    def dangerous(self, table: Table, count: int) -> list[Element]:
        """The cards that the current player wants to be rid of most."""
        hand = table.contents[self.hands[table.current_player].index]
        return sorted(hand, key=lambda card: -self.danger(table, hand, card))[:count]

    def promising(self, table: Table, moves: Sequence[str]) -> Sequence[str]:
        """Pass three of the five most dangerous cards."""
        if table.stage != PASS:
            return moves
        worst = {card.name for card in self.dangerous(table, PASSED + 2)}
        return [move for move in moves if worst.issuperset(move.split())]

    def sensible_action(self, table: Table, actions: Sequence[Action], rng: Random) -> Action:
        """Pass the most dangerous cards."""
        if table.stage != PASS:
            return actions[int(rng.random() * len(actions))]
        wanted = set(self.dangerous(table, PASSED))
        hand = sorted(table.contents[self.hands[table.current_player].index], key=lambda card: card.index)
        return actions[next(n for n, cards in enumerate(combinations(hand, PASSED)) if wanted.issuperset(cards))]

    def allowed(self, table: Table, play: TrickPlay, cards: int) -> int:
        """No hearts before they are broken, no points in the first trick."""
        deck = play.deck
        hearts, queen = deck.suit_named["H"], deck.named["QS"]
        if not any(play.won):
            return (cards & deck.named["2C"] if not play.trick else cards & ~(hearts | queen)) or cards
        if play.trick:
            return cards
        gone = ~play.out & (hearts | (queen if self.settings["queen_breaks"] else 0))
        return cards if gone else cards & ~hearts or cards

    def sensible_card(self, table: Table, play: TrickPlay, cards: int) -> int:
        """Stay below; give away the queen of spades, what may catch it, and high hearts."""
        deck = play.deck
        queen, spades, hearts = deck.named["QS"], deck.suit_named["S"], deck.suit_named["H"]
        is_queen_out = play.out & queen
        if play.trick and not cards & play.led:
            if cards & queen:
                return queen
            catching = cards & spades & -queen if is_queen_out else 0
            return catching & -catching or play.highest(cards & hearts or cards)
        if not play.trick:
            high = spades & -queen
            if is_queen_out and not play.hands[play.seat] & high and cards & spades:
                return cards & spades & -(cards & spades)
            return play.lowest(cards & ~high or cards)
        losing = cards & ~play.winning(cards)
        if losing:
            return top(losing)
        rest = cards & ~queen or cards
        is_cheap = play.is_last and not sum(play.trick) & (hearts | queen)
        return top(rest) if play.is_last and (is_cheap or not rest & spades) else rest & -rest
