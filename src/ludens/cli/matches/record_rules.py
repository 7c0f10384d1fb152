"""The rules by which a recorded match is replayed."""

from __future__ import annotations

import ludens
from ludens.cli.terminal.console import Backend, warn
from ludens.core import Game, LudensError
from ludens.games import library
from ludens.games.own_pages import find_page, noted_page
from ludens.referee.reading import Record


def recorded_game(record: Record, rules: str | None, backend: Backend) -> Game:
    """The game that was played, or the one that the user names, with the record's parameters unless it has some. Raises
    `LudensError`.

    Records are not trusted and rules in Python are code, so only the user names files: now, or when the match was
    played.
    """
    game = _played_game(record, backend) if rules is None else _named_game(record, rules, backend)
    if game.rules_hash != record.start.rules_hash:
        warn(
            f"the rules of {rules or record.start.game} are not those that {record.path} was played by, so turns may "
            "differ; --verify shows where"
        )
    return game


def _named_game(record: Record, rules: str, backend: Backend) -> Game:
    parameters = _parameters(record)
    if parameters and not rules.startswith(library.OPENSPIEL):
        choice = library.find(rules)
        name, at, form = rules.rpartition("@") if choice.in_library and "@" in rules else (rules, "", "")
        if not choice.parameters:
            try:
                return ludens.load(f"{name}:{parameters}{at}{form}", backend=backend)
            except LudensError:  # another game, with other parameters
                return ludens.load(rules, backend=backend)
    return ludens.load(rules, backend=backend)


def _played_game(record: Record, backend: Backend) -> Game:
    name, parameters = record.start.game, _parameters(record)
    page = find_page(record.start.rules_hash)
    if page is not None:
        rules = f"{page}:{parameters}" if parameters else str(page)
        game = ludens.load(rules, backend=backend)
        if game.rules_hash != record.start.rules_hash:
            raise LudensError(f"{page} has changed since the match; --rules {rules} uses it as it is now")
        return game
    if gone := noted_page(record.start.rules_hash):
        raise LudensError(f"{gone}, from which the match was played, is not there any more; name its page with --rules")
    try:
        if not name.startswith(library.OPENSPIEL) and not library.find(name).in_library:
            raise LudensError(
                f"the record names the file {name!r} as its rules, and files named in records are not trusted"
            )
        return ludens.load(name, backend=backend)
    except LudensError as error:
        raise LudensError(f"{error}; name the game with --rules") from None


def _parameters(record: Record) -> str:
    """The parameters of the game that was played, as text."""
    name = record.start.game
    return "" if name.startswith(library.OPENSPIEL) else library.split_name(name)[1]
