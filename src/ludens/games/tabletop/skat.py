"""Skat: one deal with bidding, the skat, suit games, grand and null."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

from ludens.games.tabletop.shared import trick_twin
from ludens.games.tabletop.shared.skat_score import (
    BASE,
    BIDS,
    GRAND,
    NULL,
    NULL_VALUE,
    OPEN,
    SCHNEIDER,
    SCHWARZ,
    Announcement,
    card_points,
    matadors,
)
from ludens.games.tabletop.shared.trick_play import CardBits, TrickPlay, bits, top
from ludens.games.tabletop.shared.trick_twin import TrickRules
from ludens.games.tabletop.shared.tricks import TrickTaking
from ludens.tabletop import (
    Action,
    Area,
    Do,
    Element,
    FinishPlay,
    Move,
    Option,
    Pass,
    Set,
    Show,
    Stage,
    Table,
    french_deck,
    stage,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EACH, TRICKS = 10, 10
SUITS = {"clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D"}
LEVELS = {"": 0, "schneider": SCHNEIDER, "schwarz": SCHWARZ, "open": OPEN}
TRUMP = "trump"
SIDE_ORDER, NULL_ORDER, SUIT_ORDER = "789QKTA", "789TJQKA", "DHSC"
MOST = 120
"""Points for the full range of goals."""
DRAWING = 3
"""Declarer leads trumps that can be beaten from so many on."""


class Skat(TrickTaking):
    """One player against two; the highest bidder chooses the game."""

    name = "Skat"
    players = ("player1", "player2", "player3")
    options = (Option("kontra", False, "whether opponents may double the game, and declarer redouble"),)

    def equipment(self, table: Table) -> None:
        """Thirty-two cards, the skat, and declarer's discards."""
        table.add(french_deck(ranks="789TJQKA"))
        self.lay_tricks(table)
        table.add(Area("middle of the table", ["skat"], visibility="hidden"))
        table.add(Area.hands("away", self.players))

    def setup(self, table: Table) -> Action:
        """Ten cards each, two in the skat; the starting player is forehand."""
        fore = self.starting_player
        middle, rear = (table.next_player(steps, after=fore) for steps in (1, 2))
        deal = self.shuffle_and_deal(table, EACH) + Move(table.assortment("deck"), to=table.position("skat"), count=2)
        state = Set(table, bid=0, asker=middle, holder=fore, waiting=rear, hand=False, factor=1)
        return (deal + state).named("deal").then(f"bid {middle}")

    def turns(self) -> list[Stage]:
        """Bids and answers, the skat, the announcement, kontra, cards."""
        methods = {
            "bid": self.bid,
            "answer": self.answer,
            "skat": self.skat,
            "discard": self.discard,
            "announce": self.announce,
            "kontra": self.kontra,
            "re": self.re,
        }
        stages = [
            stage(f"{name} {player}", (player, method, f"{name} {player}"))
            for name, method in methods.items()
            for player in self.players
        ]
        return [*stages, *self.card_stages()]

    # Bidding

    def bid(self, table: Table) -> list[Action]:
        """The next value, or pass."""
        last = table.get("bid")
        higher = next((value for value in BIDS if value > last), None)
        bids = [] if higher is None else [Do(self.make_bid, higher).named(str(higher))]
        return [*bids, Do(self.asker_passes).named("pass")]

    def make_bid(self, table: Table, value: int) -> Action:
        """Bid a value; forehand alone plays at once."""
        action: Action = Set(table, bid=value)
        holder = table.get("holder")
        return action.then(f"answer {holder}") if holder else action + Do(self.settle, table.current_player)

    def asker_passes(self, table: Table) -> Action:
        """The next player bids; if nobody is left, the holder of the last bid plays."""
        holder, waiting = table.get("holder"), table.get("waiting")
        if waiting:
            return Set(table, asker=waiting, waiting="").then(f"bid {waiting}")
        if not holder:
            return Set(table, declarer="").then(f"bid {table.current_player}")
        if table.get("bid"):
            return self.settle(table, holder)
        return Set(table, asker=holder, holder="").then(f"bid {holder}")

    def answer(self, table: Table) -> list[Action]:
        """Hold the bid, or pass."""
        held = Pass().then(f"bid {table.get('asker')}")
        return [held.named("yes"), Do(self.holder_passes).named("pass")]

    def holder_passes(self, table: Table) -> Action:
        """The bidder now holds the bid against the player who has not bid yet."""
        asker, waiting = table.get("asker"), table.get("waiting")
        if waiting:
            return Set(table, holder=asker, asker=waiting, waiting="").then(f"bid {waiting}")
        return self.settle(table, asker)

    def settle(self, table: Table, declarer: str) -> Action:
        """The auction is over."""
        return Set(table, declarer=declarer, asker="", holder="").then(f"skat {declarer}")

    # The game that is played

    def skat(self, table: Table) -> list[Action]:
        """Take the two cards, or play from the hand."""
        player = table.current_player
        take = Move(table.position("skat"), to=self.hands[player], count=2).then(f"discard {player}")
        return [take.named("take the skat"), Set(table, hand=True).then(f"announce {player}").named("hand")]

    def discard(self, table: Table) -> list[Action]:
        """Put two cards away."""
        player = table.current_player
        # Not table[…]: discards are no evidence about the other cards.
        hand = sorted(table.contents[self.hands[player].index], key=lambda card: card.index)
        away = table.hand(player, "away")
        return [
            Move(cards, to=away).then(f"announce {player}").named(f"put away {cards[0]} {cards[1]}")
            for cards in combinations(hand, 2)
        ]

    def announce(self, table: Table) -> list[Action]:
        """A suit, grand, or null if that is worth the bid; from the hand also announcements."""
        hand = table.get("hand")
        actions = []
        for name, game in (*SUITS.items(), (GRAND, GRAND)):
            for level, number in LEVELS.items():
                if hand or not number:
                    actions.append(Do(self.begin_game, game, number).named(f"{name} {level}".strip()))
        for is_open in (False, True):
            if NULL_VALUE[hand, is_open] >= table.get("bid"):
                name = f"{NULL} open" if is_open else NULL
                actions.append(Do(self.begin_game, NULL, OPEN if is_open else 0).named(name))
        return actions

    def begin_game(self, table: Table, game: str, level: int) -> Action:
        """Announce the game; open games are played with open cards."""
        player = table.current_player
        action: Action = Set(table, game=game, level=level)
        if level == OPEN:
            action += Show(table[self.hands[player]])
        if self.settings["kontra"]:
            return action.then(f"kontra {table.next_player()}")
        return action.then(f"play {self.starting_player}")

    def kontra(self, table: Table) -> list[Action]:
        """Opponents may double the game."""
        declarer, after = table.get("declarer"), table.next_player()
        on = f"play {self.starting_player}" if after == declarer else f"kontra {after}"
        return [Set(table, factor=2).then(f"re {declarer}").named("kontra"), Pass().then(on).named("pass")]

    def re(self, table: Table) -> list[Action]:
        """Declarer may double once more."""
        play = f"play {self.starting_player}"
        return [Set(table, factor=4).then(play).named("re"), Pass().then(play).named("pass")]

    # Playing

    def suit(self, table: Table, card: Element) -> str:
        """Jacks are trumps in all games but null."""
        game = table.get("game")
        is_trump = game != NULL and (card.name[0] == "J" or card.suit == game)
        return TRUMP if is_trump else str(card.suit)

    def trump(self, table: Table) -> str:
        """Null has none."""
        return "" if table.get("game") == NULL else TRUMP

    def rank(self, table: Table, card: Element) -> int:
        """Tens are high except in null; jacks are above all, by suit."""
        if table.get("game") == NULL:
            return NULL_ORDER.index(card.name[0])
        if card.name[0] == "J":
            return len(SIDE_ORDER) + SUIT_ORDER.index(card.suit)
        return SIDE_ORDER.index(card.name[0])

    def after_trick(self, table: Table, winner: str) -> Action:
        """The winner leads."""
        return Pass().then(f"play {winner}")

    # The twin

    def trick_rules(self) -> TrickRules:
        """Trumps are a suit of their own; ranks as in all games."""
        return TrickRules({TRUMP: range(len(SIDE_ORDER) + len(SUIT_ORDER)), **dict.fromkeys("CDHS", range(8))})

    def has_stopped(self, table: Table) -> str:
        """Declarer of null."""
        return str(table.get("declarer")) if table.get("game") == NULL else ""

    def twin_points(self, table: Table, flags: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The score by declarer's tricks and points."""
        import numpy as np  # noqa: PLC0415 - rules are loaded without it

        won = self.won_by_seat(flags)[:, self.players.index(table.get("declarer"))]
        cards = self.card_facts(table).card
        names = [trick_twin.card_name(*card) for card in trick_twin.won_cards(self.trick_rules())]
        worth = np.array([card_points([cards[name].name]) if name in cards else 0 for name in names])
        both = np.stack([won @ worth, won.sum(axis=1) // len(self.players)], axis=1)
        found, which = np.unique(both, axis=0, return_inverse=True)
        scores = np.array([self.score(table, *row) for row in found.tolist()], np.float64)[which.ravel()]
        points: NDArray[np.float64] = scores[:, None] * [player == table.get("declarer") for player in self.players]
        return points

    # The end

    def result(self, table: Table) -> FinishPlay | None:
        """Score when all cards are played, null is lost, or nobody bid."""
        declarer = table.get("declarer")
        if declarer == "":
            return FinishPlay(points=dict.fromkeys(self.players, 0))
        game = table.get("game")
        if game is None:
            return None
        won = table[table.hand(declarer, "won")]
        is_played = not any(table[hand] for hand in self.hands.values()) and not table[self.trick]
        if not is_played and not (game == NULL and won):
            return None
        score = self.score(table, card_points([card.name for card in won]), len(won) // len(self.players))
        return FinishPlay(points={player: score if player == declarer else 0 for player in self.players})

    def score(self, table: Table, points: int, tricks: int) -> int:
        """Declarer's score for the points and the number of its tricks; the skat belongs to declarer."""
        announcement = Announcement(table.get("game"), table.get("hand"), table.get("level"))
        factor: int = table.get("factor")
        if table.get("game") == NULL:
            return announcement.null_score(bool(tricks)) * factor
        declarer = table.get("declarer")
        apart = (*table[table.position("skat")], *table[table.hand(declarer, "away")])
        points += card_points([card.name for card in apart])
        # Cards keep their first owner, and those of the skat none, wherever they moved.
        twelve = [card.name for card in table.inventory.elements if table.owners[card.index] in (declarer, None)]
        return announcement.score(table.get("bid"), twelve, points, tricks, TRICKS) * factor

    def goals(self, points: Mapping[str, float]) -> Sequence[int]:
        """Fifty, plus or minus declarer's points up to 120; the others move by half in the opposite direction."""
        total = sum(max(-MOST, min(MOST, count)) for count in points.values()) / MOST
        return [round(50 + 50 * total) if points[player] else round(50 - 25 * total) for player in self.players]

    # Sensible players

    def strength_of(self, game: str, cards: Sequence[str]) -> float:
        """How many of its trumps, aces and guarded tens a hand has more than a game needs; by names of cards."""
        if game == NULL:
            ranks = [sorted(NULL_ORDER.index(card[0]) for card in cards if card[1] == suit) for suit in SUIT_ORDER]
            return 1.0 - sum(max(0, rank - 2 * number - 1) for own in ranks for number, rank in enumerate(own))
        jacks = sum(card[0] == "J" for card in cards)
        suits = [card for card in cards if card[0] != "J" and card[1] != game]
        side = sum(1.0 if card[0] == "A" else 0.6 * (f"A{card[1]}" in cards) for card in suits if card[0] in "AT")
        if game == GRAND:
            return 1.3 * jacks + side - 5
        trumps = len(cards) - len(suits)
        return trumps + 0.3 * jacks + side - 7

    def best_game(self, table: Table, player: str) -> tuple[float, str]:
        """The strongest game of a player that is worth the last bid."""
        cards = [card.name for card in table[self.hands[player]]]
        worth = [game for game in (*SUIT_ORDER, GRAND) if self.worth(game, cards) >= table.get("bid")]
        worth += [NULL] if table.get("bid") <= NULL_VALUE[False, False] else []
        return max(((self.strength_of(game, cards), game) for game in worth), default=(-9.0, "C"))

    @staticmethod
    def worth(game: str, cards: Sequence[str]) -> int:
        """The value of a game that is just won."""
        return BASE[game] * (matadors(game, cards) + 1)

    def put_away(self, table: Table, player: str) -> list[Element]:
        """Declarer's cards, those first that are put away first: bare tens, then short suits; no trumps, no aces."""
        _, game = self.best_game(table, player)
        hand = table.contents[self.hands[player].index]

        def value(card: Element) -> float:
            if game == NULL:
                return float(NULL_ORDER.index(card.name[0]))
            if card.name[0] in "JA" or card.suit == game:
                return -20.0
            length = sum(other.suit == card.suit and other.name[0] != "J" for other in hand)
            return float(card_points([card.name]) - 3 * length)

        return sorted(hand, key=value, reverse=True)

    def promising(self, table: Table, moves: Sequence[str]) -> Sequence[str]:
        """Two of the five cards that are put away first; the three strongest games."""
        name, _, player = table.stage.partition(" ")
        if name == "discard":
            first = {card.name for card in self.put_away(table, player)[:5]}
            return [move for move in moves if first.issuperset(move.split()[2:])]
        if name != "announce":
            return moves
        cards = [card.name for card in table[self.hands[player]]]
        games = {**SUITS, GRAND: GRAND, NULL: NULL}
        plain = [move for move in moves if move in games]
        return sorted(plain, key=lambda move: -self.strength_of(games[move], cards))[:3]

    def sensible_action(self, table: Table, actions: Sequence[Action], rng: Random) -> Action:
        """Bid while a game is strong and worth it, take the skat, put away and announce for the strongest."""
        name, _, player = table.stage.partition(" ")
        if name in ("bid", "answer"):
            return actions[0 if len(actions) > 1 and self.best_game(table, player)[0] >= 0 else -1]
        if name == "discard":
            first = set(self.put_away(table, player)[:2])
            return next(action for action in actions if first.issuperset(action.moved_elements()))
        if name == "announce":
            game = self.best_game(table, player)[1]
            wanted = next((name for name, suit in SUITS.items() if suit == game), game)
            return next((action for action in actions if action.name == wanted), actions[0])
        return actions[0 if name == "skat" else -1]

    def order(self, table: Table) -> str:
        """The game."""
        game: str = table.get("game")
        return game

    def sides(self, table: Table) -> Sequence[int]:
        """Declarer against the others."""
        return [int(player == table.get("declarer")) for player in self.players]

    def sensible_card(self, table: Table, play: TrickPlay, cards: int) -> int:
        """Declarer takes every trick it can; the others give points to the partner who is sure of a trick."""
        side, trump = play.sides[play.seat], play.deck.trump
        if not trump:
            return play.duck(cards) if side or not play.trick else play.lowest(cards)
        if not play.trick:
            return self.sensible_lead(play, cards)
        winning = play.winning(cards)
        if play.sides[play.winner] == side:
            return dearest(play, cards) if play.is_last or play.is_boss(play.best) else cheapest(play, cards)
        if not winning:
            return cheapest(play, (cards & ~trump or cards) if side else cards)
        if play.is_last:
            plain = winning & ~trump
            if plain:
                return top(plain)
            return dearest(play, winning) if side else winning & -winning
        return top(winning) if play.is_boss(top(winning)) else winning & -winning

    def sensible_lead(self, play: TrickPlay, cards: int) -> int:
        """Declarer leads the highest trump, a cheap one of three or more, or what nobody beats; the others what nobody
        beats, or what has the fewest points."""
        trump = play.deck.trump
        own, theirs = cards & trump, play.out & trump & ~play.hands[play.seat]
        if play.sides[play.seat] and own and theirs:
            if play.is_boss(top(own)):
                return top(own)
            if own.bit_count() >= DRAWING:
                return cheapest(play, own)
        plain = cards & ~trump
        bosses = sum([card for card in bits(plain) if play.is_boss(card)])
        return dearest(play, bosses) if bosses else cheapest(play, plain or cards)


@lru_cache(maxsize=16)
def worth_alike(deck: CardBits) -> Sequence[int]:
    """Cards with equally many points together, those with the fewest first."""
    points = {card: card_points([name]) for name, card in deck.named.items()}
    return [sum(card for card in points if points[card] == number) for number in sorted({*points.values()})]


def cheapest(play: TrickPlay, cards: int) -> int:
    """The card with the fewest points, no trump if there is another."""
    own = next(alike & cards for alike in worth_alike(play.deck) if alike & cards)
    own = own & ~play.deck.trump or own
    return own & -own


def dearest(play: TrickPlay, cards: int) -> int:
    """The card with the most points, no trump if there is another."""
    own = next(alike & cards for alike in reversed(worth_alike(play.deck)) if alike & cards)
    return top(own & ~play.deck.trump or own)
