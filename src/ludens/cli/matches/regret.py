"""``ludens regret``: what the moves of a recorded match lost."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ludens.cli.matches.record_rules import recorded_game
from ludens.cli.matches.replay import open_record
from ludens.cli.terminal.console import (
    Backend,
    BackendOption,
    JsonOption,
    SeedOption,
    console,
    new_seed,
    print_json,
    printable,
)
from ludens.players.review import BEST, BLUNDER, MISTAKE, Judgement, review

_COLOURS = {MISTAKE: "yellow", BLUNDER: "red"}


def regret(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="The record of a match.")],
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=86_400, metavar="S", help="How long to look at each move.")
    ] = 1.0,
    rules: Annotated[
        str | None,
        typer.Option("--rules", metavar="GAME", help="Name or path of the game, if the record's name is not found."),
    ] = None,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
    as_json: JsonOption = False,
) -> None:
    """Show how many points each move of a match lost against the best one, and how sure that is.

    Values are exact where the search proves them; otherwise they are estimates with an interval of 95 %.
    """
    found = open_record(record)
    game = recorded_game(found, rules, backend).compiled()
    turns = [turn.moves for turn in found.line_to(found.last)]
    judged: list[Judgement] = []
    for one in review(game, turns, seconds, new_seed(seed)):
        judged.append(one)
        if not as_json and console.is_terminal:
            console.print(f"turn {one.turn} of {len(turns)} …", end="\r")
    if as_json:
        print_json(
            {"record": str(record), "game": game.name, "moves": [one.as_json() for one in judged]}
            | {"roles": {role: _summary(judged, role) for role in game.roles}}
        )
        return
    console.print(_table(judged))
    for role in game.roles:
        of_role = _summary(judged, role)
        if of_role["moves"]:
            console.print(
                f"{printable(role)}: {of_role['moves']} moves, {of_role['mean_loss']:.1f} points lost a move, "
                f"{of_role[MISTAKE]} mistakes, {of_role[BLUNDER]} blunders"
            )


def _summary(judged: list[Judgement], role: str) -> dict[str, float]:
    of_role = [one for one in judged if one.role == role]
    verdicts = Counter(one.verdict for one in of_role)
    mean = sum(one.loss for one in of_role) / len(of_role) if of_role else 0.0
    counts = {verdict: verdicts[verdict] for verdict in (MISTAKE, BLUNDER)}
    return {"moves": len(of_role), "mean_loss": round(mean, 2), **counts}


def _table(judged: list[Judgement]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("turn", "role", "move", "value", "lost", "", "better"):
        table.add_column(heading, justify="right" if heading in {"turn", "value", "lost"} else "left")
    for one in judged:
        interval = "" if one.is_exact else f" ± {one.margin:.1f}"
        table.add_row(
            str(one.turn),
            printable(one.role),
            printable(one.move),
            f"{one.value:.1f}",
            "" if one.verdict == BEST else f"{one.loss:.1f}{interval}",
            f"{one.verdict}{', exact' if one.is_exact else ''}",
            "" if one.verdict == BEST else printable(one.best),
            style=_COLOURS.get(one.verdict),
        )
    return table
