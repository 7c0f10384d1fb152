"""Helpers for generators of rule sheets: parameters and common facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ludens.core import GameError

_LINE = 110
"""The maximum length of a line of facts."""


@dataclass(frozen=True, slots=True)
class Number:
    """A parameter that is a whole number."""

    name: str
    """A phrase for messages: ``size of the board``."""
    low: int
    high: int
    default: int


def read_numbers(game: str, parameters: Sequence[str], *wanted: Number) -> list[int]:
    """The values of a generator's parameters, with defaults for missing ones. Raises `GameError`."""
    if len(parameters) > len(wanted):
        raise GameError(_usage(game, wanted, parameters))
    values = [number.default for number in wanted]
    for place, (word, number) in enumerate(zip(parameters, wanted, strict=False)):
        # The length comes first because Python refuses to convert very long numbers.
        known = word.isascii() and word.isdecimal() and len(word) <= len(str(number.high))
        if not known or not number.low <= int(word) <= number.high:
            raise GameError(_usage(game, wanted, parameters))
        values[place] = int(word)
    return values


def on_grid(sheet: str, game: str, parameters: Sequence[str], columns: int, rows: int) -> str:
    """A sheet for a grid whose columns and rows are the parameters (1 to 10), by default ``columns`` and ``rows``.

    The sheet has places for both numbers, for the facts ``(column 1)`` and ``(row 1)`` of each, and for successors.
    """
    across, down = read_numbers(
        game, parameters, Number("number of columns", 1, 10, columns), Number("number of rows", 1, 10, rows)
    )
    return sheet.format(
        columns=across,
        rows=down,
        column_facts=number_facts("column", 1, across),
        row_facts=number_facts("row", 1, down),
        numbers=successors(1, max(across, down, 2)),
    )


def _usage(game: str, wanted: Sequence[Number], words: Sequence[str]) -> str:
    names = ", then ".join(f"the {number.name} ({number.low} to {number.high})" for number in wanted)
    return f"{game} takes {names}, not {','.join(words)!r}"


def facts(texts: Iterable[str]) -> str:
    """Facts as lines of a rule sheet.

    >>> print(facts(["(index 1)", "(index 2)"]))
    (index 1) (index 2)
    """
    lines: list[str] = []
    for text in texts:
        if lines and len(lines[-1]) + 1 + len(text) <= _LINE:
            lines[-1] += f" {text}"
        else:
            lines.append(text)
    return "\n".join(lines)


def number_facts(relation: str, low: int, high: int) -> str:
    """The fact of a relation for each number.

    >>> number_facts("index", 1, 3)
    '(index 1) (index 2) (index 3)'
    """
    return facts(f"({relation} {n})" for n in range(low, high + 1))


def successors(low: int, high: int, relation: str = "succ") -> str:
    """Each number and the next.

    >>> successors(0, 3)
    '(succ 0 1) (succ 1 2) (succ 2 3)'
    """
    return facts(f"({relation} {n} {n + 1})" for n in range(low, high))


def shares(relation: str, whole: int, most: int = 100) -> str:
    """The goal of each number from 0 to ``whole``, in proportion to ``most`` for ``whole``, rounded down.

    >>> shares("worth", 3)
    '(worth 0 0) (worth 1 33) (worth 2 66) (worth 3 100)'
    """
    return facts(f"({relation} {n} {most * n // whole})" for n in range(whole + 1))
