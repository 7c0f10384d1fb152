"""Names of places and things in the text of a move."""

from __future__ import annotations

import re
from collections.abc import Mapping


class Names:
    """Finds names in texts, the longest first."""

    def __init__(self, spots: Mapping[str, str]) -> None:
        self._spots = spots
        names = sorted(filter(None, spots), key=len, reverse=True)
        self._whole = re.compile("|".join(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])" for name in names) or "(?!)")
        squares = [name for name in names if len(name) <= 4 and not name.isalpha()]
        one = "|".join(map(re.escape, squares)) or "(?!)"
        self._run = re.compile(rf"(?<![^\W_])(?:[A-Z]?)((?:{one}){{2,}})(?=[a-z+=]?(?![^\W_]))")
        self._one = re.compile(one)

    def find_spots(self, text: str) -> tuple[str, ...]:
        """The spots of all names in a text, in order; names of squares may be adjacent: ``e2e4``."""
        found: list[tuple[int, str]] = []
        taken: list[tuple[int, int]] = []
        for match in self._whole.finditer(text):
            found.append((match.start(), self._spots[match[0]]))
            taken.append(match.span())
        for run in self._run.finditer(text):
            if not any(start < run.end() and run.start() < end for start, end in taken):
                for match in self._one.finditer(text, run.start(1), run.end(1)):
                    found.append((match.start(), self._spots[match[0]]))
        return tuple(spot for _, spot in sorted(found))
