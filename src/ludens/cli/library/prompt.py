"""``ludens prompt GAME``: the question for a move in words, and the check of a reply to it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import ludens
from ludens.cli.terminal.console import GameArgument, JsonOption, MovesOption, console, print_json, printable
from ludens.cli.terminal.positions import starting_line
from ludens.core import Game, GameError, Role, State
from ludens.players.prompted.position_text import seen_turns
from ludens.players.prompted.prompt import Style, make_prompt
from ludens.players.prompted.reply import parse_reply


def prompt(
    game: GameArgument,
    role: Annotated[
        str | None, typer.Option("--role", metavar="ROLE", help="Who is asked; by default who has a choice.")
    ] = None,
    moves: MovesOption = None,
    style: Annotated[
        Style, typer.Option("--style", help="Everything, without the rules, or without the legal moves.")
    ] = Style.FULL,
    reply: Annotated[
        str | None,
        typer.Option("--reply", metavar="TEXT", help="Print the legal move that a reply names ('-' reads the reply)."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the question for a move in words, as language models get it: rules, the position as the role sees it, the
    last moves, legal moves, and the form of the answer.

    With --reply, print the one legal move that the reply names. A reply that names none or several is an error.
    """
    loaded = ludens.load(game, backend="interpreter")
    line = starting_line(loaded, moves)
    first = loaded.initial_state()
    state = line[-1][1] if line else first
    who = _role(loaded, state, role)
    question = make_prompt(state.view(who), seen_turns(line, who, first), style)
    if reply is not None:
        move = parse_reply(sys.stdin.read() if reply == "-" else reply, question.legal)
        print_json({"role": who, "move": str(move)}) if as_json else console.print(printable(move))
    elif as_json:
        print_json(question.as_json())
    else:
        console.print(printable(question.text))


def _role(game: Game, state: State, wanted: str | None) -> Role:
    """The role that is asked."""
    if wanted is None:
        return max(game.roles, key=lambda role: min(2, len(state.legal_moves(role))))
    spelled = {role.lower(): role for role in game.roles}
    if wanted.lower() not in spelled:
        raise GameError(f"{game.name} has no role {wanted!r} (roles: {', '.join(game.roles)})")
    return spelled[wanted.lower()]
