"""Build tables: enumerate all positions within limits of time and memory, and evaluate them."""

from __future__ import annotations

import time
from collections.abc import Callable

from ludens.core import OutOfTimeError, State, compiled_state
from ludens.players.packed.retrograde import Retrograde
from ludens.players.table.table import Table, table_of


def build_table(state: State, seconds: float, megabytes: int, progress: Callable[[str], None]) -> Table:
    """The table of all positions after a state. Raises `GameError` if the game is of another kind or too large."""
    state = compiled_state(state)
    began = time.monotonic()
    found = Retrograde(state, megabytes)
    for _ in found.enumerate():
        progress(f"{len(found):,} positions, {found.edges:,} moves")
        if time.monotonic() - began > seconds:
            raise OutOfTimeError(
                f"{state.game.name} has too many positions for a table within {seconds:g} seconds: {len(found):,} with "
                f"{found.edges:,} moves so far; --budget sets the limit"
            )
    progress(f"values of {len(found):,} positions")
    found.evaluate()
    return table_of(found, state.game)
