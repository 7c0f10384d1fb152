"""The output of the Rules: answers to commands, and informations to all Supervisors and observers."""

from __future__ import annotations

from collections.abc import Callable

Write = Callable[[str], None]
"""Writes a line to one reader."""


def answer(write: Write, symbol: str, text: str) -> None:
    """Write an answer or information; lines after the first are indented."""
    first, *more = text.split("\n")
    write(f"{symbol} {first}".rstrip())
    for line in more:
        write(f"  {line}".rstrip())


def tell(write: Write, text: str) -> None:
    """Write an information."""
    answer(write, "->", text)


class Output:
    """The readers of informations: the Supervisor of this process, and guests who supervise or watch."""

    def __init__(self, write: Write) -> None:
        self.local = write
        """Writes for the Supervisor of this process."""
        self._readers = [write]

    def add(self, write: Write) -> None:
        """Add a reader."""
        self._readers.append(write)

    def remove(self, write: Write) -> None:
        """Remove a reader."""
        if write in self._readers:
            self._readers.remove(write)

    def inform(self, text: str) -> None:
        """Send an information to all readers."""
        for write in list(self._readers):
            tell(write, text)
