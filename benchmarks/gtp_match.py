"""``python -m benchmarks.gtp_match``: games of Go between ``ludens gtp`` and GNU Go, and whether their scores agree.

Both are programs on pipes, as in an interface. Chinese rules, 9x9; sides change after each game. At the end both are
asked for ``final_score``: ludens judges dead stones by playouts, GNU Go by its reading.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import dataclass

from ludens.core import Deadline
from ludens.core.program import Program
from ludens.protocols.gtp.client import ask
from ludens.protocols.gtp.player import GNUGO

KOMI = 7.5
PATIENCE = 600.0
"""Seconds for an answer on a busy machine."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that has ended."""

    moves: int
    ours: str
    """The score as ludens counts it."""
    theirs: str

    @property
    def agrees(self) -> bool:
        """True if both count the same."""
        return self.ours == self.theirs


def main() -> None:
    """Play the games, and print whether the scores agree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--player", default="mcts")
    parser.add_argument("--clock", type=float, default=0.1, help="seconds for each of our moves")
    parser.add_argument("--gnugo", default=f"{GNUGO} --level 1", help="the other program")
    options = parser.parse_args()
    command = [sys.executable, "-c", "from ludens.cli.main import run; run()", "gtp", f"go:{options.size}"]
    ours = shlex.join([*command, "--player", options.player, "--clock", str(options.clock), "--seed", "1"])
    agreed = 0
    for number in range(options.games):
        colour = "bw"[number % 2]
        game = play(ours, options.gnugo, colour, options.size)
        agreed += game.agrees
        verdict = "agree" if game.agrees else "DIFFER"
        print(
            f"{number + 1:3} ludens is {colour}: {game.moves} moves, {game.ours} and {game.theirs}: {verdict}",
            flush=True,
        )
    print(f"{agreed} of {options.games} scores agree")


def play(ours: str, theirs: str, colour: str, size: int) -> Finished:
    """A game; raises if a program refuses the other's move."""
    one, other = Program(ours), Program(theirs)
    try:
        for command in (f"boardsize {size}", "clear_board", f"komi {KOMI}"):
            for program in (one, other):
                ask(program, command, Deadline(PATIENCE))
        passes, moves = 0, 0
        while passes < 2 and moves < 4 * size * size:
            turn = "bw"[moves % 2]
            mover, watcher = (one, other) if turn == colour else (other, one)
            vertex = ask(mover, f"genmove {turn}", Deadline(PATIENCE))
            ask(watcher, f"play {turn} {vertex}", Deadline(PATIENCE))
            passes = passes + 1 if vertex.lower() == "pass" else 0
            moves += 1
        return Finished(moves, *(_score(program) for program in (one, other)))
    finally:
        one.close("quit")
        other.close("quit")


def _score(program: Program) -> str:
    """``B+3.5``, however the program writes its numbers."""
    found = ask(program, "final_score", Deadline(PATIENCE))
    winner, _, points = found.partition("+")
    return f"{winner}+{float(points):g}" if points else found


if __name__ == "__main__":
    main()
