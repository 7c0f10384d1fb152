"""What the Rules say to whoever supervises them: answers to commands, and informations that nobody asked for."""

from __future__ import annotations

from collections.abc import Callable


class Output:
    """Takes what the Rules say; the function that it is made with gets each line."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write

    def write(self, symbol: str, text: str) -> None:
        """Write an answer or information; lines after the first are indented."""
        first, *more = text.split("\n")
        self._write(f"{symbol} {first}".rstrip())
        for line in more:
            self._write(f"  {line}".rstrip())

    def inform(self, text: str) -> None:
        """Tell something without being asked."""
        self.write("->", text)
