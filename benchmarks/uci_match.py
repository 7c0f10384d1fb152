"""``python -m benchmarks.uci_match``: matches of ``ludens uci`` with the clocks that interfaces keep.

The runner counts time as an interface does, from ``go`` to ``bestmove``; below 0 a player has lost on time. The
opponent plays at random at once, so games are as long as the clock of ludens has to last.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import Counter
from random import Random

import ludens
from ludens.core import GameError
from ludens.protocols.lent_player import Line
from ludens.protocols.uci.squares import check_chess, moves_by_uci

PROGRAM = [sys.executable, "-c", "from ludens.cli.main import run; run()", "uci", "--start-clock", "300"]
COLOURS = ("white", "black")


class Engine:
    """A UCI program on two pipes."""

    def __init__(self, player: str) -> None:
        self._process = subprocess.Popen(
            [*PROGRAM, "--player", player], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ask("uci", "uciok")
        self.ask("isready", "readyok")

    def ask(self, line: str, last: str) -> str:
        """Send a line, and read up to one that begins with a word."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        for answer in self._process.stdout:
            if answer.startswith(last):
                return answer.strip()
        raise GameError("the program has gone")

    def close(self) -> None:
        """End the program."""
        self._process.communicate("quit\n", timeout=60)


def main() -> None:
    """Play the matches, and print how they ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--clock", type=float, default=1.0, help="seconds for the game")
    parser.add_argument("--increment", type=float, default=0.01, help="seconds added for each move")
    parser.add_argument("--player", default="mcts")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    engine, rng = Engine(options.player), Random(options.seed)
    ends: Counter[str] = Counter()
    shortest, longest, moves = options.clock, 0.0, 0
    for number in range(options.games):
        engine.ask("ucinewgame\nisready", "readyok")
        own = COLOURS[number % 2]
        end, left, slowest, made = _play(engine, own, options.clock, options.increment, rng)
        ends[end] += 1
        shortest, longest, moves = min(shortest, left), max(longest, slowest), moves + made
        print(f"{number + 1:3} as {own}: {end} after {made} moves, {left:.2f} s left at least, slowest {slowest:.3f} s")
    engine.close()
    print(", ".join(f"{end}: {count}" for end, count in ends.items()))
    print(f"{moves} moves, least time left {shortest:.2f} s, slowest answer {longest:.3f} s")


def _play(engine: Engine, own: str, clock: float, increment: float, rng: Random) -> tuple[str, float, float, int]:
    """How a game ended, the least time on the own clock, the slowest answer and the moves made."""
    game = check_chess(ludens.load("chess", backend="interpreter"))
    line, played, left, least, slowest = Line((game.initial_state(),)), list[str](), clock, clock, 0.0
    while (role := line.mover) is not None:
        legal = moves_by_uci(game, role, line.state.legal_moves(role))
        if role != own:
            text = rng.choice(sorted(legal))
        else:
            times = " ".join(f"{colour[0]}time {1000 * left:.0f}" for colour in COLOURS)
            times += "".join(f" {colour[0]}inc {1000 * increment:.0f}" for colour in COLOURS)
            moves = f" moves {' '.join(played)}" if played else ""
            began = time.monotonic()
            text = engine.ask(f"position startpos{moves}\ngo {times}", "bestmove").split()[1]
            taken = time.monotonic() - began
            slowest, left = max(slowest, taken), left - taken
            least = min(least, left)
            if left < 0:
                return "lost on time", least, slowest, len(played)
            left += increment
            if text not in legal:
                return f"illegal move {text}", least, slowest, len(played)
        played.append(text)
        line = line.play(role, legal[text])
    goals = line.state.goals
    end = "draw" if goals["white"] == goals["black"] else "won" if goals[own] else "lost"
    return end, least, slowest, len(played)


if __name__ == "__main__":
    main()
