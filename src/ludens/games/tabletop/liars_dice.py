"""Liar's dice: players see only their own dice, and bid on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludens.games.tabletop.twins.liars_dice import liars_dice_twin
from ludens.tabletop import (
    Action,
    Dice,
    Do,
    EngineTwin,
    FinishPlay,
    Option,
    Roll,
    Rule,
    Set,
    Stage,
    Table,
    Tell,
    stage,
)

MATCH, ROUND = "match", "round"
WILD = 1


class LiarsDice(Rule):
    """Bids rise until one is doubted; the player who was wrong loses a die."""

    name = "Liar's Dice"
    players: Sequence[Any] = range(2, 7)
    zero_sum = True
    options = (
        Option("dice", 5, "dice of each player at the start", 1, 6),
        Option(
            "game",
            MATCH,
            "whether to play until one player has dice left, or a single round",
            choices=(MATCH, ROUND),
        ),
        Option("wild", True, "whether ones count as every face"),
        Option("faces", 6, "faces of each die", 2, 6),
    )

    def equipment(self, table: Table) -> None:
        """A cup of dice for each."""
        for player in self.players:
            cup = Dice(
                f"dice {player}", self.settings["dice"], self.settings["faces"], owner=player, visibility="owner"
            )
            table.add(cup)

    def setup(self, table: Table) -> Action:
        """All roll."""
        left = (self.settings["dice"],) * len(self.players)
        return Set(table, left=left) + self.roll_all(table, left).named("roll")

    def roll_all(self, table: Table, left: Sequence[int]) -> Action:
        """All players roll their remaining dice."""
        action: Action = Set(table, bid=(), bidder="")
        for player, count in zip(self.players, left, strict=True):
            if count:
                action += Roll(table.dice(f"dice {player}"), count)
        return action

    def turns(self) -> list[Stage]:
        """Bids in turn; the loser of a round begins the next."""
        following = (*self.players[1:], self.players[0])
        return [
            *(
                stage(f"bid {player}", (player, self.bids, f"bid {after}"))
                for player, after in zip(self.players, following, strict=True)
            ),
            *(stage(f"roll {player}", (player, self.roll, f"bid {player}"), start=False) for player in self.players),
        ]

    def roll(self, table: Table) -> list[Action]:
        """A new round."""
        return [self.roll_all(table, table.get("left")).named("roll")]

    # Bids

    def rank(self, face: int) -> int:
        """The order of faces in bids: wild ones are the highest."""
        return self.settings["faces"] + 1 if self.settings["wild"] and face == WILD else face

    def bids(self, table: Table) -> list[Action]:
        """More dice of any face, or the same number of a higher one; or doubt."""
        count, face = table.get("bid") or (1, -1)
        order = sorted(range(1, self.settings["faces"] + 1), key=self.rank)
        actions: list[Action] = []
        for number in range(count, sum(table.get("left")) + 1):
            for one in order:
                if number > count or face < 0 or self.rank(one) > self.rank(face):
                    actions.append(Do(self.bid, number, one).named(f"{number} x {one}"))
        if face > 0:
            actions.append(Do(self.doubt).named("liar"))
        return actions

    def bid(self, table: Table, count: int, face: int) -> Action:
        """Bid a number of dice of a face."""
        action = Set(table, bid=(count, face), bidder=table.current_player)
        return action.then(f"bid {self.next_with_dice(table, table.get('left'))}")

    def next_with_dice(self, table: Table, left: Sequence[int], after: str | None = None) -> str:
        """The next player with dice."""
        player = table.next_player(after=after)
        while not left[self.players.index(player)]:
            player = table.next_player(after=player)
        return player

    def doubt(self, table: Table) -> Action:
        """All show their dice; the bidder loses a die if there are too few, otherwise the doubter."""
        count, face = table.get("bid")
        left = list(table.get("left"))
        shown = {
            player: table.value(table.dice(f"dice {player}"))
            for player, dice in zip(self.players, left, strict=True)
            if dice
        }
        wanted = {face, WILD} if self.settings["wild"] else {face}
        is_lie = sum(die in wanted for dice in shown.values() for die in dice) < count
        loser = table.get("bidder") if is_lie else table.current_player
        left[self.players.index(loser)] -= 1
        action: Action = Set(table, left=tuple(left), loser=loser)
        for player, dice in shown.items():
            action += Tell(f"{' '.join(map(str, dice))} at dice {player}")
        begins = loser if left[self.players.index(loser)] else self.next_with_dice(table, left, after=loser)
        return action.then(f"roll {begins}")

    # The end

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return liars_dice_twin(self, is_one_round=self.settings["game"] == ROUND)

    def result(self, table: Table) -> FinishPlay | None:
        """The last player with dice wins; in a single round, its loser loses."""
        if self.settings["game"] == ROUND and table.get("loser"):
            return FinishPlay(losers=[table.get("loser")])
        alive = [player for player, count in zip(self.players, table.get("left"), strict=True) if count]
        return FinishPlay(winners=alive) if len(alive) == 1 else None
