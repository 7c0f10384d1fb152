"""``ludens compile``: what the compiler makes of a game, stage by stage."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.table import Table

from ludens.cli.console import GameArgument, JsonOption, console, print_json
from ludens.compiler.compile import Stage, compile_rules
from ludens.compiler.improve import improve_playouts
from ludens.compiler.logic import WORDS
from ludens.compiler.playout import PlayoutProgram, playout_program
from ludens.compiler.tiers import IMPROVEMENT_SECONDS
from ludens.games import library


def compile_game(
    game: GameArgument,
    explain: Annotated[bool, typer.Option("--explain", help="Show what each stage did, and how long it took.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Compile a game to gates and tell how large it became."""
    choice = library.find(game)
    compilation = compile_rules(choice.rule_sheet())
    started = time.monotonic()
    program = playout_program(compilation.circuit)
    slots = max(phase.slots for phase in program.phases)
    phases = f"{len(program.phases)} phases, {program.operations} operations each"
    size = f"{phases}, {slots} slots, {slots * WORDS * 8} bytes of values"
    stages = [*compilation.stages, Stage("schedule", time.monotonic() - started, size)]
    if explain:
        stages += _explain_invariants(program)
    if as_json:
        print_json([{"stage": stage.name, "seconds": stage.seconds, "result": stage.result} for stage in stages])
        return
    if explain:
        table = Table(box=None, header_style="bold", pad_edge=False)
        for heading in ("stage", "seconds", "result"):
            table.add_column(heading, justify="right" if heading == "seconds" else "left")
        for stage in stages:
            table.add_row(stage.name, f"{stage.seconds:.3f}", stage.result)
        console.print(table)
        return
    console.print(f"{choice.text}: {stages[-1].result}")


def _explain_invariants(program: PlayoutProgram) -> list[Stage]:
    """What the invariants are that playouts use in the background, and what they save."""
    started = time.monotonic()
    better, found = improve_playouts(program, IMPROVEMENT_SECONDS)
    kinds = (
        f"{len(found.groups)} mutex groups, {len(found.growing)} fluents only grow, {len(found.shrinking)} only shrink"
    )
    moves = f"{found.shrinking_moves} moves only become illegal"
    size = f"{found.equal} equal nodes, {better.operations} operations each"
    return [Stage("invariants", time.monotonic() - started, f"{kinds}, {moves}, {size}")]
