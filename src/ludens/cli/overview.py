"""The top-level command: the first word names a command, or a game to play."""

from __future__ import annotations

import difflib
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from typer.core import TyperGroup

from ludens.cli.commands import COMMANDS, Deferred
from ludens.core.errors import GameError

_LIKENESS = 0.6
"""How alike a word and a command or game must be for a suggestion, as difflib counts: its default, as typer has it."""


class Overview(TyperGroup):
    """All commands, none of them imported yet."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._deferred = {name: Deferred(name) for name in COMMANDS}
        self.commands.update(self._deferred)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, for the help."""
        for command in self._deferred.values():
            command.help = command.summary
        return list(self._deferred)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names; the name or path of a game stands for ``play``."""
        word = args[0]
        if word in self.commands or word.startswith("-"):
            return super().resolve_command(ctx, args)
        if ctx.resilient_parsing:  # the shell completes what is typed
            return "play", self.commands["play"], args
        if not _is_game(word):
            ctx.fail(_suggest(word))
        if not sys.stdin.isatty():
            name = shlex.quote(word)
            raise GameError(
                f"{word!r} is a game, and standard input is not a terminal: type 'ludens play {name}' to play it "
                f"nevertheless, 'ludens match {name}' to let players play it, 'ludens show {name}' to see it"
            )
        return "play", self.commands["play"], args


def _is_game(word: str) -> bool:
    """True if a word is the name or the path of a game. Raises `GameError` for a path that does not exist."""
    from ludens.games import library  # noqa: PLC0415 - only if the word is no command

    is_path = os.sep in word or Path(word).suffix in library.ENDINGS
    if word.startswith(library.OPENSPIEL) or (Path(word).is_file() and not is_path):
        return word.startswith(library.OPENSPIEL)
    try:
        library.find(word)
    except GameError:
        if is_path:
            raise
        return False
    return True


def _suggest(word: str) -> str:
    """The error for an unknown word, with commands and games of similar spelling."""
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
