"""What players of hold'em did, in this hand choice by choice and in earlier ones as counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

FOLD, CALL, RAISE = range(3)
"""What a player did; to check is to call nothing."""
Act = tuple[str, int, int, int, int, int]
"""A choice: player, what it did, street, chips that it owed, chips in the pot, and 1 if it could raise."""
OWING_FIRST, OWING_LATER, OWING_NONE = range(3)
"""Situations: chips are owed before the flop, or after it, or none."""
NOTHING_RECORDED = (0,) * 9


def add_to_record(record: Sequence[int], acts: Iterable[Act], player: str) -> tuple[int, ...]:
    """How often a player folded, called and raised in each situation, with the choices of one more hand."""
    counts = list(record)
    for who, what, street, owed, _, _ in acts:
        if who == player:
            situation = OWING_NONE if not owed else OWING_LATER if street else OWING_FIRST
            counts[3 * situation + what] += 1
    return tuple(counts)


def part_of_pot(owed: int, pot: int) -> float:
    """The part of the pot that a player owes, less than 1."""
    return min(owed / max(1, pot), 0.999)


def with_keep(acts: Iterable[Act]) -> tuple[list[tuple[Act, float]], float]:
    """The choices of a hand, each with the share of hands that theory would have held before it, and that share now."""
    found, keep = [], 1.0
    for act in acts:
        found.append((act, keep))
        _, what, _, owed, pot, _ = act
        if what != FOLD:
            keep *= 1 - part_of_pot(owed, pot)
    return found, keep
