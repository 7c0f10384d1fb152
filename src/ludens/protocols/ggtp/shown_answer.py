"""An engine's answer that the Supervisor is shown: in its place if it comes at once, otherwise when it comes."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ludens.protocols.ggtp.engines.link import Reply
from ludens.protocols.ggtp.inbox import Answered, Inbox


class ShownAnswer:
    """Receives one answer, from any thread, and shows it in the thread of the Rules."""

    def __init__(self, show: Callable[[Reply], None], inbox: Inbox) -> None:
        self._show = show
        self._inbox = inbox
        self._reply: Reply | None = None
        self._came = threading.Event()
        self._lock = threading.Lock()
        self._is_late = False

    def take(self, reply: Reply | None) -> None:
        """Receive the answer; None, from an engine that failed, is not shown."""
        with self._lock:
            self._reply = reply
            self._came.set()
            if self._is_late and reply is not None:
                self._inbox.put(Answered(lambda: self._show(reply)))

    def show_within(self, seconds: float) -> None:
        """Show the answer if it comes within some seconds, otherwise when it comes."""
        self._came.wait(seconds)
        with self._lock:
            self._is_late = not self._came.is_set()
        if self._reply is not None and not self._is_late:
            self._show(self._reply)
