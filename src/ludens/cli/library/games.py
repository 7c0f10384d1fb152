"""``ludens games``: list the library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ludens.cli.terminal.console import JsonOption, console, errors, print_json, printable
from ludens.core.errors import GameError
from ludens.games import library


def games(
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Only games with this tag; may be repeated.")] = None,
    players: Annotated[
        int | None, typer.Option("--players", min=1, help="Only games for this number of players.")
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(
            "--write", metavar="DIR", help="Write the pages about all games, with their matrix, into a folder."
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="NAME",
            help="With --write: load and play a game for the matrix; 'new' is what has not been measured, 'all' takes "
            "minutes. May be repeated.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the games of the library."""
    if measure and write is None:
        raise GameError("--measure is for the pages that --write DIR writes")
    if write is not None:
        _write_pages(write, measure or [])
        return
    wanted = {word.lower() for word in tag or ()}
    known: set[str] = set()
    found = []
    for entry in library.entries().values():
        try:
            card = entry.card
        except GameError as error:
            errors.print(f"warning: {error}", style="yellow", markup=False, soft_wrap=True)
            continue
        known |= {*card.tags, card.kind}
        if wanted <= {*card.tags, card.kind} and players in (None, card.players):
            found.append(entry)
    if not wanted <= known:
        raise GameError(f"no game has the tag {', '.join(sorted(wanted - known))} (tags: {', '.join(sorted(known))})")
    if as_json:
        print_json([_as_json(entry) for entry in found])
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("name", "title", "players", "kind", "tags"):
        table.add_column(heading, no_wrap=heading != "tags", justify="right" if heading == "players" else "left")
    for entry in found:
        card = entry.card
        name = entry.name + (":…" if card.parameters else "")
        cells = (name, card.title, str(card.players or "any"), card.kind, " ".join(card.tags))
        table.add_row(*map(printable, cells))
    console.print(table)
    console.print(f"\n{len(found)} games; 'ludens show NAME' shows one", style="dim")


def _write_pages(folder: Path, words: list[str]) -> None:
    """Write the pages, and measure the games that --measure names."""
    from ludens.cli.library.shelf_facts import facts_of  # noqa: PLC0415 - the list need not wait for players and compilers
    from ludens.cli.library.shelf_pages import choices, games_to_measure, write_pages  # noqa: PLC0415 - as above

    named = {"all": [choice.text for choice in choices()], "new": games_to_measure(folder)}
    measured = {}
    for name in dict.fromkeys(name for word in words for name in named.get(word) or [library.find(word).text]):
        errors.print(f"measuring {name}", style="dim", markup=False)
        measured[name] = facts_of(name)
    written = write_pages(folder, measured)
    console.print(f"{len(written)} pages are in {folder}: {written[0].name} is the matrix", markup=False)


def _as_json(entry: library.Entry) -> dict[str, object]:
    card = entry.card
    return {
        "name": entry.name,
        "title": card.title,
        "players": card.players,
        "kind": card.kind,
        "tags": list(card.tags),
        "forms": sorted(entry.forms),
        "rules": card.rules,
        "source": card.source,
        "moves": card.moves,
        "end": card.end,
        "scoring": card.scoring,
        "parameters": card.parameters,
        "choices": list(card.choices),
        "picture": card.picture,
        "checked": card.checked,
    }
