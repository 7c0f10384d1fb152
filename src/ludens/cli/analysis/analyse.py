"""``ludens analyse``: the candidate moves of a position, updated live while a player searches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from functools import partial
from typing import Annotated

import typer
from rich.live import Live
from rich.table import Table

from ludens.cli.analysis.explain import explain, show_explanation
from ludens.cli.terminal.console import (
    Backend,
    BackendOption,
    GameArgument,
    JsonOption,
    MovesOption,
    SeedOption,
    StateOption,
    console,
    load_game,
    new_seed,
    print_json,
    printable,
)
from ludens.cli.terminal.painter import Painter
from ludens.core import (
    Clock,
    Deadline,
    Decision,
    GameError,
    LudensError,
    Player,
    PlayerError,
    Role,
    State,
    Thinking,
)
from ludens.games.positions import starting_state
from ludens.players import make_player
from ludens.referee.handle import check_decision, describe_crash

REPORTS_A_SECOND = 10
SHOWN_MOVES = 20
SHOWN_LINE = 8
START_SECONDS = 10.0
"""The start clock: what players may take to get ready."""


class _Reports:
    """A player's channel that passes its reports on a few times a second."""

    def __init__(self, show: Callable[[Thinking], None]) -> None:
        self._show = show
        self._next = 0.0

    def wants_thinking(self) -> bool:
        return time.monotonic() >= self._next

    def report(self, thinking: Thinking) -> None:
        if self.wants_thinking():
            self._next = time.monotonic() + 1 / REPORTS_A_SECOND
            self._show(thinking)

    def publish(self, decision: Decision) -> None:
        """Drop the move: nobody plays it if the player is late."""

    def say(self, text: str, to: Sequence[Role]) -> None:
        """Drop the message: there are no other players."""


def analyse(
    game: GameArgument,
    state_file: StateOption = None,
    moves: MovesOption = None,
    player: Annotated[
        str, typer.Option("--player", metavar="PLAYER", help="Who thinks, with options: alphabeta:depth=6.")
    ] = "mcts",
    role: Annotated[
        str | None,
        typer.Option("--role", metavar="ROLE", help="The role to analyse; default: the first with a choice."),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=86_400, metavar="S", help="How long to think.")
    ] = 5.0,
    with_explanation: Annotated[
        bool,
        typer.Option(
            "--explain", help="Also report which search wins quick matches, and how well the evaluation predicts."
        ),
    ] = False,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
    as_json: JsonOption = False,
) -> None:
    """Show the candidate moves of a position with values, visits and expected lines of play.

    At a terminal, the table is renewed while the player thinks. --explain adds what `auto` finds out in 10 seconds
    before a match: which of its searches wins quick matches, and the log loss of the learnt evaluation.
    """
    loaded = load_game(game, backend, wait=True)
    state = starting_state(loaded, state_file, moves)
    chosen = _role(state, role)
    thinker = _make_thinker(player)
    clock = Clock(seconds, START_SECONDS)
    search = partial(_think, thinker, state, chosen, seconds, new_seed(seed))
    if as_json:
        with redirect_stdout(sys.stderr):  # what a player prints is no JSON
            decision = search()
            explanation = {"explanation": explain(loaded, clock)} if with_explanation else {}
        found = {"game": loaded.name, "role": chosen, "player": player, "move": str(decision.move)}
        print_json(found | decision.thinking.as_json() | explanation)
        return
    console.print(printable(Painter(loaded, as_in_rules=True).draw(state)) + "\n")
    with Live(console=console, auto_refresh=False, transient=True) as screen:
        if console.is_terminal:
            thinker.channel = _Reports(lambda thinking: screen.update(_table(thinking), refresh=True))
        decision = search()
    console.print(_table(decision.thinking))
    console.print(f"{printable(chosen)} plays [bold]{printable(decision.move)}[/bold]")
    if with_explanation:
        show_explanation(explain(loaded, clock))


def _role(state: State, named: Role | None) -> Role:
    """The role to think for."""
    if state.is_terminal:
        raise GameError("the match is over in this position, so there is nothing to analyse")
    choosing = [role for role in state.game.roles if len(state.legal_moves(role)) > 1]
    moving = [role for role in state.game.roles if state.legal_moves(role)]
    if named is not None and named not in moving:
        raise GameError(f"{named!r} has no move here (roles to move: {', '.join(moving)})")
    return named or next(iter(choosing or moving))


def _make_thinker(text: str) -> Player:
    """Make the player; if it has an option to evaluate every move, not only the best, switch it on."""
    player = make_player(text, files=True)
    if "wide" in player.settings and "wide=" not in text:
        player.settings["wide"] = True
    return player


def _think(player: Player, state: State, role: Role, seconds: float, seed: int) -> Decision:
    """The player's decision. Raises `PlayerError` if it fails: the player may be the user's own code."""
    player.check(state.game)
    try:
        player.start(state.game, role, seed, Clock(seconds, START_SECONDS))
        try:
            decision = check_decision(player.choose(state.view(role), Deadline(seconds)))
        finally:
            player.stop()
    except LudensError:
        raise
    except Exception as error:
        raise PlayerError(f"player {player.name!r} failed: {describe_crash(player, error)}") from error
    if decision.move not in state.legal_moves(role):
        raise PlayerError(f"player {player.name!r} chose {decision.move!r}, which is not a legal move of {role} here")
    return decision


def _table(thinking: Thinking) -> Table:
    """A table of the moves, best first, and the state of the search."""
    table = Table(box=None, pad_edge=False, caption=printable(_figures(thinking)), caption_justify="left")
    table.add_column("move", no_wrap=True)
    table.add_column("value", justify="right")
    table.add_column("visits", justify="right")
    table.add_column("")
    table.add_column("then", no_wrap=True)
    for report in thinking.moves[:SHOWN_MOVES]:
        table.add_row(
            printable(report.move),
            "" if report.value is None else f"{report.value:.1f}",
            f"{report.visits:,}" if report.visits else "",
            "proven" if report.proven else "",
            printable(" ".join(report.line[1:SHOWN_LINE])),
        )
    if len(thinking.moves) > SHOWN_MOVES:
        table.add_row(f"… {len(thinking.moves) - SHOWN_MOVES} more")
    return table


def _figures(thinking: Thinking) -> str:
    parts = [
        thinking.note,
        f"value {thinking.value:.1f}" if thinking.value is not None else "",
        f"depth {thinking.depth}" if thinking.depth else "",
        f"{thinking.iterations:,} iterations in {thinking.seconds:.1f} s",
        f"{thinking.rate:,.0f}/s",
        f"tree {thinking.nodes:,}" if thinking.nodes else "",
    ]
    return ", ".join(filter(None, parts))
