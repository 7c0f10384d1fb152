"""What the subcommands share: where they print, and the arguments that several of them take."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from random import SystemRandom
from typing import Annotated, Any

import typer
from rich.console import Console

from ludens.core import Game, GameError, IllegalMoveError, JointMove, State
from ludens.games import library
from ludens.gdl.board import BoardPainter
from ludens.gdl.expressions import Group, Problems
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.kif import read_kif_expressions
from ludens.gdl.source import Source

console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 160)
"""Where results go."""
errors = Console(stderr=True, highlight=False)
"""Where errors and progress go, so that results can be piped."""


def complete_game(incomplete: str) -> Iterator[str]:
    """Names of games that begin as typed, for the shell."""
    for name in library.entries():
        if name.startswith(incomplete):
            yield name


GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game of the library (nim:3,4,5 with parameters) or the path of a rule sheet.",
        autocompletion=complete_game,
    ),
]


class Backend(StrEnum):
    """Ways to compute with a GDL game."""

    REFERENCE = "reference"
    CIRCUIT = "circuit"


BackendOption = Annotated[Backend, typer.Option("--backend", help="How to compute: interpreted, or compiled to gates.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
ClockOption = Annotated[float, typer.Option("--clock", min=0.01, metavar="S", help="Seconds for each move.")]
StartClockOption = Annotated[
    float, typer.Option("--start-clock", min=0.0, metavar="S", help="Seconds before the first move.")
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", help="Makes chance and the players' choices repeatable; random if left out.")
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
        "has a choice, '(mark 1 1) (mark 2 2)'. May be repeated.",
    ),
]


def print_json(data: Any) -> None:
    """Print a value as JSON."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


def new_seed(seed: int | None) -> int:
    """The seed given, or a fresh one."""
    return SystemRandom().randrange(2**31) if seed is None else seed


class Painter:
    """Draws states of any game as text."""

    def __init__(self, game: Game) -> None:
        self._board = BoardPainter(game) if isinstance(game, GdlGame) else None

    def draw(self, state: State) -> str:
        """The state as text."""
        return self._board.draw(state) if self._board and isinstance(state, GdlState) else str(state)


def starting_state(game: Game, state_file: Path | None, moves: list[str] | None) -> State:
    """The state that ``--state`` and ``--moves`` ask for."""
    state = game.initial_state() if state_file is None else _state_from_file(game, state_file)
    return _play_moves(state, moves or [])


def _state_from_file(game: Game, path: Path) -> State:
    if not isinstance(game, GdlGame):
        raise GameError(f"{game.name} is not a GDL game; --state takes the fluents of one")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GameError(f"cannot read the state {path}: {error}") from None
    facts = [game.read(fluent) for fluent in _split(text, str(path))]
    return game.state(fact[1] if isinstance(fact, tuple) and fact[0] == "true" else fact for fact in facts)


def _play_moves(state: State, texts: list[str]) -> State:
    """Play moves in turn: joint moves in the order of roles, or single moves of the role that has a choice."""
    moves = [move for text in texts for move in _split(text, "--moves")]
    roles = state.game.roles
    while moves:
        choosing = [role for role in roles if len(state.legal_moves(role)) > 1]
        together = dict(zip(roles, moves, strict=False))
        if len(together) == len(roles) and (after := _try(state, together)) is not None:
            state, moves = after, moves[len(roles) :]
        elif len(choosing) <= 1:
            alone = {
                role: moves[0] if role in choosing else legal[0] for role in roles if (legal := state.legal_moves(role))
            }
            state, moves = state.play(alone), moves[1 if choosing else 0 :]
        else:
            raise GameError(f"{' '.join(moves[: len(roles)])!r} is not a joint move of {', '.join(roles)} here")
    return state


def _try(state: State, joint_move: JointMove) -> State | None:
    try:
        return state.play(joint_move)
    except IllegalMoveError:
        return None


def _split(text: str, name: str) -> list[str]:
    """The top-level terms of a text in KIF; a comma between them is allowed."""
    source = Source(text, name)
    problems = Problems(source)
    found = read_kif_expressions(source, problems)
    if problems.errors:
        raise GameError(problems.errors[0].render(source))
    return [
        source.text[expression.span.start : expression.span.end].strip(",")
        for expression in found
        if isinstance(expression, Group) or expression.text != ","
    ]
