"""``ludens equivalent A B``: are two games the same?"""

from __future__ import annotations

from typing import Annotated

import typer

import ludens
from ludens.analysis.equivalence.compare import MOST_STATES, compare_games
from ludens.cli.terminal.console import GameArgument, JsonOption, console, print_json, printable

_SHOWN = 40


def equivalent(
    game: GameArgument,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The game to compare it with.")],
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, max=86_400, metavar="S", help="Time limit in seconds.")
    ] = 20.0,
    states: Annotated[
        int, typer.Option("--states", min=1, max=10_000_000, metavar="N", help="States to compare one by one at most.")
    ] = MOST_STATES,
    same_names: Annotated[
        bool, typer.Option("--same-names", help="Roles and moves with other names are other roles and moves.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare two games: rule sheets, games of the library or pages in Python.

    They are equivalent if names and order of their rules are all that differs, if all reachable states agree under
    some mapping of roles and moves, or if a proof over the compiled rules says so. Otherwise print a play on which they
    differ. If neither is found in time, the answer is that there is no difference within some number of states.
    """
    verdict = compare_games(
        ludens.load(game, backend="interpreter"),
        ludens.load(other, backend="interpreter"),
        seconds,
        states,
        same_names=same_names,
    )
    if as_json:
        print_json({"games": [game, other]} | verdict.as_json())
        return
    console.print(f"[bold]{verdict.answer}[/bold]: {printable(verdict.how)}")
    if verdict.difference is not None:
        kind = "A shortest play" if verdict.difference.shortest else "A play"
        console.print(f"{kind} on which they differ:")
        for number, turn in enumerate(verdict.difference.play, start=1):
            console.print(printable(f"  {number}. " + ", ".join(f"{role} {move}" for role, move in turn.items())))
        console.print(printable(f"  then {verdict.difference.what}"))
    for title, names in (("roles", verdict.roles), ("moves", verdict.moves), ("names", verdict.names)):
        changed = [f"{name} → {called}" for name, called in names.items() if name != called]
        if changed:
            more = f" … ({len(changed)} in all)" if len(changed) > _SHOWN else ""
            console.print(printable(f"{title}: " + ", ".join(changed[:_SHOWN]) + more))
