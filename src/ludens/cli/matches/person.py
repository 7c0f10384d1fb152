"""A person at the terminal: the prompt for moves, and the match that runs beside it."""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Callable, Sequence

from ludens.cli.matches.watch import Companion
from ludens.cli.terminal.console import console, printable
from ludens.core import Clock, Deadline, Move, Player, Role
from ludens.players import make_player
from ludens.players.human import HumanPlayer, Question
from ludens.referee import Event, Match, MatchEnded

_HELP = """Type a move's number or its text. Also:
  /text   only moves that contain text (/ alone shows all)
  hint    what a player would do
  undo    take back your last move
  board   draw the position again
  quit    stop"""
_SHOWN = 20
"""Moves listed at once; searching finds the others."""
_ADVISER = "flat"


class Quit(Exception):  # noqa: N818 - not an error
    """The person wants to stop."""


def people_in(match: Match) -> list[Role]:
    """The roles that people play."""
    return [role for role, player in match.players.items() if isinstance(player, HumanPlayer)]


def play_with_people(match: Match, hint_clock: Clock, record: Callable[[Event], None]) -> MatchEnded:
    """Play a match with people at this terminal, until it ends or they leave.

    The match runs in its own thread; the main thread prompts, since only it receives Ctrl-C.
    """
    people = people_in(match)
    inbox: queue.SimpleQueue[Event | Question | BaseException] = queue.SimpleQueue()
    for role in people:
        player = match.players[role]
        assert isinstance(player, HumanPlayer)
        player.connect(inbox.put)

    def drive() -> None:
        try:
            for event in match.events():
                record(event)
                inbox.put(event)
        except BaseException as error:
            inbox.put(error)

    companion = Companion(match.game, people)
    prompt = _Prompt(companion, _Adviser(match, hint_clock))
    companion.draw_first()
    threading.Thread(target=drive, name="match", daemon=True).start()
    leaving = False
    while True:
        try:
            item = inbox.get()
            if isinstance(item, BaseException):
                raise item
            if isinstance(item, Question):
                prompt.answer(item)
                continue
            companion.show(item)
            if isinstance(item, MatchEnded):
                return item
        except (Quit, EOFError, KeyboardInterrupt) as wish:
            if leaving:
                raise  # the match does not end as it was asked to, so the person need not wait for it
            if not isinstance(wish, Quit):
                console.print()
            leaving = True
            match.stop()


class _Adviser:
    """A player that gives hints, started at the first request."""

    def __init__(self, match: Match, clock: Clock) -> None:
        self._match = match
        self._clock = clock
        self._players: dict[Role, Player] = {}

    def hint(self, question: Question) -> str:
        role = question.view.role
        if role not in self._players:
            self._players[role] = make_player(_ADVISER)
            self._players[role].start(self._match.game, role, self._match.seed, self._clock)
        decision = self._players[role].choose(question.view, Deadline(self._clock.play))
        return f"Perhaps [bold]{printable(decision.move)}[/bold] ({printable(str(decision.thinking))})"


class _Prompt:
    """Asks a person for moves."""

    def __init__(self, companion: Companion, adviser: _Adviser) -> None:
        self._companion = companion
        self._adviser = adviser

    def answer(self, question: Question) -> None:
        """Prompt until the person answers the question."""
        role = question.view.role
        self._companion.draw_new(role)
        moves = question.view.legal_moves
        shown = list(range(len(moves)))
        _list_moves(moves, shown)
        while not question.deadline.cancelled:
            answer = console.input(f"[bold]{printable(question.view.role)}>[/bold] ").strip()
            match answer.lower().split():
                case []:
                    _list_moves(moves, shown)
                case ["help" | "?"]:
                    console.print(_HELP, markup=False)
                case ["quit" | "exit" | "q"]:
                    raise Quit
                case ["undo" | "u"] if question.can_take_back:
                    question.take_back()
                    return
                case ["undo" | "u"]:
                    console.print("There is nothing to take back.")
                case ["board"]:
                    self._companion.draw(role)
                case ["hint" | "h"]:
                    console.print(self._adviser.hint(question))
                case _ if answer.startswith("/"):
                    wanted = answer[1:].strip().lower()
                    shown = [number for number, move in enumerate(moves) if wanted in move.lower()]
                    _list_moves(moves, shown)
                case _:
                    move = _parse_move(answer, moves)
                    if move is not None:
                        question.answer(move)
                        return
                    console.print(f"{printable(repr(answer))} is not a move here; type 'help' for help.")


def _list_moves(moves: Sequence[Move], shown: Sequence[int]) -> None:
    if not shown:
        console.print("No move contains that.")
    for number in shown[:_SHOWN]:
        console.print(f"{number + 1:>4}  {printable(moves[number])}")
    if len(shown) > _SHOWN:
        console.print(f"      … and {len(shown) - _SHOWN} more; /text searches", style="dim")


def _parse_move(answer: str, moves: Sequence[Move]) -> Move | None:
    """The move for an answer: a number, the text in any form, or only the arguments if they are unique."""
    if answer.isdecimal() and 1 <= int(answer) <= len(moves):
        return moves[int(answer) - 1]
    words = _words(answer)
    exact = [move for move in moves if _words(move) == words]
    by_arguments = [move for move in moves if _words(move)[1:] == words]
    found = exact or by_arguments
    return found[0] if len(found) == 1 else None


def _words(text: str) -> list[str]:
    return re.split(r"[\s(),]+", text.lower().strip("() "))
