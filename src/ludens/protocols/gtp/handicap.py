"""The points of a fixed handicap, by the GTP specification."""

from __future__ import annotations

from ludens.games.tabletop.go import LETTERS


def fixed_handicap(size: int, stones: int) -> tuple[str, ...]:
    """The points of a handicap; empty if a board of that size has no such handicap."""
    most = 0 if size < 7 else 4 if size % 2 == 0 or size == 7 else 9
    if not 2 <= stones <= most:
        return ()
    low = 3 if size < 13 else 4
    middle, high = (size + 1) // 2, size + 1 - low
    corners = [(low, low), (high, high), (low, high), (high, low)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    chosen = corners[:stones]
    if stones > 4:
        chosen += sides[: (stones - 4) // 2 * 2]
        chosen += [(middle, middle)] if stones % 2 else []
    return tuple(f"{LETTERS[column - 1]}{row}" for column, row in chosen)
