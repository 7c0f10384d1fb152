"""``ludens evolve``: evaluations for a game are bred by matches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludens.cli.console import Backend, GameArgument, JsonOption, SeedOption, load_game, new_seed
from ludens.cli.extras import needs
from ludens.cli.learning import MinutesOption, ResumeOption, StepsOption, file_to_learn, learned, print_learned
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
            help="The file for the best one, GAME.genetic.json if left out; its log and curve go beside it.",
        ),
    ] = None,
    trees: Annotated[bool, typer.Option("--trees", help="Breed expressions instead of weights.")] = False,
    resume: ResumeOption = False,
    steps: StepsOption = None,
    population: Annotated[
        int, typer.Option("--population", min=4, max=1_000, metavar="N", help="Individuals that live on.")
    ] = 24,
    openings: Annotated[
        int, typer.Option("--openings", min=1, max=10_000, metavar="N", help="Openings that everybody plays.")
    ] = 24,
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=10, metavar="N", help="Plies that individuals look ahead.")
    ] = 1,
    gate_depth: Annotated[
        int, typer.Option("--gate-depth", min=1, max=10, metavar="N", help="Plies in matches against the last best.")
    ] = 3,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Breed an evaluation for alphabeta by matches. Ctrl-C ends it and keeps what it has.

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
    rows, interrupted = learned(loaded.name, evolution.run(minutes * 60, steps), minutes, _told, evolution.save)
    print_learned(rows, file, evolution.curve_path, "genetic", interrupted=interrupted, as_json=as_json)


def _told(step: Generation) -> Iterator[str]:
    yield f"generation {step.step}: {step.matches:,} matches, best {step.best_score:.0%}, mean {step.mean_score:.0%}"
    if step.against_best is not None and step.against_default is not None:
        verdict = "is the best now" if step.passed else "stays behind"
        yield f"{step.against_best:.0%} against the last best, {verdict}; {step.against_default:.0%} against default"
