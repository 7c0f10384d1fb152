"""The entry point: puts the subcommands together, and turns errors into one sentence and an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

import ludens
from ludens.cli import (
    analyse,
    bench,
    check,
    compile_game,
    conform,
    controller,
    convert,
    decompose,
    engine,
    evolve,
    experiment,
    games,
    ggtp,
    gtp,
    import_games,
    match,
    new_game,
    perft,
    play,
    player,
    players,
    probability,
    query,
    replay,
    results,
    show,
    solve,
    tournament,
    train,
    uci,
    web,
)
from ludens.cli.console import errors
from ludens.core import LudensError
from ludens.core.processor import wanted_level
from ludens.gdl.source import visible

app = typer.Typer(
    name="ludens",
    help="General game playing: give it the rules, it plays.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("games")(games.games)
app.command("show")(show.show)
app.command("players")(players.players)
app.command("play")(play.play)
app.command("match")(match.match)
app.command("web")(web.web)
app.command("controller")(controller.controller)
app.command("player")(player.player)
app.command("ggtp")(ggtp.ggtp)
app.command("engine")(engine.engine)
app.command("gtp")(gtp.gtp)
app.command("uci")(uci.uci)
app.command("tournament")(tournament.tournament)
app.command("results")(results.results)
app.command("ratings")(results.ratings)
app.command("train")(train.train)
app.command("evolve")(evolve.evolve)
app.command("replay")(replay.replay_command)
app.command("perft")(perft.perft_command)
app.command("analyse")(analyse.analyse)
app.command("solve")(solve.solve)
app.command("decompose")(decompose.decompose)
app.command("probability")(probability.probability)
app.command("bench")(bench.bench)
app.command("compile")(compile_game.compile_game)
app.command("query")(query.query)
app.command("check")(check.check)
app.command("convert")(convert.convert)
app.command("conform")(conform.conform)
app.command("import")(import_games.import_games)
app.command("new-game")(new_game.new_game_command)
app.add_typer(experiment.app, name="experiment")


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"ludens {ludens.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    _debug: Annotated[bool, typer.Option("--debug", help="Show a traceback with errors; may stand anywhere.")] = False,
) -> None:
    """General game playing: give it the rules, it plays."""
    wanted_level()  # so that a wrong setting is reported here and not by the first player that needs machine code


def main(arguments: Sequence[str]) -> int:
    """Run the command line; returns the exit code: 2 for every error, which is told in one clear message."""
    debug = "--debug" in arguments or bool(os.environ.get("LUDENS_DEBUG"))
    try:
        app(args=[argument for argument in arguments if argument != "--debug"], prog_name="ludens")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except Exception as error:
        if debug:
            traceback.print_exc()
        shown = "\n".join(map(visible, f"error: {_told(error)}".split("\n")))
        errors.print(shown, style="red", markup=False, soft_wrap=True)
        return 2
    return 0


def _told(error: Exception) -> str:
    """What an error says to a user: what the machine refuses is not a fault in ludens."""
    match error:
        case LudensError():
            return str(error)
        case OSError(strerror=str(reason)):
            return reason if error.filename is None else f"{error.filename}: {reason}"
        case MemoryError():
            return "this needs more memory than there is"
        case _:
            return f"{type(error).__name__}: {error} (this is a fault in ludens; --debug shows where)"


def run() -> None:
    """The ``ludens`` command."""
    sys.exit(main(sys.argv[1:]))
