"""Loads rules from Python files of the library or a path of the user; never from the network, since they are code."""

from __future__ import annotations

from pathlib import Path

from ludens.core import GameError, LudensError
from ludens.tabletop.game import TabletopGame
from ludens.tabletop.rule import rule_class


def load_game(path: Path, parameters: tuple[str, ...] = (), name: str = "") -> TabletopGame:
    """The game whose rule is in a Python file. Raises `GameError` if there is none, or it cannot be played."""
    kind = rule_class(path.resolve())
    try:
        rule = kind.from_parameters(parameters)
    except LudensError:
        raise
    except Exception as error:  # what an author overrides may raise anything
        problem = f"{type(error).__name__}: {error}"
        raise GameError(f"the rule {kind.__name__} in {path.name} cannot be set up: {problem}") from error
    return TabletopGame(rule, name or path.stem, path.resolve())
