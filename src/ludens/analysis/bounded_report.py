"""Reports of decompositions by a process of their own, which keeps limits of time and memory whatever the rules are."""

from __future__ import annotations

import pickle

from ludens.analysis import report_worker
from ludens.analysis.budget import Budget
from ludens.analysis.report import SECONDS, Report, lifted_report
from ludens.core import GameError
from ludens.core.process import run_file
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.write import write_kif

MEMORY = 800 << 20
"""The bytes that the process may allocate; with its libraries it then stays below 1 GB."""

SHARE = 0.85
"""The share of the time that the process may use; if it fails, the rest is for the rules with variables."""


def bounded_report(game: GdlGame, seconds: float = SECONDS, state: GdlState | None = None) -> Report:
    """What `report` finds about a game, compiling included, within limits of time and memory.

    If they are too small to compile the rules, these are decomposed with variables, or stay whole. Raises `GameError`
    if no process can be started.
    """
    budget = Budget(seconds)
    text = game.sheet.source.text or write_kif(game.sheet.rules)
    request = pickle.dumps((text, game.name, None if state is None else state.facts, SHARE * seconds, MEMORY))
    try:
        ended = run_file(report_worker.__file__, request=b"%d\n" % len(request) + request, seconds=SHARE * seconds)
    except OSError as error:
        raise GameError(f"no process to decompose the game could be run: {error}") from None
    if ended.code == 0 and not ended.late:
        found: Report | str = pickle.loads(ended.output)
        if isinstance(found, Report):
            return found
        return lifted_report(game, found, budget.left)
    if ended.late:
        return lifted_report(game, f"the analysis was not done after {SHARE * seconds:g} s", budget.left)
    reason = f"the analysis needs more than {MEMORY >> 20} MB, or failed (exit code {ended.code}): {ended.error_tail}"
    return lifted_report(game, reason, budget.left)
