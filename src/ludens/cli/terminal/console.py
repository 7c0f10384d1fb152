"""What the subcommands share: consoles, and common arguments and options."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from random import SystemRandom
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

import ludens
from ludens.cli.terminal.answers import answers_only, put
from ludens.core import Game
from ludens.core.folders import data_folder
from ludens.games import library
from ludens.gdl.source import visible

console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 160)
"""Where results go."""
errors = Console(stderr=True, highlight=False)
"""Where errors and progress go, so that results can be piped."""


SCRAMBLE = "LUDENS_SCRAMBLE"
"""The environment variable with the seed by which games are scrambled; ``--scramble`` sets it."""


def complete_game(incomplete: str) -> Iterator[str]:
    """Names of games that start with what was typed, for shell completion."""
    for name in library.entries():
        if name.startswith(incomplete):
            yield name


def _scramble(game: str) -> str:
    """The game, scrambled if ``--scramble`` was given (`ludens.cli.main`)."""
    seed = os.environ.get(SCRAMBLE)
    if seed is None or game.startswith(library.SCRAMBLED):
        return game
    return f"{library.SCRAMBLED}{seed}:{game}"


GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        callback=_scramble,
        help="A game of the library (nim:3,4,5 with parameters) or the path of a rule sheet.",
        autocompletion=complete_game,
    ),
]


class Backend(StrEnum):
    """Ways to compute with a GDL game."""

    AUTO = "auto"
    CIRCUIT = "circuit"
    CXX = "cxx"
    INTERPRETER = "interpreter"
    REFERENCE = "reference"


BackendOption = Annotated[
    Backend,
    typer.Option(
        "--backend",
        help="How to compute: compiled to gates, to C++, interpreted, or the first that accepts the game.",
    ),
]


def _answer_in_json(context: typer.Context, wanted: bool) -> bool:
    if wanted:
        context.with_resource(answers_only())
    return wanted


JsonOption = Annotated[bool, typer.Option("--json", callback=_answer_in_json, help="Print JSON for programs.")]
PlayerOption = Annotated[
    str,
    typer.Option(
        "--player",
        metavar="PLAYER",
        help="Who plays: mcts, with options flat:playouts=100, or a file: neural:best.pt, mine.py.",
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Show only the result.")]
ForfeitOption = Annotated[
    int | None, typer.Option("--forfeit-after", min=1, metavar="N", help="A player loses the match after N errors.")
]
ClockOption = Annotated[
    float, typer.Option("--clock", min=0.01, max=86_400, metavar="S", help="Seconds for each move.")
]
StartClockOption = Annotated[
    float, typer.Option("--start-clock", min=0.0, max=86_400, metavar="S", help="Seconds before the first move.")
]
RecordsOption = Annotated[
    Path | None, typer.Option("--records", metavar="DIR", help="The folder for records, instead of the default.")
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", help="Makes chance and the players' choices repeatable; random by default.")
]
StateOption = Annotated[
    Path | None, typer.Option("--state", metavar="FILE", help="Start from the fluents in FILE (KIF) instead.")
]
MovesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--moves",
        metavar="MOVE",
        help="Play moves first: joint moves in the order of roles, '(mark 1 1) noop', or single moves of the role that "
        "has a choice, '(mark 1 1) (mark 2 2)'; for games in Python, one move per --moves. May be repeated.",
    ),
]


def load_game(name: str, backend: Backend, *, wait: bool = False) -> Game:
    """Load a game by name; at a terminal, show a status line meanwhile. With ``wait=True`` it is compiled now."""
    with errors.status(f"Loading {printable(name)} …"):
        return ludens.load(name, backend=backend, wait=wait)


def printable(text: str) -> str:
    """Text from a rule sheet or file, made safe to print: no control characters, no markup."""
    return escape("\n".join(map(visible, text.split("\n"))))


def warn(text: str) -> None:
    """Print a warning where errors go."""
    errors.print(visible(text), style="yellow", markup=False, soft_wrap=True)


def print_json(data: Any) -> None:
    """Print a value as JSON."""
    put(json.dumps(data, indent=2, ensure_ascii=False))


def typed_lines() -> Iterator[str]:
    """The lines of standard input; bytes that are not UTF-8 are replaced."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    yield from sys.stdin


def new_seed(seed: int | None) -> int:
    """The given seed, or a random one."""
    return SystemRandom().randrange(2**31) if seed is None else seed


def records_folder(chosen: Path | None) -> Path:
    """The folder for records: the given one, or the default."""
    return chosen or data_folder() / "records"
