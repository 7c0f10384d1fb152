"""Titles of games on pages, from their cards."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import quote

from ludens.core import GameError
from ludens.web.hosting.setup import Setup, library_choice

POSITION = "_position"
"""The end of the name of rules that begin in a set-up position."""


def title_of(setup: Setup) -> str:
    """The title of the game of a match; of a set-up position, that of its game."""
    if not setup.own_rules:
        return library_title(setup.game)
    if setup.game.endswith(POSITION):
        return f"{library_title(setup.game.removesuffix(POSITION))} (set-up position)"
    return setup.game


def rules_path(setup: Setup) -> str:
    """The path of the page of a match's game; empty for a client's own rules."""
    return "" if setup.own_rules else f"/library/{quote(setup.game, safe=':@,')}"


def again_path(setup: Setup) -> str:
    """The path of the form for another match of the same game."""
    return "/play?game=own" if setup.own_rules else f"/play?game={quote(setup.game, safe=':@,')}"


@lru_cache(maxsize=1_000)
def library_title(game: str) -> str:
    """The title of a game of the library, with its parameters; its name if there is no such game."""
    try:
        choice = library_choice(game)
    except GameError:
        return game  # the game existed when the match was played
    parameters = f" ({', '.join(choice.parameters)})" if choice.parameters else ""
    return choice.card.title + parameters
