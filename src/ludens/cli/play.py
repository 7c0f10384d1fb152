"""``ludens play``: a person at the terminal against players."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Annotated

import typer

import ludens
from ludens.cli.console import (
    Backend,
    BackendOption,
    ClockOption,
    GameArgument,
    Painter,
    SeedOption,
    StartClockOption,
    console,
    new_seed,
    printable,
)
from ludens.core import Clock, Deadline, Game, Move, Player, PlayerError, Role, State
from ludens.players import make_player

_HELP = """Type a move's number or its text. Also:
  /text   only moves that contain text (/ alone shows all)
  hint    what a player would do
  undo    take back your last move
  board   draw the position again
  quit    stop"""
_SHOWN = 20
"""Moves listed at once; searching finds the others."""


class _Quit(Exception):  # noqa: N818 - not an error
    """The person wants to stop."""


class _Undo(Exception):  # noqa: N818 - not an error
    """The person takes a move back."""


def play(
    game: GameArgument,
    role: Annotated[
        str | None, typer.Option("--as", metavar="ROLE", help="The role you play; the first if left out.")
    ] = None,
    opponent: Annotated[str, typer.Option("--against", metavar="PLAYER", help="Who plays the other roles.")] = "flat",
    clock: ClockOption = 1.0,
    start_clock: StartClockOption = 10.0,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
) -> None:
    """Play a game yourself, against players."""
    loaded = ludens.load(game, backend=backend)
    session = _Session(loaded, _own_role(loaded, role), opponent, Clock(clock, start_clock), new_seed(seed))
    try:
        session.run()
    except (_Quit, EOFError):
        console.print("Bye.")
    except KeyboardInterrupt:
        console.print("\nBye.")


def _own_role(game: Game, wanted: str | None) -> Role:
    spelled = {role.lower(): role for role in game.roles}
    if wanted is None:
        return game.roles[0]
    if wanted.lower() not in spelled:
        raise PlayerError(f"{game.name} has no role {wanted!r} (roles: {', '.join(game.roles)})")
    return spelled[wanted.lower()]


class _Session:
    """One sitting at the terminal."""

    def __init__(self, game: Game, role: Role, opponent: str, clock: Clock, seed: int) -> None:
        self.game = game
        self.role = role
        self.clock = clock
        self.rng = Random(seed)
        self.painter = Painter(game)
        self.others: dict[Role, Player] = {other: make_player(opponent) for other in game.roles if other != role}
        for number, (other, player) in enumerate(self.others.items()):
            player.start(game, other, seed + number, clock)
        self.adviser = make_player("flat")
        self.adviser.start(game, role, seed, clock)
        self.state = game.initial_state()
        self.own_turns: list[State] = []
        """The states in which the person had a choice, for undo."""

    def run(self) -> None:
        console.print(f"You are [bold]{printable(self.role)}[/bold]. Type 'help' for what you can type.\n")
        while not self.state.is_terminal:
            try:
                self.turn()
            except _Undo:
                self.state = self.own_turns.pop()
        console.print(printable(self.painter.draw(self.state)))
        for role, goal in self.state.goals.items():
            console.print(f"[bold]{printable(role)}[/bold] {goal}" + (" (you)" if role == self.role else ""))

    def turn(self) -> None:
        joint_move: dict[Role, Move] = {}
        own_moves = self.state.legal_moves(self.role)
        if len(own_moves) > 1:
            console.print(printable(self.painter.draw(self.state)) + "\n")
            joint_move[self.role] = self.ask(own_moves)
            self.own_turns.append(self.state)
        elif own_moves:
            joint_move[self.role] = own_moves[0]
            if not _is_wait(own_moves[0]):
                console.print(f"You can only play [bold]{printable(own_moves[0])}[/bold]")
        for role, player in self.others.items():
            moves = self.state.legal_moves(role)
            if moves:
                joint_move[role] = moves[0] if len(moves) == 1 else self.consult(player, role)
        for role, move in joint_move.items():
            if role != self.role and not (len(self.state.legal_moves(role)) == 1 and _is_wait(move)):
                console.print(f"{printable(role)} plays [bold]{printable(move)}[/bold]")
        self.state = self.state.sample(joint_move, self.rng)

    def consult(self, player: Player, role: Role) -> Move:
        return player.choose(self.state.view(role), Deadline(self.clock.play)).move

    def ask(self, moves: Sequence[Move]) -> Move:
        """The move that the person chooses."""
        shown = list(range(len(moves)))
        self.list_moves(moves, shown)
        while True:
            answer = console.input(f"[bold]{printable(self.role)}>[/bold] ").strip()
            match answer.lower().split():
                case []:
                    self.list_moves(moves, shown)
                case ["help" | "?"]:
                    console.print(_HELP, markup=False)
                case ["quit" | "exit" | "q"]:
                    raise _Quit
                case ["undo" | "u"] if self.own_turns:
                    raise _Undo
                case ["undo" | "u"]:
                    console.print("There is nothing to take back.")
                case ["board"]:
                    console.print(printable(self.painter.draw(self.state)))
                case ["hint" | "h"]:
                    decision = self.adviser.choose(self.state.view(self.role), Deadline(self.clock.play))
                    console.print(
                        f"Perhaps [bold]{printable(decision.move)}[/bold] ({printable(str(decision.thinking))})"
                    )
                case _ if answer.startswith("/"):
                    wanted = answer[1:].strip().lower()
                    shown = [number for number, move in enumerate(moves) if wanted in move.lower()]
                    self.list_moves(moves, shown)
                case _:
                    move = _chosen(answer, moves)
                    if move is not None:
                        return move
                    console.print(f"{printable(repr(answer))} is not a move here; 'help' tells what you can type.")

    @staticmethod
    def list_moves(moves: Sequence[Move], shown: Sequence[int]) -> None:
        if not shown:
            console.print("No move contains that.")
        for number in shown[:_SHOWN]:
            console.print(f"{number + 1:>4}  {printable(moves[number])}")
        if len(shown) > _SHOWN:
            console.print(f"      … and {len(shown) - _SHOWN} more; /text searches", style="dim")


def _is_wait(move: Move) -> bool:
    """True for a bare word such as ``noop``: as an only move, it is not worth telling."""
    return not move.startswith("(")


def _chosen(answer: str, moves: Sequence[Move]) -> Move | None:
    """The move that an answer means: its number, its text in any form, or just its arguments if one move has them."""
    if answer.isdecimal() and 1 <= int(answer) <= len(moves):
        return moves[int(answer) - 1]
    words = _words(answer)
    exact = [move for move in moves if _words(move) == words]
    by_arguments = [move for move in moves if _words(move)[1:] == words]
    found = exact or by_arguments
    return found[0] if len(found) == 1 else None


def _words(text: str) -> list[str]:
    return re.split(r"[\s(),]+", text.lower().strip("() "))
