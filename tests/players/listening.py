"""Somebody who follows a search."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.core import Channel, Decision, Role, Thinking


class Listener(Channel):
    """Always wants to know how a search stands, and keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[Thinking] = []

    def wants_thinking(self) -> bool:
        return True

    def report(self, thinking: Thinking) -> None:
        self.heard.append(thinking)

    def publish(self, decision: Decision) -> None:
        pass

    def say(self, text: str, to: Sequence[Role]) -> None:
        raise AssertionError("a search has nothing to say")
