"""The contract of games in Python, checked as thoroughly as the profile says."""

from __future__ import annotations

from ludens.core import Game
from ludens.testing import check_game
from tests.thorough import is_thorough, part_of


def check_contract(game: Game, matches: int) -> None:
    """Check so many matches of a game. In `make test` a quarter of them, as each match checks thousands of things, and
    not the game's twin, which would have to be compiled."""
    check_game(game, matches=part_of(matches), twin=is_thorough(), report=lambda line: None)
