"""``ludens match``: players play a game, once or many times, shown as it goes and written to records."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import ludens
from ludens.cli.matches.person import people_in, play_with_people
from ludens.cli.matches.watch import Watcher
from ludens.cli.terminal.console import (
    Backend,
    BackendOption,
    ForfeitOption,
    GameArgument,
    JsonOption,
    QuietOption,
    RecordsOption,
    SeedOption,
    console,
    errors,
    load_game,
    new_seed,
    print_json,
    printable,
    records_folder,
)
from ludens.cli.terminal.interrupt import INTERRUPTED
from ludens.cli.terminal.seats import clocks_by_role, names_by_role
from ludens.cli.terminal.tallies import tally_table
from ludens.core import Clock, Game, LudensError, Role
from ludens.games.endings import cause_of_end
from ludens.games.own_pages import remember_page
from ludens.gdl.source import visible
from ludens.players import make_player
from ludens.players.human import HumanPlayer
from ludens.referee import Match, MatchEnded, MatchStarted, PlayerFailed, RecordWriter, TurnPlayed
from ludens.referee.events import NOTES
from ludens.referee.summary import Summary, labels_of, seats_of
from ludens.referee.verdict import verdict


def seed_of_match(seed: int, number: int) -> int:
    """The seed of a match of a series, counted from 0; the first has the seed of the series."""
    return seed if number == 0 else Random(f"{seed}/{number}").randrange(2**31)


@dataclass(frozen=True, slots=True)
class _Settings:
    """What all matches of one command share."""

    game: Game
    names: tuple[str, ...]
    """The players, in the order of roles."""
    clocks: Mapping[Role, Clock]
    seed: int
    swap: bool
    forfeit_after: int | None
    messages: bool
    records: Path

    def seats(self, number: int) -> dict[Role, int]:
        """The index of the player on each role in a match."""
        seats = seats_of(self.game.roles, [str(seat) for seat in range(len(self.names))], number, self.swap)
        return {role: int(seats[role]) for role in self.game.roles}

    def match(self, number: int) -> Match:
        """The match with a number, from 0."""
        players = {role: make_player(self.names[seat], files=True) for role, seat in self.seats(number).items()}
        return Match(
            self.game.compiled(0.0) if number else self.game,  # a series is worth compiling
            players,
            self.clocks,
            seed_of_match(self.seed, number),
            messages=self.messages,
            forfeit_after=self.forfeit_after,
            take_back=any(isinstance(player, HumanPlayer) for player in players.values()),
        )


def match(
    game: GameArgument,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="ROLE=PLAYER",
            help="Who plays a role: red=flat, red=flat:playouts=100, red=mine.py, red=human. The rest get 'auto'.",
        ),
    ] = None,
    games: Annotated[int, typer.Option("--games", min=1, max=1_000_000, metavar="N", help="Matches to play.")] = 1,
    swap: Annotated[bool, typer.Option("--swap", help="Rotate the players' roles after each match.")] = False,
    clock: Annotated[
        list[str] | None,
        typer.Option("--clock", metavar="[ROLE=]S", help="Seconds for each move (default 1); 'none' for no limit."),
    ] = None,
    start_clock: Annotated[
        list[str] | None,
        typer.Option("--start-clock", metavar="[ROLE=]S", help="Seconds before the first move (default 10)."),
    ] = None,
    forfeit_after: ForfeitOption = None,
    messages: Annotated[bool, typer.Option("--messages", help="Let players send each other messages.")] = False,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
    quiet: QuietOption = False,
    records: RecordsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play matches between players and record each. Ctrl-C ends a series and reports the matches played."""
    loaded = load_game(game, backend)
    remember_page(game, loaded)
    names = names_by_role(loaded, player or [])
    settings = _Settings(
        game=loaded,
        names=tuple(names.values()),
        clocks=clocks_by_role(loaded, names, clock or [], start_clock or []),
        seed=new_seed(seed),
        swap=swap,
        forfeit_after=forfeit_after,
        messages=messages,
        records=records_folder(records),
    )
    settings.match(0)  # reports wrong names and options before anything is played
    shown = games == 1 and not (quiet or as_json)
    results: list[dict[str, Any]] = []
    try:
        _play_series(settings, games, shown, results)
    except (LudensError, OSError):
        if results:
            _report(settings, games, results, as_json=as_json)
        raise
    _report(settings, games, results, as_json=as_json)
    if len(results) < games:
        raise typer.Exit(INTERRUPTED)


def _report(settings: _Settings, games: int, results: list[dict[str, Any]], *, as_json: bool) -> None:
    summary = _summary(settings, results)
    if as_json:
        interrupted = len(results) < games
        counts = {"games": len(results), "planned": games, "interrupted": interrupted, "swap": settings.swap}
        print_json({"matches": results, "summary": {**counts, "players": summary.as_json()}})
    elif games == 1:
        for result in results:
            print_result(result)
    else:
        _print_summary(summary, results, games, settings.records)


