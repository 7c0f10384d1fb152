"""Random Sokoban levels of the size of small published ones: ``python -m benchmarks.sokoban_levels`` solves some.

A level begins solved; boxes are pulled breadth-first, and a position that took many pulls is chosen.
"""

from __future__ import annotations

import argparse
import random
from collections import deque
from collections.abc import Iterator

Square = tuple[int, int]
Squares = frozenset[Square]

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
MOST_POSITIONS = 15_000
FEWEST_PULLS = 6


def levels(seed: int) -> Iterator[list[str]]:
    """Levels as rows, without end."""
    rng = random.Random(seed)
    while True:
        cells = _cells(rng)
        if not 14 <= len(cells) <= 55:
            continue
        count = rng.choice((1, 2, 2, 3, 3, 3, 4, 4, 5, 6))
        middle = rng.choice(sorted(cells))
        near = sorted(cells, key=lambda cell: abs(cell[0] - middle[0]) + abs(cell[1] - middle[1]) + rng.random())
        goals = frozenset(near[:count] if rng.random() < 0.6 else rng.sample(sorted(cells), count))
        found = _pull(cells, goals)
        pulls, boxes, man = rng.choice(found[-max(1, len(found) // 20) :])
        if pulls >= FEWEST_PULLS and len(boxes & goals) <= count // 2:
            yield _rows(cells, goals, boxes, rng.choice(sorted(_walk(cells - boxes, man))))


def _cells(rng: random.Random) -> Squares:
    """The squares of an open place with walls in it, or of rooms and tunnels; all are connected."""
    width, height = rng.randint(5, 11), rng.randint(5, 9)
    board = {(x, y) for x in range(1, width + 1) for y in range(1, height + 1)}
    if rng.random() < 0.5:
        walls = rng.sample(sorted(board), rng.randint(len(board) // 8, len(board) // 3))
        open_squares = board - set(walls)
    else:
        open_squares = set()
        for _ in range(rng.randint(3, 5)):
            left, top, across, down = (
                rng.randint(1, width),
                rng.randint(1, height),
                rng.randint(2, 3),
                rng.randint(2, 3),
            )
            open_squares |= {(x, y) for x in range(left, left + across) for y in range(top, top + down)} & board
        for _ in range(4):
            x, y = rng.choice(sorted(board))
            for _ in range(rng.randint(6, 16)):
                open_squares.add((x, y))
                dx, dy = rng.choice(STEPS)
                x, y = (x + dx, y + dy) if (x + dx, y + dy) in board else (x, y)
    return frozenset(_walk(frozenset(open_squares), rng.choice(sorted(open_squares))))


def _walk(free: Squares, man: Square) -> set[Square]:
    """The squares that the man can reach."""
    found, waiting = {man}, [man]
    while waiting:
        x, y = waiting.pop()
        new = {(x + dx, y + dy) for dx, dy in STEPS} & free - found
        found |= new
        waiting += new
    return found


def _pull(cells: Squares, goals: Squares) -> list[tuple[int, Squares, Square]]:
    """Positions from which the level can be solved: pulls, boxes and the man, those with the fewest pulls first."""
    begins = {min(_walk(cells - goals, man)) for man in cells - goals}
    queue = deque((0, goals, man) for man in sorted(begins))
    seen, found = {(goals, man) for man in begins}, [(0, goals, min(cells - goals))]
    while queue and len(seen) < MOST_POSITIONS:
        pulls, boxes, man = queue.popleft()
        found.append((pulls, boxes, man))
        for x, y in _walk(cells - boxes, man):
            for dx, dy in STEPS:
                box, behind = (x + dx, y + dy), (x - dx, y - dy)
                if box in boxes and behind in cells - boxes:
                    pulled = boxes - {box} | {(x, y)}
                    key = pulled, min(_walk(cells - pulled, behind))
                    if key not in seen:
                        seen.add(key)
                        queue.append((pulls + 1, *key))
    return found


def _rows(cells: Squares, goals: Squares, boxes: Squares, man: Square) -> list[str]:
    def mark(square: Square) -> str:
        if square not in cells:
            return "#"
        marks = "*$" if square in boxes else "+@" if square == man else ".-"
        return marks[square not in goals]

    width, height = max(x for x, _ in cells) + 2, max(y for _, y in cells) + 2
    return ["".join(mark((x, y)) for x in range(width)) for y in range(height)]


def main() -> None:
    """Solve some levels, each in a process of its own."""
    from benchmarks.single import measured  # noqa: PLC0415 - it loads ludens

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10.0, help="CPU seconds for each, loading included")
    options = parser.parse_args()
    solved = 0
    for number, rows in zip(range(options.count), levels(options.seed), strict=False):
        found = measured(f"{number}", f"sokoban:{','.join(rows)},500", options.seconds)
        solved += found.get("goal") == 100
        print(found, flush=True)
    print(f"{solved} of {options.count} solved")


if __name__ == "__main__":
    main()
