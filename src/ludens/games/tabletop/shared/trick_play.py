"""Tricks played out fast: cards are bits, and how sensible players choose is written with a few operations on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from ludens.tabletop import Element

BLOCK = 16
"""Bits for each suit; higher cards have higher bits."""
RANDOM = 0.1
"""How often a card is drawn at random instead, so that playouts from one state differ."""

Chooser = Callable[["TrickPlay", int], int]
"""Chooses one of some cards for the seat to play."""


class CardBits:
    """The cards of a deck as bits, for one trump suit."""

    def __init__(self, cards: Sequence[tuple[Element, str, int]], trump: str) -> None:
        """Of each card the suit and the rank, from 0 to 15, that it counts as."""
        blocks = {suit: BLOCK * number for number, suit in enumerate(dict.fromkeys(suit for _, suit, _ in cards))}
        self.bit: dict[Element, int] = {card: 1 << blocks[suit] + rank for card, suit, rank in cards}
        self.card: dict[int, Element] = {bit: card for card, bit in self.bit.items()}
        self.named: Mapping[str, int] = {card.name: bit for card, bit in self.bit.items()}
        """The bit of each card, by its name."""
        masks = {suit: sum(self.bit[card] for card, own, _ in cards if own == suit) for suit in blocks}
        self.suits: list[int] = list(masks.values())
        """The cards of each suit."""
        self.suit_named: Mapping[str, int] = masks
        self.trump: int = masks.get(trump, 0)
        """All trumps."""

    def mask(self, cards: Sequence[Element]) -> int:
        """Cards as bits."""
        bit = self.bit
        return sum([bit[card] for card in cards])

    def cards(self, mask: int) -> tuple[Element, ...]:
        """Bits as cards."""
        return tuple([self.card[bit] for bit in bits(mask)])

    def suit_of(self, card: int) -> int:
        """All cards of a card's suit."""
        return self.suits[card.bit_length() - 1 >> 4]


