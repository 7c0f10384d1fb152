"""How sensible players call at Bridge: a plain natural system, by their own hand and the calls so far.

Points are high cards (ace 4 to jack 1) and one for each card after the fourth of a suit. A first bid promises points,
which the partner adds to its own: 20 are enough for the level of two, 23 for three, 25 for game, 33 for a slam.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ludens.games.tabletop.shared.bridge_score import STRAINS

SUITS = STRAINS[:-1]
NO_TRUMPS = STRAINS[-1]
MAJORS = ("H", "S")
PASS, DOUBLE = "pass", "X"
HIGH = {14: 4, 13: 3, 12: 2, 11: 1}
"""High card points by rank."""
OPENING, OVERCALL, RESPONSE, SECOND_LEVEL, STRONG_NO_TRUMPS = 13, 10, 6, 10, range(15, 18)
"""Points that bids promise."""
GAME, SLAM, GRAND_SLAM = 25, 33, 37
"""Points of both partners."""
GAME_ALONE, PARTNER = 22, 6
"""Points for which a hand opens with game, and those that it then expects its partner to have."""
DOUBLING = 23
"""Points of both partners from which opponents are doubled at the level of three or higher."""
FIT = 8
"""Cards of a suit in both hands that make it a good trump suit."""


class Calls:
    """The auction, as the player to call sees it."""

    def __init__(self, calls: Sequence[str]) -> None:
        self._calls = calls
        self.own = self._bids(0)
        self.partner = self._bids(2)
        self.opponents = sorted([*self._bids(1), *self._bids(3)])
        bids = [(number, call) for number, call in enumerate(calls) if call[-1] != "X" and call != PASS]
        self.last = bids[-1][1] if bids else ""
        """The highest bid."""
        self.is_ours = bool(bids) and (len(calls) - bids[-1][0]) % 2 == 0
        """True if our side made it."""
        self.is_doubled = bool(bids) and DOUBLE in calls[bids[-1][0] :]

    def _bids(self, ahead: int) -> list[tuple[int, str]]:
        """Level and strain of the bids of the player so many seats after the one to call."""
        first = (len(self._calls) + ahead) % 4
        return [(int(call[0]), call[1:]) for call in self._calls[first::4] if call[0].isdigit()]

    def cheapest(self, strain: str) -> int:
        """The lowest level at which a strain may be bid."""
        if not self.last:
            return 1
        level, last = int(self.last[0]), self.last[1:]
        return level if STRAINS.index(strain) > STRAINS.index(last) else level + 1

    def promised_points(self) -> int:
        """The least points of the partner, by its first bid; more if it jumped later."""
        if not self.partner:
            return 0
        level, strain = self.partner[0]
        if not self.own:
            least = OPENING if not self.opponents else OVERCALL
            if strain == NO_TRUMPS:
                least = {1: STRONG_NO_TRUMPS[0], 2: 20}.get(level, GAME_ALONE)
            elif level > 2:
                least = GAME_ALONE if _is_game(f"{level}{strain}") else RESPONSE
        elif strain in (self.own[0][1], NO_TRUMPS):
            least = {1: RESPONSE, 2: RESPONSE}.get(level, 10 if level == 3 else 12)
        else:
            least = RESPONSE if level == 1 else SECOND_LEVEL
        jumps = sum(later[0] > before[0] + 1 for before, later in zip(self.partner, self.partner[1:], strict=False))
        return least + 4 * jumps

    def promised_cards(self, suit: str) -> int:
        """The cards of a suit that the partner's bids promise."""
        times = sum(strain == suit for _, strain in self.partner)
        if not times:
            return 0
        is_first = self.partner[0][1] == suit and not self.own
        return 3 + times + (is_first and (suit in MAJORS or bool(self.opponents)))


def points_of(ranks: Mapping[str, Sequence[int]]) -> tuple[int, int]:
    """High card points, and with those for long suits."""
    high = sum(HIGH.get(rank, 0) for suit in SUITS for rank in ranks[suit])
    return high, high + sum(max(0, len(ranks[suit]) - 4) for suit in SUITS)


def sensible_call(ranks: Mapping[str, Sequence[int]], calls: Sequence[str]) -> str:
    """The call of a hand (the ranks of each suit)."""
    auction = Calls(calls)
    level, strain = _wanted(ranks, auction)
    if not level:
        return PASS
    if not strain:
        return DOUBLE
    return f"{level}{strain}"


def promising_calls(ranks: Mapping[str, Sequence[int]], calls: Sequence[str], legal: Sequence[str]) -> list[str]:
    """The sensible call, a pass, a double, and bids of suits that both may hold, to one level higher."""
    sensible = sensible_call(ranks, calls)
    auction = Calls(calls)
    found = {PASS, sensible, DOUBLE}
    for strain in STRAINS:
        held = 0 if strain == NO_TRUMPS else len(ranks[strain]) + auction.promised_cards(strain)
        if strain == NO_TRUMPS or held >= FIT or len(ranks[strain]) > 4:
            cheapest = auction.cheapest(strain)
            if cheapest <= (int(sensible[0]) if sensible[0].isdigit() else 2) + 1:
                found.add(f"{cheapest}{strain}")
                if auction.partner:
                    found.add(f"{_game_level(strain)}{strain}")
    return [call for call in legal if call in found]


