"""Players for tests: scripted, faulty, or with a memory of all they were told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias

from ludens.core import Deadline, Decision, Message, Move, Observation, Player, View

Script: TypeAlias = Callable[["Scripted", View, Deadline], Move | Decision]


class Scripted(Player):
    """Does what a function says, and remembers what it was told."""

    name = "scripted"
    description = "does what a test says"

    def __init__(self, script: Script) -> None:
        super().__init__()
        self.script = script
        self.observed: list[Observation] = []
        self.heard: list[Message] = []
        self.taken_back: list[int] = []
        self.threads: set[int] = set()

    def choose(self, view: View, deadline: Deadline) -> Decision:
        self.threads.add(threading.get_ident())
        found = self.script(self, view, deadline)
        return found if isinstance(found, Decision) else Decision(found)

    def observe(self, observation: Observation) -> None:
        self.threads.add(threading.get_ident())
        self.observed.append(observation)

    def hear(self, message: Message) -> None:
        self.heard.append(message)

    def take_back(self, turns: int, view: View) -> None:
        self.taken_back.append(turns)


def first_legal() -> Scripted:
    """A player that takes the first legal move."""
    return Scripted(lambda player, view, deadline: view.legal_moves[0])


def always(move: Move) -> Scripted:
    """A player that always makes the same move."""
    return Scripted(lambda player, view, deadline: move)


def waits_for(event: threading.Event, move: Move) -> Scripted:
    """A player that answers when told to, or when it is told to stop."""

    def script(player: Scripted, view: View, deadline: Deadline) -> Move:
        while not event.wait(0.005) and deadline.remaining() > 0:
            pass
        return move

    return Scripted(script)


def in_turn(moves: Sequence[Move]) -> Scripted:
    """A player with a list of moves."""
    left = iter(moves)
    return Scripted(lambda player, view, deadline: next(left))


def talk_and(text: str) -> Scripted:
    """A player that says something, then takes the first legal move."""

    def script(player: Scripted, view: View, deadline: Deadline) -> Move:
        player.channel.say(text, [])
        return view.legal_moves[0]

    return Scripted(script)
