"""Finding players by name. Every module in this package is looked through; there is no list to edit."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache
from pathlib import Path

import ludens.players
from ludens.core import OptionValue, Player, PlayerError

FILE = "file"
"""The option of players that play by a file."""


@cache
def player_classes() -> dict[str, type[Player]]:
    """All players that come with ludens, by name."""
    found: dict[str, type[Player]] = {}
    for info in pkgutil.iter_modules(ludens.players.__path__):
        module = importlib.import_module(f"ludens.players.{info.name}")
        for _, member in inspect.getmembers(module, inspect.isclass):
            own = f"{member.__module__}.".startswith(f"{module.__name__}.")
            if own and issubclass(member, Player) and hasattr(member, "name"):
                found[member.name] = member
    return dict(sorted(found.items()))


def needs_file(kind: type[Player]) -> bool:
    """True if a player plays by a file that was made before, such as a trained network."""
    return any(option.name == FILE for option in kind.options)


def make_player(text: str) -> Player:
    """The player that ``name`` or ``name:option=value,option=value`` describes; ``name:path`` and
    ``name:path,option=value`` if it plays by a file. Raises `PlayerError`."""
    name, _, rest = text.partition(":")
    kinds = player_classes()
    if name not in kinds:
        raise PlayerError(f"there is no player {name!r} (players: {', '.join(kinds)})")
    kind = kinds[name]
    options = {option.name: option for option in kind.options}
    settings: dict[str, OptionValue] = {}
    for place, setting in enumerate(filter(None, rest.split(","))):
        key, equals, value = setting.partition("=")
        if not equals and place == 0 and needs_file(kind):
            key, value = FILE, setting
        elif not equals:
            raise PlayerError(f"{setting!r} is not of the form option=value")
        if key not in options:
            raise PlayerError(f"player {name!r} has no option {key!r} (options: {', '.join(options) or 'none'})")
        settings[key] = options[key].parse(value)
    if needs_file(kind) and not Path(str(settings.get(FILE, ""))).is_file():
        what = f"there is no file {settings[FILE]}" if settings.get(FILE) else "none was named"
        raise PlayerError(f"player {name!r} plays by a file, as {name}:PATH, and {what}")
    return kind(**settings)
