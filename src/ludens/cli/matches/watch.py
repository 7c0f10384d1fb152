"""Show a match at the terminal while it is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.status import Status

from ludens.cli.terminal.console import console, printable
from ludens.cli.terminal.painter import Painter
from ludens.core import Game, Move, Role, State
from ludens.drawing.percept_text import told
from ludens.games.endings import cause_of_end
from ludens.gdl.game import GdlGame
from ludens.referee import (
    Event,
    MatchEnded,
    MatchStarted,
    MessageSent,
    PlayerFailed,
    PlayerThinking,
    TakenBack,
    TurnPlayed,
)
from ludens.referee.verdict import verdict


class Watcher:
    """Shows the players' moves and thinking, and the board after each turn."""

    def __init__(self, game: Game, names: Mapping[Role, str]) -> None:
        self._game = game
        self._painter = Painter(game)
        self._names = names
        self._state = game.initial_state()
        self._has_begun = False
        self._status: Status | None = Status("", console=console) if console.is_terminal else None

    def begin(self, seed: int) -> None:
        """Show who plays, and the first board; the players may still be getting ready."""
        self._has_begun = True
        who = ", ".join(f"{role}: {name}" for role, name in self._names.items())
        console.print(f"[bold]{printable(self._game.name)}[/bold]  {printable(who)}  [dim]seed {seed}[/dim]\n")
        console.print(printable(self._painter.draw(self._game.initial_state())) + "\n")

    def show(self, event: Event) -> None:
        """Show an event."""
        if isinstance(event, PlayerThinking):
            self._show_thinking(event)
            return
        if self._status is not None:
            self._status.stop()
        match event:
            case MatchStarted():
                if not self._has_begun:
                    self.begin(event.seed)
                show_failures(event.failures)
            case TurnPlayed():
                self._show_turn(event)
            case MessageSent():
                show_message(event)

    def close(self) -> None:
        """Restore the terminal."""
        if self._status is not None:
            self._status.stop()

    def _show_thinking(self, event: PlayerThinking) -> None:
        """Show the state of the search, on one line that the next one replaces."""
        if self._status is not None:
            text = f"{event.turn}. {event.role} thinks: {event.thinking}"
            self._status.update(printable(text[: console.width - 4]))
            self._status.start()

    def _show_turn(self, turn: TurnPlayed) -> None:
        for role, move in turn.joint_move.items():
            if role not in turn.seconds and len(turn.seconds) > 0:
                continue
            decision = turn.decisions.get(role)
            thought = f"  [dim]{printable(str(decision.thinking))}[/dim]" if decision else ""
            text = self._painter.move_text(self._state, role, move, turn.state)
            console.print(f"[bold]{turn.id:>3}. {printable(role)}[/bold] {printable(text)}{thought}")
        self._state = turn.state
        show_failures(turn.failures)
        console.print("\n" + printable(self._painter.draw(turn.state)) + "\n")


class Companion:
    """Shows a match to the people who play in it: the others' moves, and their own forced ones."""

    def __init__(self, game: Game, people: Iterable[Role]) -> None:
        self._game = game
        self._people = tuple(people)
        self._painter = Painter(game)
        self._state = game.initial_state()
        self._drawn: tuple[State, Role | None] | None = None

    def draw(self, role: Role | None = None) -> None:
        """Draw the position, as a role sees it if one is named."""
        self._drawn = self._state, role
        console.print(printable(self._painter.draw(self._state, role)) + "\n")

    def draw_first(self) -> None:
        """Draw the first position for a person who plays alone; the other players may still be getting ready."""
        if len(self._people) == 1:
            self.draw(self._people[0])

    def draw_new(self, role: Role) -> None:
        """Draw the position, unless that was the last thing drawn."""
        if self._drawn is None or self._drawn[0] is not self._state or self._drawn[1] != role:
            self.draw(role)

    def show(self, event: Event) -> None:
        """Show an event."""
        match event:
            case TurnPlayed():
                self._show_turn(event)
                self._state = event.state
            case MatchStarted():
                show_failures(event.failures)
            case MessageSent() if set(self._people) & {*event.message.to, event.message.sender}:
                show_message(event)
            case TakenBack():
                self._state = event.state
            case MatchEnded(finished=True):
                self._show_end(event)

    def _show_turn(self, turn: TurnPlayed) -> None:
        if self._game.hidden:
            self._show_percepts(turn)
        else:
            self._show_moves(turn)
        show_failures(turn.failures)

    def _show_percepts(self, turn: TurnPlayed) -> None:
        """In games with hidden information, show people what their roles perceive, and nothing else."""
        for role in self._people:
            who = "" if len(self._people) == 1 else f"to {printable(role)}: "
            perceived = told(self._game, turn.percepts.get(role, ()))
            for line in [*(f"{mover}: {move}" for mover, move in perceived.moves), *perceived.sentences]:
                console.print(f"{who}{printable(line)}")

    def _show_moves(self, turn: TurnPlayed) -> None:
        for role, move in turn.joint_move.items():
            forced = len(self._state.legal_moves(role)) == 1
            if forced and isinstance(self._game, GdlGame) and is_wait(move):
                continue
            text = printable(self._painter.move_text(self._state, role, move, turn.state))
            if role not in self._people:
                console.print(f"{printable(role)} plays [bold]{text}[/bold]")
            elif forced:
                console.print(f"{self._you(role)} can only play [bold]{text}[/bold]")

    def _show_end(self, ended: MatchEnded) -> None:
        self.draw()
        sentence = verdict(ended, self._people, cause_of_end(self._state))
        console.print(f"[bold]{printable(sentence)}[/bold]")
        for role, goal in ended.goals.items():
            console.print(f"{printable(role)} {goal}" + (" (you)" if role in self._people else ""))

    def _you(self, role: Role) -> str:
        return "You" if len(self._people) == 1 else printable(role)


def is_wait(move: Move) -> bool:
    """True for a bare word such as ``noop``, which is not shown if it is the only move."""
    return not move.startswith("(")


def show_message(event: MessageSent) -> None:
    """Show a player's message."""
    said = event.message
    listeners = ", ".join(said.to)
    console.print(f"     {printable(said.sender)} to {printable(listeners)}: {printable(said.text)}", style="cyan")


def show_failures(failures: Iterable[PlayerFailed]) -> None:
    """Show the players' errors."""
    for failure in failures:
        text = f"     {printable(failure.role)} erred ({failure.kind}): {printable(failure.message)}"
        console.print(text, style="yellow")
