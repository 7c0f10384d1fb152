"""What the Rules say: answers to whoever asked, and informations to everybody who supervises or watches."""

from __future__ import annotations

from collections.abc import Callable

Write = Callable[[str], None]
"""Takes a line for somebody who reads."""


def answer(write: Write, symbol: str, text: str) -> None:
    """Write an answer or information; lines after the first are indented."""
    first, *more = text.split("\n")
    write(f"{symbol} {first}".rstrip())
    for line in more:
        write(f"  {line}".rstrip())


def tell(write: Write, text: str) -> None:
    """Write something that was not asked for."""
    answer(write, "->", text)


class Output:
    """Those who get informations: the Supervisor of this process, and guests who supervise or watch."""

    def __init__(self, write: Write) -> None:
        self.local = write
        """Writes for the Supervisor of this process."""
        self._readers = [write]

    def add(self, write: Write) -> None:
        """Somebody else wants to be told."""
        self._readers.append(write)

    def remove(self, write: Write) -> None:
        """Somebody is not told any more."""
        if write in self._readers:
            self._readers.remove(write)

    def inform(self, text: str) -> None:
        """Tell everybody something."""
        for write in list(self._readers):
            tell(write, text)
