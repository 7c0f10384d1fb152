"""The messages for one audience of a match, kept so that later followers see the current state at once.

Messages are numbered. A follower that misses one, or is too slow, is sent everything again.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

_WAITING = 60
"""The largest queue of a follower."""
_KEPT = ("seats", "position", "asked", "ended", "record")
"""Kinds of messages of which later followers receive the latest, in this order."""


class Follower:
    """One connection, with its queue of messages."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue(_WAITING)

    @property
    def waiting(self) -> int:
        """The length of the queue."""
        return self._waiting.qsize()

    async def next(self) -> str | None:
        """Wait for the next message; None at the end."""
        return await self._waiting.get()

    def offer(self, text: str | None) -> None:
        """Queue a message; a follower that is too slow is sent everything again instead."""
        if self._waiting.full():
            self.restart()
            if text is not None:
                return  # it is part of everything
        self._waiting.put_nowait(text)

    def restart(self) -> None:
        """Clear the queue, and send everything."""
        while not self._waiting.empty():
            self._waiting.get_nowait()
        self._waiting.put_nowait(self._channel.everything())


class Channel:
    """The messages for one audience of one match."""

    def __init__(self) -> None:
        self._number = 0
        self._latest: dict[str, dict[str, Any]] = {}
        self._thinking: dict[str, dict[str, Any]] = {}
        self._history: list[dict[str, Any]] = []
        self._followers: set[Follower] = set()

    @property
    def followers(self) -> int:
        """The number of followers."""
        return len(self._followers)

    def follow(self) -> Follower:
        """Add a follower, which first receives everything so far."""
        follower = Follower(self)
        self._followers.add(follower)
        follower.restart()
        return follower

    def leave(self, follower: Follower) -> None:
        """Remove a follower."""
        self._followers.discard(follower)

    def send(self, message: dict[str, Any]) -> None:
        """Send a message to all followers, and remember what later ones must know of it."""
        self._remember(message)
        self._number += 1
        text = json.dumps({"n": self._number, "now": time.time(), "messages": [message]}, ensure_ascii=False)
        for follower in self._followers:
            follower.offer(text)

    def everything(self) -> str:
        """The whole current state, as one message."""
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
        """Close all followers, as the server stops."""
        for follower in list(self._followers):
            follower.offer(None)

    def as_json(self) -> dict[str, Any]:
        """The content as JSON values, for the disk."""
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
