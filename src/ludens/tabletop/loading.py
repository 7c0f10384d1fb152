"""Rules from Python files: of the library, or a path that the user named. Never from the network: they are code."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ludens.core import GameError
from ludens.core.own_code import classes_in
from ludens.tabletop.game import TabletopGame
from ludens.tabletop.rule import Rule


def load_game(path: Path, parameters: tuple[str, ...] = (), name: str = "") -> TabletopGame:
    """The game whose rule is in a Python file. Raises `GameError` if there is none, or it cannot be played."""
    kind = rule_class(path.resolve())
    return TabletopGame(kind.from_parameters(parameters), name or path.stem, path.resolve())


@cache
def rule_class(path: Path) -> type[Rule]:
    """The rule in a Python file, the last that it defines, loaded once in a process."""
    rules = classes_in(path, Rule, "rule", GameError)
    if not rules:
        raise GameError(f"{path} defines no rule: a class that is a subclass of ludens.tabletop.Rule")
    return rules[-1]
