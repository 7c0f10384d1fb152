"""Finding games: by name on the shelf or in the user's own folder, or by the path of a file.

A name may carry parameters and a form: ``nim:3,4,5``, ``backgammon@gdl``. Capitals and hyphens do not matter.
"""

from __future__ import annotations

import difflib
import importlib.util
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ludens.core import GameError
from ludens.games.cards import Card, read_card
from ludens.gdl.read import read_file, read_rules
from ludens.gdl.rules import RuleSheet

SHELF = Path(__file__).parent / "shelf"
"""The games that come with ludens."""

_FORMS = {".kif": "gdl", ".gdl": "gdl", ".py": "gdl"}
"""From the ending of a rules file to its form."""


def data_folder() -> Path:
    """Where the user's own games and records are: ``$LUDENS_HOME``, or a folder below the user's data directory."""
    home = os.environ.get("LUDENS_HOME")
    if home:
        return Path(home)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "ludens"


def cache_folder() -> Path:
    """Where compiled code is kept: below ``$LUDENS_HOME``, or in a folder below the user's cache directory."""
    home = os.environ.get("LUDENS_HOME")
    if home:
        return Path(home) / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludens"


def user_folder() -> Path:
    """The user's own library: a rules file put there is found like those on the shelf."""
    return data_folder() / "games"


@dataclass(frozen=True)
class Entry:
    """A game that the library knows."""

    name: str
    forms: dict[str, Path]
    """The file with the rules, for each form it has."""

    @cached_property
    def card(self) -> Card:
        """The game's card; a bare one if nobody has written any."""
        rules = next(iter(self.forms.values()))
        path = rules.with_suffix(".toml")
        return read_card(path) if path.is_file() and rules.suffix in _FORMS else Card(title=self.name)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a text such as ``nim:3,4,5@gdl`` or ``rules/mygame.kif`` names: an entry, its form and its parameters."""

    text: str
    """The name as the user gave it, tidied."""
    entry: Entry
    form: str
    parameters: tuple[str, ...]

    @property
    def path(self) -> Path:
        """The file with the rules."""
        return self.entry.forms[self.form]

    def rule_sheet(self) -> RuleSheet:
        """The rules. Raises `GdlError` if they cannot be read, `GameError` if the parameters are wrong."""
        if self.path.suffix == ".py":
            return read_rules(_generate(self.path, self.parameters), name=self.text)
        if self.parameters:
            raise GameError(f"{self.entry.name} takes no parameters")
        return read_file(self.path)


def entries() -> dict[str, Entry]:
    """All games, by name; the user's own win over the shelf's."""
    found: dict[str, dict[str, Path]] = {}
    for folder in (SHELF, user_folder()):
        here: dict[str, dict[str, Path]] = {}
        for path in _rule_files(folder):
            here.setdefault(path.stem, {})[_FORMS[path.suffix]] = path
        found |= here
    return {name: Entry(name, found[name]) for name in sorted(found, key=str.lower)}


def _rule_files(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        for path in sorted(folder.iterdir()):
            if path.suffix in _FORMS and path.is_file() and not path.name.startswith(("_", ".")):
                yield path


def find(text: str) -> Choice:
    """The game that a name or path stands for. Raises `GameError`, with suggestions, if there is none."""
    path = Path(text)
    if path.suffix in (".kif", ".gdl") or os.sep in text or (path.suffix and path.is_file()):
        if not path.is_file():
            raise GameError(f"there is no rule sheet {text}")
        if path.suffix == ".py":
            raise GameError(f"{text} is Python code; a rule sheet by path is a file in GDL")
        return Choice(path.stem, Entry(path.stem, {"gdl": path}), "gdl", ())
    rest, _, form = text.partition("@")
    name, _, parameters = rest.partition(":")
    known = entries()
    tidy = {_tidy(other): other for other in known}
    if _tidy(name) not in tidy:
        raise GameError(_unknown(name, list(known)))
    entry = known[tidy[_tidy(name)]]
    form = form or (entry.card.default_form if entry.card.default_form in entry.forms else next(iter(entry.forms)))
    if form not in entry.forms:
        raise GameError(f"{entry.name} has no form {form!r} (it has {', '.join(entry.forms)})")
    return Choice(
        entry.name + (f":{parameters}" if parameters else ""),
        entry,
        form,
        tuple(part.strip() for part in parameters.split(",")) if parameters else (),
    )


def _tidy(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")


def _unknown(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(_tidy(name), known, n=3, cutoff=0.5)
    advice = f"did you mean {' or '.join(close)}?" if close else "'ludens games' lists all there are"
    return f"there is no game {name!r} in the library; {advice}"


def _generate(path: Path, parameters: tuple[str, ...]) -> str:
    """The rules that a generator, a Python file with a function ``rules(*parameters)``, makes."""
    try:
        spec = importlib.util.spec_from_file_location(f"ludens_generator_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        text = module.rules(*parameters)
    except GameError:
        raise
    except Exception as error:
        raise GameError(f"the generator {path} failed: {type(error).__name__}: {error}") from None
    if not isinstance(text, str):
        raise GameError(f"the generator {path} must return the rules as text, not {type(text).__name__}")
    return text
