"""Ctrl-C as a wish to end with what is known so far."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended, as shells expect it."""


@contextmanager
def stop_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Meanwhile the first Ctrl-C only changes the answer of the function to True; the second one interrupts."""
    wish = threading.Event()
    if threading.current_thread() is not threading.main_thread():  # only the main thread has signals
        yield wish.is_set
        return

    def note(number: int, frame: object) -> None:
        wish.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield wish.is_set
    finally:
        signal.signal(signal.SIGINT, before)
