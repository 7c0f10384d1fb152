"""Backgammon judged by GNU Backgammon: ``python -m benchmarks.gnubg_match [--player auto] [--clock 1]``.

A player plays against itself or an opponent, without a cube. GNU Backgammon then analyses each game. The error rate is
what a player's plays give away in equity, in thousandths of a point for each turn with a choice; the interval (95 %) is
over games. Our rules move one checker at a time, so the moves of a roll are joined to one play.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random

import ludens
from benchmarks.gnubg import BAR, OFF, Errors, Gnubg, Turn
from ludens.core import Clock, Deadline, Decision, Game, Move, Observation, Player, Role, State, View
from ludens.players.registry import make_player

CHECKERS = 15


class GnubgPlayer(Player):
    """GNU Backgammon as a player."""

    name = "gnubg"
    description = "GNU Backgammon"

    def __init__(self, program: Gnubg, plies: int) -> None:
        super().__init__()
        self._program, self._plies = program, plies
        self._left: list[tuple[int, int]] = []

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """A step of its play for the roll, whichever is legal first."""
        moves = [move for move in view.legal_moves if self._place(move) is not None]
        return Decision(moves[0])

    def observe(self, observation: Observation) -> None:
        """Find a play for the own roll; cross out what has been played, forced steps included."""
        view, move = observation.view, observation.move
        place = None if move is None else self._place(move)
        if place is not None:
            del self._left[place]
        state = view.sample(Random(0))
        dice = fresh_dice(state)
        if dice is not None and mover_of(state) == view.role:
            own, other = (_board(state, role) for role in _in_order(state.game, view.role))
            self._left = self._program.best_play(dice, own, other, self._plies)

    def _place(self, move: Move) -> int | None:
        """Which step of the play a move is."""
        if not move.startswith("(move"):
            return None
        point, pips = step_of(move)
        for place, (start, end) in enumerate(self._left):
            if start == point and (start - end == pips or (end <= OFF and pips >= point)):
                return place
        return None


def facts_of(state: State) -> list[list[str]]:
    """The words of each fact."""
    return [line.strip("()").split() for line in str(state).splitlines()]


def fresh_dice(state: State) -> tuple[int, int] | None:
    """The roll of which nothing has been played yet, if there is one."""
    for name, *words in facts_of(state):
        if name == "dice":
            return int(words[0]), int(words[1])
        if name == "double" and words[1] == "4":
            return int(words[0]), int(words[0])
    return None


def mover_of(state: State) -> Role:
    """The role whose turn it is."""
    return next(words[1] for words in facts_of(state) if words[0] == "control")


def step_of(move: Move) -> tuple[int, int]:
    """The point that a checker leaves, and the pips."""
    _, point, pips = move.strip("()").split()
    return int(point), int(pips)


def _board(state: State, role: Role) -> list[int]:
    """A role's checkers on points 1 to 24 and on the bar."""
    found = [0] * BAR
    for name, *words in facts_of(state):
        if name == "at" and words[0] == role:
            found[int(words[1]) - 1] = int(words[2])
    return found


def _in_order(game: Game, first: Role) -> Sequence[Role]:
    return [first, *(role for role in game.roles if role != first)]


def play(game: Game, players: Mapping[Role, Player], clock: float, rng: Random) -> tuple[list[Turn], State]:
    """A game: its turns and its end."""
    state = game.initial_state()
    turns: list[Turn] = []
    while not state.is_terminal:
        dice = fresh_dice(state)
        if dice is not None:
            turns.append(Turn(mover_of(state), dice))
        moves = {}
        for role, player in players.items():
            legal = state.legal_moves(role)
            moves[role] = legal[0] if len(legal) == 1 else player.choose(state.view(role), Deadline(clock)).move
            if moves[role].startswith("(move"):
                turns[-1].steps.append(step_of(moves[role]))
        state = state.sample(moves, rng)
        for role, player in players.items():
            view = state.view(role)
            player.observe(Observation(0, view, moves[role], None, tuple(state.percepts(role))))
    return turns, state


def report(title: str, games: Sequence[Errors], points: Sequence[float], program: Gnubg) -> str:
    """The error rate of a player over its games, and the points that it won."""
    decisions = sum(game.decisions for game in games)
    rate = sum(game.points for game in games) / max(1, decisions)
    # The deviations of games from the common rate: decisions of a game are not independent.
    squares = sum((game.points - rate * game.decisions) ** 2 for game in games)
    error = 1.96 * math.sqrt(squares * len(games) / max(1, len(games) - 1)) / max(1, decisions)
    return (
        f"{title:40} {len(games):4} games {decisions:6} decisions  error rate {1000 * rate:6.1f} ± {1000 * error:.1f}"
        f" ({program.rating(rate)})  {sum(points):+.0f} points, won {sum(one > 0 for one in points)}"
    )


def main() -> None:
    """Play the games, and print the error rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", default="auto", help="of ludens, or gnubg")
    parser.add_argument("--opponent", default="", help="the same; the player itself if left out")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--clock", type=float, default=1.0, metavar="S", help="seconds for each choice")
    parser.add_argument("--start-clock", type=float, default=10.0, metavar="S", help="seconds before a game")
    parser.add_argument("--cpu", action="store_true", help="clocks count CPU seconds of the process")
    parser.add_argument("--plies", type=int, default=0, help="of the analysis; 0 judges by its network alone")
    parser.add_argument("--gnubg-plies", type=int, default=0, help="of gnubg as a player")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.cpu:
        time.monotonic = time.process_time
    game = ludens.load("backgammon", wait=True)
    rng = Random(given.seed)
    names = given.player, given.opponent or given.player
    errors: dict[str, list[Errors]] = defaultdict(list)
    points: dict[str, list[float]] = defaultdict(list)
    with Gnubg() as program:
        for number in range(given.games):
            order = names if number % 2 == 0 else names[::-1]
            players: dict[Role, Player] = {}
            for role, name in zip(game.roles, order, strict=True):
                players[role] = GnubgPlayer(program, given.gnubg_plies) if name == "gnubg" else make_player(name)
                players[role].start(game, role, rng.randrange(2**32), Clock(given.clock, given.start_clock))
            turns, end = play(game, players, given.clock, rng)
            left, right = game.roles
            found = program.analyse(turns, left, right, given.plies)
            for role, name in zip(game.roles, order, strict=True):
                players[role].stop()
                errors[name].append(found[role])
                points[name].append(round((end.goals[role] - 50) * 3 / 50))
            print(f"game {number + 1}: {len(turns)} turns, goals {end.goals}, {found}", flush=True)
        for name in dict.fromkeys(names):
            print(
                report(f"{name} at {given.clock:g} {'CPU ' if given.cpu else ''}s", errors[name], points[name], program)
            )


if __name__ == "__main__":
    main()
