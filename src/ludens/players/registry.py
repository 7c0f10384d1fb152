"""Finding players by name. Every module in this package is looked through; there is no list to edit."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

import ludens.players
from ludens.core import Player, PlayerError


@cache
def player_classes() -> dict[str, type[Player]]:
    """All players that come with ludens, by name."""
    found: dict[str, type[Player]] = {}
    for info in pkgutil.iter_modules(ludens.players.__path__):
        module = importlib.import_module(f"ludens.players.{info.name}")
        for _, member in inspect.getmembers(module, inspect.isclass):
            if issubclass(member, Player) and member.__module__ == module.__name__ and hasattr(member, "name"):
                found[member.name] = member
    return dict(sorted(found.items()))


def make_player(text: str) -> Player:
    """The player that ``name`` or ``name:option=value,option=value`` describes. Raises `PlayerError`."""
    name, _, rest = text.partition(":")
    kinds = player_classes()
    if name not in kinds:
        raise PlayerError(f"there is no player {name!r} (players: {', '.join(kinds)})")
    kind = kinds[name]
    options = {option.name: option for option in kind.options}
    settings = {}
    for setting in filter(None, rest.split(",")):
        key, equals, value = setting.partition("=")
        if not equals:
            raise PlayerError(f"{setting!r} is not of the form option=value")
        if key not in options:
            raise PlayerError(f"player {name!r} has no option {key!r} (options: {', '.join(options) or 'none'})")
        settings[key] = options[key].parse(value)
    return kind(**settings)
