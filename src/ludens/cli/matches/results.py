"""``ludens results`` and ``ludens ratings``: results of tournaments."""

from __future__ import annotations

import csv
import itertools
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from ludens.arena.played_match import PlayedMatch, by_game, summary_of
from ludens.arena.results.crosstable import Crosstable
from ludens.cli.terminal.console import JsonOption, console, errors, print_json, printable
from ludens.cli.terminal.extras import needs
from ludens.cli.terminal.tallies import tally_table
from ludens.core import LudensError
from ludens.core.folders import data_folder

if TYPE_CHECKING:
    from ludens.arena.store import Store

StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="FILE|URL", help="The store: a file or postgresql://…; default: your own store."),
]
TournamentOption = Annotated[
    list[str] | None, typer.Option("--tournament", "-t", metavar="NAME", help="Only this tournament; may be repeated.")
]
GamesOption = Annotated[
    list[str] | None, typer.Option("--game", metavar="GAME", help="Only this game; may be repeated.")
]
PlayersOption = Annotated[
    list[str] | None, typer.Option("--player", metavar="NAME", help="Only this player; may be repeated.")
]


class Picture(StrEnum):
    """What can be drawn."""

    RATINGS = "ratings"
    CROSSTABLE = "crosstable"
    CLOCKS = "clocks"


class Method(StrEnum):
    """How players are rated."""

    ELO = "elo"
    SKILL = "skill"


def open_store(place: str | None, *, new: bool = False) -> Store:
    """The store that was named, or the usual file. Raises `LudensError` if it is a file that is not there, unless a
    ``new`` one may be made."""
    with needs("arena"):
        from ludens.arena.store import Store  # noqa: PLC0415 - an extra

    wanted = place or str(data_folder() / "arena.db")
    if not new and "://" not in wanted and not Path(wanted).exists():
        raise LudensError(f"there is no store {wanted}; 'ludens tournament SPEC.yaml' creates one")
    return Store(wanted)


