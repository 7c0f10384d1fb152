"""Replays that were drawn before: drawing takes seconds, and most replays are looked at more than once."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator
from typing import Any

from ludens.web.requests import json_lines

_MOST_BYTES = 64_000_000
"""Compressed, of all replays that are kept."""

_LAST = ("verdict", "reviewed")
"""The parts that end what can be kept."""


class DrawnReplays:
    """The last replays, as compressed JSON lines."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most = most_bytes
        self._known: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        """A replay that was drawn before."""
        if key in self._known:
            self._known.move_to_end(key)
        return self._known.get(key)

    async def keep(self, key: str, answers: AsyncIterator[dict[str, Any]]) -> AsyncIterator[bytes]:
        """Compress the parts of a replay, flushed line by line; positions differ little, so this saves 90 %. A replay
        that was drawn to its end is kept."""
        packer = zlib.compressobj(6)
        packed: list[bytes] = []
        is_whole = False

        async def watched() -> AsyncIterator[dict[str, Any]]:
            nonlocal is_whole
            async for answer in answers:
                is_whole = answer.get("part") in _LAST
                yield answer

        async for line in json_lines(watched()):
            packed.append(packer.compress(line) + packer.flush(zlib.Z_SYNC_FLUSH))
            yield packed[-1]
        packed.append(packer.flush())
        yield packed[-1]
        if is_whole:
            self._add(key, b"".join(packed))

    def _add(self, key: str, replay: bytes) -> None:
        self._known[key] = replay
        while sum(map(len, self._known.values())) > self._most:
            self._known.popitem(last=False)
