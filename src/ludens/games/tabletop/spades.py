"""Spades: partners bid the tricks they will take, and spades are trumps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from ludens.games.tabletop.shared.trick_play import TrickPlay
from ludens.games.tabletop.shared.trick_twin import TrickRules
from ludens.games.tabletop.shared.tricks import DEAL, TrickTaking
from ludens.tabletop import (
    Action,
    Do,
    Element,
    Mark,
    Option,
    Pass,
    Score,
    Set,
    Stage,
    Table,
    french_deck,
    stage,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EACH = 13
RANKS = range(2, 15)
AVOIDED = "(<= (avoided ?c) leading (not (true broken)) (suit_of ?c s))"
"""In GDL."""
NIL = "nil"
BIDS = (NIL, *map(str, range(1, EACH + 1)))
NIL_POINTS = 100
QUICK = {14: 0.95, 13: 0.7, 12: 0.3}
"""How often aces, kings and queens of side suits take a trick."""
BAGS, BAGS_COST = 10, 100
"""The number of overtricks, over all hands, that costs a penalty, and the penalty."""


class Spades(TrickTaking):
    """Two partnerships; bids are binding, and spades cannot be led until one has been played."""

    name = "Spades"
    players = ("North", "East", "South", "West")
    partners = (("North", "South"), ("East", "West"))
    options = (Option("hands", 1, "number of hands", 1, 30),)

    def equipment(self, table: Table) -> None:
        """The cards, and a score for each player, the same for partners."""
        table.add(french_deck())
        self.lay_tricks(table)
        for player in self.players:
            table.add(Score(f"points {player}", owner=player))

    def setup(self, table: Table) -> Action:
        """Thirteen cards each."""
        return self.new_hand(table, 0) + Set(table, bags=(0, 0))

    def turns(self) -> list[Stage]:
        """Bids in turn, then cards; the next hand begins one seat further."""
        bids = [
            stage(f"bid {player}", (player, self.bid, f"bid {after}"))
            for player, after in zip(self.players, (*self.players[1:], self.players[0]), strict=True)
        ]
        return [*bids, *self.card_stages(), stage(DEAL, (self.starting_player, self.deal, DEAL), start=False)]

    def new_hand(self, table: Table, number: int) -> Action:
        """Deal, and let the first bid."""
        begin = f"bid {table.next_player(number, after=self.starting_player)}"
        state = Set(table, hand=number, bids=(), broken=False)
        return (self.shuffle_and_deal(table, EACH) + state).named("deal").then(begin)

    def deal(self, table: Table) -> list[Action]:
        """Another hand."""
        return [self.new_hand(table, table.get("hand") + 1)]

    def bid(self, table: Table) -> list[Action]:
        """A number of tricks, or nil; partners together at most thirteen."""
        bids = table.get("bids")
        partners = bids[len(bids) - 2] if len(bids) > 1 else NIL
        most = EACH - (0 if partners == NIL else int(partners))
        return [Do(self.say, bid).named(bid) for bid in BIDS[: most + 1]]

    def say(self, table: Table, bid: str) -> Action:
        """Bid; after the last bid, the first bidder leads."""
        bids = (*table.get("bids"), bid)
        action: Action = Set(table, bids=bids)
        return action.then(f"play {table.next_player()}") if len(bids) == len(self.players) else action

    # Playing

    def trump(self, table: Table) -> str:
        """Spades."""
        return "S"

    def card(self, table: Table) -> Sequence[Action]:
        """Follow suit; lead no spades until one has been played, unless there is nothing else."""
        player = self.seat(table)
        cards = self.following(table, player)
        if not table[self.trick] and not table.get("broken"):
            cards = [card for card in cards if card.suit != "S"] or cards
        return self.cards_of(cards)

    def play(self, table: Table, card: Element) -> Action:
        """The first spade breaks them."""
        action = super().play(table, card)
        if card.suit != "S" or table.get("broken"):
            return action
        return Set(table, broken=True) + action

    def after_trick(self, table: Table, winner: str) -> Action:
        """The winner leads; after the last trick points are scored."""
        if table[self.hands[winner]]:
            return Pass().then(f"play {winner}")
        taken = {player: len(table[table.hand(player, "won")]) // len(self.players) for player in self.players}
        scores, bags = self.scores_after(table, taken)
        action: Action = Pass()
        for player, points in scores.items():
            action += Mark(table.score(owner=player), points)
        return (action + Set(table, bags=bags)).then(DEAL)

    def scores_after(self, table: Table, taken: Mapping[str, int]) -> tuple[dict[str, int], tuple[int, ...]]:
        """The points of each player for the tricks that all took in a hand, and the overtricks of both sides then."""
        bids = self.bids(table)
        bags = list(table.get("bags"))
        scores: dict[str, int] = {}
        for number, side in enumerate(self.partners):
            points, over = side_score({one: bids[one] for one in side}, {one: taken[one] for one in side})
            points -= BAGS_COST * ((bags[number] + over) // BAGS)
            bags[number] = (bags[number] + over) % BAGS
            scores |= dict.fromkeys(side, points)
        return scores, tuple(bags)

    def bids(self, table: Table) -> dict[str, int]:
        """The bid of each player; 0 for nil."""
        first = table.next_player(table.get("hand"), after=self.starting_player)
        return {
            table.next_player(number, after=first): 0 if bid == NIL else int(bid)
            for number, bid in enumerate(table.get("bids"))
        }

    def goals(self, points: Mapping[str, float]) -> Sequence[int]:
        """Sides win together."""
        ours, theirs = (points[side[0]] for side in self.partners)
        first = 50 if ours == theirs else 100 if ours > theirs else 0
        return [first if player in self.partners[0] else 100 - first for player in self.players]

    # The twin

    def trick_rules(self) -> TrickRules:
        """Spades are not led before they are broken."""
        return TrickRules(dict.fromkeys("CDHS", RANKS), [("S", rank) for rank in RANKS], AVOIDED)

    def twin_covers(self, table: Table) -> bool:
        """The last hand."""
        return bool(table.get("hand") + 1 == self.settings["hands"])

    def twin_points(self, table: Table, flags: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The scores so far and those of the hand, by the tricks of each player."""
        import numpy as np  # noqa: PLC0415 - rules are loaded without it

        tricks, which = np.unique(self.won_by_seat(flags).sum(axis=2) // len(self.players), axis=0, return_inverse=True)
        scores = [self.scores_after(table, dict(zip(self.players, row, strict=True))) for row in tricks.tolist()]
        before = np.array([table.value(table.score(owner=player)) for player in self.players], np.float64)
        added = np.array([[points[player] for player in self.players] for points, _ in scores], np.float64)
        total: NDArray[np.float64] = before + added[which.ravel()]
        return total

    # Sensible players

    def expected_tricks(self, table: Table, player: str) -> float:
        """The tricks that a hand takes on average, by its high cards and spades."""
        suits: dict[str, list[int]] = {suit: [] for suit in "CDHS"}
        for card in table[self.hands[player]]:
            suits[card.suit].append(card.rank)
        trumps = suits.pop("S")
        tricks = sum(QUICK.get(rank, 0.0) for ranks in suits.values() for rank in ranks if len(ranks) < 6)
        tricks += sum(rank > 11 for rank in trumps) + max(0, len(trumps) - 3) * 0.9
        return tricks + 0.4 * sum(max(0, 2 - len(ranks)) for ranks in suits.values()) * (0 < len(trumps) < 5)

    def promising(self, table: Table, moves: Sequence[str]) -> Sequence[str]:
        """Bids near the tricks that the hand takes on average; nil with few."""
        if not table.stage.startswith("bid"):
            return moves
        expected = self.expected_tricks(table, table.current_player)
        near = [move for move in moves if move != NIL and abs(int(move) - expected) < 1.6]
        return [NIL, *near] if expected < 2.5 or not near else near

    def sensible_action(self, table: Table, actions: Sequence[Action], rng: Random) -> Action:
        """Bid a little less than the tricks that the hand takes on average."""
        if not table.stage.startswith("bid"):
            return actions[int(rng.random() * len(actions))]
        return actions[min(len(actions) - 1, max(1, round(self.expected_tricks(table, table.current_player) - 0.3)))]

    def allowed(self, table: Table, play: TrickPlay, cards: int) -> int:
        """Lead no spades until one has been played."""
        if play.trick or sum(play.won) & play.deck.trump:
            return cards
        return cards & ~play.deck.trump or cards

    def sensible_card(self, table: Table, play: TrickPlay, cards: int) -> int:
        """Take tricks until the bid is made, then none; with nil always stay below."""
        bids = [self.bids(table)[player] for player in self.players] if play.wanted is None else play.wanted
        play.wanted = bids
        seat = play.seat
        taken = [won.bit_count() // len(self.players) for won in (play.won[seat], play.won[seat - 2])]
        if not bids[seat] and not taken[0]:
            return play.duck(cards)
        return play.take(cards) if sum(taken) < bids[seat] + bids[seat - 2] else play.duck(cards)


def side_score(bids: Mapping[str, int], taken: Mapping[str, int]) -> tuple[int, int]:
    """Points of a side, and its overtricks. Tricks that break a nil count for the partner's bid."""
    points = sum(NIL_POINTS * (-1 if taken[player] else 1) for player, bid in bids.items() if not bid)
    contract, tricks = sum(bids.values()), sum(taken.values())
    if tricks < contract:
        return points - 10 * contract, 0
    over = tricks - contract
    return points + 10 * contract + over, over
