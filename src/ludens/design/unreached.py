"""Parts of a game that play never reaches: kinds of moves, and squares, pieces or cards that no move ever names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from ludens.core import Move
from ludens.design.move_words import kind_of, things_in
from ludens.design.random_play import RandomPlay

_LEAST_STATES = 20_000
_LEAST_SIBLING = 200
"""States in which each of the other values of an argument must have been possible: then a value that never was is no
accident of a rare kind, as the high numbers of a counter are."""
_LEAST_VALUES = 3


@dataclass(frozen=True, slots=True)
class Unreached:
    """A part that is never reached."""

    text: str
    subject: str
    others: str
    """What was reached instead."""


_LEAST_SQUARES, _MOST_FIXED, _COORDINATES = 8, 0.2, 2
"""A relation with so many fluents at the start, of which hardly any stay, is a board; those that stay stand out. What
stands on a square beside its coordinates has to be the same: where a trail begins nothing changes, rightly."""


def _fixed_squares(play: RandomPlay) -> Iterator[Unreached]:
    """Fluents that nothing ever changes, where nearly all of their kind do change."""
    boards: dict[str, list[str]] = defaultdict(list)
    for fluent in play.initial:
        if fluent.startswith("("):
            relation, *arguments = fluent.strip("()").split()
            content = arguments[-1] if len(arguments) > _COORDINATES else ""
            boards[f"{relation} {content}"].append(fluent)
    for fluents in boards.values():
        fixed = [fluent for fluent in fluents if play.fluents[fluent] == play.looked_at]
        if fixed and len(fluents) >= _LEAST_SQUARES and len(fixed) <= _MOST_FIXED * len(fluents):
            listed = ", ".join(sorted(fixed)[:8])
            others = f"{len(fluents) - len(fixed)} others of its kind change"
            yield Unreached(f"Nothing ever changes {listed}", listed, others)


def unreached_parts(play: RandomPlay) -> Iterator[Unreached]:
    """Kinds of moves that are never legal, and values of their arguments that no legal move has.

    Only where a compiler lists what it cannot rule out; what it can is no part of the game.
    """
    if play.states < _LEAST_STATES or not play.all_moves:
        return
    yield from _fixed_squares(play)
    counts: Counter[Move] = Counter()
    for legal in play.legal.values():
        counts.update(legal)
    moves = {move for own in play.all_moves.values() for move in own}
    kinds = Counter[str]()
    things: dict[str, Counter[str]] = defaultdict(Counter)
    for move in moves:
        kinds[kind_of(move)] += counts[move]
        for thing in things_in(move):
            things[thing.place][thing.value] += counts[move]
    for kind, count in kinds.items():
        if not count:
            yield Unreached(f"No move «{kind}» is ever legal", kind, f"{len(kinds) - 1} other kinds were")
    for place, values in things.items():
        missing = [value for value, count in values.items() if not count]
        reached = [count for count in values.values() if count]
        if not missing or len(reached) < _LEAST_VALUES or min(reached) < _LEAST_SIBLING:
            continue
        name, _, number = place.rpartition(" ")
        listed = ", ".join(sorted(missing)[:8])
        yield Unreached(
            f"No legal move «{name}» ever has {listed} as its argument {number}",
            f"{name} {listed}",
            f"its {len(reached)} other values were, each in at least {min(reached):,}",
        )
