"""GNU Backgammon as a program on a pipe: it chooses plays, and says what the plays of finished games gave away.

``gnubg`` runs a few lines of its own Python (`_SCRIPT`), which answer one request a line. Games reach its analysis as
files in the text format that most backgammon programs exchange (``.mat``).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

BAR, OFF = 25, 0
"""The numbers of the bar and of the place beside the board, as each player counts."""
RATINGS = ("awful", "beginner", "casual", "intermediate", "advanced", "expert", "world class", "supernatural")
"""GNU Backgammon's words for error rates, the worst first."""
_SCRIPT = """\
import json, sys
import gnubg
for setting in ("player 0 human", "player 1 human", "automatic roll off", "automatic game off", "automatic bearoff off",
                "automatic move off", "jacoby off", "confirm new off", "analysis cube off",
                "analysis luck off", "analysis chequerplay evaluation cubeful off"):
    gnubg.command("set " + setting)

def best(dice, own, other, plies):
    gnubg.command("set turn 1")
    gnubg.command("set dice %d %d" % tuple(dice))
    context = gnubg.evalcontext(0, plies, 1, 1, 0.0)
    return gnubg.findbestmove((tuple(other), tuple(own)), gnubg.cubeinfo(), context)

def analyse(file, plies):
    gnubg.command("set analysis chequerplay evaluation plies %d" % plies)
    gnubg.command('import mat "%s"' % file)
    gnubg.command("analyse session")
    found = gnubg.match(analysis=0, boards=0, statistics=1)
    game, = found["games"]
    gnubg.command("new session")  # in which plays can be asked for
    sides = [(found["match-info"][side]["name"], game["stats"][side]["moves"]) for side in "XO"]
    return {"plays": len(game["game"]), "rules": found["match-info"].get("rules", ()),
            "players": {name: (own["unforced-moves"], own["error-skill"]) for name, own in sides}}

def rate(error):
    return gnubg.errorrating(error)

gnubg.command("new session")
print("ANSWER null", flush=True)
for line in sys.stdin:
    name, *arguments = json.loads(line)
    print("ANSWER " + json.dumps(globals()[name](*arguments)), flush=True)
"""
_ANSWER = "ANSWER "


@dataclass(frozen=True, slots=True)
class Turn:
    """What a player rolled, and how it was played."""

    role: str
    dice: tuple[int, int]
    steps: list[tuple[int, int]] = field(default_factory=list)
    """The point that each checker left, as the player counts, and the pips that it went."""

    def __str__(self) -> str:
        def name(point: int) -> str:
            return "bar" if point == BAR else "off" if point <= OFF else str(point)

        plays = [f"{name(point)}/{name(point - pips)}" for point, pips in self.steps]
        return " ".join([f"{self.dice[0]}{self.dice[1]}:", *plays])


@dataclass(frozen=True, slots=True)
class Errors:
    """What the plays of a player gave away in a game."""

    decisions: int
    """Turns in which there was a choice."""
    points: float
    """Points of equity, without a cube."""


def mat_text(turns: Sequence[Turn], left: str, right: str) -> str:
    """A game as a ``.mat`` file, of a session without a match score; `left` has the first column."""
    lines = [" 0 point match", "", " Game 1", f" {left} : 0{'':20}{right} : 0"]
    rows: list[dict[str, str]] = []
    for turn in turns:
        if not rows or turn.role in rows[-1] or right in rows[-1]:
            rows.append({})
        rows[-1][turn.role] = str(turn)
    lines += [f"{n:3}) {row.get(left, ''):32}{row.get(right, '')}".rstrip() for n, row in enumerate(rows, start=1)]
    return "\n".join([*lines, ""])


class Gnubg:
    """The running program."""

    def __init__(self) -> None:
        program = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")
        if program is None:
            raise FileNotFoundError("gnubg is missing: 'make peers' installs it")
        self._folder = tempfile.TemporaryDirectory()
        script = Path(self._folder.name, "script.py")
        script.write_text(_SCRIPT)
        command = [program, "--tty", "--quiet", "--no-rc", "--python", str(script)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()  # the end of its input ends it
        self._folder.cleanup()

    def best_play(
        self, dice: tuple[int, int], own: Sequence[int], other: Sequence[int], plies: int
    ) -> list[tuple[int, int]]:
        """The best play of a roll: where each checker goes from and to; 25 is the bar, 0 or less is off the board.

        ``own`` and ``other`` are the checkers on points 1 to 24 and on the bar, as the player who moves and the other
        one count them.
        """
        flat = self._ask("best", dice, own, other, plies) or []
        return list(zip(flat[::2], flat[1::2], strict=True))

    def analyse(self, turns: Sequence[Turn], left: str, right: str, plies: int) -> dict[str, Errors]:
        """What each player gave away in a game, by a search of so many plies. Raises `ValueError` if the program reads
        other plays than those of the game."""
        file = Path(self._folder.name, "game.mat")
        file.write_text(mat_text(turns, left, right))
        found = self._ask("analyse", str(file), plies)
        if found["plays"] != len(turns) or "Jacoby" in found["rules"]:
            raise ValueError(f"gnubg read {found['plays']} of {len(turns)} turns, with the rules {found['rules']}")
        return {name: Errors(*own) for name, own in found["players"].items()}

    def rating(self, error: float) -> str:
        """The program's word for so many points given away in a decision."""
        return RATINGS[self._ask("rate", error)]

    def _ask(self, *request: object) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(_ANSWER):
                return json.loads(line.removeprefix(_ANSWER))
        raise RuntimeError("gnubg has ended")
