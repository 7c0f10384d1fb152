"""Find players by name: each is in ``NAME.py`` or ``NAME/player.py`` of this package; there is no list to edit."""

from __future__ import annotations

import importlib.util
import inspect
import pkgutil
from functools import cache
from pathlib import Path

from ludens.core import OptionValue, Player, PlayerError
from ludens.core.own_code import classes_in

ADDRESS = "address"
"""The option of players that compute on other machines."""
FILE = "file"
"""The option of players that need a file."""
_TRAINED = "trained"
"""The folder of files that come with a player."""
_CODE = ".py"
"""The suffix of files that define players."""


@cache
def player_classes() -> dict[str, type[Player]]:
    """All players that come with ludens, by name."""
    names = (info.name for info in pkgutil.iter_modules([str(Path(__file__).parent)]))
    return dict(sorted(item for name in names for item in _classes_in(name).items()))


def player_class(name: str) -> type[Player] | None:
    """The player with a name; None if there is none. Imports other players only if no module has this name."""
    return _classes_in(name).get(name) or player_classes().get(name)


def _classes_in(name: str) -> dict[str, type[Player]]:
    """The players in the module ``NAME.py`` or ``NAME/player.py``, by name; empty if there is no such module."""
    module_name = f"ludens.players.{name}"
    spec = importlib.util.find_spec(module_name) if name.isidentifier() else None
    if spec is not None and spec.submodule_search_locations is not None:
        module_name += ".player"
        spec = importlib.util.find_spec(module_name)
    if spec is None:
        return {}
    return {
        member.name: member
        for member in vars(importlib.import_module(module_name)).values()
        if inspect.isclass(member)
        and member.__module__ == module_name
        and issubclass(member, Player)
        and hasattr(member, "name")
    }


def takes_file(kind: type[Player]) -> bool:
    """True if a player has an option for a file, whose path may stand right after its name."""
    return any(option.name == FILE for option in kind.options)


def needs_file(kind: type[Player]) -> bool:
    """True if a player cannot play without its file."""
    return takes_file(kind) and not getattr(kind, "file_is_optional", False)


def stands_alone(kind: type[Player]) -> bool:
    """True if a player needs nothing but the game: no file, no program and no other machines."""
    return not kind.local_only and not any(option.name in (FILE, ADDRESS) for option in kind.options)


def make_player(text: str, *, files: bool = False) -> Player:
    """The player that ``name`` or ``name:option=value,option=value`` describes; ``name:path`` and
    ``name:path,option=value`` if it needs a file. Raises `PlayerError`.

    With ``files`` it may also be the path of a Python file, ``mine.py``, or one class of it, ``mine.py:Greedy``,
    again followed by options, or a player that is `local_only`, such as ``command:PROGRAM``. Such a file or program is
    executed, so set ``files`` only for text from the local user, never for text from a network.
    """
    name, _, rest = _split_description(text)
    if is_code(text):
        if not files:
            raise PlayerError(f"{name!r} is a Python file, but only players that come with ludens are allowed here")
        return _build_player(*own_class(text))
    kind = player_class(name)
    if kind is None:
        path = ", or the path of a Python file: mine.py" if files else ""
        raise PlayerError(f"there is no player {name!r} (players: {', '.join(player_classes())}{path})")
    if kind.local_only and not files:
        raise PlayerError(f"the player {name!r} runs programs of the local user, which is not allowed here")
    return _build_player(kind, rest)


def is_code(text: str) -> bool:
    """True if a description names a Python file."""
    return _split_description(text)[0].endswith(_CODE)


def own_class(text: str) -> tuple[type[Player], str]:
    """The player that ``mine.py`` or ``mine.py:Greedy`` names, and the text of the options after it.

    The file is executed, so the text must come from the local user. Raises `PlayerError`.
    """
    name, wanted, options = _split_description(text)
    return _class_in(Path(name).resolve(), wanted), options


def without_options(text: str) -> str:
    """A description without its options: ``mcts``, ``mine.py`` or ``mine.py:Greedy``."""
    name, wanted, _ = _split_description(text)
    return f"{name}:{wanted}" if wanted else name


