"""Players against the usual rule of thumb at pig, to hold at 20: ``python -m benchmarks.pig [--player mcts]``.

Wins of single matches are mostly luck, so beside them stands the share that the choices made are worth: what the best
play against that rule wins, by the exact values of all positions, less what each choice gives away of it.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from random import Random

import numpy as np
import numpy.typing as npt

import ludens
from ludens.core import Clock, Deadline, Decision, Move, Player, State, View
from ludens.gdl.game import GdlState
from ludens.players.registry import make_player

TARGET = 100
HOLD = 20
PIPS = 6

Values = npt.NDArray[np.float64]


class HoldAt20(Player):
    """Rolls until 20 are collected, or enough to win."""

    name = "hold"
    description = "holds at 20"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """Hold with 20 collected, or with what wins."""
        state = view.sample(Random(0))
        score, _, collected = _position(state, view.role)
        holds = "hold" in view.legal_moves and (collected >= HOLD or score + collected >= TARGET)
        return Decision("hold" if holds else "(roll die)")


class AgainstTheRule:
    """The chance to win against the rule with the best play, for every position and each choice in it."""

    def __init__(self) -> None:
        own, other, collected = np.indices((TARGET, TARGET, TARGET + PIPS + 1))
        wins, loses = own + collected >= TARGET, other + collected >= TARGET
        after_hold = np.minimum(own + collected, TARGET - 1), other
        after_rule = own, np.minimum(other + collected, TARGET - 1)
        self.turn, self.waiting = np.full((2, *own.shape), 0.5)
        change = 1.0
        while change > 1e-9:
            self.roll = _after_roll(self.turn, self.waiting)
            self.hold = np.where(wins, 1.0, self.waiting[:, :, 0][after_hold])
            self.hold[:, :, 0] = -1.0  # with nothing collected one has to roll
            turn = np.where(wins & (collected > 0), 1.0, np.maximum(self.roll, self.hold))
            held = self.turn[:, :, 0][after_rule]
            waiting = np.where(collected >= HOLD, held, _after_roll(self.waiting, self.turn))
            waiting = np.where(loses & (collected > 0), 0.0, waiting)
            change = max(float(abs(turn - self.turn).max()), float(abs(waiting - self.waiting).max()))
            self.turn, self.waiting = turn, waiting

    @property
    def best_share(self) -> float:
        """What the best play wins, beginning in half of the matches."""
        return float(self.turn[0, 0, 0] + self.waiting[0, 0, 0]) / 2

    def given_away(self, position: tuple[int, int, int], move: Move) -> float:
        """By how much a choice is worse than the best one."""
        chosen = self.hold if move == "hold" else self.roll
        return float(max(self.hold[position], self.roll[position]) - chosen[position])


def _after_roll(goes_on: Values, turn_is_lost: Values) -> Values:
    """The value of a roll for who gets ``goes_on`` if it is not a 1; more than is needed counts as that much."""
    sums = sum(goes_on[:, :, pips : TARGET + pips] for pips in range(2, PIPS + 1))
    found = goes_on.copy()
    found[:, :, :TARGET] = (turn_is_lost[:, :, :1] + sums) / PIPS
    return found


def main() -> None:
    """Play matches, taking turns to begin, and print the score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", default="mcts:ponder=off", help="the player that is measured")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--clock", type=float, default=0.05, metavar="S")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = ludens.load("pig", wait=True)
    exact = AgainstTheRule()
    rng = Random(given.seed)
    began = time.process_time()
    wins, losses = 0, []
    for number in range(given.games):
        players = [make_player(given.player), HoldAt20()]
        seats = dict(zip(game.roles, players if number % 2 == 0 else players[::-1], strict=True))
        for role, player in seats.items():
            player.start(game, role, given.seed + number, Clock(given.clock, 10))
        own = game.roles[number % 2]
        state = game.initial_state()
        lost = 0.0
        while not state.is_terminal:
            moves = {role: _move(player, state, role, given.clock) for role, player in seats.items()}
            if moves[own] != "noop":
                lost += exact.given_away(_position(state, own), moves[own])
            state = state.sample(moves, rng)
        wins += state.goals[own] == 100
        losses.append(lost)
    share = exact.best_share - statistics.fmean(losses)
    error = statistics.stdev(losses) / math.sqrt(given.games)
    print(f"{given.player} wins {wins} of {given.games} at {given.clock} s, {time.process_time() - began:.0f} CPU s")
    print(f"its choices are worth {share:.1%} (standard error {error:.1%}); the best play {exact.best_share:.1%}")


def _position(state: State, role: str) -> tuple[int, int, int]:
    """The own score, the other's, and what is collected."""
    assert isinstance(state, GdlState)
    words = [line.strip("()").split() for line in str(state).splitlines()]
    scores = {found[1]: int(found[2]) for found in words if found[0] == "score"}
    collected = next(int(found[1]) for found in words if found[0] == "collected")
    other = next(score for name, score in scores.items() if name != role)
    return scores[role], other, collected


def _move(player: Player, state: State, role: str, clock: float) -> Move:
    view = state.view(role)
    return view.legal_moves[0] if len(view.legal_moves) == 1 else player.choose(view, Deadline(clock)).move


if __name__ == "__main__":
    main()
