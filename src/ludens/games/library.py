"""Finds games: by name on the shelf or in the user's folder, or by the path of a file.

A name may carry parameters and a form: ``nim:3,4,5``, ``backgammon@gdl``. Capitals and hyphens do not matter. Games in
Python are code, so they come from the installed library, the user's folder or a path that the user named.
"""

from __future__ import annotations

import difflib
import importlib.util
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ludens.core.errors import GameError
from ludens.core.folders import data_folder
from ludens.games.cards import Card, read_card

if TYPE_CHECKING:
    from ludens.gdl.rules import RuleSheet

SHELF = Path(__file__).parent / "shelf"
"""The games in GDL that come with ludens, and the cards of those that have both forms."""
TABLETOP_SHELF = Path(__file__).parent / "tabletop"
"""The games in Python that come with ludens."""
GDL, TABLETOP = "gdl", "tabletop"
"""The forms of rules."""
OPENSPIEL = "openspiel:"
"""The prefix of OpenSpiel's games; they are not in the library, and their rules are not available."""

SCRAMBLED = "scrambled:"
"""The prefix of games whose names are replaced."""
_SCRAMBLED = re.compile(rf"{SCRAMBLED}(?P<seed>\d{{1,18}}):(?P<game>.+)", re.DOTALL)

_GDL_ENDINGS = (".kif", ".gdl")
ENDINGS = (*_GDL_ENDINGS, ".py")
"""The suffixes of files with rules."""
_GENERATOR = re.compile(r"^def rules\(", re.MULTILINE)
_NAME = re.compile(r"(?P<name>[^:@]*)(?::(?P<parameters>.*?))?(?:@(?P<form>\w*))?")
"""An @ inside parameters is theirs: the man of a Sokoban level."""
_PATH_WITH_PARAMETERS = re.compile(r"(?P<path>.+\.py):(?P<parameters>.+)")


def user_folder() -> Path:
    """The user's own library: rules in this folder are found like those on the shelf."""
    return data_folder() / "games"


@dataclass(frozen=True)
class Entry:
    """A game of the library."""

    name: str
    files: tuple[Path, ...]
    """The files with its rules, not opened yet."""

    @cached_property
    def forms(self) -> dict[str, Path]:
        """The file with the rules, for each form it has."""
        return {_form_of(path): path for path in self.files}

    @cached_property
    def card(self) -> Card:
        """The game's card; by default one with the name only."""
        for rules in self.files:
            path = rules.with_suffix(".toml")
            if path.is_file() and rules.suffix in ENDINGS:
                return read_card(path)
        return Card(title=self.name)

    @property
    def default_form(self) -> str:
        """The form that a bare name means."""
        wanted = self.card.default_form if len(self.forms) > 1 else ""
        return wanted if wanted in self.forms else next(iter(self.forms))


@dataclass(frozen=True, slots=True)
class Choice:
    """The game named by a text such as ``nim:3,4,5@gdl`` or ``rules/mygame.kif``: entry, form and parameters."""

    text: str
    """The normalised name."""
    entry: Entry
    form: str
    parameters: tuple[str, ...]
    scramble: int | None = None
    """The seed by which all names of the rules are replaced; None if they are not."""

    @property
    def path(self) -> Path:
        """The file with the rules."""
        return self.entry.forms[self.form]

    @property
    def card(self) -> Card:
        """The card of this form; the game's card if it has none of its own. Scrambled games have none."""
        if self.scramble is not None:
            return Card(title="Scrambled game")
        path = self.path.with_suffix(".toml")
        return read_card(path) if path.is_file() else self.entry.card

    @property
    def full_name(self) -> str:
        """The name with its form."""
        return self.text if self.text.endswith(f"@{self.form}") else f"{self.text}@{self.form}"

    @property
    def in_library(self) -> bool:
        """True if the rules are on the shelf or in the user's own folder, and not in a file named by its path."""
        entry = entries().get(self.entry.name)
        return entry is not None and self.path in entry.forms.values()

    def rule_sheet(self) -> RuleSheet:
        """The rules of a game in GDL. Raises `GdlError` if they cannot be read, `GameError` if there are none."""
        if self.form != GDL:
            raise GameError(f"{self.text} is a game in Python; only games in GDL have a rule sheet")
        if self.scramble is not None:
            from ludens.gdl.scramble import scramble_sheet  # noqa: PLC0415 - finding games need not wait for GDL

            return scramble_sheet(replace(self, scramble=None).playable_sheet(), self.scramble)
        from ludens.gdl.read import read_file, read_rules  # noqa: PLC0415 - finding games need not wait for GDL

        if self.path.suffix == ".py":
            return read_rules(_generate(self.path, self.parameters), name=self.text)
        if self.parameters:
            raise GameError(f"{self.entry.name} takes no parameters")
        return read_file(self.path)

    def has_rules(self, text: str) -> bool:
        """True if this is the text of its rules. Raises what `rule_sheet` does."""
        if self.form != GDL:
            return self.path.read_text(encoding="utf-8") == text
        if self.path.suffix == ".py" and self.scramble is None and _generate(self.path, self.parameters) == text:
            return True  # without parsing it, which takes longest
        return self.rule_sheet().source.text == text

    def playable_sheet(self) -> RuleSheet:
        """The rules of a game in GDL, checked unless they come with ludens. Raises `GameError` if they have errors."""
        sheet = self.rule_sheet()
        if self.scramble is not None:
            return sheet  # checked before its names were replaced
        if self.path.parent != SHELF:
            from ludens.gdl.check import check_rules  # noqa: PLC0415 - as above
            from ludens.gdl.source import GdlError, Level  # noqa: PLC0415

            errors = [problem for problem in check_rules(sheet) if problem.level is Level.ERROR]
            if errors:
                raise GdlError(errors, sheet.source)
        try:
            rule = self.card.repetition
        except GameError:
            if self.in_library:
                raise
            rule = {}  # a faulty card beside somebody's own rules does not keep them from being played
        if not rule:
            return sheet
        from ludens.gdl.repetition import Repetition  # noqa: PLC0415 - as above

        return replace(sheet, repetition=Repetition(rule["times"], tuple(rule.get("counters", ()))))


