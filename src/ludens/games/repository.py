"""Imports rule sheets into the user's own library.

Understands the layout of the public GGP repository: ``games/KEY/METADATA`` names the rule sheet and a description,
and folders ``v1``, ``v2``, … hold only the files that a later version changed, so a file is looked up from the
newest version down. Folders that just hold rule sheets are fine too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludens.core import GameError
from ludens.core.files import make_folder, write_file
from ludens.games.cards import read_card
from ludens.gdl.check import check_rules
from ludens.gdl.read import read_file
from ludens.gdl.rules import RuleSheet
from ludens.gdl.source import Level
from ludens.gdl.terms import signature

_VERSION = re.compile(r"v(\d+)")
_RULES = (".kif", ".gdl")
_NAME = re.compile(r"[\w.-]+")


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of importing one rule sheet."""

    name: str
    path: Path | None
    """Its path in the library; None if it was skipped."""
    reason: str = ""
    """Why it was skipped."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    key: str
    rules: Path
    title: str
    description: str


def import_rule_sheets(
    folder: Path, library: Path, taken: Collection[str] = (), *, replace: bool = False
) -> Iterator[Imported]:
    """Copy every readable rule sheet below ``folder`` into ``library``, each with a card, and report on each.

    Names that are ``taken``, or already in the library, are skipped unless ``replace`` is set.
    """
    for candidate in _find_candidates(folder):
        yield candidate if isinstance(candidate, Imported) else _import(candidate, library, taken, replace=replace)


def _import(candidate: _Candidate, library: Path, taken: Collection[str], *, replace: bool) -> Imported:
    target = library / f"{candidate.key}.kif"
    if not _NAME.fullmatch(candidate.key):
        return Imported(candidate.key, None, "a name has letters, digits, '_', '-' and '.' only")
    if not replace and (candidate.key.lower() in taken or target.exists()):
        return Imported(candidate.key, None, "a game of that name exists; use --replace to overwrite it")
    try:
        sheet = read_file(candidate.rules)
    except GameError as error:
        return Imported(candidate.key, None, str(error).splitlines()[0])
    for problem in check_rules(sheet):
        if problem.level is Level.ERROR:  # it could not be played
            return Imported(candidate.key, None, problem.render(sheet.source).splitlines()[0])
    make_folder(library)
    write_file(target, candidate.rules.read_bytes())
    written = candidate.rules.with_suffix(".toml")
    if _is_card(written):
        write_file(target.with_suffix(".toml"), written.read_bytes())
    else:
        write_file(target.with_suffix(".toml"), _card_text(candidate, sheet))
    return Imported(candidate.key, target)


def _is_card(path: Path) -> bool:
    """True if there is a readable card."""
    try:
        return path.is_file() and bool(read_card(path))
    except GameError:
        return False


def _card_text(candidate: _Candidate, sheet: RuleSheet) -> str:
    roles = sum(signature(rule.head) == ("role", 1) for rule in sheet.rules)
    lines = [f"title = {json.dumps(candidate.title)}", f"players = {roles}"]
    if candidate.description:
        lines.append(f"rules = {json.dumps(candidate.description)}")
    lines += [f"source = {json.dumps(f'imported from {candidate.rules}')}", 'tags = ["imported"]']
    return "\n".join(lines) + "\n"


def _find_candidates(folder: Path) -> Iterator[_Candidate | Imported]:
    """The games below a folder: a repository, its ``games`` folder, one game, or folders of rule sheets."""
    if _metadata_file(_layers(folder)) is not None:
        yield _find_in_folder(folder)
        return
    root = folder / "games" if (folder / "games").is_dir() else folder
    for child in sorted(root.iterdir(), key=lambda path: path.name.lower()):
        if child.suffix in _RULES and child.is_file():
            yield _Candidate(child.stem, child, child.stem, "")
        elif child.is_dir() and not _VERSION.fullmatch(child.name):
            sheets = sorted(path for path in child.iterdir() if path.suffix in _RULES and path.is_file())
            if _metadata_file(_layers(child)) is not None or _only_rule_sheet(_layers(child)) is not None:
                yield _find_in_folder(child)
            else:
                yield from (_Candidate(path.stem, path, path.stem, "") for path in sheets)


def _layers(game: Path) -> list[Path]:
    """The folders of a game in which a file is looked up, newest version first."""
    versions = []
    if game.is_dir():
        for child in game.iterdir():
            match = _VERSION.fullmatch(child.name)
            if match and child.is_dir():
                versions.append((int(match.group(1)), child))
    return [path for _, path in sorted(versions, reverse=True)] + [game]


def _look_up(layers: list[Path], name: str) -> Path | None:
    """The newest version of a file. Names are untrusted, so they must not lead out of the folder."""
    if not name or Path(name).name != name:
        return None
    return next((layer / name for layer in layers if (layer / name).is_file()), None)


def _metadata_file(layers: list[Path]) -> Path | None:
    return _look_up(layers, "METADATA") or _look_up(layers, f"{layers[-1].name}.json")


def _find_in_folder(folder: Path) -> _Candidate | Imported:
    layers = _layers(folder)
    metadata_file = _metadata_file(layers)
    metadata = _read_metadata(metadata_file) if metadata_file else {}
    rules = _look_up(layers, str(metadata.get("rulesheet", f"{folder.name}.kif"))) or _only_rule_sheet(layers)
    if rules is None:
        return Imported(folder.name, None, "its folder has no rule sheet of the name in its metadata")
    description = _look_up(layers, str(metadata.get("description", "")))
    text = description.read_text(encoding="utf-8", errors="replace") if description else ""
    title = str(metadata.get("gameName", folder.name))
    return _Candidate(folder.name, rules, title, " ".join(text.split()))


def _only_rule_sheet(layers: list[Path]) -> Path | None:
    sheets = [path for layer in layers for path in sorted(layer.iterdir()) if path.suffix in _RULES]
    return sheets[0] if len({path.name for path in sheets}) == 1 else None


def _read_metadata(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
