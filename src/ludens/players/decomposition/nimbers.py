"""Impartial games: the winner of a sum, from the nimber of each subgame's position.

Normal play: the minimal excludant of what can be reached, and the nim-sum of all (Sprague and Grundy). Misère play:
that is wrong in general, and right with a twist for *tame* positions, which behave like positions of misère Nim. A
position is *fickle* with value 0 or 1, as a sum of heaps of one object, or *firm*, as a sum with a larger heap. A sum
of tame positions is fickle if all of them are, and its value is the nim-sum; who moves loses if the sum is fickle with
value 1 or firm with value 0. `misere_kinds` gives a kind only where the conditions hold that make this right in every
sum:

- fickle 0: over, or a move leads to fickle 1; all moves lead to fickle 1 or to firm 2, 3, …
- fickle 1: a move leads to fickle 0; all moves lead to fickle 0 or to firm 2, 3, …
- firm 0: all moves lead to firm 1, 2, 3, …
- firm 1: a move leads to firm 0; all moves lead to firm 0, 2, 3, …
- firm n: no move leads to value n, some move to each smaller one, and for both r of 0 and 1 some move leads to firm r
  or to fickle 1 - r.

From a sum that loses, each move leads to one that wins by these conditions; from one that wins, Nim's move exists, and
where it would leave only fickle positions, the last condition gives the other parity.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from ludens.analysis.impartial import Convention, Edges, Impartial, topological_order

MOST_REPLIES = 20_000
"""Limit of replies that are examined to find out how hard a move is to answer."""


@dataclass(frozen=True, slots=True)
class Nimber:
    """How a position of a subgame behaves in a sum."""

    value: int
    fickle: bool = False
    """Like a sum of heaps with one object each; matters in misère play only."""


def mex(values: Iterable[int]) -> int:
    """The smallest number from 0 that is not among the values."""
    seen = set(values)
    found = 0
    while found in seen:
        found += 1
    return found


def nimbers(edges: Edges) -> list[int]:
    """The nimber of every position, in normal play."""
    found = [0] * len(edges)
    order = topological_order(edges)
    assert order is not None
    for position in order:
        found[position] = mex([found[target] for target in edges[position]])
    return found


def misere_kinds(edges: Edges) -> list[Nimber] | None:
    """The kind of every position in misère play; None if one is not tame."""
    found: list[Nimber | None] = [None] * len(edges)
    order = topological_order(edges)
    assert order is not None
    for position in order:
        kind = misere_kind({kind for target in edges[position] if (kind := found[target]) is not None})
        if kind is None:
            return None
        found[position] = kind
    return [kind for kind in found if kind is not None]


def misere_kind(reached: set[Nimber]) -> Nimber | None:
    """The kind of a position that reaches these in misère play; None if it is not tame."""
    return next((kind for kind in _candidates(reached) if _is_tame(kind, reached)), None)


def sum_of(kinds: Iterable[Nimber]) -> Nimber:
    """The kind of a sum of positions of these kinds."""
    value, fickle = 0, True
    for kind in kinds:
        value ^= kind.value
        fickle = fickle and kind.fickle
    return Nimber(value, fickle)


def mover_wins(kind: Nimber) -> bool:
    """Whether the role to move wins, in normal play if the kind is firm."""
    return kind.value != (1 if kind.fickle else 0)


def _candidates(reached: set[Nimber]) -> list[Nimber]:
    value = mex([kind.value for kind in reached])
    return [Nimber(value, fickle=True), Nimber(value)] if value < 2 else [Nimber(value)]


def _is_tame(kind: Nimber, reached: set[Nimber]) -> bool:
    """Whether a position that reaches these behaves like this kind in every sum."""
    firm = {other.value for other in reached if not other.fickle}
    fickle = {other.value for other in reached if other.fickle}
    if kind.fickle:
        turn = 1 - kind.value
        is_over = kind.value == 0 and not reached
        return (is_over or turn in fickle) and fickle <= {turn} and not firm & {0, 1}
    if kind.value == 0:
        return bool(firm) and not fickle and 0 not in firm
    if kind.value == 1:
        return not fickle and 0 in firm and 1 not in firm
    smaller = all(value in firm | fickle for value in range(kind.value))
    parity = all(rest in firm or 1 - rest in fickle for rest in (0, 1))
    return smaller and parity and kind.value not in firm | fickle


class SumOfGames:
    """The winner of positions of the subgames, and the winning moves."""

    def __init__(self, game: Impartial) -> None:
        self.convention = game.convention
        self._edges = game.edges
        self._kinds: list[list[Nimber]] = []
        self.is_known = True
        """False in misère play if a subgame has positions that are not tame."""
        for edges in game.edges:
            if game.convention is Convention.NORMAL:
                self._kinds.append([Nimber(value) for value in nimbers(edges)])
            else:
                kinds = misere_kinds(edges)
                if kinds is None:
                    self.is_known = False
                    return
                self._kinds.append(kinds)

    def kind(self, positions: Sequence[int]) -> Nimber:
        """The kind of the sum."""
        return sum_of(kinds[position] for kinds, position in zip(self._kinds, positions, strict=True))

    def mover_wins(self, positions: Sequence[int]) -> bool:
        """Whether the role to move wins."""
        return mover_wins(self.kind(positions))

    def winning_moves(self, positions: Sequence[int]) -> list[tuple[int, int]]:
        """The winning moves: the subgame, and the position there that they lead to."""
        found = []
        for part, position in enumerate(positions):
            for target in self._edges[part][position]:
                after = list(positions)
                after[part] = target
                if not self.mover_wins(after):
                    found.append((part, target))
        return found

    def hardest_moves(self, positions: Sequence[int], rng: Random) -> list[tuple[int, int]]:
        """The moves after which the smallest share of the replies wins; of a random sample if there are many."""
        moves = self.moves(positions)
        looked_at = max(1, MOST_REPLIES // max(1, len(moves) * len(positions)))
        shares = []
        for part, target in rng.sample(moves, min(len(moves), looked_at)):
            after = list(positions)
            after[part] = target
            replies = len(self.moves(after))
            shares.append((len(self.winning_moves(after)) / replies if replies else 1.0, (part, target)))
        least = min(share for share, _ in shares)
        return [move for share, move in shares if share == least]

    def moves(self, positions: Sequence[int]) -> list[tuple[int, int]]:
        """All moves: the subgame, and the position there that they lead to."""
        return [(part, target) for part, position in enumerate(positions) for target in self._edges[part][position]]
