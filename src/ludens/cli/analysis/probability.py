"""``ludens probability``: how likely it is that something holds at the end of a match."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from ludens.analysis.probability import Probability, Query, TooManyPositions, estimated_probability, exact_probability
from ludens.cli.terminal.console import (
    Backend,
    BackendOption,
    GameArgument,
    JsonOption,
    MovesOption,
    SeedOption,
    StateOption,
    console,
    errors,
    load_game,
    new_seed,
    print_json,
)
from ludens.core import Game, GameError, Role, State
from ludens.games.positions import starting_state
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.query import ask
from ludens.gdl.terms import Term, arguments, signature
from ludens.gdl.write import kif


class Policy(StrEnum):
    """How roles choose."""

    RANDOM = "random"
    BEST = "best"


def probability(
    game: GameArgument,
    query: Annotated[
        str, typer.Option("--query", metavar="QUERY", help="The condition at the end: 'goal(white,100)' or a fluent.")
    ],
    state_file: StateOption = None,
    moves: MovesOption = None,
    policy: Annotated[
        Policy, typer.Option("--policy", help="How roles choose: uniformly at random, or their best move.")
    ] = Policy.RANDOM,
    budget: Annotated[
        float,
        typer.Option(
            "--budget", min=0.01, max=86_400, metavar="S", help="Seconds to enumerate positions, then to estimate."
        ),
    ] = 10.0,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
    as_json: JsonOption = False,
) -> None:
    """Find how likely it is that a query holds at the end, from the initial position or another.

    The answer is exact if all positions can be enumerated within the budget; else it is an estimate from random
    matches, with a confidence interval of 95 %.
    """
    loaded = load_game(game, backend, wait=True)
    state = starting_state(loaded, state_file, moves)
    holds, goal = _query(loaded, query)
    with errors.status("Computing …"):
        found = _compute(state, holds, goal, policy, budget, new_seed(seed))
    if as_json:
        print_json({"game": loaded.name, "query": query, "policy": str(policy)} | found.as_json())
    else:
        _show(found)


def _compute(
    state: State, holds: Query, goal: tuple[Role, int] | None, policy: Policy, budget: float, seed: int
) -> Probability:
    try:
        return exact_probability(state, holds, best=policy is Policy.BEST, seconds=budget)
    except TooManyPositions:
        if policy is Policy.BEST:
            raise GameError(
                f"{state.game.name} has more positions than can be enumerated in {budget:g} s, so best moves are not "
                "known; give more --budget or take --policy random"
            ) from None
    return estimated_probability(state, holds, budget, seed, goal)


def _query(game: Game, text: str) -> tuple[Query, tuple[Role, int] | None]:
    """What is to hold; if it is a goal, also the role and its value."""
    if not isinstance(game, GdlGame):
        raise GameError(f"{game.name} is not a GDL game, so it has no relations to query")
    atom = game.read(text)
    goal = _goal(game, atom)
    if goal is not None:
        role, value = goal
        return lambda state: state.goals[role] == value, goal

    def holds(state: State) -> bool:
        assert isinstance(state, GdlState)
        return bool(ask(state, atom).values)

    return holds, None


def _goal(game: GdlGame, atom: Term) -> tuple[Role, int] | None:
    if signature(atom) != ("goal", 2):
        return None
    role, value = arguments(atom)
    if kif(role) not in game.roles or not (isinstance(value, str) and value.isascii() and value.isdecimal()):
        return None
    return kif(role), int(value)


def _show(found: Probability) -> None:
    if found.exact:
        console.print(f"[bold]{found.value:.10g}[/bold]")
        console.print(f"exact, from {found.positions:,} positions", style="dim")
    else:
        console.print(f"[bold]{found.value:.6g}[/bold]  ({found.low:.6g} to {found.high:.6g})")
        console.print(f"an estimate from {found.playouts:,} random matches, with 95 % confidence", style="dim")
