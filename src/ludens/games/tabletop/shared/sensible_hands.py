"""How sensible players of hold'em choose: the model by which worlds are weighed, and playouts, one or thousands."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from random import Random

from ludens.games.tabletop.shared.holdem_record import CALL, FOLD, RAISE, part_of_pot, with_keep
from ludens.tabletop import Element, Rule, Table
from ludens.tabletop.poker import strength

BOARD = 5
"""Community cards at the end."""


class SensibleHands(Rule):
    """A rule of hold'em, with a model of its players. What computes in arrays is imported when it is used."""

    @property
    @abstractmethod
    def most_bets(self) -> int:
        """The maximum number of bets in one street, the big blind included; 0 without limit."""

    @abstractmethod
    def active(self, table: Table) -> list[str]:
        """The players who have not folded."""

    @abstractmethod
    def chips(self, table: Table, player: str) -> int:
        """The remaining chips of a player."""

    @abstractmethod
    def in_street(self, table: Table, player: str) -> int:
        """The bet of a player in this street."""

    @abstractmethod
    def paid(self, table: Table) -> dict[str, int]:
        """The chips that each player put into the pots."""

    @abstractmethod
    def blind_of(self, hand: int) -> int:
        """The big blind of a hand."""

    @abstractmethod
    def record(self, table: Table, player: str) -> tuple[int, ...]:
        """What a player did in earlier hands of the session."""

    @abstractmethod
    def shares(self, paid: dict[str, int], active: list[str], strengths: Mapping[str, int]) -> dict[str, int]:
        """What each player takes from the pots, by the strengths of the hands."""

    def owed(self, table: Table, player: str) -> int:
        """What a player has to pay to call."""
        missing = int(table.get("high")) - self.in_street(table, player)
        return min(max(0, missing), self.chips(table, player))

    def choice_shares(self, table: Table, player: str, can_raise: bool) -> list[float]:
        """How likely a player is to fold, to call and to raise, by its hand and what it did before."""
        from ludens.games.tabletop.shared.holdem_boards import hand_number, quality_of_hands  # noqa: PLC0415
        from ludens.games.tabletop.shared.holdem_styles import mean_choice_shares  # noqa: PLC0415

        street = int(table.get("street"))
        board = self.card_numbers(table["board"])
        hand = frozenset(self.card_numbers(table[table.hand(player)]))
        quality = float(quality_of_hands(board, street)[hand_number(hand)])
        part = part_of_pot(self.owed(table, player), sum(self.paid(table).values()))
        keep = with_keep(table.get("acts"))[1]
        return mean_choice_shares(quality, part, keep, street, can_raise, self.record(table, player))

    def likelihood(self, table: Table, move: str, moves: Sequence[str]) -> float:
        """Bad hands fold to large bets, good ones raise; the size of a raise says nothing."""
        if len(moves) == 1:
            return 1.0
        raises = len([one for one in moves if one not in ("fold", "check", "call")])
        shares = self.choice_shares(table, table.current_player, raises > 0)
        if move == "fold":
            return shares[FOLD]
        return shares[CALL] if move in ("check", "call") else shares[RAISE] / raises

    def playout(self, table: Table, rng: Random) -> Sequence[float]:
        """Players who owe chips fold or call by `likelihood`, then all check to the end of the hand."""
        pending = [player for player in table.get("pending") or () if player in self.players]
        if not pending:  # before the first hand, between two, or after the last
            return self.as_goals([self.chips(table, player) for player in self.players])
        active, before = self.active(table), self.paid(table)
        paid = dict(before)
        for player in pending:
            owed = self.owed(table, player)
            if owed and len(active) > 1 and rng.random() < self.choice_shares(table, player, False)[FOLD]:
                active.remove(player)
            else:
                paid[player] += owed
        board = table["board"]
        board = (*board, *rng.sample(table["deck"], BOARD - len(board)))
        strengths = {player: strength((*table[table.hand(player)], *board)) for player in active}
        won = self.shares(paid, active, strengths)
        return self.as_goals(
            [self.chips(table, player) + before[player] - paid[player] + won[player] for player in self.players]
        )

    def rollouts(self, table: Table, moves: Sequence[str], rng: Random) -> Sequence[Sequence[float]]:
        """Playouts in which all others bet by styles that fit what they did, with hands that do."""
        from ludens.games.tabletop.shared.holdem_deals import Spot  # noqa: PLC0415
        from ludens.games.tabletop.shared.holdem_rollouts import rollouts  # noqa: PLC0415

        player = table.current_player
        names = table.get("seats")
        begun = dict(zip(self.players, table.get("stacks"), strict=True))
        spot = Spot(
            names=names,
            chips=[begun[name] for name in names],
            left=[self.chips(table, name) for name in names],
            bets=[self.in_street(table, name) for name in names],
            folded=[name in table.get("folded") for name in names],
            pending=[name in table.get("pending") for name in names],
            actor=names.index(player),
            hand=frozenset(self.card_numbers(table[table.hand(player)])),
            board=self.card_numbers(table["board"]),
            street=table.get("street"),
            high=table.get("high"),
            raised=table.get("raised"),
            count=table.get("bets"),
            blind=self.blind_of(table.get("hand")),
            most_bets=self.most_bets,
            acts=table.get("acts"),
            records=[self.record(table, name) for name in names],
        )
        chips = rollouts(spot, [self.choice(move) for move in moves], rng)
        goals: list[list[float]] = (chips * (100 / self.points_range[1])).tolist()
        return goals

    @staticmethod
    def choice(move: str) -> tuple[int, int]:
        """What a move does, and the total of a raise."""
        if move == "fold":
            return FOLD, 0
        return (CALL, 0) if move in ("check", "call") else (RAISE, int(move.rsplit(maxsplit=1)[-1]))

    @staticmethod
    def card_numbers(cards: Sequence[Element]) -> list[int]:
        """Cards as numbers."""
        from ludens.tabletop.bulk_poker import card_number  # noqa: PLC0415

        return [card_number(card) for card in cards]

    def as_goals(self, chips: Sequence[int]) -> Sequence[float]:
        """Chips as goals from 0 to 100."""
        return [100 * count / self.points_range[1] for count in chips]
