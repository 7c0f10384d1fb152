"""``ludens evolve``: evolve evaluations for a game by matches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludens.cli.learning.progress import (
    MinutesOption,
    ResumeOption,
    StepsOption,
    file_to_learn,
    print_outcome,
    run_steps,
)
from ludens.cli.terminal.console import Backend, GameArgument, JsonOption, SeedOption, load_game, new_seed
from ludens.cli.terminal.extras import needs
from ludens.players.learning.games import check_learnable

if TYPE_CHECKING:
    from ludens.players.genetic.evolution import Generation


def evolve(
    game: GameArgument,
    minutes: MinutesOption = 10.0,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="The file for the best individual (default GAME.genetic.json), with its log and curve beside it.",
        ),
    ] = None,
    trees: Annotated[bool, typer.Option("--trees", help="Evolve expressions instead of weights.")] = False,
    resume: ResumeOption = False,
    steps: StepsOption = None,
    population: Annotated[
        int, typer.Option("--population", min=4, max=1_000, metavar="N", help="Individuals that survive a generation.")
    ] = 24,
    openings: Annotated[
        int, typer.Option("--openings", min=1, max=10_000, metavar="N", help="Openings that each individual plays.")
    ] = 24,
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=10, metavar="N", help="Search depth of individuals, in plies.")
    ] = 1,
    gate_depth: Annotated[
        int,
        typer.Option(
            "--gate-depth", min=1, max=10, metavar="N", help="Search depth in matches against the last best, in plies."
        ),
    ] = 3,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Evolve an evaluation for alphabeta by matches. Ctrl-C stops and keeps the best so far.

    The file plays by its path: ludens match othello --player black=genetic:othello.genetic.json
    """
    with needs("genetic"):
        from ludens.players.genetic.evolution import Evolution, EvolutionOptions  # noqa: PLC0415 - an extra
    loaded = check_learnable(load_game(game, Backend.CIRCUIT))
    options = EvolutionOptions(
        trees=trees, population=population, openings=openings, depth=depth, gate_depth=gate_depth
    )
    file = file_to_learn(out, loaded, "genetic", ".json")
    evolution = Evolution(loaded, file, options, seed=new_seed(seed), resume=resume)
    rows, interrupted = run_steps(
        loaded.name, evolution.run(minutes * 60, steps), minutes, _format_generation, evolution.save
    )
    print_outcome(rows, file, evolution.curve_path, "genetic", interrupted=interrupted, as_json=as_json)


def _format_generation(step: Generation) -> Iterator[str]:
    yield f"generation {step.step}: {step.matches:,} matches, best {step.best_score:.0%}, mean {step.mean_score:.0%}"
    if step.against_best is not None and step.against_default is not None:
        verdict = "is the best now" if step.passed else "stays behind"
        yield f"{step.against_best:.0%} against the last best, {verdict}; {step.against_default:.0%} against default"
