"""Random games for two whose values a few lines of Python compute: tokens that move along the arrows of a graph.

The players move in turns, but who moves to some places moves again. The match is over when a token reaches the last
place, or nobody can move; what the first player gets then depends on where both tokens are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

Position = tuple[int, int, int]
"""The places of both tokens, and the player who moves."""
Move = tuple[int, int]
"""A token (1 or 2) and the place to which it moves."""


@dataclass(frozen=True)
class TokenGame:
    """One of these games."""

    arrows: tuple[tuple[int, ...], ...]
    """To where a token may move from each place."""
    again: frozenset[int]
    """Places after which the same player moves."""
    worth: tuple[tuple[int, ...], ...]
    """The first player's goal by the places of both tokens; the players share 100."""

    @property
    def last(self) -> int:
        """The place that ends the match."""
        return len(self.arrows) - 1

    def moves(self, position: Position) -> list[Move]:
        """The legal moves; none if the match is over."""
        if self.last in position[:2]:
            return []
        return [(token, place) for token in (1, 2) for place in self.arrows[position[token - 1]]]

    def after(self, position: Position, move: Move) -> Position:
        """The position after a move."""
        token, place = move
        first, second, mover = position
        places = (place, second) if token == 1 else (first, place)
        return (*places, mover if place in self.again else 1 - mover)

    def value(self, position: Position = (0, 0, 0)) -> int:
        """What the first player gets under perfect play."""

        @cache
        def value(position: Position) -> int:
            values = [value(self.after(position, move)) for move in self.moves(position)]
            if not values:
                return self.worth[position[0]][position[1]]
            return min(values) if position[2] else max(values)

        return value(position)

    def rules(self) -> str:
        """The rule sheet."""
        places = range(len(self.arrows))
        facts = [f"(arrow {x} {y})" for x in places for y in self.arrows[x]]
        facts += [f"(again {x})" for x in sorted(self.again)] or ["(again none)"]
        facts += [f"(worth {x} {y} {self.worth[x][y]} {100 - self.worth[x][y]})" for x in places for y in places]
        return "\n".join([_RULES.format(last=self.last), *facts])


def token_game(seed: int) -> TokenGame:
    """A random game; in every other one the tokens may change places, which is a symmetry of the rules."""
    rng = Random(seed)
    count = rng.randint(5, 9)
    arrows = tuple(
        tuple(sorted(rng.sample(range(x + 1, count), min(rng.randint(0, 3), count - x - 1)))) for x in range(count)
    )
    values = rng.choice(((0, 100), (0, 50, 100), (0, 20, 40, 60, 80, 100)))
    worth = [[rng.choice(values) for _ in range(count)] for _ in range(count)]
    if seed % 2:
        worth = [[worth[min(x, y)][max(x, y)] for y in range(count)] for x in range(count)]
    again = frozenset(rng.sample(range(1, count), rng.randint(0, 2)))
    return TokenGame(arrows, again, tuple(map(tuple, worth)))


_RULES = """
(role one) (role two) (opponent one two) (opponent two one)
(token 1) (token 2)
(init (at 1 0)) (init (at 2 0)) (init (control one))
(<= (may_go ?t ?y) (true (at ?t ?x)) (arrow ?x ?y))
(<= (legal ?r (go ?t ?y)) (true (control ?r)) (may_go ?t ?y))
(<= (legal ?r wait) (opponent ?r ?s) (true (control ?s)))
(<= (next (at ?t ?y)) (does ?r (go ?t ?y)))
(<= (next (at ?t ?x)) (true (at ?t ?x)) (does ?r (go ?u ?y)) (token ?t) (distinct ?t ?u))
(<= (next (control ?r)) (does ?r (go ?t ?y)) (again ?y))
(<= (next (control ?s)) (does ?r (go ?t ?y)) (opponent ?r ?s) (not (again ?y)))
(<= movable (may_go ?t ?y))
(<= terminal (not movable))
(<= terminal (true (at ?t {last})))
(<= (goal one ?v) (true (at 1 ?x)) (true (at 2 ?y)) (worth ?x ?y ?v ?w))
(<= (goal two ?w) (true (at 1 ?x)) (true (at 2 ?y)) (worth ?x ?y ?v ?w))
"""
