"""Solve a position by its subgames if it has some, otherwise as a whole, within one budget."""

from __future__ import annotations

import time
from collections.abc import Callable

from ludens.core import OutOfTimeError, State
from ludens.players.decomposition.solve import InOnePieceError, solve_by_parts
from ludens.players.minimax.solve import DEFAULT_MEGABYTES, Solution, Solver


def solve_state(
    state: State,
    budget: float,
    memory: int = DEFAULT_MEGABYTES,
    *,
    by_parts: bool,
    progress: Callable[[str], None],
) -> Solution:
    """Solve by subgames if wanted and possible within half of the budget, otherwise as a whole.

    ``memory`` is the size of the transposition table in megabytes.
    """
    began = time.monotonic()
    if by_parts and not state.is_terminal:
        try:
            return solve_by_parts(state, budget / 2, progress)
        except (InOnePieceError, OutOfTimeError) as error:
            progress(str(error))
    left = max(0.01, budget - (time.monotonic() - began))
    return Solver(state, left, progress, memory).solve()
