"""``ludens train``: a network learns a game by playing against itself."""

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
from ludens.cli.terminal.console import Backend, GameArgument, JsonOption, SeedOption, errors, load_game, new_seed
from ludens.cli.terminal.extras import needs
from ludens.players.learning.games import check_learnable

if TYPE_CHECKING:
    from ludens.players.neural.training import Step


def train(
    game: GameArgument,
    minutes: MinutesOption = 10.0,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="The file for the best network (default GAME.neural.pt), with its log and curve beside it.",
        ),
    ] = None,
    resume: ResumeOption = False,
    steps: StepsOption = None,
    simulations: Annotated[
        int, typer.Option("--simulations", min=2, max=100_000, metavar="N", help="Leaves judged for each move.")
    ] = 64,
    matches: Annotated[
        int, typer.Option("--matches", min=1, max=8_192, metavar="N", help="Matches played at once.")
    ] = 256,
    hidden: Annotated[
        int, typer.Option("--hidden", min=8, max=4_096, metavar="N", help="The width of the network.")
    ] = 128,
    blocks: Annotated[
        int, typer.Option("--blocks", min=0, max=64, metavar="N", help="Its depth: blocks of two layers.")
    ] = 2,
    threads: Annotated[
        int, typer.Option("--threads", min=1, max=256, metavar="N", help="Processor cores that the network may use.")
    ] = 1,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train a network for a game by self-play. Ctrl-C stops and keeps the network so far.

    The file plays by its path: ludens match connect_four --player red=neural:connect_four.neural.pt
    """
    loaded = check_learnable(load_game(game, Backend.CIRCUIT))
    with needs("neural"):
        import torch  # noqa: PLC0415 - an extra that takes seconds to import

        from ludens.players.neural.training import Trainer, TrainingOptions  # noqa: PLC0415
    torch.set_num_threads(threads)
    options = TrainingOptions(simulations=simulations, matches=matches, hidden=hidden, blocks=blocks)
    file = file_to_learn(out, loaded, "neural", ".pt")
    trainer = Trainer(loaded, file, options, seed=new_seed(seed), resume=resume)
    if not as_json:
        found = len(trainer.symmetries)
        errors.print(f"{found} symmetries" if found > 1 else "no symmetries found", style="dim")
    rows, interrupted = run_steps(loaded.name, trainer.run(minutes * 60, steps), minutes, _format_step, trainer.save)
    print_outcome(rows, file, trainer.curve_path, "neural", interrupted=interrupted, as_json=as_json)


def _format_step(step: Step) -> Iterator[str]:
    yield f"step {step.step}: {step.matches:,} matches, {step.positions:,} positions"
    if step.policy_loss is not None and step.value_loss is not None:
        yield f"loss {step.policy_loss:.3f} + {step.value_loss:.3f}"
    if step.against_best is not None and step.policy_against_random is not None:
        verdict = "is the best now" if step.passed else "stays behind"
        yield f"{step.against_best:.0%} against the best, {verdict}; policy {step.policy_against_random:.0%} of random"
