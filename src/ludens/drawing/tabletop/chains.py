"""The line of dominoes, from the order in which its tiles were laid."""

from __future__ import annotations

from collections.abc import Sequence


def arrange_chain(tiles: Sequence[str]) -> list[str]:
    """Tiles such as ``2-5``, in the order in which they were laid, from left to right with equal pips touching.

    If a tile fits both ends, the first arrangement that fits all others is used: the rules record no more.
    """
    chain = _extend([], list(tiles))
    return chain if chain is not None else list(tiles)


def _extend(line: list[str], rest: list[str]) -> list[str] | None:
    if not rest:
        return line
    low, _, high = rest[0].partition("-")
    ways = []
    if not line:
        ways = [[rest[0]]]
    else:
        left, right = line[0].partition("-")[0], line[-1].partition("-")[2]
        for first, second in ((low, high), (high, low)):
            if first == right:
                ways.append([*line, f"{first}-{second}"])
            if second == left:
                ways.append([f"{first}-{second}", *line])
    for way in ways:
        if (chain := _extend(way, rest[1:])) is not None:
            return chain
    return None
