"""A person at the terminal: the prompt for moves, and the match that runs beside it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence

from ludens.cli.matches.watch import Companion
from ludens.cli.terminal.console import console, printable
from ludens.core import Clock, Deadline, Move, Player, Role, View
from ludens.drawing.notation import writer_of
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
        text = writer_of(question.view.game).texts(question.view).get(decision.move, decision.move)
        return f"Perhaps [bold]{printable(text)}[/bold] ({printable(str(decision.thinking))})"


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
        by_move = writer_of(question.view.game).texts(question.view)
        texts = [by_move[move] for move in moves]
        shown = list(range(len(moves)))
        _list_moves(texts, shown)
        while not question.deadline.cancelled:
            answer = console.input(f"[bold]{printable(question.view.role)}>[/bold] ").strip()
            match answer.lower().split():
                case []:
                    _list_moves(texts, shown)
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
                    shown = [
                        number
                        for number, move in enumerate(moves)
                        if wanted in texts[number].lower() or wanted in move.lower()
                    ]
                    _list_moves(texts, shown)
                case _:
                    move = _parse_move(answer, question.view)
                    if move is not None:
                        question.answer(move)
                        return
                    console.print(f"{printable(repr(answer))} is not a move here; type 'help' for help.")


def _list_moves(texts: Sequence[str], shown: Sequence[int]) -> None:
    if not shown:
        console.print("No move contains that.")
    for number in shown[:_SHOWN]:
        console.print(f"{number + 1:>4}  {printable(texts[number])}")
    if len(shown) > _SHOWN:
        console.print(f"      … and {len(shown) - _SHOWN} more; /text searches", style="dim")


def _parse_move(answer: str, view: View) -> Move | None:
    """The move for an answer: a number of the list, or the text in any form."""
    if answer.isdecimal() and 1 <= int(answer) <= len(view.legal_moves):
        return view.legal_moves[int(answer) - 1]
    return writer_of(view.game).read(answer, view)
