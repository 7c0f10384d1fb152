"""A person as a player: questions go to the user interface (terminal or web page), which sends back answers."""

from __future__ import annotations

import queue
from collections.abc import Callable

from ludens.core import Clock, Deadline, Decision, Game, Move, Observation, Player, PlayerError, Role, TakeBack, View

_POLL = 0.2
"""Seconds between checks whether a waiting question is still open."""


class Question:
    """A move that a person is asked for. Call `answer` or `take_back` once, from any thread."""

    def __init__(self, view: View, deadline: Deadline, can_take_back: bool) -> None:
        self.view = view
        """What the person may know."""
        self.deadline = deadline
        """When the answer is due."""
        self.can_take_back = can_take_back
        """True if the person has made a move that could be taken back."""
        self._replies: queue.SimpleQueue[Move | None] = queue.SimpleQueue()

    def answer(self, move: Move) -> None:
        """Answer with a move."""
        self._replies.put(move)

    def take_back(self) -> None:
        """Ask to take back the person's last move."""
        self._replies.put(None)

    def wait(self) -> Move | None:
        """The answer; None for a request to take back. Raises `PlayerError` if nobody answers in time."""
        while (left := self.deadline.remaining()) > 0:
            try:
                return self._replies.get(timeout=min(_POLL, left))
            except queue.Empty:
                continue
        raise PlayerError("no answer in time")


class HumanPlayer(Player):
    """Asks a person through the user interface."""

    name = "human"
    description = "a person, asked for moves at the terminal"
    is_person = True
    _ask: Callable[[Question], None] | None = None

    def connect(self, ask: Callable[[Question], None]) -> None:
        """Set where questions go; must be called before the match."""
        self._ask = ask

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Reset the moves that can be taken back."""
        self._chose = False
        self._choices: list[bool] = []

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The move that the person chooses."""
        if self._ask is None:
            raise PlayerError("this match is not connected to a user interface, so a person cannot play in it")
        question = Question(view, deadline, any(self._choices))
        self._ask(question)
        move = question.wait()
        if move is None:
            raise TakeBack
        self._chose = True
        return Decision(move)

    def observe(self, observation: Observation) -> None:
        """Remember whether the turn was the person's choice."""
        self._choices.append(self._chose)
        self._chose = False

    def take_back(self, turns: int, view: View) -> None:
        """Forget the turns taken back."""
        del self._choices[len(self._choices) - turns :]
