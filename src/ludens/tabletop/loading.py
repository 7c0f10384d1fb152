"""Rules from Python files: of the library, or a path that the user named. Never from the network: they are code."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from functools import cache
from pathlib import Path

from ludens.core import GameError
from ludens.tabletop.game import TabletopGame
from ludens.tabletop.rule import Rule


def load_game(path: Path, parameters: tuple[str, ...] = (), name: str = "") -> TabletopGame:
    """The game whose rule is in a Python file. Raises `GameError` if there is none, or it cannot be played."""
    kind = rule_class(path.resolve())
    return TabletopGame(kind.from_parameters(parameters), name or path.stem, path.resolve())


@cache
def rule_class(path: Path) -> type[Rule]:
    """The rule in a Python file, the last that it defines, loaded once in a process."""
    module_name = f"ludens_rule_{path.stem}_{abs(hash(str(path)))}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise GameError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[module_name]
        line = next(
            (
                f":{frame.lineno}"
                for frame in traceback.extract_tb(error.__traceback__)[::-1]
                if frame.filename == str(path)
            ),
            "",
        )
        problem = f"{path.name}:{error.lineno}" if isinstance(error, SyntaxError) else f"{path.name}{line}"
        raise GameError(f"the rule in {problem} cannot be loaded: {type(error).__name__}: {error}") from None
    rules = [
        one
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, Rule) and one.__module__ == module_name
    ]
    if not rules:
        raise GameError(f"{path} defines no rule: a class that is a subclass of ludens.tabletop.Rule")
    return rules[-1]
