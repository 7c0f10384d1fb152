"""Composite games of several sizes, as rule sheets: boards on which pieces drop, and rows of pins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

ROLES = ("red", "blue")


def drop_boards(boards: int, columns: int, rows: int, length: int, *, style: str, first_ends: bool = False) -> str:
    """Boards on which pieces drop into columns, and lines of a length win.

    ``style`` says how they are played together: by ``choice``, in ``parallel`` (a move drops a piece on every board),
    or ``swapped``: the roles move at once, each on boards of its own, and change boards after every move.
    """
    numbers = range(1, boards + 1)
    rules = [f"(role {role})" for role in ROLES]
    rules += [f"(board {board})" for board in numbers]
    rules += [f"(init (top {board} {column} 1))" for board in numbers for column in range(1, columns + 1)]
    rules += [f"(above {row} {row + 1})" for row in range(1, rows + 1)]
    rules += [f"(row {row})" for row in range(1, rows + 1)]
    rules += [
        "(<= (won ?b ?p) " + " ".join(f"(true (cell ?b {c} {r} ?p))" for c, r in line) + ")"
        for line in _lines(columns, rows, length)
    ]
    rules += [
        "(<= (free ?b ?c) (true (top ?b ?c ?r)) (row ?r))",
        "(<= (open ?b) (free ?b ?c))",
        "(<= (over ?b) (won ?b ?p))",
        "(<= (over ?b) (board ?b) (not (open ?b)))",
        "(<= (next (cell ?b ?c ?r ?p)) (dropped ?b ?c ?p) (true (top ?b ?c ?r)))",
        "(<= (next (cell ?b ?c ?r ?p)) (true (cell ?b ?c ?r ?p)))",
        "(<= (next (top ?b ?c ?s)) (dropped ?b ?c ?p) (true (top ?b ?c ?r)) (above ?r ?s))",
        "(<= (next (top ?b ?c ?r)) (true (top ?b ?c ?r)) (not (touched ?b ?c)))",
        "(<= (touched ?b ?c) (dropped ?b ?c ?p))",
        "(<= (drawn ?b) (board ?b) (not (won ?b red)) (not (won ?b blue)))",
    ]
    rules += {"choice": _by_choice, "parallel": _in_parallel, "swapped": _swapped}[style](list(numbers))
    if first_ends:
        rules.append("(<= terminal (over ?b))")
        rules += _first_decides(list(numbers))
    else:
        rules.append("(<= terminal " + " ".join(f"(over {board})" for board in numbers) + ")")
        rules += _by_sum(list(numbers))
    return "\n".join(rules)


def _lines(columns: int, rows: int, length: int) -> Iterator[list[tuple[int, int]]]:
    for column, row in product(range(1, columns + 1), range(1, rows + 1)):
        for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = [(column + n * across, row + n * up) for n in range(length)]
            if all(c <= columns and 1 <= r <= rows for c, r in line):
                yield line


def _turns() -> list[str]:
    return [
        "(init (control red))",
        "(<= (next (control blue)) (true (control red)))",
        "(<= (next (control red)) (true (control blue)))",
        "(<= (legal red noop) (true (control blue)))",
        "(<= (legal blue noop) (true (control red)))",
    ]


def _by_choice(boards: Sequence[int]) -> list[str]:
    return [
        *_turns(),
        "(<= (legal ?p (drop ?b ?c)) (true (control ?p)) (free ?b ?c) (not (over ?b)))",
        "(<= (dropped ?b ?c ?p) (does ?p (drop ?b ?c)))",
    ]


def _in_parallel(boards: Sequence[int]) -> list[str]:
    names = [f"?c{board}" for board in boards]
    options = " ".join(f"(option {board} ?c{board})" for board in boards)
    return [
        *_turns(),
        "(<= (option ?b ?c) (free ?b ?c) (not (over ?b)))",
        "(<= (option ?b rest) (over ?b))",
        f"(<= (legal ?p (drop {' '.join(names)})) (true (control ?p)) {options})",
        *(f"(<= (dropped {b} ?c{b} ?p) (does ?p (drop {' '.join(names)})))" for b in boards),
    ]


def _swapped(boards: Sequence[int]) -> list[str]:
    rules = [
        "(<= (legal ?p (drop ?b ?c)) (true (turn ?b ?p)) (free ?b ?c) (not (over ?b)))",
        "(<= (legal ?p (rest ?b)) (true (turn ?b ?p)) (over ?b))",
        "(<= (dropped ?b ?c ?p) (does ?p (drop ?b ?c)))",
        "(<= (next (turn ?b red)) (true (turn ?b blue)))",
        "(<= (next (turn ?b blue)) (true (turn ?b red)))",
    ]
    return rules + [f"(init (turn {board} {role}))" for board, role in zip(boards, ROLES, strict=True)]


def _by_sum(boards: Sequence[int]) -> list[str]:
    """Goals for how many more boards one won than the other."""
    rules = []
    for results in product(("red", "blue", "drawn"), repeat=len(boards)):
        body = " ".join(
            f"(drawn {board})" if result == "drawn" else f"(won {board} {result})"
            for board, result in zip(boards, results, strict=True)
        )
        ahead = results.count("red") - results.count("blue")
        first = round(50 + 50 * ahead / len(boards))
        rules += [f"(<= (goal red {first}) {body})", f"(<= (goal blue {100 - first}) {body})"]
    return rules


def _first_decides(boards: Sequence[int]) -> list[str]:
    rules = []
    for board in boards:
        rules += [
            f"(<= (goal {one} {value}) (won {board} {winner}))"
            for winner, loser in (ROLES, ROLES[::-1])
            for one, value in ((winner, 100), (loser, 0))
        ]
    drawn = " ".join(f"(drawn {board})" for board in boards)
    return [*rules, *(f"(<= (goal {role} 50) {drawn})" for role in ROLES)]


def pin_rows(lengths: Sequence[int], taken: Sequence[int] = (1, 2), *, last_wins: bool = True) -> str:
    """Rows of pins; a move knocks down some neighbouring pins, as many as ``taken`` says (1 or 2 in Kayles)."""
    rules = [f"(role {role})" for role in ROLES]
    for row, length in enumerate(lengths, 1):
        rules += [f"(init (pin {row} {place}))" for place in range(1, length + 1)]
        for count in taken:
            for place in range(1, length - count + 2):
                places = range(place, place + count)
                pins = " ".join(f"(true (pin {row} {each}))" for each in places)
                rules.append(f"(<= (legal ?p (take {row} {place} {count})) (true (control ?p)) {pins})")
                rules += [f"(hits {row} {place} {count} {each})" for each in places]
    winner, loser = (0, 100) if last_wins else (100, 0)
    rules += [
        *_turns(),
        "(<= (hit ?x ?z) (does ?p (take ?x ?y ?n)) (hits ?x ?y ?n ?z))",
        "(<= (next (pin ?x ?z)) (true (pin ?x ?z)) (not (hit ?x ?z)))",
        "(<= moves (true (control ?p)) (legal ?p (take ?x ?y ?n)))",
        "(<= terminal (not moves))",
        f"(<= (goal ?p {winner}) (true (control ?p)))",
        f"(<= (goal red {loser}) (true (control blue)))",
        f"(<= (goal blue {loser}) (true (control red)))",
    ]
    return "\n".join(rules)
