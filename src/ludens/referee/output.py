"""Drops what players print: text that a player's thread writes to standard output or error.

This covers Python code that prints; it does not stop C code, or a player that opens the terminal itself.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

_here = threading.local()
_lock = threading.Lock()
_player_threads = 0
MOST_STREAMS = 16
"""Streams whose wrappers are kept; a program has two, tests replace them."""


class _Muted:
    """A standard stream that drops text from players' threads."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        if hasattr(_here, "dropped"):
            _here.dropped += len(text)
            return len(text)
        return self.stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


_wrappers: deque[_Muted] = deque(maxlen=MOST_STREAMS)
"""Wrappers stay alive when they are not in use: CPython's `print` crashes if another thread frees `sys.stdout`."""


def _muted(stream: TextIO) -> TextIO:
    """The wrapper of a stream, the same one every time."""
    found = next((wrapper for wrapper in _wrappers if wrapper.stream is stream), None)
    if found is None:
        found = _Muted(stream)
        _wrappers.append(found)
    return cast("TextIO", found)


@contextmanager
def player_thread() -> Iterator[None]:
    """Mark the calling thread as a player's: the standard streams are muted for such threads."""
    global _player_threads  # noqa: PLW0603 - the standard streams are global too
    with _lock:
        _player_threads += 1
        if not isinstance(sys.stdout, _Muted):
            sys.stdout = _muted(sys.stdout)
        if not isinstance(sys.stderr, _Muted):
            sys.stderr = _muted(sys.stderr)
    _here.dropped = 0
    try:
        yield
    finally:
        with _lock:
            _player_threads -= 1
            if _player_threads == 0:
                sys.stdout = sys.stdout.stream if isinstance(sys.stdout, _Muted) else sys.stdout
                sys.stderr = sys.stderr.stream if isinstance(sys.stderr, _Muted) else sys.stderr


def pop_dropped_count() -> int:
    """The number of characters of the calling thread dropped since the last call."""
    dropped: int = _here.dropped
    _here.dropped = 0
    return dropped
