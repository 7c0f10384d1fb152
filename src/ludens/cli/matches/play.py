"""``ludens play``: a person at the terminal against players."""

from __future__ import annotations

from typing import Annotated

import typer

import ludens
from ludens.cli.matches.person import play_with_people
from ludens.cli.terminal.console import (
    Backend,
    BackendOption,
    ClockOption,
    GameArgument,
    RecordsOption,
    SeedOption,
    StartClockOption,
    console,
    load_game,
    new_seed,
    printable,
    records_folder,
)
from ludens.cli.terminal.seats import DEFAULT_PLAYER
from ludens.core import NO_CLOCK, Clock, Game, PlayerError, Role
from ludens.games.own_pages import remember_page
from ludens.players import make_player
from ludens.players.human import HumanPlayer
from ludens.referee import Match, RecordWriter


def play(
    game: GameArgument,
    role: Annotated[
        str | None, typer.Option("--as", metavar="ROLE", help="The role you play; default: the first.")
    ] = None,
    opponent: Annotated[
        str, typer.Option("--against", metavar="PLAYER", help="Who plays the other roles.")
    ] = DEFAULT_PLAYER,
    clock: ClockOption = 1.0,
    start_clock: StartClockOption = 10.0,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
    records: RecordsOption = None,
) -> None:
    """Play a game yourself, against players. You have no clock; the match is recorded, moves taken back included."""
    loaded = load_game(game, backend)
    remember_page(game, loaded)
    own_role = _role_named(loaded, role)
    their_clock = Clock(clock, start_clock)
    match = Match(
        loaded,
        {other: HumanPlayer() if other == own_role else make_player(opponent, files=True) for other in loaded.roles},
        {other: NO_CLOCK if other == own_role else their_clock for other in loaded.roles},
        new_seed(seed),
        take_back=True,
    )
    writer = RecordWriter(records_folder(records), ludens.__version__)
    console.print(f"You are [bold]{printable(own_role)}[/bold]. Type 'help' for what you can type.\n")
    try:
        ended = play_with_people(match, their_clock, writer.write)
    finally:
        writer.close()
    console.print(f"Record: {writer.path}", style="dim", markup=False)
    if not ended.finished:
        console.print("Bye.")


def _role_named(game: Game, wanted: str | None) -> Role:
    spelled = {role.lower(): role for role in game.roles}
    if wanted is None:
        return game.roles[0]
    if wanted.lower() not in spelled:
        raise PlayerError(f"{game.name} has no role {wanted!r} (roles: {', '.join(game.roles)})")
    return spelled[wanted.lower()]
