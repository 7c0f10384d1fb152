"""Trick taking: cards are played one by one to a trick, suit must be followed, and the best card takes it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from ludens.games.tabletop.shared import trick_twin
from ludens.games.tabletop.shared.trick_play import CardBits, TrickPlay
from ludens.games.tabletop.shared.trick_twin import CardFacts, TrickRules
from ludens.tabletop import (
    Action,
    Area,
    Distribute,
    Do,
    Each,
    Element,
    FinishPlay,
    Move,
    Position,
    Rule,
    Shuffle,
    Stage,
    Table,
    Twin,
    stage,
)
from ludens.tabletop.table import STAGE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEAL = "deal"
"""The stage in which cards are dealt again."""
CARD_STAGES = ("play", "dummy")
"""How the names of stages begin in which a card is played."""


class TrickTaking(Rule):
    """The base of trick-taking games. A stage ``play NAME`` is the turn of a hand; a subclass defines the playable
    cards, the trump suit, and the effect of a trick."""

    def lay_tricks(self, table: Table) -> None:
        """Add the hands, the trick in the middle, and a pile of tricks for each player."""
        table.add(Area.hands("hand", self.players))
        table.add(Area("middle", ["trick"]))
        table.add(Area.hands("won", self.players, visibility="public"))
        self.hands: dict[str, Position] = {player: table.hand(player) for player in self.players}
        self.trick: Position = table.position("trick")
        self._decks: dict[Hashable, CardBits] = {}

    def shuffle_and_deal(self, table: Table, each: int) -> Action:
        """Gather all cards, shuffle, and deal a number of cards to each."""
        deck = table.assortment("deck")
        lying = [place for place in table.inventory.positions if table.contents[place.index]]
        action: Action | None = None
        for place in lying:
            action = Move(place, to=deck, count=None) + action
        deal: Action = Shuffle(deck) + Distribute(deck, table.area("hand"), each=each)
        return deal if action is None else action + deal

    def card_stages(self) -> list[Stage]:
        """The turn of each player to play a card."""
        return [stage(f"play {player}", (player, self.card, f"play {player}"), start=False) for player in self.players]

    # Defined by subclasses

    def card(self, table: Table) -> Sequence[Action]:
        """The cards that may be played now."""
        return self.cards_of(self.following(table, self.seat(table)))

    def trump(self, table: Table) -> str:
        """The trump suit; empty if there is none."""
        return ""

    def after_trick(self, table: Table, winner: str) -> Action:
        """The effect of taking a trick; the winner leads to the next."""
        raise NotImplementedError

    def result(self, table: Table) -> FinishPlay | None:
        """Over when the last hand has been played; the scores decide."""
        if any(table[hand] for hand in self.hands.values()) or table[self.trick]:
            return None
        if table.get("hand") + 1 < self.settings["hands"]:
            return None
        return FinishPlay(points={player: table.value(table.score(owner=player)) for player in self.players})

    # Common to all

    def turn_of(self, table: Table, player: str) -> str:
        """The stage in which a player's hand is to play."""
        return f"play {player}"

    @staticmethod
    def seat(table: Table) -> str:
        """The owner of the hand to play."""
        return table.stage.partition(" ")[2]

    def suit(self, table: Table, card: Element) -> str:
        """The suit that a card counts as."""
        suit: str = card.suit
        return suit

    def rank(self, table: Table, card: Element) -> int:
        """The rank of a card within its suit."""
        rank: int = card.rank
        return rank

    def following(self, table: Table, player: str) -> Sequence[Element]:
        """The cards of a hand that follow suit; all, if none does or the player leads."""
        hand = table[self.hands[player]]
        trick = table[self.trick]
        if not trick:
            return hand
        led = self.suit(table, trick[0])
        return [card for card in hand if self.suit(table, card) == led] or hand

    def cards_of(self, cards: Iterable[Element]) -> Sequence[Action]:
        """The actions of playing one of some cards."""
        return Each(cards if isinstance(cards, list | tuple) else list(cards), self.card_action)

    def card_action(self, card: Element) -> Action:
        """The action of playing a card."""
        return Do(self.play, card).named(card.name)

    def play(self, table: Table, card: Element) -> Action:
        """Play a card; the last card completes the trick."""
        action: Action = Move(card, to=self.trick)
        if len(table[self.trick]) + 1 == len(self.hands):
            return action + Do(self.take)
        return action.then(self.turn_of(table, table.next_player(after=self.seat(table))))

    def take(self, table: Table) -> Action:
        """Give the trick to the player of the best card."""
        best = self.best_of(table, table[self.trick])
        winner = table.next_player(best + 1, after=self.seat(table))
        return Move(self.trick, to=table.hand(winner, "won"), count=None) + Do(self.after_trick, winner)

    def best_of(self, table: Table, trick: Sequence[Element]) -> int:
        """The number of the best card of a trick."""
        led, trump = self.suit(table, trick[0]), self.trump(table)
        best, strength = 0, (False, -1)
        for number, card in enumerate(trick):
            suit = self.suit(table, card)
            if suit in (led, trump) and (suit == trump, self.rank(table, card)) > strength:
                best, strength = number, (suit == trump, self.rank(table, card))
        return best

    # The twin

    def trick_rules(self) -> TrickRules | None:
        """What the twin has to know of the rules; None if the page has no twin."""
        return None

    def twin(self) -> Twin | None:
        """Tricks in GDL, from the first card of a hand to its last."""
        rules = self.trick_rules()
        if rules is None:
            return None
        self._card_facts: dict[Hashable, CardFacts] = {}
        seats = len(self.players)
        return Twin(
            rules=trick_twin.trick_rules(seats, rules),
            facts=self.twin_facts,
            moves=self.twin_moves,
            watched=trick_twin.won_facts(seats, rules),
            points=self.twin_points,
        )

    def twin_covers(self, table: Table) -> bool:
        """True if nothing follows the hand that is played."""
        return True

    def has_stopped(self, table: Table) -> str:
        """The player who must take no trick, so that the first one ends the play; empty if there is none."""
        return ""

    def twin_points(self, table: Table, flags: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The points of all players by who has won which cards (`won_facts`), as `result` has them."""
        raise NotImplementedError

    def won_by_seat(self, flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The watched facts (playouts, seats, cards of `won_cards`)."""
        return flags.reshape(len(flags), len(self.players), -1)

    def twin_facts(self, table: Table) -> Iterable[str] | None:
        """Hands, tricks, and whose turn it is."""
        name, _, seat = table.stage.partition(" ")
        if name not in CARD_STAGES or not table[self.hands[seat]] or not self.twin_covers(table):
            return None
        cards = self.card_facts(table)
        names = trick_twin.seat_names(len(self.players))
        found: list[str] = []
        for number, player in enumerate(self.players):
            found += [cards.holds[number][card] for card in table[self.hands[player]]]
            found += [cards.won[number][card] for card in table[table.hand(player, "won")]]
        trick = table[self.trick]
        found += [cards.laid[card] for card in trick]
        turn = self.players.index(seat)
        found += [f"(turn {names[turn]})", f"(count {len(trick)})"]
        if trick:
            best = self.best_of(table, trick)
            ahead = (turn - len(trick) + best) % len(names)
            found += [cards.best[trick[best]], f"(ahead {names[ahead]})", f"(led {self.suit(table, trick[0]).lower()})"]
        if (trump := self.trump(table)) in cards.suits:
            found.append(f"(trump {trump.lower()})")
        if not any(table[table.hand(player, "won")] for player in self.players):
            found.append("first")
        if table.get("broken"):
            found.append("broken")
        if stopped := self.has_stopped(table):
            found.append(f"(stops {names[self.players.index(stopped)]})")
        return found

    def card_facts(self, table: Table) -> CardFacts:
        """The facts about cards, for the suits and ranks that they have now."""
        order = self.order(table)
        known = self._card_facts.get(order)
        if known is None:
            ranked = {
                card: (self.suit(table, card), self.rank(table, card)) for card in table.assortment("deck").elements
            }
            known = self._card_facts[order] = CardFacts(ranked, len(self.players))
        return known

    def twin_moves(self, table: Table, role: str, move: str) -> tuple[str, str] | None:
        """The card that is played."""
        if move == "noop":
            return None
        card = self.card_facts(table).card[move.strip("()").split()[1]]
        return table.current_player, card.name

    # Playouts

    def order(self, table: Table) -> Hashable:
        """What the suits and ranks of cards depend on."""
        return self.trump(table)

    def sides(self, table: Table) -> Sequence[int]:
        """The number of the side that each player belongs to."""
        return [min(map(self.players.index, (player, *table.partners(player)))) for player in self.players]

    def allowed(self, table: Table, play: TrickPlay, cards: int) -> int:
        """Of the cards that follow suit those that may be played; as `card`, in a playout."""
        return cards

    def sensible_card(self, table: Table, play: TrickPlay, cards: int) -> int:
        """The card that a sensible player plays, by its own hand and what everybody saw."""
        return play.take(cards)

    def trick_play(self, table: Table) -> TrickPlay:
        """Hands and tricks as bits."""
        order = self.order(table)
        deck = self._decks.get(order)
        if deck is None:
            cards = table.assortment("deck").elements
            ranked = [(card, self.suit(table, card), self.rank(table, card)) for card in cards]
            deck = self._decks[order] = CardBits(ranked, self.trump(table))
        hands = [deck.mask(table[self.hands[player]]) for player in self.players]
        won = [deck.mask(table[table.hand(player, "won")]) for player in self.players]
        trick = [deck.bit[card] for card in table[self.trick]]
        return TrickPlay(deck, hands, won, trick, self.players.index(self.seat(table)), self.sides(table))

    def shortcut(self, table: Table, rng: Random) -> Action | None:
        """All cards of the hand at once, as sensible players play them."""
        name, _, seat = table.stage.partition(" ")
        if name not in CARD_STAGES or not table[self.hands[seat]]:
            return None
        play = self.trick_play(table)
        play.run(partial(self.allowed, table), partial(self.sensible_card, table), rng)
        return Tricks(self, play)


class Tricks(Action):
    """All tricks of a hand, played out; the last card completes the last trick."""

    __slots__ = ("play", "rule")

    def __init__(self, rule: TrickTaking, play: TrickPlay) -> None:
        super().__init__()
        self.rule = rule
        self.play = play

    def do(self, table: Table) -> None:
        """Put all cards into the piles of their winners, and take the last trick."""
        rule, play = self.rule, self.play
        piles = [(table.hand(player, "won"), play.won[seat]) for seat, player in enumerate(rule.players)]
        lying = [(place, play.deck.cards(cards)) for place, cards in piles]
        lying += [(rule.hands[player], ()) for player in rule.players]
        lying.append((rule.trick, tuple([play.deck.card[card] for card in play.trick])))
        for place, cards in lying:
            table.write(table.contents, place.index, cards)
            for card in cards:
                table.write(table.where, card.index, place)
        last = rule.players[play.seat - 1]
        table.write(table.play_state, STAGE, rule.turn_of(table, last))
        Do(rule.take).do(table)

    def describe(self) -> str:
        """The word ``tricks``."""
        return "tricks"
