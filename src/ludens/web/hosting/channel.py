"""What one audience of a match is shown, kept so that whoever comes later, or comes back, sees it at once.

Every message has the next number. Who misses one, or is too slow, is sent everything anew.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

_WAITING = 60
"""Messages that a follower may lag behind."""
_KEPT = ("seats", "position", "asked", "ended", "record")
"""Kinds of messages of which the latest is shown to whoever comes later, in this order."""


class Follower:
    """One connection, with the messages that it has not been sent yet."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue(_WAITING)

    @property
    def waiting(self) -> int:
        """How many messages wait."""
        return self._waiting.qsize()

    async def next(self) -> str | None:
        """The next message; None if there will be no more."""
        return await self._waiting.get()

    def offer(self, text: str | None) -> None:
        """Put a message behind the others; a follower that is too slow is sent everything anew instead."""
        if self._waiting.full():
            self.restart()
            if text is not None:
                return  # it is part of everything
        self._waiting.put_nowait(text)

    def restart(self) -> None:
        """Forget what waits, and send everything."""
        while not self._waiting.empty():
            self._waiting.get_nowait()
        self._waiting.put_nowait(self._channel.everything())


class Channel:
    """What one audience of one match is shown."""

    def __init__(self) -> None:
        self._number = 0
        self._latest: dict[str, dict[str, Any]] = {}
        self._thinking: dict[str, dict[str, Any]] = {}
        self._history: list[dict[str, Any]] = []
        self._followers: set[Follower] = set()

    @property
    def followers(self) -> int:
        """How many follow."""
        return len(self._followers)

    def follow(self) -> Follower:
        """A new follower, who is sent everything so far first."""
        follower = Follower(self)
        self._followers.add(follower)
        follower.restart()
        return follower

    def leave(self, follower: Follower) -> None:
        """A follower that goes."""
        self._followers.discard(follower)

    def send(self, message: dict[str, Any]) -> None:
        """Send a message to all followers, and remember what later ones must know of it."""
        self._remember(message)
        self._number += 1
        text = json.dumps({"n": self._number, "now": time.time(), "messages": [message]}, ensure_ascii=False)
        for follower in self._followers:
            follower.offer(text)

    def everything(self) -> str:
        """What somebody has to be told who knows nothing yet, as one message."""
        messages = [self._latest[kind] for kind in _KEPT if kind in self._latest]
        position = self._latest.get("position")
        if position is not None:
            whole = {**position, "history": {"keep": 0, "add": self._history}}
            messages[messages.index(position)] = whole
        messages += self._thinking.values()
        return json.dumps(
            {"n": self._number, "now": time.time(), "all": True, "messages": messages}, ensure_ascii=False
        )

    def close(self) -> None:
        """Tell all followers that the server goes."""
        for follower in list(self._followers):
            follower.offer(None)

    def as_json(self) -> dict[str, Any]:
        """What is remembered, to be kept on disk."""
        return {"latest": self._latest, "history": self._history}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Channel:
        """The channel that `as_json` described."""
        channel = Channel()
        channel._latest, channel._history = data["latest"], data["history"]
        return channel

    def _remember(self, message: dict[str, Any]) -> None:
        kind = message["kind"]
        if kind == "thinking":
            self._thinking[message["role"]] = message
        elif kind in _KEPT:
            self._latest[kind] = message
        if kind == "position":
            self._latest.pop("asked", None)
            self._thinking.clear()
            change = message["history"]
            self._history[change["keep"] :] = change["add"]
        elif kind == "ended":
            self._latest.pop("asked", None)
            self._thinking.clear()