def _split_description(text: str) -> tuple[str, str, str]:
    """Split a description into the name or file, the class in the file, and the options."""
    name, _, rest = text.partition(":")
    if not name.endswith(_CODE):
        return name, "", rest
    wanted, _, options = rest.partition(":")
    return (name, "", rest) if "=" in wanted else (name, wanted, options)


def _class_in(path: Path, wanted: str) -> type[Player]:
    """The player in a file with a class or player name, or the only one."""
    kinds = _players_in(path)
    if not wanted and len(kinds) == 1:
        return kinds[0]
    for kind in kinds:
        if wanted in (kind.__name__, kind.name):
            return kind
    choice = ", ".join(f"{path.name}:{kind.__name__}" for kind in kinds)
    problem = f"has no player {wanted!r}" if wanted else "has several players"
    raise PlayerError(f"{path.name} {problem}; name one of {choice}")


@cache
def _players_in(path: Path) -> tuple[type[Player], ...]:
    """The players that a file defines, loaded once per process."""
    if not path.is_file():
        raise PlayerError(f"there is no file {path} to load a player from")
    kinds = classes_in(path, Player, "player", PlayerError)  # type: ignore[type-abstract]
    players = tuple(kind for kind in kinds if not inspect.isabstract(kind))
    if not players:
        raise PlayerError(f"{path} defines no player: a subclass of ludens.core.Player with a method 'choose'")
    for kind in players:
        missing = [
            attribute for attribute in ("name", "description") if not isinstance(getattr(kind, attribute, None), str)
        ]
        if missing:
            raise PlayerError(
                f"the player {kind.__name__} in {path.name} needs a string as its {' and its '.join(missing)}"
            )
    return players


def options_in(kind: type[Player], text: str) -> dict[str, str]:
    """The settings in ``option=value,option=value``, as text; the first may be the bare path of a player's file, or the
    name of a game with its parameters, as in ``connect_four:5,4``.

    Raises `PlayerError` for options that the player does not have.
    """
    names = [option.name for option in kind.options]
    found: dict[str, str] = {}
    for place, setting in enumerate(filter(None, text.split(","))):
        key, equals, value = setting.partition("=")
        if not equals and place == 0 and takes_file(kind):
            key, value = FILE, setting
        elif not equals and ":" in found.get(FILE, "") and len(found) == 1:
            key, value = FILE, f"{found[FILE]},{setting}"
        elif not equals:
            raise PlayerError(f"{setting!r} is not of the form option=value")
        if key not in names:
            raise PlayerError(f"player {kind.name!r} has no option {key!r} (options: {', '.join(names) or 'none'})")
        found[key] = value
    return found


def _build_player(kind: type[Player], text: str) -> Player:
    """Create a player with the options in a text."""
    if kind.whole_option:
        if not text.strip():
            raise PlayerError(
                f"player {kind.name!r} needs a {kind.whole_option}: {kind.name}:{kind.whole_option.upper()}"
            )
        return kind(**{kind.whole_option: text.strip()})
    options = {option.name: option for option in kind.options}
    settings: dict[str, OptionValue] = {
        name: options[name].parse(value) for name, value in options_in(kind, text).items()
    }
    named = str(settings.get(FILE, ""))
    if needs_file(kind) or (takes_file(kind) and named):
        file = find_file(kind, named)
        if file is None:
            what = f"there is no file {named}" if named else "no file was given"
            coming = [path.stem for path in shipped_files(kind)]
            known = f" (files that come with ludens: {', '.join(coming)})" if coming else ""
            raise PlayerError(f"player {kind.name!r} needs a file ({kind.name}:PATH), but {what}{known}")
        settings[FILE] = str(file)
    return kind(**settings)


def find_file(kind: type[Player], text: str) -> Path | None:
    """The file of a player: by its path, or by the name of the game for which one comes with ludens."""
    path = Path(text)
    if path.is_file():
        return path
    from ludens.players.learning.files import plain_name  # noqa: PLC0415 - for players that learn only

    return next((own for own in shipped_files(kind) if own.stem == plain_name(text)), None)


def shipped_files(kind: type[Player]) -> list[Path]:
    """The files of a player that come with ludens."""
    return sorted(trained_folder(kind).glob("*.*"))


def trained_folder(kind: type[Player]) -> Path:
    """The folder of the files of a player that come with ludens, beside its module."""
    return Path(inspect.getfile(kind)).parent / _TRAINED
