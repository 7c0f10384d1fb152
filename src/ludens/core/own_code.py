"""Loads Python files of the user: rules and players. This runs their code."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from typing import TypeVar

from ludens.core.errors import LudensError

Kind = TypeVar("Kind")


def classes_in(path: Path, kind: type[Kind], what: str, failure: type[LudensError]) -> list[type[Kind]]:
    """The subclasses of ``kind`` that a Python file defines, in its order; ``what`` they are is for the error message.

    The file is run each time. Raises ``failure`` if it cannot be.
    """
    module_name = f"ludens_{what}_{path.stem}_{abs(hash(str(path)))}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise failure(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[module_name]
        raise failure(
            f"the {what} in {_error_place(path, error)} cannot be loaded: {type(error).__name__}: {error}"
        ) from None
    return [
        one
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, kind) and one.__module__ == module_name
    ]


def _error_place(path: Path, error: BaseException) -> str:
    """The name of the file, and the line in it that failed."""
    if isinstance(error, SyntaxError):
        return f"{path.name}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)[::-1]
    line = next((f":{frame.lineno}" for frame in frames if frame.filename == str(path)), "")
    return f"{path.name}{line}"
