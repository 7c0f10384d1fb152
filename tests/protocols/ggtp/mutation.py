"""Lines of the protocol with mistakes in them: what programs and people might send by accident or malice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

ODD = (
    "\t",
    " ",
    "\\",
    ",",
    ";",
    "=",
    "\x00",
    "\x1b[2J",
    "\r",
    "\u2028",
    "\ufeff",
    "é",
    "🂡",
    "'",
    '"',
    "%s",
    "-1",
    "1e309",
)
"""What is put into lines."""
NOISE = [code for code in (*range(32, 127), *range(0x250)) if code != ord("\n")]
"""Characters of lines that are nothing but noise."""


def lines(seed: int, count: int, good: Sequence[str]) -> Iterator[str]:
    """So many lines, some good, most with mistakes, some nothing but noise; none has a line end inside."""
    rng = Random(seed)
    for _ in range(count):
        kind = rng.random()
        if kind < 0.25:
            yield rng.choice(good)
        elif kind < 0.35:
            yield "".join(map(chr, rng.choices(NOISE, k=rng.randrange(40))))
        else:
            yield _mutated(rng, rng.choice(good), good)


def _mutated(rng: Random, line: str, good: Sequence[str]) -> str:
    for _ in range(rng.choice((1, 1, 2, 5))):
        at, to = sorted((rng.randrange(len(line) + 1), rng.randrange(len(line) + 1)))
        change = rng.randrange(6)
        if change == 0:
            line = line[:at] + line[at + 1 :]
        elif change == 1:
            line = line[:at] + rng.choice(ODD) + line[at:]
        elif change == 2:
            line = line[:at] + line[at:to] * 2 + line[to:]
        elif change == 3:
            line = line[:at]
        elif change == 4:
            line = f"{line} {rng.choice(good)}"
        else:
            words = line.split(" ")
            rng.shuffle(words)
            line = " ".join(words)
    return line
