"""Rule-based players of trick-taking games, as opponents for those that search.

``ludens match hearts --player North=benchmarks/trick_bots.py:HeartsBot``. Each plays as a decent beginner at a club
does, without any search, and its docstring lists all its rules.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ludens.core import Deadline, Decision, Move, Player, View
from ludens.games.tabletop.shared.skat_score import BASE, GRAND, JACKS, NULL, card_points, matadors
from ludens.tabletop.hidden.view import TableView

RANKS = "23456789TJQKA"
SUITS = "CDHS"


def by_suit(cards: Iterable[str]) -> dict[str, list[str]]:
    """Cards of each suit, the lowest first."""
    ordered = sorted(cards, key=lambda card: RANKS.index(card[0]))
    return {suit: [card for card in ordered if card[1] == suit] for suit in SUITS}


class TrickBot(Player):
    """The base: reads the table, and asks a subclass for a card or for what is decided before the cards."""

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """By the rules of the subclass."""
        assert isinstance(view, TableView)
        seen = view.observation
        places: Mapping[str, Sequence[str]] = seen["places"]
        self.table: dict[str, Any] = {name.removeprefix("table."): value for name, value in seen["attributes"].items()}
        self.players = view.game.roles
        self.me = view.role
        self.stage = str(seen["stage"])
        self.hand = [card for card in places.get(f"hand {self.me}", ()) if card != "##"]
        self.trick = list(places.get("trick", ()))
        """The cards of the trick, in the order in which they were played."""
        self.won = {player: list(places.get(f"won {player}", ())) for player in self.players}
        self.gone = {*self.trick, *(card for cards in self.won.values() for card in cards)}
        """All cards that were played."""
        legal = list(view.legal_moves)
        return Decision(legal[0] if len(legal) == 1 else self.decide(legal))

    def decide(self, legal: list[Move]) -> Move:
        """A card, or another move."""
        if self.stage.startswith("play "):
            return self.card(legal)
        return self.prepare(legal)

    @abstractmethod
    def prepare(self, legal: list[Move]) -> Move:
        """What to do before the first card."""

    @abstractmethod
    def card(self, legal: list[str]) -> str:
        """The card to play."""

    # What the rules are made of

    def suit(self, card: str) -> str:
        """The suit that a card counts as."""
        return card[1]

    def strength(self, card: str) -> int:
        """How high a card is in its suit."""
        return RANKS.index(card[0])

    def trump(self) -> str:
        """The trump suit."""
        return ""

    def beats(self, card: str, other: str) -> bool:
        """True if a card takes a trick that the other would take."""
        if self.suit(card) == self.suit(other):
            return self.strength(card) > self.strength(other)
        return self.suit(card) == self.trump()

    def best(self) -> tuple[str, str]:
        """The best card of the trick, and who played it."""
        number = 0
        for place in range(1, len(self.trick)):
            if self.beats(self.trick[place], self.trick[number]):
                number = place
        seat = self.players.index(self.me) - len(self.trick) + number
        return self.trick[number], self.players[seat % len(self.players)]

    @property
    def is_last(self) -> bool:
        """True if nobody plays to the trick afterwards."""
        return len(self.trick) + 1 == len(self.players)

    def low(self, cards: Iterable[str]) -> str:
        """The lowest card."""
        return min(cards, key=lambda card: (self.strength(card), card))

    def high(self, cards: Iterable[str]) -> str:
        """The highest card."""
        return max(cards, key=lambda card: (self.strength(card), card))

    def is_boss(self, card: str, deck: Collection[str]) -> bool:
        """True if no card that is still out is higher in the suit."""
        own = {*self.hand, *self.gone}
        return not any(
            self.suit(other) == self.suit(card) and self.strength(other) > self.strength(card)
            for other in deck
            if other not in own
        )


FRENCH = [rank + suit for rank in RANKS for suit in SUITS]


class HeartsBot(TrickBot):
    """Hearts.

    Passes: the queen, king and ace of spades, unless they are guarded by four or more spades; then the highest cards,
    hearts first among equals.
    Leads: a spade below the queen while the queen is out and it holds neither queen, king nor ace; else the lowest card
    of the suit of which most cards are still out, but no spade from the queen up if there is another.
    Follows: the highest card below the best one of the trick; if there is none, its highest in the last seat, where it
    takes the trick anyway, and its lowest before. The queen of spades takes a trick only if no other card is left, and
    king and ace of spades only in the last seat of a trick without points.
    Discards: the queen of spades, king and ace of spades while the queen is out, the highest heart, the highest card.
    """

    name = "hearts_bot"
    description = "hearts by rules: stays below, discards what is dangerous"

    def prepare(self, legal: list[Move]) -> Move:
        """Pass three cards."""
        spades = by_suit(self.hand)["S"]

        def danger(card: str) -> float:
            if card[1] == "S":
                return 20.0 + (card[0] == "Q") if card[0] in "QKA" and len(spades) < 5 else 0.0
            return self.strength(card) + (0.5 if card[1] == "H" else 0.0)

        worst = set(sorted(self.hand, key=danger)[-3:])
        return next(move for move in legal if set(move.split()) == worst)

    def card(self, legal: list[str]) -> str:
        """The card to play."""
        if not self.trick:
            return self._lead(legal)
        led = self.suit(self.trick[0])
        if self.suit(legal[0]) != led:
            return self._discard(legal)
        best, _ = self.best()
        below = [card for card in legal if not self.beats(card, best)]
        if below:
            return self.high(below)
        others = [card for card in legal if card != "QS"] or legal
        has_points = any(card[1] == "H" or card == "QS" for card in self.trick)
        if self.is_last:
            return self.high(others) if not has_points or led != "S" else self.low(others)
        return self.low(others)

    def _lead(self, legal: list[str]) -> str:
        suits = by_suit(legal)
        is_queen_out = "QS" not in self.gone and "QS" not in self.hand
        safe_spades = [card for card in suits["S"] if card[0] not in "QKA"]
        if is_queen_out and safe_spades and len(safe_spades) == len(by_suit(self.hand)["S"]):
            return self.high(safe_spades)
        tame = [card for card in legal if not (card[1] == "S" and card[0] in "QKA")] or legal
        known = by_suit({*self.gone, *self.hand})
        out = {suit: 13 - len(known[suit]) for suit in SUITS}
        lowest = [self.low(cards) for cards in by_suit(tame).values() if cards]
        return max(lowest, key=lambda card: (out[card[1]] > 0, out[card[1]] - 2 * self.strength(card)))

    def _discard(self, legal: list[str]) -> str:
        if "QS" in legal:
            return "QS"
        if "QS" not in self.gone and (high := [card for card in legal if card in ("AS", "KS")]):
            return high[0]
        return self.high([card for card in legal if card[1] == "H"] or legal)


class SpadesBot(TrickBot):
    """Spades.

    Bids: one trick for each ace, for a king with another card of its suit, for a queen of spades with two others, and
    for each spade after the third that was not counted; half a trick for other queens with two cards beside them; at
    least one trick. Nil with at most three spades, none above
    the nine, no ace, and no king or queen with fewer than three cards of its suit.
    Leads: while its side needs tricks, a card that no card still out can beat, else its lowest; once the bid is made,
    its lowest.
    Follows: while its side needs tricks, it leaves a trick to its partner if that card is the best left or it is last,
    else takes it as cheaply as it can, in the second seat only with a card that nobody can beat; it trumps with the
    lowest spade that takes the trick. Once the bid is made, the highest card that loses. A nil of its own is always
    played below the best card.
    """

    name = "spades_bot"
    description = "spades by rules: bids sure tricks, takes them, then ducks"

    def trump(self) -> str:
        """Spades."""
        return "S"

    def prepare(self, legal: list[Move]) -> Move:
        """Bid."""
        suits = by_suit(self.hand)
        spades = [card[0] for card in suits["S"]]
        if self._is_nil_hand(suits) and "nil" in legal:
            return "nil"
        tricks = float(sum(card[0] == "A" for card in self.hand))
        tricks += sum(len(cards) > 1 and any(card[0] == "K" for card in cards) for cards in suits.values())
        tricks += "Q" in spades and len(spades) > 2
        tricks += max(0, sum(rank not in "AKQ" for rank in spades) - max(0, 3 - sum(r in "AKQ" for r in spades)))
        tricks += 0.5 * sum(
            suit != "S" and len(cards) > 2 and any(card[0] == "Q" for card in cards) for suit, cards in suits.items()
        )
        numbers = [int(move) for move in legal if move != "nil"]
        return str(min(numbers, key=lambda number: abs(number - max(1, int(tricks)))))

    @staticmethod
    def _is_nil_hand(suits: Mapping[str, Sequence[str]]) -> bool:
        if len(suits["S"]) > 3 or any(RANKS.index(card[0]) > RANKS.index("9") for card in suits["S"]):
            return False
        return not any(
            card[0] == "A" or (card[0] in "KQ" and len(cards) < 3) for cards in suits.values() for card in cards
        )

    def card(self, legal: list[str]) -> str:
        """The card to play."""
        bids = self._bids()
        partner = self.players[(self.players.index(self.me) + 2) % 4]
        own = len(self.won[self.me]) // 4
        taken = own + len(self.won[partner]) // 4
        is_nil = bids[self.me] == 0 and own == 0
        needs = not is_nil and taken < bids[self.me] + bids[partner]
        if not self.trick:
            return self._lead(legal, needs)
        best, winner = self.best()
        losing = [card for card in legal if not self.beats(card, best)]
        winning = [card for card in legal if self.beats(card, best)]
        if is_nil or not needs:
            return self.high(losing) if losing else self.low(winning)
        if winner == partner and bids[partner] and (self.is_last or self.is_boss(best, FRENCH)):
            return self._throw(losing or legal)
        wanted = winning
        if len(self.trick) == 1 and self.suit(legal[0]) == self.suit(self.trick[0]):
            wanted = [card for card in winning if self.is_boss(card, FRENCH)]
        if wanted:
            return min(wanted, key=lambda card: (card[1] == "S", self.strength(card)))
        return self._throw(losing or legal)

    def _lead(self, legal: list[str], needs: bool) -> str:
        bosses = [card for card in legal if self.is_boss(card, FRENCH)]
        if needs and bosses:
            return min(bosses, key=lambda card: (card[1] == "S", len(by_suit(self.hand)[card[1]])))
        return self._throw(legal)

    def _throw(self, cards: list[str]) -> str:
        return min(cards, key=lambda card: (card[1] == "S", self.strength(card)))

    def _bids(self) -> dict[str, int]:
        bids = [0 if bid == "nil" else int(bid) for bid in self.table["bids"]]
        first = self.table["hand"] % 4
        return {self.players[(first + number) % 4]: bid for number, bid in enumerate(bids)}


SKAT_DECK = [rank + suit for rank in "789TJQKA" for suit in SUITS]
SIDE, PLAIN = "789QKTA", "789TJQKA"


class SkatBot(TrickBot):
    """Skat.

    Bids up to the value of its best game: a suit with as many trumps, aces beside them, and tens beside their ace as to
    make seven (six with two jacks, one of them clubs or spades); grand with four jacks and aces, two of them jacks;
    null with no card above the ten unless the seven and eight or nine of its suit are there. It always takes the skat.
    Puts away: no trump and no ace; tens without their ace first, then the cards of the shortest suit.
    Announces the game with most trumps, aces and tens that is worth the bid.
    As declarer it leads trumps from the top while others may have some, then aces and tens that cannot be beaten, then
    its lowest card; it takes tricks as cheaply as it can if they have five points or it is last, else plays low.
    As opponent it leads an ace, else the lowest card of its shortest suit if declarer plays next or last; puts the card
    with most points on a trick that its partner is sure to take, takes tricks of declarer as cheaply as possible, and
    gives as few points as possible otherwise.
    At null declarer plays the highest card below the best one, and opponents their lowest.
    """

    name = "skat_bot"
    description = "skat by rules: counts trumps and aces, draws trumps, gives points to its partner"

    # Bidding

    def _stones(self, game: str, cards: Collection[str]) -> float:
        """Trumps, aces and guarded tens; for null 9 if it is safe."""
        jacks = [card for card in JACKS if card in cards]
        aces = [card for card in cards if card[0] == "A" and card[1] != game]
        tens = [card for card in cards if card[0] == "T" and card[1] != game and f"A{card[1]}" in cards]
        if game == GRAND:
            return len(jacks) + len(aces) + 3.0 if len(jacks) > 1 else 0.0
        if game == NULL:
            return 9.0 if all(self._is_safe(suit, cards) for suit in SUITS) else 0.0
        trumps = [card for card in cards if card in jacks or card[1] == game]
        bonus = 1 if len(jacks) > 1 and jacks[0] in ("JC", "JS") else 0
        return len(trumps) + len(aces) + len(tens) + bonus if len(trumps) > 4 else 0.0

    @staticmethod
    def _is_safe(suit: str, cards: Collection[str]) -> bool:
        ranks = sorted(PLAIN.index(card[0]) for card in cards if card[1] == suit)
        return all(rank <= 2 * number + 1 for number, rank in enumerate(ranks))

    def _games(self, cards: Collection[str], bid: int) -> list[tuple[float, str]]:
        """Games that are worth a bid, the best last."""
        found = []
        for game in (*"DHSC", GRAND):
            if BASE[game] * (matadors(game, cards) + 1) >= bid:
                found.append((self._stones(game, cards), game))
        if bid <= 23:
            found.append((self._stones(NULL, cards), NULL))
        return sorted(found)

    def prepare(self, legal: list[Move]) -> Move:
        """Bid, take the skat, put away, announce."""
        kind = self.stage.split()[0]
        if kind in ("bid", "answer"):
            asked = int(next((move for move in legal if move.isdigit()), self.table["bid"]))
            games = self._games(self.hand, asked)
            return next(move for move in legal if (move == "pass") != bool(games and games[-1][0] >= 7))
        if kind == "skat":
            return "take the skat"
        if kind == "discard":
            return self._put_away(legal)
        if kind == "announce":
            games = self._games(self.hand, self.table["bid"])
            names = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"}
            best = games[-1][1] if games else max("CSHD", key=lambda suit: self._stones(suit, self.hand))
            return names.get(best, best)
        return "pass"

    def _put_away(self, legal: list[Move]) -> Move:
        games = self._games(self.hand, self.table["bid"])
        game = games[-1][1] if games else max("CSHD", key=lambda suit: self._stones(suit, self.hand))
        suits = by_suit(card for card in self.hand if card[0] != "J")

        def value(card: str) -> float:
            if game == NULL:
                return PLAIN.index(card[0]) - 2.0 * (len(suits[card[1]]) > 3)
            if card[0] in "JA" or card[1] == game:
                return -20.0
            is_bare_ten = card[0] == "T" and f"A{card[1]}" not in self.hand
            return 10.0 * is_bare_ten + card_points([card]) / 4 - 3 * len(suits[card[1]])

        return max(legal, key=lambda move: sum(value(card) for card in move.split()[2:]))

    # Cards

    @property
    def _game(self) -> str:
        return str(self.table["game"])

    def suit(self, card: str) -> str:
        """Jacks are trumps, except at null."""
        if self._game != NULL and (card[0] == "J" or card[1] == self._game):
            return "trump"
        return card[1]

    def trump(self) -> str:
        """Null has none."""
        return "" if self._game == NULL else "trump"

    def strength(self, card: str) -> int:
        """The order of the game."""
        if self._game == NULL:
            return PLAIN.index(card[0])
        return 10 + "DHSC".index(card[1]) if card[0] == "J" else SIDE.index(card[0])

    def card(self, legal: list[str]) -> str:
        """The card to play."""
        declarer = self.table["declarer"]
        if self._game == NULL:
            return self._null(legal, declarer)
        if not self.trick:
            return self._declarer_leads(legal) if declarer == self.me else self._opponent_leads(legal)
        best, winner = self.best()
        winning = [card for card in legal if self.beats(card, best)]
        losing = [card for card in legal if not self.beats(card, best)]
        if declarer not in (self.me, winner):
            declarer_is_done = self.is_last or self._plays_before(declarer)
            if declarer_is_done or self.is_boss(best, SKAT_DECK):
                return max(losing or legal, key=lambda card: (card_points([card]), -self.strength(card)))
        points = card_points(self.trick)
        if winning and (self.is_last or declarer != self.me or points > 4):
            bosses = [card for card in winning if self.is_last or self.is_boss(card, SKAT_DECK)]
            if self.is_last:
                side = [card for card in winning if self.suit(card) != "trump"]
                return self.high(side) if side else self.low(winning)
            return self.low(bosses or winning)
        return self._small(losing or legal)

    def _plays_before(self, player: str) -> bool:
        """True if a player has played to the trick."""
        behind = (self.players.index(self.me) - self.players.index(player)) % len(self.players)
        return 0 < behind <= len(self.trick)

    def _small(self, cards: Iterable[str]) -> str:
        return min(cards, key=lambda card: (card_points([card]), self.suit(card) == "trump", self.strength(card)))

    def _declarer_leads(self, legal: list[str]) -> str:
        trumps = [card for card in legal if self.suit(card) == "trump"]
        out = [card for card in SKAT_DECK if self.suit(card) == "trump" and card not in {*self.gone, *self.hand}]
        if trumps and out and (self.is_boss(self.high(trumps), SKAT_DECK) or len(trumps) > 3):
            high = self.high(trumps)
            return high if self.is_boss(high, SKAT_DECK) else self.low(trumps)
        bosses = [card for card in legal if self.suit(card) != "trump" and self.is_boss(card, SKAT_DECK)]
        return self.high(bosses) if bosses else self._small(legal)

    def _opponent_leads(self, legal: list[str]) -> str:
        plain = [card for card in legal if self.suit(card) != "trump"] or legal
        aces = [card for card in plain if card[0] == "A"]
        if aces:
            return aces[0]
        lengths = {suit: sum(self.suit(card) == suit for card in self.hand) for suit in (*SUITS, "trump")}
        return min(plain, key=lambda card: (lengths[self.suit(card)], card_points([card]), self.strength(card)))

    def _null(self, legal: list[str], declarer: str) -> str:
        if declarer != self.me or not self.trick:
            return self.low(legal)
        losing = [card for card in legal if not self.beats(card, self.best()[0])]
        return self.high(losing) if losing else self.low(legal)


BOTS: Mapping[str, type[TrickBot]] = {"hearts": HeartsBot, "spades": SpadesBot, "skat": SkatBot}
"""The bot of each game."""
