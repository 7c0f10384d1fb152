"""What games are called on pages: by the title on their card."""

from __future__ import annotations

from functools import lru_cache

from ludens.core import GameError
from ludens.web.hosting.setup import Setup, library_choice


def title_of(setup: Setup) -> str:
    """The title of the game of a match."""
    return setup.game if setup.own_rules else library_title(setup.game)


@lru_cache(maxsize=1_000)
def library_title(game: str) -> str:
    """The title of a game of the library, with its parameters; its name if there is no such game."""
    try:
        choice = library_choice(game)
    except GameError:
        return game  # it was there when the match was played
    parameters = f" ({', '.join(choice.parameters)})" if choice.parameters else ""
    return choice.card.title + parameters