def _wanted(ranks: Mapping[str, Sequence[int]], auction: Calls) -> tuple[int, str]:
    """Level and strain of the best bid; level 0 to pass, no strain to double."""
    high, points = points_of(ranks)
    if not auction.partner:
        return _first(ranks, auction, high, points) if not auction.own else _again(ranks, auction, points)
    total = points + auction.promised_points()
    if not auction.own and points < RESPONSE and total < GAME:
        return 0, ""
    if (found := _new_suit(ranks, auction, points)) and total < SLAM:
        return found
    for strain in _fits(ranks, auction):
        level = _level(strain, total)
        if auction.is_ours and auction.last[1:] == strain and int(auction.last[0]) >= level:
            return 0, ""
        if level >= auction.cheapest(strain):
            return _within(level, strain, auction, total)
    is_game_reached = auction.is_ours and _is_game(auction.last)
    if auction.is_ours and (is_game_reached or total < GAME - 2) and auction.last[1:] not in SUITS:
        return 0, ""
    if not auction.is_ours and total >= DOUBLING and int(auction.last[0]) > 2 and not auction.is_doubled:
        return 1, ""
    return 0, ""


def _within(level: int, strain: str, auction: Calls, total: int) -> tuple[int, str]:
    """A bid that has been worked out; no invitation above what the partner has turned down."""
    is_invitation = not _is_game(f"{level}{strain}")
    has_answered = len(auction.partner) > 1 and len(auction.own) > 1
    if is_invitation and auction.is_ours and has_answered and total < GAME:
        return 0, ""
    return level, strain


def _first(ranks: Mapping[str, Sequence[int]], auction: Calls, high: int, points: int) -> tuple[int, str]:
    """Open, or overcall."""
    lengths = {suit: len(ranks[suit]) for suit in SUITS}
    is_balanced = min(lengths.values()) > 1 and sorted(lengths.values())[1] > 2 and max(lengths.values()) < 6
    cheapest = auction.cheapest(NO_TRUMPS)
    if is_balanced and high in STRONG_NO_TRUMPS and cheapest == 1:
        return 1, NO_TRUMPS
    if auction.opponents:
        suit = max(SUITS, key=lambda one: (lengths[one], SUITS.index(one)))
        level = auction.cheapest(suit)
        is_good = lengths[suit] > 4 and high >= OVERCALL + 2 * (level - 1) - 2 * (lengths[suit] > 5)
        return (level, suit) if is_good and level < 4 else (0, "")
    if points >= GAME_ALONE:
        suit = max(SUITS, key=lambda one: (lengths[one], SUITS.index(one)))
        strain = suit if lengths[suit] > 4 else NO_TRUMPS
        return _level(strain, points + PARTNER), strain
    if is_balanced and high in (20, 21):
        return 2, NO_TRUMPS
    if points < OPENING:
        longest = max(SUITS, key=lambda one: lengths[one])
        return (3, longest) if lengths[longest] > 6 and high > 5 else (0, "")
    suits = [suit for suit in SUITS if lengths[suit] >= (5 if suit in MAJORS else 3)]
    return 1, max(suits, key=lambda one: (lengths[one], SUITS.index(one)))


def _again(ranks: Mapping[str, Sequence[int]], auction: Calls, points: int) -> tuple[int, str]:
    """Bid once more although the partner has nothing to say."""
    suit = max(SUITS, key=lambda one: len(ranks[one]))
    level = auction.cheapest(suit)
    is_good = not auction.is_ours and len(ranks[suit]) > 5 and points > OPENING + 2 and len(auction.own) < 2
    return (level, suit) if is_good and level < 3 else (0, "")


def _new_suit(ranks: Mapping[str, Sequence[int]], auction: Calls, points: int) -> tuple[int, str] | None:
    """A suit that nobody of the side has named, as long as there is no fit."""
    if next(_fits(ranks, auction)) != NO_TRUMPS or len(auction.own) > 1:
        return None
    if not auction.own and auction.partner[0][1] == NO_TRUMPS:
        long = [suit for suit in MAJORS if len(ranks[suit]) > 5 - (points >= 10)]
        level = 3 if points >= 10 else auction.cheapest(long[-1]) if long else 0
        return (level, long[-1]) if long and auction.cheapest(long[-1]) <= level <= 3 else None
    named = {strain for _, strain in (*auction.own, *auction.partner)}
    suits = [suit for suit in SUITS if suit not in named and len(ranks[suit]) > 3]
    for suit in sorted(suits, key=lambda one: (-len(ranks[one]), SUITS.index(one))):
        level = auction.cheapest(suit)
        least = RESPONSE if level == 1 else SECOND_LEVEL if not auction.own else OPENING
        if level < 3 and points >= least:
            return level, suit
    return None


def _fits(ranks: Mapping[str, Sequence[int]], auction: Calls) -> Iterator[str]:
    """Suits of which the side has eight cards or more, majors first; then no trumps."""
    fits = [suit for suit in SUITS if auction.promised_cards(suit) + len(ranks[suit]) >= FIT]
    for suit in SUITS:  # a suit of one's own that the partner has raised
        if suit not in fits and any(strain == suit for _, strain in auction.own) and auction.promised_cards(suit):
            fits.append(suit)
    yield from sorted(fits, key=lambda suit: (suit in MAJORS, len(ranks[suit])), reverse=True)
    yield NO_TRUMPS


def _game_level(strain: str) -> int:
    return 3 if strain == NO_TRUMPS else 4 if strain in MAJORS else 5


def _is_game(bid: str) -> bool:
    return int(bid[0]) >= _game_level(bid[1:])


def _level(strain: str, total: int) -> int:
    """How high to bid with so many points of both."""
    if total >= GRAND_SLAM:
        return 7
    if total >= SLAM:
        return 6
    needed = GAME + 3 * (strain in SUITS and strain not in MAJORS)
    if total >= needed:
        return _game_level(strain)
    if strain == NO_TRUMPS:
        return 2 if total >= GAME - 2 else 1
    return 3 if total >= GAME - 2 else 2
