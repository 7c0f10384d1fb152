"""``ludens match``: players play a game, shown as it goes and written to a record."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

import ludens
from ludens.cli.console import (
    Backend,
    BackendOption,
    ClockOption,
    GameArgument,
    JsonOption,
    Painter,
    SeedOption,
    StartClockOption,
    console,
    new_seed,
    print_json,
    printable,
)
from ludens.core import Clock, Game, Player, PlayerError
from ludens.games.library import data_folder
from ludens.players import make_player
from ludens.referee import Event, Match, MatchEnded, MatchStarted, PlayerFailed, RecordWriter, TurnPlayed

DEFAULT_PLAYER = "flat"


def match(
    game: GameArgument,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="ROLE=PLAYER",
            help="Who plays a role: red=flat, or red=flat:playouts=100. Roles not named get 'flat'. Repeat it.",
        ),
    ] = None,
    clock: ClockOption = 1.0,
    start_clock: StartClockOption = 10.0,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show only the result.")] = False,
    records: Annotated[Path | None, typer.Option("--records", metavar="DIR", help="Where to put the record.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Play one match between players, and keep a record of it."""
    loaded = ludens.load(game, backend=backend)
    names = _names_by_role(loaded, player or [])
    the_match = Match(loaded, _make_players(names), Clock(clock, start_clock), new_seed(seed))
    writer = RecordWriter(records or data_folder() / "records", ludens.__version__)
    shown = _Terminal(loaded, names) if not (as_json or quiet) else None
    ended = _run(the_match.events(), writer, shown)
    if as_json:
        print_json(_result(loaded, names, ended, writer.path))
        return
    outcome = ", ".join(f"{role} ({names[role]}) {goal}" for role, goal in ended.goals.items())
    console.print(f"[bold]Result after {ended.turns} turns:[/bold] {printable(outcome)}")
    for role, count in ended.failures.items():
        if count:
            console.print(f"{printable(role)} erred {count} times", style="yellow")
    console.print(f"Record: {writer.path}", style="dim", markup=False)


def _run(events: Iterable[Event], writer: RecordWriter, shown: _Terminal | None) -> MatchEnded:
    try:
        for event in events:
            writer.write(event)
            if shown is not None:
                shown.show(event)
            if isinstance(event, MatchEnded):
                return event
    finally:
        writer.close()
    raise AssertionError("a match ends with MatchEnded")


def _names_by_role(game: Game, texts: list[str]) -> dict[str, str]:
    names = dict.fromkeys(game.roles, DEFAULT_PLAYER)
    spelled = {role.lower(): role for role in game.roles}
    for text in texts:
        role, equals, name = text.partition("=")
        if not equals or role.lower() not in spelled:
            raise PlayerError(f"{text!r} is not ROLE=PLAYER with a role of {game.name} ({', '.join(game.roles)})")
        names[spelled[role.lower()]] = name
    return names


def _make_players(names: dict[str, str]) -> dict[str, Player]:
    return {role: make_player(name) for role, name in names.items()}


def _result(game: Game, names: dict[str, str], ended: MatchEnded, record: Path | None) -> dict[str, Any]:
    return {
        "game": game.name,
        "roles": list(game.roles),
        "players": names,
        "goals": dict(ended.goals),
        "turns": ended.turns,
        "errors": dict(ended.failures),
        "finished": ended.finished,
        "record": str(record),
    }


class _Terminal:
    """Shows the events of a match to a person."""

    def __init__(self, game: Game, names: dict[str, str]) -> None:
        self._painter = Painter(game)
        self._names = names

    def show(self, event: Event) -> None:
        match event:
            case MatchStarted():
                who = ", ".join(f"{role}: {name}" for role, name in self._names.items())
                console.print(f"[bold]{printable(event.game)}[/bold]  {printable(who)}  [dim]seed {event.seed}[/dim]\n")
                console.print(printable(self._painter.draw(event.state)) + "\n")
                self._show_failures(event.failures)
            case TurnPlayed():
                self._show_turn(event)

    def _show_turn(self, turn: TurnPlayed) -> None:
        for role, move in turn.joint_move.items():
            if role not in turn.seconds and len(turn.seconds) > 0:
                continue
            decision = turn.decisions.get(role)
            thought = f"  [dim]{printable(str(decision.thinking))}[/dim]" if decision else ""
            console.print(f"[bold]{turn.id:>3}. {printable(role)}[/bold] {printable(move)}{thought}")
        self._show_failures(turn.failures)
        console.print("\n" + printable(self._painter.draw(turn.state)) + "\n")

    @staticmethod
    def _show_failures(failures: Iterable[PlayerFailed]) -> None:
        for failure in failures:
            text = f"     {printable(failure.role)} erred ({failure.kind}): {printable(failure.message)}"
            console.print(text, style="yellow")