def _play_series(settings: _Settings, games: int, shown: bool, results: list[dict[str, Any]]) -> None:
    """Add the results of the matches; fewer than requested after Ctrl-C, or if
    a match raises `LudensError` or `OSError`."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns,
        console=errors,
        transient=True,
        disable=games == 1 or not errors.is_terminal,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as progress:
        task = progress.add_task(printable(settings.game.name), total=games)
        try:
            for result in _matches(settings, games, shown):
                results.append(result)
                progress.advance(task)
        except KeyboardInterrupt:
            errors.print(f"stopped after {len(results)} of {games} matches", style="yellow")


def _matches(settings: _Settings, games: int, shown: bool) -> Iterator[dict[str, Any]]:
    reported: set[tuple[str, str, bool]] = set()
    for number in range(games):
        match = settings.match(number)
        names = {role: settings.names[seat] for role, seat in settings.seats(number).items()}
        writer = RecordWriter(settings.records, ludens.__version__)
        began = time.monotonic()
        try:
            ended = _play(match, names, writer, shown, reported)
        finally:
            writer.close()
        yield {
            "game": settings.game.name,
            "roles": list(settings.game.roles),
            "players": names,
            "seats": settings.seats(number),
            "seed": match.seed,
            **end_as_json(ended, cause_of_end(match.state)),
            "seconds": round(time.monotonic() - began, 3),
            "record": str(writer.path),
        }
        if ended.reason == "stopped":
            return


def _play(
    match: Match, names: Mapping[Role, str], writer: RecordWriter, shown: bool, reported: set[tuple[str, str, bool]]
) -> MatchEnded:
    """Play a match to its end; ``reported`` collects the players and kinds of errors already reported."""
    if people_in(match):
        return play_with_people(match, Clock(), writer.write)
    watcher = Watcher(match.game, names) if shown else None
    try:
        if watcher is not None:
            watcher.begin(match.seed)
        for event in match.events():
            writer.write(event)
            if watcher is not None:
                watcher.show(event)
            elif isinstance(event, MatchStarted | TurnPlayed):
                _report_failures(event.failures, names, reported)
            if isinstance(event, MatchEnded):
                return event
    finally:
        if watcher is not None:
            watcher.close()
    raise AssertionError("a match ends with MatchEnded")


def _report_failures(
    failures: Iterable[PlayerFailed], names: Mapping[Role, str], reported: set[tuple[str, str, bool]]
) -> None:
    """Print each kind of a player's errors once, with and without a random move; the results only count them."""
    for failure in failures:
        player = names[failure.role]
        kind = (player, failure.kind, failure.substituted)
        if failure.kind not in NOTES and kind not in reported:
            reported.add(kind)
            text = f"{failure.role} ({player}) erred ({failure.kind}): {failure.message}"
            errors.print(visible(text), style="yellow", markup=False, soft_wrap=True)


def _summary(settings: _Settings, results: list[dict[str, Any]]) -> Summary:
    labels = labels_of(settings.names)
    summary = Summary(labels)
    for result in results:
        if result["finished"]:
            seats = {role: labels[seat] for role, seat in result["seats"].items()}
            summary.add(seats, result["goals"], result["errors"])
    return summary


def end_as_json(end: MatchEnded, cause: str = "") -> dict[str, Any]:
    """The result of a match as JSON values."""
    return {"ending": verdict(end, cause=cause), **end.as_json()}


def print_result(result: Mapping[str, Any]) -> None:
    """Print the result of a match; people who played in it have already read who won."""
    if not any(player.partition(":")[0] == HumanPlayer.name for player in result["players"].values()):
        console.print(f"[bold]{printable(result['ending'])}[/bold]")
    names = result.get("names", result["players"])
    outcome = ", ".join(f"{role} ({names[role]}) {goal}" for role, goal in result["goals"].items())
    console.print(f"Result after {result['turns']} turns: {printable(outcome)}")
    if result["forfeited"] is not None:
        console.print(f"{printable(result['forfeited'])} forfeited the match", style="yellow")
    for role, count in result["errors"].items():
        if count:
            console.print(f"{printable(role)} erred {count} time{'' if count == 1 else 's'}", style="yellow")
    console.print(f"Record: {result['record']}", style="dim", markup=False)


def _print_summary(summary: Summary, results: list[dict[str, Any]], games: int, records: Path) -> None:
    unfinished = len(results) - summary.games
    note = f", {unfinished} of them unfinished and not counted" if unfinished else ""
    console.print(f"[bold]{len(results)} of {games} matches[/bold]{note}; in brackets: 95 % confidence")
    console.print(tally_table(summary.tallies()))
    console.print(f"Records: {records}", style="dim", markup=False)
