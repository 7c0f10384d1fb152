"""What ``ludens analyse --explain`` adds: which search suits a game, and how well the learnt evaluation predicts."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from ludens.cli.terminal.console import console, printable
from ludens.core import Clock, Deadline, Game
from ludens.core.batch_game import BatchGame
from ludens.players.contest import choose_search
from ludens.players.evaluation.choose import learnt_weights
from ludens.players.packed.assessment import assess
from ludens.players.packed.self_play import can_learn
from ludens.players.space.compiled import CompiledSpace

MEMORY = 256


def explain(game: Game, clock: Clock) -> dict[str, Any]:
    """What a player finds out during the start clock, as JSON; "why" says why there is no more."""
    if not isinstance(game, BatchGame):
        return {"why": "the rules are not compiled to gates"}
    if not can_learn(game):
        return {"why": "an evaluation is assessed only for two roles with opposite goals and without chance"}
    weights = learnt_weights(CompiledSpace(game), Deadline(clock.start))
    found = None if weights is None else assess(game, weights)
    if found is None:
        return {"why": f"nothing was learnt within {clock.start:g} s"}
    player, why = choose_search(game, clock, MEMORY)
    return {"player": player.name, "why": why} | found.as_json()


def show_explanation(found: dict[str, Any]) -> None:
    """Print it."""
    console.print(f"\n[bold]Search:[/bold] {printable(found['why'])}")
    if "log_loss" not in found:
        return
    losses = ", ".join(f"{name} {loss:.3f}" for name, loss in found["log_loss"].items())
    console.print(
        f"[bold]Evaluation:[/bold] log loss in {found['positions']:,} positions of matches it was not learnt from: "
        f"{losses} (smaller is better, a fair coin has 0.693)"
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("heaviest fluents")
    table.add_column("weight for the first role", justify="right")
    for fluent, weight in found["weights"].items():
        table.add_row(printable(fluent), f"{weight:+.2f}")
    console.print(table)
