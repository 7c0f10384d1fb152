"""``python -m benchmarks.gtp_match``: games of Go between ``ludens gtp`` and GNU Go, and whether their scores agree.

Both are programs on pipes, as in an interface. Chinese rules, 9x9; sides change after each game. At the end both are
asked for ``final_score``: ludens judges dead stones by playouts, GNU Go by its reading. With ``--watch`` GNU Go plays
both sides after four random stones, so that both own a part of the board, and ludens only counts.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from ludens.core import Deadline
from ludens.core.program import Program
from ludens.protocols.gtp.client import ask
from ludens.protocols.gtp.player import GNUGO

KOMI = 7.5
OPENING = 4
"""Random stones before GNU Go plays itself."""
PATIENCE = 600.0
"""Seconds for an answer on a busy machine."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that has ended."""

    moves: int
    stones: tuple[int, int]
    """Of Black and of White at the end."""
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
    parser.add_argument("--watch", action="store_true", help="GNU Go plays itself")
    parser.add_argument("--gnugo", default=f"{GNUGO} --level 1", help="the other program")
    options = parser.parse_args()
    command = [sys.executable, "-c", "from ludens.cli.main import run; run()", "gtp", f"go:{options.size}"]
    ours = shlex.join([*command, "--player", options.player, "--clock", str(options.clock), "--seed", "1"])
    agreed = 0
    for number in range(options.games):
        colour = "" if options.watch else "bw"[number % 2]
        theirs = f"{options.gnugo} --seed {number + 1}" if options.watch else options.gnugo
        game = play(ours, theirs, colour, options.size, Random(number))
        agreed += game.agrees
        verdict = "agree" if game.agrees else "DIFFER"
        stones = " and ".join(map(str, game.stones))
        print(
            f"{number + 1:3} ludens {f'is {colour}' if colour else 'counts'}: {game.moves} moves, stones {stones}, "
            f"{game.ours} and {game.theirs}: {verdict}",
            flush=True,
        )
    print(f"{agreed} of {options.games} scores agree")


def play(ours: str, theirs: str, colour: str, size: int, rng: Random) -> Finished:
    """A game; raises if a program refuses the other's move. Without a colour, ours only keeps the board."""
    one, other = Program(ours), Program(theirs)

    def say(program: Program, command: str) -> str:
        return ask(program, command, Deadline(PATIENCE))

    try:
        for command in (f"boardsize {size}", "clear_board", f"komi {KOMI}"):
            for program in (one, other):
                say(program, command)
        moves = 0 if colour else _open(lambda command: (say(one, command), say(other, command)), size, rng)
        passes = 0
        while passes < 2 and moves < 4 * size * size:
            turn = "bw"[moves % 2]
            mover, watcher = (one, other) if turn == colour else (other, one)
            vertex = say(mover, f"genmove {turn}")
            say(watcher, f"play {turn} {vertex}")
            passes = passes + 1 if vertex.lower() == "pass" else 0
            moves += 1
        board = say(one, "showboard")
        return Finished(moves, (board.count("X"), board.count("O")), _score(one), _score(other))
    finally:
        one.close("quit")
        other.close("quit")


def _open(say: Callable[[str], object], size: int, rng: Random) -> int:
    """Put stones on the board, in turn; returns how many."""
    points = [(column, row) for column in "ABCDEFGHJ"[:size] for row in range(1, size + 1)]
    for number, (column, row) in enumerate(rng.sample(points, OPENING)):
        say(f"play {'bw'[number % 2]} {column}{row}")
    return OPENING


def _score(program: Program) -> str:
    """``B+3.5``, however the program writes its numbers."""
    found = ask(program, "final_score", Deadline(PATIENCE))
    winner, _, points = found.partition("+")
    return f"{winner}+{float(points):g}" if points else found


if __name__ == "__main__":
    main()
