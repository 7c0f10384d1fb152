"""Solve a position by its subgames if it has some, otherwise as a whole, within one budget."""

from __future__ import annotations

import time
from pathlib import Path

from ludens.core import OutOfTimeError, State
from ludens.players.decomposition.solve import InOnePieceError, solve_by_parts
from ludens.players.minimax.solve import DEFAULT_MEGABYTES, Solution, Solver, Watch


def solve_state(
    state: State,
    budget: float,
    memory: int = DEFAULT_MEGABYTES,
    *,
    by_parts: bool,
    watch: Watch = Watch(),  # noqa: B008 - immutable
    proof: Path | None = None,
) -> Solution:
    """Solve by subgames if wanted and possible within half of the budget, otherwise as a whole.

    ``memory`` is the size of the transposition table in megabytes, ``proof`` a file in which a proof is kept.
    """

    def progress(text: str) -> None:
        watch.progress(text)
        if watch.is_stopped():
            raise OutOfTimeError("interrupted")

    began = time.monotonic()
    if by_parts and not state.is_terminal and not (proof is not None and proof.exists()):
        try:
            return solve_by_parts(state, budget / 2, progress)
        except (InOnePieceError, OutOfTimeError) as error:
            watch.progress(str(error))
    left = max(0.01, budget - (time.monotonic() - began))
    return Solver(state, left, watch, memory, proof).solve()