def results(
    store: StoreOption = None,
    tournament: TournamentOption = None,
    game: GamesOption = None,
    player: PlayersOption = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print every match as CSV.")] = False,
    record: Annotated[
        str | None, typer.Option("--record", metavar="KEY", help="Print the record of the match with this key.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what became of tournaments: standings, who did how against whom, and how in each game."""
    opened = open_store(store)
    if record is not None:
        print(opened.record(_only(opened, tournament), record), end="")
        return
    matches = chosen_matches(opened, tournament, game, player)
    if as_json:
        print_json(results_as_json(matches))
    elif as_csv:
        _print_csv(matches)
    else:
        print_results(matches)


def ratings(
    store: StoreOption = None,
    tournament: TournamentOption = None,
    game: GamesOption = None,
    player: PlayersOption = None,
    method: Annotated[
        Method | None,
        typer.Option("--method", help="elo for two players, skill for any number; default: what fits."),
    ] = None,
    picture: Annotated[Picture, typer.Option("--picture", help="What --plot draws.")] = Picture.RATINGS,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw a picture into FILE (.png or .svg).")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Rate players by their matches, with 95 % intervals."""
    matches = chosen_matches(open_store(store), tournament, game, player)
    with needs("arena"):
        from ludens.arena.ratings import elo_ratings, significance, skill_ratings  # noqa: PLC0415 - an extra
    chosen = method or (Method.ELO if all(len(played.players) == 2 for played in matches) else Method.SKILL)
    found = elo_ratings(matches) if chosen is Method.ELO else skill_ratings(matches)
    rated = [played for played in matches if chosen is Method.SKILL or len(set(played.players)) == 2]
    crosstable = Crosstable(rated)
    luck = {
        (better.player, worse.player): significance(matches, better.player, worse.player)
        for better, worse in itertools.pairwise(found)
        if crosstable.score(better.player, worse.player) is not None
    }
    if plot is not None:
        _draw(matches, picture, plot)
    if as_json:
        rows = [
            {"player": r.player, "matches": r.matches, "rating": r.value, "low": r.low, "high": r.high} for r in found
        ]
        pairs = [{"first": first, "second": second, "p": p} for (first, second), p in luck.items()]
        print_json(
            {"method": chosen.value, "ratings": rows, "neighbours": pairs, "groups": crosstable.groups},
        )
        return
    table = Table(box=None, header_style="bold")
    for heading in ("player", "matches", chosen.value, "95 %", "by luck alone"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for number, rating in enumerate(found):
        next_one = found[number + 1].player if number + 1 < len(found) else rating.player
        probability = luck.get((rating.player, next_one))
        chance = "" if probability is None else f"{probability:.3f}"
        interval = f"{rating.low:.1f} … {rating.high:.1f}"
        table.add_row(printable(rating.player), str(rating.matches), f"{rating.value:.1f}", interval, chance)
    console.print(table)
    console.print(
        "by luck alone: the probability of so clear a result against the next player between equals", style="dim"
    )
    _print_groups(crosstable)


def chosen_matches(
    store: Store, tournaments: Sequence[str] | None, games: Sequence[str] | None, players: Sequence[str] | None
) -> list[PlayedMatch]:
    """The matches that the options name. Raises `LudensError` if there are none."""
    numbers = [None] if not tournaments else [_number(store, name) for name in tournaments]
    found = [
        played
        for number in numbers
        for played in store.matches(number)
        if (not games or played.game in games) and (not players or set(players) <= set(played.players))
    ]
    if not found:
        raise LudensError(f"{store.place} has no such matches; 'ludens tournament SPEC.yaml' plays some")
    return found


def _number(store: Store, name: str) -> int:
    known = store.tournaments()
    if name not in known:
        raise LudensError(f"{store.place} has no tournament {name!r}; it has {', '.join(known) or 'none'}")
    return known[name]


def _only(store: Store, names: Sequence[str] | None) -> int:
    known = store.tournaments()
    if not names and len(known) == 1:
        return next(iter(known.values()))
    if not names or len(names) > 1:
        raise LudensError(f"name the tournament of the match with --tournament: {', '.join(known) or 'there is none'}")
    return _number(store, names[0])


def results_as_json(matches: Sequence[PlayedMatch]) -> dict[str, Any]:
    """Every match, and how each player fared."""
    return {
        "matches": [_as_json(played) for played in matches],
        "players": summary_of(matches).as_json(),
        "groups": Crosstable(matches).groups,
    }


def _as_json(played: PlayedMatch) -> dict[str, Any]:
    return {
        "key": played.key,
        "game": played.game,
        "players": dict(zip(played.roles, played.players, strict=True)),
        "goals": dict(zip(played.roles, played.goals, strict=True)),
        "points": dict(zip(played.roles, played.points, strict=True)),
        "errors": dict(zip(played.roles, played.errors, strict=True)),
        "turns": played.turns,
        "seconds": round(played.seconds, 3),
        "clock": played.clock,
        "seed": played.seed,
        "reason": played.reason,
    }


def _print_csv(matches: Sequence[PlayedMatch]) -> None:
    writer = csv.writer(sys.stdout)
    writer.writerow(["key", "game", "role", "player", "goal", "points", "errors", "turns", "seconds", "clock", "seed"])
    for played in matches:
        seats = zip(played.roles, played.players, played.goals, played.points, played.errors, strict=True)
        for seat in seats:
            rest = (played.turns, round(played.seconds, 3), played.clock, played.seed)
            writer.writerow([played.key, played.game, *seat, *rest])


def print_results(matches: Sequence[PlayedMatch]) -> None:
    """Print standings, crosstable and the results of each game."""
    tallies = summary_of(matches).tallies()
    console.print(f"[bold]{len(matches)} matches[/bold]; in brackets: 95 % confidence")
    console.print(standings_table(matches))
    crosstable = Crosstable(matches)
    table = Table(box=None, header_style="bold", title="score of the row against the column, %", title_justify="left")
    table.add_column("")
    for name in crosstable.players:
        table.add_column(printable(name), justify="right")
    for row in crosstable.players:
        scores = [crosstable.score(row, column) for column in crosstable.players]
        table.add_row(printable(row), *(f"{100 * found[0]:.0f} ({found[1]})" if found else "" for found in scores))
    console.print(table)
    _print_groups(crosstable)
    games = by_game(matches)
    if len(games) > 1:
        table = Table(box=None, header_style="bold", title="score in each game, %", title_justify="left")
        table.add_column("game")
        for name in tallies:
            table.add_column(printable(name), justify="right")
        for game, own in games.items():
            found_here = summary_of(own).tallies()
            cells = [
                f"{100 * found_here[name].score.mean:.0f}" if name in found_here and found_here[name].games else ""
                for name in tallies
            ]
            table.add_row(printable(game), *cells)
        console.print(table)


def _print_groups(crosstable: Crosstable) -> None:
    """Say which players cannot be compared, if there are any."""
    if len(crosstable.groups) > 1:
        groups = "; ".join(", ".join(group) for group in crosstable.groups)
        console.print(
            f"These groups never met, so their ratings cannot be compared: {printable(groups)}", style="yellow"
        )


def standings_table(matches: Sequence[PlayedMatch]) -> Table:
    """The players by their share of points."""
    tallies = summary_of(matches).tallies()
    return tally_table(dict(sorted(tallies.items(), key=lambda item: -item[1].score.mean)))


def _draw(matches: Sequence[PlayedMatch], picture: Picture, path: Path) -> None:
    with needs("arena"):
        from ludens.arena.results import plots  # noqa: PLC0415 - an extra
    if picture is Picture.RATINGS:
        plots.plot_ratings(matches, path)
    elif picture is Picture.CROSSTABLE:
        plots.plot_crosstable(Crosstable(matches), path)
    else:
        plots.plot_by_clock(matches, path)
    errors.print(f"Picture: {path}", style="dim", markup=False, soft_wrap=True)
