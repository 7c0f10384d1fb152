"""Machine code of pages, shipped as bitcode in a folder ``source`` of their package."""

from __future__ import annotations

import importlib
from importlib.resources import files
from typing import Any, Protocol

_BITCODE = "ludens.compiler.native.bitcode"
"""The module that finishes bitcode for this processor, and so stands above. It is imported when code is used first."""


class MachineCode(Protocol):
    """Loaded machine code."""

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        """A function of it, as ctypes calls it."""


def load_machine_code(package: str, name: str) -> MachineCode:
    """The code of ``source/NAME.cpp`` in a package."""
    bitcode = files(package).joinpath("source", f"{name}.bc").read_bytes()
    found: MachineCode = importlib.import_module(_BITCODE).Library(bitcode)
    return found
