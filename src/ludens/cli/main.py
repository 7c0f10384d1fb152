"""The entry point: runs a command, and turns errors into one sentence and an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import SystemRandom
from typing import Annotated

import typer

import ludens
from ludens.cli.overview import Overview
from ludens.core.errors import LudensError
from ludens.core.processor import wanted_level

_SCRAMBLE = "LUDENS_SCRAMBLE"
"""As in `ludens.cli.terminal.console`, which takes longer to import."""
app = typer.Typer(
    name="ludens",
    cls=Overview,
    help="General game playing: give it the rules, it plays.",
    no_args_is_help=True,
    epilog="The name of a game alone plays it: ludens chess",
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"ludens {ludens.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    _debug: Annotated[bool, typer.Option("--debug", help="Show a traceback with errors; accepted anywhere.")] = False,
    _scramble: Annotated[
        str | None,
        typer.Option(
            "--scramble",
            metavar="[SEED]",
            help="Replace all names of the rules of GAME, as a test of reasoning instead of memory; accepted anywhere.",
        ),
    ] = None,
) -> None:
    """General game playing: give it the rules, it plays."""
    wanted_level()  # so that a wrong setting is reported here and not by the first player that needs machine code


def main(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code: 2 for every error, with one clear message."""
    debug = "--debug" in arguments or bool(os.environ.get("LUDENS_DEBUG"))
    plain = [argument for argument in arguments if argument != "--debug"]
    try:
        with _scrambling(plain):
            app(args=plain, prog_name="ludens")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except Exception as error:
        if debug:
            traceback.print_exc()
        from ludens.cli.terminal.console import errors  # noqa: PLC0415 - only when something is printed
        from ludens.gdl.source import visible  # noqa: PLC0415

        shown = "\n".join(map(visible, f"error: {_format_error(error)}".split("\n")))
        errors.print(shown, style="red", markup=False, soft_wrap=True)
        return 2
    return 0


@contextmanager
def _scrambling(arguments: list[str]) -> Iterator[None]:
    """Take ``--scramble [SEED]`` out of the arguments, and set it for the arguments that name games.

    Without a seed a new one is drawn; names of games in output and records contain it. The controller has an option of
    this name itself, since it scrambles what it sends.
    """
    place = next((n for n, argument in enumerate(arguments) if argument.split("=")[0] == "--scramble"), None)
    if place is None or arguments[:1] == ["controller"]:
        yield
        return
    _, equals, seed = arguments.pop(place).partition("=")
    if not equals and place < len(arguments) and arguments[place].isdecimal():
        seed = arguments.pop(place)
    if seed and not seed.isdecimal():
        raise LudensError(f"--scramble takes a whole number as its seed, not {seed!r}")
    os.environ[_SCRAMBLE] = seed or str(SystemRandom().randrange(2**31))
    try:
        yield
    finally:
        del os.environ[_SCRAMBLE]


def _format_error(error: Exception) -> str:
    """The message for the user; errors of the operating system are not reported as faults in ludens."""
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