def entries() -> dict[str, Entry]:
    """All games, by name; the user's own take precedence. Files are opened on demand."""
    files: dict[str, list[Path]] = {}
    for folders in ((SHELF, TABLETOP_SHELF), (user_folder(),)):
        here: dict[str, list[Path]] = {}
        for path in (path for folder in folders for path in _rule_files(folder)):
            here.setdefault(path.stem, []).append(path)
        files |= here
    return {name: Entry(name, tuple(files[name])) for name in sorted(files, key=str.lower)}


def _rule_files(folder: Path) -> Iterator[Path]:
    try:
        found = sorted(
            entry.name
            for entry in os.scandir(folder)
            if entry.name.endswith(ENDINGS) and not entry.name.startswith(("_", ".")) and entry.is_file()
        )
    except (FileNotFoundError, NotADirectoryError):
        return
    yield from (folder / name for name in found)


def _form_of(path: Path) -> str:
    """A file in Python is a rule, or a generator of rules in GDL if it has a function ``rules``."""
    if path.suffix != ".py":
        return GDL
    return GDL if _GENERATOR.search(path.read_text(encoding="utf-8", errors="replace")) else TABLETOP


def split_path(text: str) -> tuple[Path, str]:
    """A path and the parameters after it: ``page.py`` and ``4`` of ``page.py:4``."""
    with_parameters = _PATH_WITH_PARAMETERS.fullmatch(text)
    return (Path(with_parameters["path"]), with_parameters["parameters"]) if with_parameters else (Path(text), "")


def split_name(text: str) -> tuple[str, str, str]:
    """Name, parameters and form of a game of the library: ``nim``, ``3,4,5`` and ``gdl`` of ``nim:3,4,5@gdl``."""
    parts = _NAME.fullmatch(text)
    return (parts["name"], parts["parameters"] or "", parts["form"] or "") if parts else (text, "", "")


def find(text: str) -> Choice:
    """The game with a name or path. Raises `GameError`, with suggestions, if there is none.

    ``scrambled:SEED:GAME`` is a game in GDL with all of its names replaced.
    """
    if scrambled := _SCRAMBLED.fullmatch(text):
        inner = find(scrambled["game"])
        if inner.form != GDL or inner.scramble is not None:
            raise GameError(f"{inner.text} cannot be scrambled: only games in GDL can, and only once")
        seed = int(scrambled["seed"])
        return replace(inner, text=f"{SCRAMBLED}{seed}:{inner.text}", scramble=seed)
    path, of_path = split_path(text)
    is_file = path.suffix and os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises for names that are too long
    if path.suffix in _GDL_ENDINGS or os.sep in text or is_file:
        return _by_path(path, of_path)
    name, parameters, form = split_name(text)
    known = entries()
    tidy = {_normalise(other): other for other in known}
    if _normalise(name) not in tidy:
        raise GameError(_unknown_message(text, name))
    entry = known[tidy[_normalise(name)]]
    form = form or entry.default_form
    if form not in entry.forms:
        raise GameError(f"{entry.name} has no form {form!r} (it has {', '.join(entry.forms)})")
    tidied = entry.name + (f":{parameters}" if parameters else "") + (f"@{form}" if form != entry.default_form else "")
    return Choice(tidied, entry, form, _split(parameters))


def _by_path(path: Path, parameters: str) -> Choice:
    if path.is_dir():
        raise GameError(f"{path} is a folder; name a file with rules in it")
    if not path.is_file():
        raise GameError(f"there is no file {path} with rules")
    name = path.stem + (f":{parameters}" if parameters else "")
    return Choice(name, Entry(path.stem, (path,)), _form_of(path), _split(parameters))


def _split(parameters: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in parameters.split(",")) if parameters else ()


def _normalise(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")


def close_names(text: str, likeness: float = 0.5) -> list[str]:
    """The games of the library that are spelled nearly like a text, the closest first; at most three."""
    name = re.split("[:@]", text)[0]
    return difflib.get_close_matches(_normalise(name), entries(), n=3, cutoff=likeness)


def _unknown_message(text: str, name: str) -> str:
    if text.startswith(OPENSPIEL):
        return f"{text} is a game of OpenSpiel; it can be played, and its rules cannot be shown, compiled or converted"
    if Path(text).is_file():
        return f"there is no game {text!r} in the library; to name the file, write ./{text}"
    if Path(text).suffix in ENDINGS:
        return f"there is no file {text}"
    if Path(name).suffix in _GDL_ENDINGS:
        return f"a rule sheet such as {name} takes no parameters; name it without them"
    close = close_names(name)
    advice = f"did you mean {' or '.join(close)}?" if close else "'ludens games' lists all games"
    return f"there is no game {name!r} in the library; {advice}"


def _generate(path: Path, parameters: tuple[str, ...]) -> str:
    """The rules from a generator, a Python file with a function ``rules(*parameters)``."""
    try:
        spec = importlib.util.spec_from_file_location(f"ludens_generator_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        text = module.rules(*parameters)
    except GameError:
        raise
    except (Exception, SystemExit) as error:
        raise GameError(f"the generator {path} failed: {type(error).__name__}: {error}") from None
    if not isinstance(text, str):
        raise GameError(f"the generator {path} must return the rules as text, not {type(text).__name__}")
    return text
