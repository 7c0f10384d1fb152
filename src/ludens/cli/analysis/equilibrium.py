"""``ludens equilibrium``: strategies that nobody can gain by leaving, for games of hidden or simultaneous choices."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from ludens.cli.terminal.console import (
    Backend,
    BackendOption,
    GameArgument,
    JsonOption,
    SeedOption,
    console,
    errors,
    load_game,
    new_seed,
    print_json,
    printable,
)
from ludens.core import Game, GameError, TooManyOutcomesError
from ludens.core.files import write_file
from ludens.players.equilibrium.policy import Policy, policy_of
from ludens.players.equilibrium.sampling import SamplingSolver, estimate_size
from ludens.players.equilibrium.solver import Assessment, Solver
from ludens.players.equilibrium.tree import BYTES_PER_NODE, GameTree, TooLargeTreeError, build_tree
from ludens.players.learning.curve import Line, curve

_REPORT_SECONDS = 0.2
_ESTIMATE_SECONDS = 2.0
_MOST_SHOWN = 200
"""Information sets that ``--show`` prints."""


def equilibrium(
    game: GameArgument,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=604_800, metavar="S", help="Time to iterate, in seconds.")
    ] = 10.0,
    target: Annotated[
        float, typer.Option("--target", min=0, metavar="E", help="Stop at this exploitability, in points of the goal.")
    ] = 1e-6,
    memory: Annotated[
        int, typer.Option("--memory", min=16, max=1_000_000, metavar="MB", help="Memory for the tree.")
    ] = 2_048,
    threads: Annotated[
        int, typer.Option("--threads", min=0, max=256, metavar="N", help="Threads; 0: one for each processor.")
    ] = 0,
    sample: Annotated[
        bool, typer.Option("--sample", help="Learn by sampling (MCCFR), for games that do not fit into memory.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the policy: `--player red=equilibrium:FILE`.")
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the policy as a table.")] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw how the exploitability fell, as SVG.")
    ] = None,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
    as_json: JsonOption = False,
) -> None:
    """Find an equilibrium: a strategy for each role that no role gains by leaving.

    The game is enumerated, and its regrets are minimised (predictive CFR+). The exploitability is what
    a role gains on average by the best response, computed exactly. Ctrl-C stops and keeps the policy so far.
    """
    loaded = load_game(game, backend, wait=True)
    if sample:
        found = _sample(loaded, seconds, new_seed(seed))
        policy: Policy = found.policy()
        report: dict[str, Any] = {
            "game": loaded.name,
            "information_sets": found.sets,
            "iterations": found.iterations,
            "exploitability": None,
        }
        if as_json:
            print_json(report)
        else:
            console.print(
                f"{found.sets:,} information sets met in {found.iterations:,} iterations; "
                f"`ludens exploitability {printable(loaded.name)} --player equilibrium:FILE` says how good it is"
            )
    else:
        tree = _tree(loaded, memory)
        solver, points, spent = _solve(tree, seconds, target, threads)
        assessment = solver.assess()
        if plot is not None:
            _draw(plot, loaded, points)
        if as_json:
            print_json(_as_json(solver, assessment, spent))
        else:
            _print(solver, assessment, spent)
        policy = policy_of(solver) if out is not None or show else Policy("", "", {}, {}, None, 0)
    if out is not None:
        policy.write(out)
        errors.print(f"policy: {printable(str(out))}", style="dim")
    if show and not as_json:
        _show(policy)


def _tree(game: Game, memory: int) -> GameTree:
    with errors.status("Enumerating …") as status:
        try:
            return build_tree(
                game,
                memory * 2**20 // BYTES_PER_NODE,
                lambda nodes, sets: status.update(f"Enumerating: {nodes:,} histories, {sets:,} information sets"),
            )
        except (TooLargeTreeError, TooManyOutcomesError) as error:
            status.update("Estimating the size …")
            size = estimate_size(game, _ESTIMATE_SECONDS)
            # Deeper down, more histories share a set.
            share = error.sets / error.nodes if isinstance(error, TooLargeTreeError) and error.sets else 1.0
            most = max(size.sets, share * size.histories)
            raise GameError(
                f"{game.name} does not fit into {memory:,} MB: it has about {size.histories:.1e} histories and "
                f"{size.sets:.1e} to {most:.1e} information sets; --memory allows more, --sample learns without "
                "enumerating (MCCFR)"
            ) from None


def _solve(
    tree: GameTree, seconds: float, target: float, threads: int
) -> tuple[Solver, list[tuple[float, float]], float]:
    """Iterate until time is up or the target is reached; also returns the exploitability over time, and CPU seconds."""
    solver = Solver(tree, threads)
    points: list[tuple[float, float]] = []
    began, cpu, batch = time.monotonic(), time.process_time(), 1
    with errors.status("Solving …") as status:
        try:
            while True:
                solver.run(batch)
                spent = time.monotonic() - began
                found = solver.assess().exploitability
                points.append((spent, found))
                rate = solver.iterations / max(1e-9, spent)
                status.update(f"exploitability {found:.3g} after {solver.iterations:,} iterations ({rate:,.0f}/s)")
                if found <= target or spent >= seconds:
                    break
                batch = max(1, min(solver.iterations, int(rate * min(seconds - spent, 5 * _REPORT_SECONDS))))
        except KeyboardInterrupt:
            errors.print("stopped")
    return solver, points, time.process_time() - cpu


def _sample(game: Game, seconds: float, seed: int) -> SamplingSolver:
    solver = SamplingSolver(game, seed)
    began = time.monotonic()
    with errors.status("Sampling …") as status:
        try:
            while (left := seconds - (time.monotonic() - began)) > 0:
                solver.run(min(left, _REPORT_SECONDS))
                status.update(f"{solver.sets:,} information sets, {solver.iterations:,} iterations")
        except KeyboardInterrupt:
            errors.print("stopped")
    return solver


def _as_json(solver: Solver, found: Assessment, spent: float) -> dict[str, Any]:
    tree = solver.tree
    return {
        "game": tree.game.name,
        "values": dict(zip(tree.game.roles, found.values.tolist(), strict=True)),
        "exploitability": found.exploitability,
        "nash_conv": found.nash_conv,
        "histories": len(tree.nodes),
        "information_sets": len(tree.sets),
        "megabytes": round(len(tree.nodes) * BYTES_PER_NODE / 2**20, 1),
        "iterations": solver.iterations,
        "threads": solver.threads,
        "cpu_seconds": round(spent, 3),
    }


def _print(solver: Solver, found: Assessment, spent: float) -> None:
    tree = solver.tree
    for role, value in zip(tree.game.roles, found.values, strict=True):
        console.print(f"[bold]{printable(role)}[/bold]  {value:.4f}")
    if len(found.values) > 2:
        console.print(f"NashConv {found.nash_conv:.3g} points, {found.exploitability:.3g} for each role")
    else:
        console.print(f"exploitability {found.exploitability:.3g} points")
    rate = solver.iterations / max(1e-9, spent)
    console.print(
        f"{len(tree.nodes):,} histories, {len(tree.sets):,} information sets, "
        f"about {len(tree.nodes) * BYTES_PER_NODE / 2**20:,.1f} MB; "
        f"{solver.iterations:,} iterations in {spent:.2f} CPU s ({rate:,.0f} a CPU second, {solver.threads} "
        f"{'thread' if solver.threads == 1 else 'threads'})",
        style="dim",
    )


def _draw(path: Path, game: Game, points: list[tuple[float, float]]) -> None:
    top = max(value for _, value in points) or 1.0
    write_file(path, curve(f"Exploitability: {game.name}", "seconds", [Line("points", points)], top))
    errors.print(f"plot: {printable(str(path))}", style="dim")


def _show(policy: Policy) -> None:
    left = _MOST_SHOWN
    for role, sets in policy.sets.items():
        console.print(f"[bold]{printable(role)}[/bold]")
        for text, shares in sorted(sets.items())[:left]:
            known = "  ".join(f"{printable(move)} {share:.3f}" for move, share in shares.items())
            console.print(f"  {printable(text) or 'the beginning'}: {known}")
        left = max(0, left - len(sets))
    if sum(map(len, policy.sets.values())) > _MOST_SHOWN:
        console.print(f"… the first {_MOST_SHOWN}; --out FILE writes all", style="dim")
