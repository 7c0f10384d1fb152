"""Players against the usual rule of thumb at pig, to hold at 20: ``python -m benchmarks.pig [--player mcts]``."""

from __future__ import annotations

import argparse
import math
from random import Random

import ludens
from ludens.core import Clock, Deadline, Decision, Move, Player, State, View
from ludens.gdl.game import GdlState
from ludens.players.registry import make_player


class HoldAt20(Player):
    """Rolls until 20 are collected, or enough to win."""

    name = "hold"
    description = "holds at 20"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """Hold with 20 collected, or with what wins."""
        state = view.sample(Random(0))
        assert isinstance(state, GdlState)
        words = [line.strip("()").split() for line in str(state).splitlines()]
        collected = next(int(found[1]) for found in words if found[0] == "collected")
        score = next(int(found[2]) for found in words if found[:2] == ["score", view.role])
        holds = "hold" in view.legal_moves and (collected >= 20 or score + collected >= 100)
        return Decision("hold" if holds else "(roll die)")


def main() -> None:
    """Play matches, taking turns to begin, and print the score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", default="mcts:ponder=off", help="the player that is measured")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--clock", type=float, default=0.05, metavar="S")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = ludens.load("pig")
    rng = Random(given.seed)
    wins = 0
    for number in range(given.games):
        players = [make_player(given.player), HoldAt20()]
        seats = dict(zip(game.roles, players if number % 2 == 0 else players[::-1], strict=True))
        for role, player in seats.items():
            player.start(game, role, given.seed + number, Clock(given.clock, 10))
        state = game.initial_state()
        while not state.is_terminal:
            state = state.sample({role: _move(player, state, role, given.clock) for role, player in seats.items()}, rng)
        own = game.roles[number % 2]
        wins += state.goals[own] == 100
    share = wins / given.games
    error = math.sqrt(share * (1 - share) / given.games)
    print(f"{given.player} wins {wins} of {given.games} ({share:.1%}, standard error {error:.1%})")


def _move(player: Player, state: State, role: str, clock: float) -> Move:
    view = state.view(role)
    return view.legal_moves[0] if len(view.legal_moves) == 1 else player.choose(view, Deadline(clock)).move


if __name__ == "__main__":
    main()
