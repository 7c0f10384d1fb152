"""Following a match from elsewhere: each follower has a queue of its own, and a slow one only harms itself."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Subscription(Generic[Item]):
    """What one follower has not read yet. Iterate over it, in any thread, until the match is over."""

    def __init__(self, size: int) -> None:
        self._waiting: deque[Item] = deque(maxlen=size)
        self._changed = threading.Condition()
        self._closed = False
        self.missed = 0
        """How many of the oldest items were dropped because the follower was too slow; turn numbers tell which."""

    def offer(self, item: Item) -> None:
        """Hand over an item; never waits."""
        with self._changed:
            if len(self._waiting) == self._waiting.maxlen:
                self.missed += 1
            self._waiting.append(item)
            self._changed.notify()

    def close(self) -> None:
        """Nothing more will come, or nothing more is wanted."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        """True once nothing more will come."""
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
    """Hands each item to all who follow."""

    def __init__(self) -> None:
        self._followers: list[Subscription[Item]] = []
        self._lock = threading.Lock()
        self._closed = False

    def subscribe(self, size: int) -> Subscription[Item]:
        """A new follower, who may lag behind by ``size`` items."""
        follower: Subscription[Item] = Subscription(size)
        with self._lock:
            self._followers.append(follower)
            if self._closed:
                follower.close()
        return follower

    def send(self, item: Item) -> None:
        """Hand an item to all followers."""
        with self._lock:
            self._followers = [follower for follower in self._followers if not follower.closed]
            for follower in self._followers:
                follower.offer(item)

    def close(self) -> None:
        """Tell all followers that nothing more will come."""
        with self._lock:
            self._closed = True
            for follower in self._followers:
                follower.close()
