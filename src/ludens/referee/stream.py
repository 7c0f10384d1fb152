"""Streams events of a match to followers: each has its own queue, and a slow one only harms itself."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Subscription(Generic[Item]):
    """The unread items of one follower. Iterate over it, in any thread, until the match is over."""

    def __init__(self, size: int) -> None:
        self._waiting: deque[Item] = deque(maxlen=size)
        self._changed = threading.Condition()
        self._closed = False
        self.missed = 0
        """How many of the oldest items were dropped because the follower was too slow; turn numbers show which."""

    def offer(self, item: Item) -> None:
        """Append an item to the queue; never blocks."""
        with self._changed:
            if len(self._waiting) == self._waiting.maxlen:
                self.missed += 1
            self._waiting.append(item)
            self._changed.notify()

    def close(self) -> None:
        """End the stream, from either side."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        """True once the stream has ended."""
        return self._closed

    def __iter__(self) -> Iterator[Item]:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return
                item = self._waiting.popleft()
            yield item


class Broadcast(Generic[Item]):
    """Sends each item to all followers."""

    def __init__(self) -> None:
        self._followers: list[Subscription[Item]] = []
        self._lock = threading.Lock()
        self._closed = False

    def subscribe(self, size: int) -> Subscription[Item]:
        """A new follower with a queue of ``size`` items."""
        follower: Subscription[Item] = Subscription(size)
        with self._lock:
            self._followers.append(follower)
            if self._closed:
                follower.close()
        return follower

    def send(self, item: Item) -> None:
        """Send an item to all followers."""
        with self._lock:
            self._followers = [follower for follower in self._followers if not follower.closed]
            for follower in self._followers:
                follower.offer(item)

    def close(self) -> None:
        """End the streams of all followers."""
        with self._lock:
            self._closed = True
            for follower in self._followers:
                follower.close()
