"""Straight-line machine code, however it came about."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class MachineCode:
    """A computation as machine code of its own."""

    address: int
    """Of a function that takes what the interpreter's ``evaluate`` takes."""
    slots: int
    """How many values it keeps at once."""
    size: int
    """Of the code, in bytes."""
    owner: object
    """Keeps the code in memory."""