def bits(mask: int) -> Iterator[int]:
    """The single bits of a mask, the lowest first."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def top(mask: int) -> int:
    """The highest bit."""
    return 1 << mask.bit_length() - 1


class TrickPlay:
    """Hands and tricks of one playout. Seats are numbers; cards that were played are in nobody's hand."""

    def __init__(
        self, deck: CardBits, hands: list[int], won: list[int], trick: list[int], seat: int, sides: Sequence[int]
    ) -> None:
        self.deck = deck
        self.hands = hands
        self.won = won
        """The cards in the tricks of each seat."""
        self.seat = seat
        """Who plays next."""
        self.sides = sides
        """The number of the side that each seat belongs to."""
        self.wanted: list[int] | None = None
        """What each seat wants, such as its bid; kept here by rules."""
        self.trick: list[int] = []
        self.best = 0
        """The best card of the trick."""
        self.winner = seat
        """The seat that played it."""
        self.led = 0
        """The cards of the suit that was led."""
        self.out = sum(hands)
        """The cards that were not played yet."""
        self.seat -= len(trick)
        for card in trick:
            self.put(card)

    @property
    def is_last(self) -> bool:
        """True if nobody plays to the trick after the seat to play."""
        return len(self.trick) + 1 == len(self.hands)

    def put(self, card: int) -> None:
        """Put a card into the trick; the next seat plays."""
        if not self.trick:
            self.led = self.deck.suit_of(card)
            self.best, self.winner = card, self.seat % len(self.hands)
        elif self.beats(card):
            self.best, self.winner = card, self.seat % len(self.hands)
        self.trick.append(card)
        self.out &= ~card
        self.seat = (self.seat + 1) % len(self.hands)

    def beats(self, card: int) -> bool:
        """True if a card would be the best of the trick."""
        best, trump = self.best, self.deck.trump
        if card & trump:
            return not best & trump or card > best
        return bool(card & self.led) and card > best and not best & trump

    def following(self) -> int:
        """The cards of the seat to play that follow suit, or all."""
        hand = self.hands[self.seat]
        return (hand & self.led or hand) if self.trick else hand

    def run(self, allowed: Chooser, choose: Chooser, rng: Random) -> None:
        """Play until the last card is in the trick, which then is still in the middle.

        ``allowed`` returns those of the cards that follow suit that may be played, ``choose`` the one that is.
        """
        hands, seats, draw, suits, trump = self.hands, len(self.hands), rng.random, self.deck.suits, self.deck.trump
        trick = self.trick
        while True:  # as `following` and `put`, without their calls
            seat = self.seat
            hand = hands[seat]
            cards = allowed(self, (hand & self.led or hand) if trick else hand)
            if not cards & (cards - 1):
                card = cards
            elif draw() < RANDOM:
                drawn = list(bits(cards))
                card = drawn[int(draw() * len(drawn))]
            else:
                card = choose(self, cards)
            hands[seat] = hand ^ card
            best = self.best
            if not trick:
                self.led = suits[card.bit_length() - 1 >> 4]
                self.best, self.winner = card, seat
            elif (
                (card > best or not best & trump)
                if card & trump
                else (card & self.led and card > best and not best & trump)
            ):
                self.best, self.winner = card, seat
            trick.append(card)
            self.out ^= card
            self.seat = seat + 1 if seat + 1 < seats else 0
            if not self.out:
                return
            if len(trick) == seats:
                self.won[self.winner] |= sum(trick)
                self.trick = trick = []
                self.seat = self.winner

    # How sensible players choose

    def winning(self, cards: int) -> int:
        """Those of some cards that would be the best of the trick."""
        best, trump = self.best, self.deck.trump
        above = -best << 1
        if best & trump:
            return cards & trump & above
        return cards & (self.led & above | trump)

    def is_boss(self, card: int) -> bool:
        """True if nobody else has a higher card of its suit, or, unless it is a trump, the seat to play need not care
        for trumps."""
        return not self.out & ~self.hands[self.seat] & self.deck.suit_of(card) & (-card << 1)

    def lowest(self, cards: int) -> int:
        """The card with the lowest rank, no trump if there is another; of several the one of the longest suit."""
        cards = cards & ~self.deck.trump or cards
        hand, best, order = self.hands[self.seat], 0, (99, 0)
        for suit in self.deck.suits:
            own = cards & suit
            if own:
                low = own & -own
                this = (low.bit_length() - 1 & 15, -(hand & suit).bit_count())
                if this < order:
                    best, order = low, this
        return best

    def highest(self, cards: int) -> int:
        """The card with the highest rank, no trump if there is another; of several the one of the shortest suit."""
        cards = cards & ~self.deck.trump or cards
        hand, best, order = self.hands[self.seat], 0, (-1, 0)
        for suit in self.deck.suits:
            own = cards & suit
            if own:
                high = own.bit_length() - 1
                this = (high & 15, -(hand & suit).bit_count())
                if this > order:
                    best, order = 1 << high, this
        return best

    def duck(self, cards: int) -> int:
        """Avoid the trick: the highest card that does not take it; else the highest if it is the last, and the lowest
        before. Leads the lowest card."""
        if not self.trick:
            return self.lowest(cards)
        losing = cards & ~self.winning(cards)
        if losing:
            return top(losing) if losing & self.led else self.highest(losing)
        return top(cards) if self.is_last else self.lowest(cards)

    def take(self, cards: int) -> int:
        """Want the trick: lead a card that nobody beats; leave the trick to a partner who is sure of it; take it with
        the cheapest card in the last seat, in the second only with one that nobody beats; else play the lowest."""
        if not self.trick:
            for suit in self.deck.suits:
                own = cards & suit & ~self.deck.trump
                if own and self.is_boss(top(own)):
                    return top(own)
            return self.lowest(cards)
        winning = self.winning(cards)
        partner_has_it = self.sides[self.winner] == self.sides[self.seat]
        if winning and not (partner_has_it and (self.is_last or self.is_boss(self.best))):
            plain = winning & self.led
            if not plain or self.is_last:
                return winning & -winning
            if self.is_boss(top(plain)):
                return top(plain)
            if len(self.trick) > 1:
                return top(plain)
        return self.lowest(cards & ~winning or cards)
