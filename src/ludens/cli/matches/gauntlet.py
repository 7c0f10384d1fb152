"""``ludens gauntlet``: one player against many opponents over many games, with Elo by game and overall."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from ludens.cli.matches.outsiders import make_outsider
from ludens.cli.terminal.console import JsonOption, QuietOption, console, errors, print_json, printable
from ludens.cli.terminal.extras import needs
from ludens.cli.terminal.interrupt import INTERRUPTED
from ludens.compiler.native.target import host_description
from ludens.core.folders import need_writable

if TYPE_CHECKING:
    from ludens.arena.gauntlet.results import GauntletMatch
    from ludens.arena.gauntlet.series import Series

_CORES_OF_A_MATCH = 2


def gauntlet(
    spec: Annotated[Path, typer.Argument(metavar="SPEC.yaml", help="The plan of the gauntlet (docs/gauntlet.md).")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The results file; default: SPEC.results.json."),
    ] = None,
    earlier: Annotated[
        Path | None,
        typer.Option("--compare", metavar="FILE", help="An earlier results file: better, worse or unclear, by game."),
    ] = None,
    parallel: Annotated[
        int | None,
        typer.Option("--parallel", min=1, max=1_000, metavar="N", help="Matches at once; default: half the cores."),
    ] = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play one player against opponents over many games, and rate it: earlier versions, other players, programs.

    Every match is written to the results file as it ends; running the command again plays the missing ones.
    """
    with needs("arena"):
        from ludens.arena.gauntlet.plan import read_gauntlet  # noqa: PLC0415 - an extra
        from ludens.arena.gauntlet.results import ResultsFile  # noqa: PLC0415
        from ludens.arena.gauntlet.series import Series  # noqa: PLC0415
    plan = read_gauntlet(spec)
    file = ResultsFile(output or spec.with_suffix(".results.json"))
    need_writable(file.path.absolute().parent)
    before = None if earlier is None else ResultsFile(earlier).read()[1]
    played = file.resume(plan)
    tables = parallel or max(1, (os.cpu_count() or 1) // _CORES_OF_A_MATCH)
    series = Series(plan, tables, make_outsider)
    try:
        for match in _with_progress(series, played, shown=not (quiet or as_json)):
            played.append(match)
            file.write(plan, _machine(), played)
    except KeyboardInterrupt:
        errors.print("stopped; run the same command again to resume", style="yellow")
        raise typer.Exit(INTERRUPTED) from None
    finally:
        series.close()
    if as_json:
        print_json(_as_json(plan.opponents, played, before, series))
        return
    for opponent in plan.opponents:
        own = [match for match in played if match.opponent == opponent]
        old = None if before is None else [match for match in before if match.opponent == opponent]
        console.print(_table(f"{plan.candidate} against {opponent}", own, old))
        verdict = series.verdict(opponent, played)
        if verdict is not None:
            console.print(f"Sequential test ({plan.low:g} or {plan.high:g} Elo): {verdict}")
    console.print(f"Results: {file.path}", style="dim", markup=False)


def _with_progress(series: Series, played: Sequence[GauntletMatch], *, shown: bool) -> Any:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    progress = Progress(*columns, console=errors, transient=True)
    points, count = sum(match.score for match in played), len(played)
    task = progress.add_task("", total=series.planned, completed=count)
    with progress if shown and errors.is_terminal else nullcontext():
        for match in series.run(played):
            points, count = points + match.score, count + 1
            progress.update(task, completed=count, description=f"{points:g} of {count} points")
            if shown and not errors.is_terminal:
                errors.print(
                    f"{count}/{series.planned}  {Path(match.game).stem}  {match.score:g}  "
                    f"({points:g} points, {match.turns} turns, {match.seconds:.0f} s)",
                    markup=False,
                )
            yield match


def _table(title: str, matches: Sequence[GauntletMatch], before: Sequence[GauntletMatch] | None) -> Table:
    from ludens.arena.gauntlet.results import by_game, compare, score_of  # noqa: PLC0415 - an extra

    table = Table(title=printable(title), title_justify="left")
    table.add_column("game")
    for heading in ("matches", "+ = -", "points", "Elo", "95 % interval"):
        table.add_column(heading, justify="right")
    table.add_column("verdict")
    table.add_column("errors", justify="right")
    if before is not None:
        table.add_column("than before")
    old = by_game(before or ())
    rows = [*by_game(matches).items(), ("all", list(matches))]
    for game, own in rows:
        score = score_of(own)
        middle, low, high = score.elo
        cells = [
            printable(Path(game).stem if game.endswith(".kif") else game),
            str(score.matches),
            f"{score.wins} {score.draws} {score.matches - score.wins - score.draws}",
            f"{100 * score.share:.0f} %",
            f"{middle:+.0f}",
            f"{low:+.0f} … {high:+.0f}",
            score.verdict,
            f"{sum(match.errors[0] for match in own)}:{sum(match.errors[1] for match in own)}",
        ]
        if before is not None:
            earlier = list(before) if game == "all" else old.get(game, [])
            cells.append(str(compare(own, earlier)) if earlier else "new")
        table.add_row(*cells, end_section=len(rows) > 1 and game == rows[-2][0])
    return table


def _as_json(
    opponents: Sequence[str], played: Sequence[GauntletMatch], before: Sequence[GauntletMatch] | None, series: Series
) -> dict[str, Any]:
    from ludens.arena.gauntlet.results import by_game, compare, score_of  # noqa: PLC0415 - an extra

    def entry(own: Sequence[GauntletMatch], old: Sequence[GauntletMatch]) -> dict[str, Any]:
        score = score_of(own)
        middle, low, high = score.elo
        found = {
            "matches": score.matches,
            "points": score.points,
            "wins": score.wins,
            "draws": score.draws,
            "elo": middle,
            "low": low,
            "high": high,
            "verdict": score.verdict,
        }
        return found | ({"change": compare(own, old)} if old else {})

    def of(matches: Sequence[GauntletMatch] | None, opponent: str) -> list[GauntletMatch]:
        return [match for match in matches or () if match.opponent == opponent]

    return {
        "opponents": {
            opponent: {
                **entry(of(played, opponent), of(before, opponent)),
                "sprt": series.verdict(opponent, played),
                "games": {
                    game: entry(own, by_game(of(before, opponent)).get(game, []))
                    for game, own in by_game(of(played, opponent)).items()
                },
            }
            for opponent in opponents
        }
    }


def _machine() -> dict[str, Any]:
    return {"processor": host_description(), "cores": os.cpu_count(), "system": platform.platform()}
