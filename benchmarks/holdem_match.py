"""Hold'em heads-up against simple bots: ``python -m benchmarks.holdem_match --betting limit --opponent tight``.

Every deal is played twice, with the seats swapped and the same cards and board, so that good cards come to both. When
community cards are dealt, what they bring is subtracted: the chips in the pot, times the change of the player's chance
to win it. The mean of that is 0, so that the mean of what is won stays the same. The interval is over pairs of hands.

The clock is CPU time, so that other programs on the machine do not matter: a player searches until it has used what it
is given for a move.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, stdev

import numpy as np

import ludens
from benchmarks import card_bots
from ludens.core import Clock, Deadline, Observation, Player
from ludens.games.tabletop.shared.sensible_hands import SensibleHands
from ludens.players.registry import make_player
from ludens.tabletop import Element, Table, TabletopGame, TabletopState
from ludens.tabletop.bulk_poker import CARDS, card_number, strengths

BOTS = ("tight", "calling", "maniac", "passive", "odds", "random")
BOARDS = 400
"""Boards by which the chance of a hand is estimated."""


class CpuDeadline(Deadline):
    """A deadline by the CPU time of the process."""

    def __init__(self, seconds: float) -> None:
        super().__init__(math.inf)
        self._cpu = time.process_time() + seconds

    def remaining(self) -> float:
        """CPU seconds left."""
        return self._cpu - time.process_time()


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with half the width of its 95 % interval."""

    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.error:.2f}"


def interval(values: Sequence[float]) -> Interval:
    """The mean of independent values, with its 95 % interval."""
    error = 1.96 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return Interval(fmean(values), error)


def make_bot(name: str) -> Player:
    """One of the bots."""
    return make_player(name) if name == "random" else getattr(card_bots, name.capitalize())()


class Series:
    """Pairs of hands of a player against a bot."""

    def __init__(self, betting: str, player: str, bot: str, seconds: float, seed: int) -> None:
        self._game = ludens.load(f"holdem:betting={betting}")
        assert isinstance(self._game, TabletopGame)
        assert isinstance(self._game.rule, SensibleHands)
        self._rule = self._game.rule
        self._player, self._bot, self._seconds = player, bot, seconds
        self._rng = Random(seed)
        self.choices = 0
        """How often the player had a choice."""
        self.used = 0.0
        """The CPU seconds that these took."""

    def play_pair(self) -> tuple[float, float]:
        """What the player wins in both hands of a deal, in chips."""
        start = self._game.initial_state()
        dealer = next(role for role in self._game.roles if start.legal_moves(role))
        deal = start.resolve({dealer: start.legal_moves(dealer)[0]}, self._rng)
        begin = start.play(deal)
        assert isinstance(begin, TabletopState)
        first, second = (self._play(begin, seat) for seat in (0, 1))
        return first, second

    def _play(self, state: TabletopState, seat: int) -> float:
        own = self._game.roles[seat]
        players = {
            role: make_player(self._player, files=True) if role == own else make_bot(self._bot)
            for role in self._game.roles
        }
        for role, player in players.items():
            player.start(self._game, role, self._rng.randrange(2**32), Clock(self._seconds, 30))
        lucky = 0.0
        while not state.is_terminal:
            role = next(role for role in self._game.roles if state.legal_moves(role))
            began = time.process_time()
            chosen = players[role].choose(state.view(role), CpuDeadline(self._seconds)).move
            if role == own and len(state.legal_moves(role)) > 1:
                self.choices += 1
                self.used += time.process_time() - began
            before, state = state.table, state.play({role: chosen})
            lucky += luck(before, state.table, own, self._rule, self._rng)
            for one, player in players.items():
                percepts = tuple(state.percepts(one))
                player.observe(Observation(0, state.view(one), chosen if one == role else None, None, percepts))
        for player in players.values():
            player.stop()
        return state.points[own] - int(self._rule.settings["stack"]) - lucky


def luck(before: Table, after: Table, role: str, rule: SensibleHands, rng: Random) -> float:
    """What community cards that were dealt in a turn brought a player, in chips, if nobody had bet any more.

    The mean of this is 0 whatever the players do, so that it can be subtracted from what they won.
    """
    known, board = _numbers(before["board"]), _numbers(after["board"])
    if len(known) == len(board):
        return 0.0
    other = next(one for one in rule.players if one != role)
    hands = [_numbers(after[after.hand(one)]) for one in (role, other)]
    caller: str = before.get("pending")[0]
    paid = [chips + (one == caller) * rule.owed(before, caller) for one, chips in rule.paid(before).items()]
    return 2 * min(paid) * (_share(hands, board, rng) - _share(hands, known, rng))


def _numbers(cards: Iterable[Element]) -> list[int]:
    return [card_number(card) for card in cards]


def _share(hands: Sequence[Sequence[int]], board: Sequence[int], rng: Random) -> float:
    """How much of a pot the first of two hands wins in the mean over boards."""
    free = [card for card in range(CARDS) if card not in (*board, *hands[0], *hands[1])]
    count = BOARDS if len(board) < 5 else 1
    more = np.array([rng.sample(free, 5 - len(board)) for _ in range(count)], np.int64)
    mine, theirs = (strengths(np.concatenate([np.tile([*hand, *board], (count, 1)), more], axis=1)) for hand in hands)
    return float(((mine > theirs) + 0.5 * (mine == theirs)).mean())


def main() -> None:
    """Play pairs of hands, and print what is won."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--betting", nargs="+", choices=("limit", "no limit"), default=["limit", "no limit"])
    parser.add_argument("--opponent", nargs="+", choices=BOTS, default=list(BOTS))
    parser.add_argument("--player", default="auto")
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--cpu", type=float, default=0.05, metavar="S", help="CPU seconds for each choice")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for betting in given.betting:
        for bot in given.opponent:
            series = Series(betting, given.player, bot, given.cpu, given.seed)
            pairs: list[float] = []
            for _ in range(given.hands // 2):
                pairs.append(fmean(series.play_pair()))
                if len(pairs) % 100 == 0:
                    print(f"{betting}, {bot}, {2 * len(pairs)} hands: {interval(pairs)}", file=sys.stderr, flush=True)
            print(
                f"{betting:9} {given.player} against {bot:8} {2 * len(pairs)} hands: {interval(pairs)} chips a hand; "
                f"{series.choices} choices of {series.used / max(1, series.choices):.3f} CPU s",
                flush=True,
            )


if __name__ == "__main__":
    main()
