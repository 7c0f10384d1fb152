"""The games that visitors may name: those of the library, by name, never by the path of a file."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from starlette.exceptions import HTTPException

from ludens import __version__
from ludens.core import GameError
from ludens.games.cards import Card
from ludens.games.library import GDL, SHELF, TABLETOP_SHELF, Choice, Entry, entries, user_folder
from ludens.web.hosting.setup import library_choice

_READ = (".toml", ".kif", ".gdl", ".py")
COMMON_TAGS = 14
"""The number of tags offered in the filter, the most frequent ones."""


def choice_of(name: str) -> Choice:
    """The game of the library with a name, form and parameters if they are given. Raises 404 if there is none."""
    entry = known_games().get(name)
    if entry is not None:
        return Choice(entry.name, entry, entry.default_form, ())
    try:
        return library_choice(name)
    except GameError as error:
        raise HTTPException(404, str(error)) from None


def rules_key(choice: Choice, *parts: str) -> str:
    """A cache key for what is computed from a game: changes with rules, card and version."""
    digest = hashlib.sha256()
    for path in (choice.path, choice.path.with_suffix(".toml")):
        digest.update(path.read_bytes() if path.is_file() else b"")
        digest.update(b"\0")
    for part in (__version__, choice.form, *choice.parameters, *parts):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Wish:
    """A search in the library."""

    text: str = ""
    """Words that must occur in title, name, kind, tags or rules."""
    tag: str = ""
    players: int = 0
    """How many roles; 0 for any, 4 for four or more."""

    def fits(self, entry: Entry) -> bool:
        """True if the game matches the search."""
        card = entry.card
        words = searchable(entry)
        return (
            all(word in words for word in self.text.lower().split())
            and (not self.tag or self.tag in tags_of(card))
            and (not self.players or min(card.players or 0, 4) == self.players)
        )


def searchable(entry: Entry) -> str:
    """The searchable text of a game, in lower case; the page's script uses the same."""
    card = entry.card
    return " ".join((card.title, entry.name, card.kind, *card.tags, card.rules)).lower()


def tags_of(card: Card) -> tuple[str, ...]:
    """The tags of a card, its kind among them."""
    return tuple(dict.fromkeys((card.kind, *card.tags)))


def common_tags(games: Iterable[Entry]) -> list[str]:
    """The most frequent tags, in alphabetical order."""
    counts = Counter(tag for entry in games for tag in tags_of(entry.card))
    return sorted(tag for tag, _ in counts.most_common(COMMON_TAGS))


def form_names(entry: Entry) -> list[str]:
    """The languages of a game's rules."""
    return ["GDL" if form == GDL else "Python" for form in entry.forms]


def known_games() -> dict[str, Entry]:
    """All games by name, sorted by title; reloaded when one of their files changes."""
    files = tuple(
        (file.path, file.stat().st_mtime_ns)
        for folder in (SHELF, TABLETOP_SHELF, user_folder())
        if folder.is_dir()
        for file in os.scandir(folder)
        if file.name.endswith(_READ)
    )
    return _games_in(files)


@lru_cache(maxsize=2)
def _games_in(files: tuple[tuple[str, int], ...]) -> dict[str, Entry]:
    ordered = sorted(entries().values(), key=lambda entry: entry.card.title.lower())
    return {entry.name: entry for entry in ordered}
