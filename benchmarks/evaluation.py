"""How `alphabeta` judges positions: ``python -m benchmarks.evaluation`` plays kind against kind at equal depth.

Both sides look equally far ahead, so that only their judgement differs; each random opening is played twice, with sides
changed.
"""

from __future__ import annotations

import argparse
import time
from random import Random

import ludens
from ludens.core import Clock, CpuDeadline, Deadline, Game, Player, State, random_joint_move
from ludens.players import make_player

GAMES = ("connect_four", "breakthrough", "othello", "checkers")
OPENING = 6
LONGEST_MATCH = 300
NO_HURRY = Clock(play=3_600, start=3_600)


def opened(game: Game, seed: int) -> State:
    """A position after some random moves that is not over."""
    rng, state = Random(seed), game.initial_state()
    for _ in range(OPENING):
        after = state.play(random_joint_move(state, rng))
        state = state if after.is_terminal else after
    return state


def result(state: State, players: dict[str, Player], seconds: float = 0.0) -> dict[str, int]:
    """The goals of a match from a position with so many CPU seconds a move, or as many as it takes; nobody's if it
    takes too long."""
    for _ in range(LONGEST_MATCH):
        if state.is_terminal:
            return dict(state.goals)
        joint_move = {}
        for role, player in players.items():
            legal = state.legal_moves(role)
            deadline = CpuDeadline(seconds) if seconds else Deadline(3_600)
            joint_move[role] = player.choose(state.view(role), deadline).move if len(legal) > 1 else legal[0]
        state = state.play(joint_move)
    return dict.fromkeys(players, 0)


def compared(name: str, kinds: tuple[str, str], depth: int, pairs: int) -> tuple[int, int, int]:
    """How many matches the first kind wins, draws and loses."""
    game = ludens.load(name, wait=True)
    counts = [0, 0, 0]
    for match in range(2 * pairs):
        sides = kinds if match % 2 == 0 else kinds[::-1]
        players = {}
        for role, kind in zip(game.roles, sides, strict=True):
            players[role] = make_player(f"alphabeta:depth={depth},evaluation={kind}")
            players[role].start(game, role, match, NO_HURRY)
        goals = result(opened(game, match // 2), players)
        mine, other = (goals[role] for role in (game.roles if match % 2 == 0 else game.roles[::-1]))
        counts[1 if mine == other else 0 if mine > other else 2] += 1
    return counts[0], counts[1], counts[2]


def main() -> None:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=GAMES)
    parser.add_argument("--kinds", nargs=2, default=("learned", "mobility"))
    parser.add_argument("--depths", nargs="*", type=int, default=(2, 3))
    parser.add_argument("--pairs", type=int, default=12, help="openings, each played twice")
    options = parser.parse_args()
    first, second = options.kinds
    print(f"| game | plies | {first} wins | drawn | {second} wins | CPU s |\n|---|---|---|---|---|---|")
    for name in options.games:
        for depth in options.depths:
            began = time.process_time()
            won, drawn, lost = compared(name, (first, second), depth, options.pairs)
            print(f"| {name} | {depth} | {won} | {drawn} | {lost} | {time.process_time() - began:.0f} |", flush=True)


if __name__ == "__main__":
    main()
