"""The contract of games in Python, checked as thoroughly as the profile says."""

from __future__ import annotations

from hypothesis import settings

from ludens.core import Game
from ludens.testing import check_game


def is_thorough() -> bool:
    """True under `make test-all`."""
    return settings().max_examples >= settings.get_profile("thorough").max_examples


def check_contract(game: Game, matches: int) -> None:
    """Check so many matches of a game. In `make test` half of them, as each match checks thousands of things, and
    not the game's twin, which would have to be compiled."""
    count = matches if is_thorough() else (matches + 1) // 2
    check_game(game, matches=count, twin=is_thorough(), report=lambda line: None)
