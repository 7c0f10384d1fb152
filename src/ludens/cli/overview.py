"""``ludens --help``, and what the first word of a line means: a command, or a game to play.

The page is drawn here because typer's own drawing loads Markdown and syntax highlighting, half of the time it took.
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from typer.core import TyperGroup

from ludens.cli.commands import COMMANDS, Deferred
from ludens.core.errors import GameError

_LIKENESS = 0.6
"""How alike a word and a command or game must be for a suggestion, as difflib counts; typer has the same for commands."""


class Overview(TyperGroup):
    """All commands, none of them imported yet."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {name: Deferred(name) for name in COMMANDS}

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the options and the commands."""
        from rich.console import Console  # noqa: PLC0415 - only when something is drawn
        from rich.markup import escape  # noqa: PLC0415
        from rich.padding import Padding  # noqa: PLC0415

        width = os.environ.get("TERMINAL_WIDTH")  # as typer has it
        console = Console(highlight=False, width=int(width) if width else None)
        usage = escape(" ".join([ctx.command_path, *self.collect_usage_pieces(ctx)]))
        console.print(Padding(f"[yellow]Usage:[/yellow] [bold]{usage}[/bold]", 1))
        console.print(Padding(self.help or "", (0, 1, 1, 1)))
        options = [(parameter.opts, getattr(parameter, "help", None) or "") for parameter in self.get_params(ctx)]
        console.print(_panel("Options", ((_long(names), _short(names), text) for names, text in options)))
        console.print(_panel("Commands", ((name, self.commands[name].summary) for name in self.commands)))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names. The name of a game, or a path, means to play it."""
        word = args[0]
        if word in self.commands or word.startswith("-"):
            return super().resolve_command(ctx, args)
        game = _game(word)
        if game is None:
            ctx.fail(_unknown(word))
        if not (ctx.resilient_parsing or sys.stdin.isatty()):
            ways = " or ".join(f"'ludens {command} {word}'" for command in ("play", "match", "show"))
            raise GameError(f"{game} is a game, and without a terminal its name alone does nothing: type {ways}")
        return "play", self.commands["play"], args


def _panel(title: str, rows: Iterable[tuple[str, ...]]) -> Any:
    from rich.markup import escape  # noqa: PLC0415 - only when something is drawn
    from rich.panel import Panel  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(show_header=False, box=None, expand=True, pad_edge=False, padding=(0, 1))
    for row in rows:
        if not table.columns:
            for _ in row[1:]:
                table.add_column(style="bold cyan", no_wrap=True)
            table.add_column(ratio=1)
        table.add_row(*map(escape, row))
    return Panel(table, border_style="dim", title=title, title_align="left")


def _long(names: list[str]) -> str:
    return ",".join(name for name in names if name.startswith("--"))


def _short(names: list[str]) -> str:
    return ",".join(name for name in names if not name.startswith("--"))


def _game(word: str) -> str | None:
    """The game that a word names; None if there is none. Raises `GameError` about a path that leads nowhere."""
    from ludens.games import library  # noqa: PLC0415 - only if the word is no command

    if word.startswith(library.OPENSPIEL):
        return word
    try:
        return library.find(word).text
    except GameError:
        if os.sep in word or Path(word).suffix in library.ENDINGS:
            raise
        return None


def _unknown(word: str) -> str:
    """Which commands and games are spelled nearly like a word that is neither."""
    from ludens.games import library  # noqa: PLC0415 - only if the word is no command

    message = f"No such command {word!r}."
    commands = difflib.get_close_matches(word, COMMANDS, cutoff=_LIKENESS)
    if commands:
        message += f" Did you mean {', '.join(map(repr, commands))}?"
    games = library.close_names(word, _LIKENESS)
    if games:
        begin = "Or the game" if commands else "Did you mean the game"
        message += f" {begin} {' or '.join(map(repr, games))}?"
    return message
